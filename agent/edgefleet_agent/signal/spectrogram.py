"""Spectrogram of one channel's window: time from left to right, frequency upwards in rows, loudness in grey.

Short-time Fourier transform with a Hann window, in decibels above the window's own median, so that neither the gain of the sensor
nor its distance from the machine changes the picture. Models for pictures can then judge vibration and sound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]

FLOOR_DB, SPAN_DB = -10.0, 40.0
"""The level of black, relative to the median, and the range from there to white."""


@dataclass(frozen=True, slots=True)
class Spectrogram:
    """Settings of the transform. points: of one transform, a power of two. hop: points from one transform to the next.

    Raises:
        ValueError: the numbers give no picture.
    """

    points: int
    hop: int

    def __post_init__(self) -> None:
        if self.points not in (16, 32, 64, 128, 256, 512, 1024) or not 1 <= self.hop <= self.points:
            raise ValueError(
                f"spectrogram of {self.points} points every {self.hop}: use a power of two from 16 to 1024, and hop up to that"
            )

    def columns(self, length: int) -> int:
        """Width of the picture of a window of `length` points.

        Raises:
            ValueError: too short for two columns.
        """
        count = (length - self.points) // self.hop + 1
        if count < 2:
            raise ValueError(
                f"a window of {length} points is too short for a spectrogram of {self.points} points; use a longer window"
            )
        return count

    def __call__(self, values: npt.NDArray[np.float64]) -> Picture:
        """Converts (length,) to (points / 2, columns) uint8; the highest frequency is in row 0, the constant part is left out."""
        count = self.columns(len(values))
        centred = values - values.mean()
        strides = (centred.strides[0] * self.hop, centred.strides[0])
        frames = np.lib.stride_tricks.as_strided(centred, (count, self.points), strides, writeable=False)
        power = np.abs(np.fft.rfft(frames * np.hanning(self.points + 1)[: self.points], axis=1)[:, 1:]) ** 2
        loud = 10.0 * np.log10(power + 1e-20)
        grey = (loud - np.median(loud) - FLOOR_DB) / SPAN_DB * 255.0
        return np.ascontiguousarray(np.clip(np.rint(grey), 0, 255).astype(np.uint8).T[::-1])
