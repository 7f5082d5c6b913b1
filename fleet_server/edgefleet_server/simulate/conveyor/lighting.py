"""Lighting and sensor noise of a conveyor camera. Pure values; nothing here draws a part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Lighting:
    """One camera's light. Angles in radians, image x to the right and y down; fractions of 1 unless named otherwise.

    ``azimuth_rad`` is the direction of the light source; ``gain`` is one factor per colour (RGB); ``gradient`` is the
    brightness lost across the frame along ``gradient_rad``; ``hotspot`` is the centre of the glare in fractions of the
    frame; ``flicker`` is the amplitude of the lamp's beat with the shutter; ``noise`` is the sensor's standard
    deviation in grey levels of 255.
    """

    azimuth_rad: float
    gain: tuple[float, float, float]
    gradient: float
    gradient_rad: float
    vignette: float
    hotspot: tuple[float, float]
    glare: float
    flicker: float
    noise: float
    shadow: float

    @classmethod
    def draw(cls, rng: np.random.Generator, variety: float) -> Lighting:
        """Light drawn at random: ``variety`` 0 is one well-kept inspection cell, 1 is every cell of a real factory."""
        if not 0.0 <= variety <= 1.0:
            raise ValueError(f"variety must lie between 0 and 1, not {variety}")

        def around(middle: float, spread: float) -> float:
            return float(middle + spread * variety * rng.uniform(-1.0, 1.0))

        exposure = float(np.exp(around(0.0, 0.55)))
        warmth, green = around(0.0, 0.16), around(0.0, 0.05)
        return cls(
            azimuth_rad=around(-2.1, float(np.pi)),
            gain=(exposure * (1 + warmth), exposure * (1 + green), exposure * (1 - warmth)),
            gradient=max(0.0, around(0.12, 0.45)),
            gradient_rad=float(rng.uniform(0, 2 * np.pi)),
            vignette=max(0.0, around(0.16, 0.16)),
            hotspot=(around(0.5, 0.45), around(0.5, 0.35)),
            glare=max(0.0, around(0.08, 0.3)),
            flicker=max(0.0, around(0.015, 0.05)),
            noise=max(0.8, around(2.4, 3.6)),
            shadow=min(0.75, max(0.2, around(0.5, 0.25))),
        )

    def field(self, width: int, height: int) -> Float32:
        """The factor each pixel's colour is multiplied by: float32 (height, width, 3), before flicker."""
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        x, y = x / width - 0.5, y / height - 0.5
        slope = x * np.cos(self.gradient_rad) + y * np.sin(self.gradient_rad)
        hot_x, hot_y = self.hotspot[0] - 0.5, self.hotspot[1] - 0.5
        glare = self.glare * np.exp(-((x - hot_x) ** 2 + (y - hot_y) ** 2) / 0.06)
        grey = (1 - self.gradient * slope) * (1 - self.vignette * 2 * (x * x + y * y)) + glare
        return np.asarray(grey[:, :, None] * np.asarray(self.gain), np.float32)

    def flicker_at(self, index: int, period: int) -> float:
        """Brightness factor of frame ``index``; repeats after ``period`` frames so that a looped clip has no seam."""
        beats = max(1, round(period / 37))
        phase = 2 * np.pi * (index % period) / period
        return float(1 + self.flicker * (0.7 * np.sin(beats * phase) + 0.3 * np.sin((5 * beats + 1) * phase + 1.0)))
