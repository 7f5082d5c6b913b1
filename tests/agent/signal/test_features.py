"""Features of windows with known values."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.signal.features import FEATURES, Features, band_rms

RATE = 1000.0
TIMES = np.arange(4000) / RATE


def sine(hertz: float, amplitude: float = 2.0) -> np.ndarray:
    return np.asarray(amplitude * np.sin(2 * np.pi * hertz * TIMES))


def test_a_sine_and_noise() -> None:
    noise = np.random.default_rng(1).normal(0, 3, len(TIMES))
    values = np.stack([5 + sine(50), noise], axis=1)
    features = Features(["mean", "std", "rms", "crest", "kurtosis", "min", "max", "peak"], ["a", "b"], 1 / RATE)
    values_of = dict(zip(features.names, features(values), strict=True))
    assert values_of["a.mean"] == pytest.approx(5.0, abs=1e-9)
    assert values_of["a.std"] == pytest.approx(np.sqrt(2), rel=1e-6)
    assert values_of["a.rms"] == pytest.approx(np.sqrt(25 + 2), rel=1e-6)
    assert values_of["a.crest"] == pytest.approx(np.sqrt(2), rel=1e-3)
    assert values_of["a.kurtosis"] == pytest.approx(1.5, rel=1e-3)
    assert (values_of["a.min"], values_of["a.max"], values_of["a.peak"]) == pytest.approx((3.0, 7.0, 2.0), abs=1e-3)
    assert values_of["b.kurtosis"] == pytest.approx(3.0, abs=0.3)
    assert values_of["b.std"] == pytest.approx(3.0, abs=0.15)


def test_bands_hold_what_is_in_them() -> None:
    values = np.stack([sine(50) + sine(200, 1.0), 7 + sine(50)], axis=1)
    assert band_rms(values, 1 / RATE, 40, 60) == pytest.approx([2 / np.sqrt(2)] * 2, rel=1e-3)
    assert band_rms(values, 1 / RATE, 190, 210) == pytest.approx([1 / np.sqrt(2), 0.0], abs=1e-3)
    everything = Features(["band:0-500", "std"], ["x"], 1 / RATE)(np.random.default_rng(2).normal(0, 3, (4000, 1)))
    assert everything[0] == pytest.approx(everything[1], rel=0.05)


def test_a_channel_that_stands_still_is_finite() -> None:
    assert np.isfinite(Features([*FEATURES, "band:1-5"], ["x"], 0.1)(np.full((64, 1), 4.0))).all()


@pytest.mark.parametrize(
    ("name", "expected"), [("mode", "unknown feature"), ("band:5-1", "unknown feature"), ("band:1-60", "half the sampling")]
)
def test_features_that_there_are_not(name: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        Features([name], ["x"], 0.01)
