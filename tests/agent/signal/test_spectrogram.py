"""Windows as pictures."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.signal.spectrogram import Spectrogram

RATE = 8000


def test_a_tone_is_a_line_in_its_row_whatever_the_gain() -> None:
    times = np.arange(2096) / RATE
    noise = np.random.default_rng(1).normal(0, 0.05, 2096)
    pictures = [Spectrogram(64, 16)(gain * (np.sin(2 * np.pi * 2000 * times) + noise) + 5.0) for gain in (1.0, 100.0)]
    assert pictures[0].shape == (32, 128)
    assert np.abs(pictures[0].astype(int) - pictures[1].astype(int)).max() <= 1
    rows = pictures[0].mean(axis=1)
    assert abs(int(rows.argmax()) - (32 - 16)) <= 1  # bin 16 of 125 Hz each, the highest in row 0
    assert rows.max() > 200 > 2 * np.median(rows)


def test_a_blow_is_a_column() -> None:
    signal = np.random.default_rng(1).normal(0, 0.1, 2096)
    signal[1000:1004] += 30.0
    columns = Spectrogram(64, 16)(signal).mean(axis=0)
    assert abs(int(columns.argmax()) - (1000 - 32) // 16) <= 2


@pytest.mark.parametrize(("points", "hop"), [(60, 10), (64, 0), (64, 65), (2048, 10)])
def test_no_picture(points: int, hop: int) -> None:
    with pytest.raises(ValueError, match="power of two"):
        Spectrogram(points, hop)


def test_too_short() -> None:
    with pytest.raises(ValueError, match="use a longer window"):
        Spectrogram(64, 16).columns(70)
