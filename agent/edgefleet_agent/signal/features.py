"""Features of a window: common figures of condition monitoring.

mean std min max rms      of the values
peak                      the largest deviation from the mean
crest                     peak / standard deviation: 1.41 for a sine, more with impacts
kurtosis                  3 for noise, 1.5 for a sine; bearing damage raises it long before the RMS
band:LOW-HIGH             RMS of the frequencies from LOW to HIGH hertz (Hann window, one-sided spectrum, Welch's scaling)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_TINY = 1e-12


def _deviation(values: Floats) -> Floats:
    return np.asarray(values - values.mean(axis=0))


def _peak(values: Floats) -> Floats:
    return np.asarray(np.abs(_deviation(values)).max(axis=0))


def _crest(values: Floats) -> Floats:
    return np.asarray(_peak(values) / np.maximum(values.std(axis=0), _TINY))


def _kurtosis(values: Floats) -> Floats:
    deviation = _deviation(values)
    variance = (deviation**2).mean(axis=0)
    return np.asarray((deviation**4).mean(axis=0) / np.maximum(variance**2, _TINY))


FEATURES: dict[str, Callable[[Floats], Floats]] = {
    "mean": lambda values: np.asarray(values.mean(axis=0)),
    "std": lambda values: np.asarray(values.std(axis=0)),
    "min": lambda values: np.asarray(values.min(axis=0)),
    "max": lambda values: np.asarray(values.max(axis=0)),
    "rms": lambda values: np.asarray(np.sqrt((values**2).mean(axis=0))),
    "peak": _peak,
    "crest": _crest,
    "kurtosis": _kurtosis,
}


class Features:
    """The chosen features of every channel. period_s: between the window's points.

    Raises:
        ValueError: an unknown feature, or a band beyond half the sampling rate.
    """

    def __init__(self, chosen: list[str], channels: list[str], period_s: float) -> None:
        self._period_s = period_s
        self._steps: list[Callable[[Floats], Floats]] = []
        for name in chosen:
            self._steps.append(FEATURES[name] if name in FEATURES else self._band(name))
        self.names = [f"{channel}.{name}" for name in chosen for channel in channels]

    def __call__(self, values: Floats) -> Floats:
        """Computes the features (features,) of (points, channels), in the order of `names`."""
        return np.concatenate([step(values) for step in self._steps])

    def _band(self, name: str) -> Callable[[Floats], Floats]:
        low, high = band_of(name)
        if high > 0.5 / self._period_s:
            raise ValueError(f"{name!r} exceeds {0.5 / self._period_s:g} Hz, half the sampling rate")
        return lambda values: band_rms(values, self._period_s, low, high)


def band_of(name: str) -> tuple[float, float]:
    """LOW and HIGH of `band:LOW-HIGH`.

    Raises:
        ValueError: neither a band nor the name of a feature.
    """
    kind, _, edges = name.partition(":")
    try:
        low, high = (float(edge) for edge in edges.split("-"))
    except ValueError:
        low, high = 1.0, 0.0
    if kind != "band" or not 0.0 <= low < high:
        raise ValueError(f"{name!r}: unknown feature; known are {', '.join(sorted(FEATURES))}, band:LOW-HIGH in Hz")
    return low, high


def band_rms(values: Floats, period_s: float, low_hz: float, high_hz: float) -> Floats:
    """RMS (channels,) between two frequencies; `values` (points, channels)."""
    points = len(values)
    hann = np.hanning(points + 1)[:points]
    spectrum = np.abs(np.fft.rfft(_deviation(values) * hann[:, None], axis=0)) ** 2
    power = 2.0 * spectrum / (points * float((hann**2).sum()))
    frequencies = np.fft.rfftfreq(points, period_s)
    chosen = (frequencies >= low_hz) & (frequencies <= high_hz)
    return np.asarray(np.sqrt(power[chosen].sum(axis=0)))
