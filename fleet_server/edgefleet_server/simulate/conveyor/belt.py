"""The conveyor without parts: a belt texture that repeats along its length, and the fixed rails of the machine."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_server.simulate.conveyor.lighting import Float32

Image = npt.NDArray[np.uint8]

BELTS: dict[str, tuple[float, float, float]] = {
    "slats": (62, 74, 84),
    "rubber": (54, 56, 54),
    "weave": (52, 84, 70),
    "cleats": (72, 68, 62),
}
SLAT_PITCH = 40  # pixels at 480 lines


def _periodic_noise(rng: np.random.Generator, height: int, width: int, sigma: tuple[float, float]) -> Float32:
    """Gaussian noise of unit deviation, blurred by ``sigma`` (x, y) pixels, whose right edge meets its left."""
    pad = int(4 * sigma[0]) + 2
    wrapped = np.pad(rng.normal(0, 1, (height, width)).astype(np.float32), ((0, 0), (pad, pad)), mode="wrap")
    blurred = cv2.GaussianBlur(wrapped, (0, 0), sigmaX=max(sigma[0], 0.1), sigmaY=max(sigma[1], 0.1))[:, pad:-pad]
    return np.asarray(blurred / (blurred.std() + 1e-6), np.float32)


def _ridge(distance: npt.NDArray[np.floating[Any]], width: float) -> Float32:
    """A smooth bump of height 1 where ``distance`` is 0."""
    return np.asarray(np.exp(-((distance / width) ** 2)), np.float32)


def belt_texture(style: str, width: int, height: int, unit: float, rng: np.random.Generator) -> Image:
    """One period of belt, uint8 (height, width, 3); ``width`` must be a multiple of the slat pitch for a clean seam."""
    x, y = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)[:, None]
    pitch = SLAT_PITCH * unit
    grey = np.ones((height, width), np.float32)
    if style == "slats":
        place = x % pitch
        grey *= 1 - 0.42 * _ridge(place - 2 * unit, 1.4 * unit) + 0.16 * _ridge(place - 5 * unit, unit)
        links = (y + (x // pitch) * pitch / 2) % pitch
        grey *= 1 - 0.16 * _ridge(links - pitch / 2, 1.6 * unit)
    elif style == "weave":
        cell = 5 * unit
        grey *= 1 + 0.07 * np.sin(2 * np.pi * x * round(width / cell) / width) * np.sin(2 * np.pi * y / cell)
    elif style == "cleats":
        slope = np.abs(y - height / 2) * 0.35
        place = (x + slope) % (2 * pitch)
        grey *= 1 + 0.22 * _ridge(place - 10 * unit, 2 * unit) - 0.25 * _ridge(place - 15 * unit, 2 * unit)
    grain = 0.045 * _periodic_noise(rng, height, width, (0.7, 0.7))
    blotches = 0.045 * _periodic_noise(rng, height, width, (28 * unit, 16 * unit))
    wear = 0.035 * _periodic_noise(rng, height, width, (60 * unit, 1.2 * unit))
    grey *= 1 + grain + blotches + wear
    for _ in range(int(rng.integers(3, 9))):
        row, left = float(rng.uniform(0.05, 0.95) * height), int(rng.integers(0, width))
        mark = _ridge(y - row, 1.5 * unit) * _ridge(x - width / 2, float(rng.uniform(20, 120)) * unit)
        grey *= 1 + float(rng.uniform(-0.18, 0.22)) * np.roll(mark, left, axis=1)
    colour = grey[:, :, None] * np.asarray(BELTS[style], np.float32)
    return np.clip(colour, 0, 255).astype(np.uint8)


def _rail(width: int, height: int, unit: float, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """An aluminium extrusion seen from above, belt side at the bottom: float32 (height, width, 3) in 0..255."""
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    slot = np.exp(-(((y - 0.46) / 0.07) ** 4))
    profile = 0.56 + 0.20 * _ridge(y - 0.16, 0.07) - 0.40 * slot + 0.26 * _ridge(y - 0.68, 0.05)
    profile = profile - 0.30 * np.clip((y - 0.9) / 0.1, 0, 1)
    brushed = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), sigmaX=24 * unit, sigmaY=0.4)
    grey = profile * (1 + 0.03 * brushed / (brushed.std() + 1e-6))
    return np.asarray(grey[:, :, None] * np.array([232, 236, 240], np.float32), np.float32)


def _bolts(image: Image, row: int, unit: float, start: int) -> None:
    for x in range(start, image.shape[1], round(128 * unit)):
        radius = round(6 * unit)
        cv2.circle(image, (x + 1, row + 2), radius, (46, 48, 50), -1, cv2.LINE_AA)
        cv2.circle(image, (x, row), radius, (150, 153, 156), -1, cv2.LINE_AA)
        cv2.circle(image, (x - 1, row - 1), max(1, radius - 2), (186, 188, 190), -1, cv2.LINE_AA)
        hexagon = [(x + 0.5 * radius * np.cos(a), row + 0.5 * radius * np.sin(a)) for a in np.arange(6) * np.pi / 3]
        cv2.fillPoly(image, [np.round(hexagon).astype(np.int32)], (52, 54, 58), cv2.LINE_AA)


def _light_gate(image: Image, row: int, unit: float) -> None:
    """The sensor that watches the middle of the belt: parts are counted where its two halves are opposite each other."""
    middle, half_width, half_height = image.shape[1] // 2, round(15 * unit), round(12 * unit)
    for grow, colour in ((2, (24, 25, 27)), (0, (44, 46, 50))):
        corner = (middle - half_width - grow, row - half_height - grow)
        cv2.rectangle(image, corner, (middle + half_width + grow, row + half_height + grow), colour, -1, cv2.LINE_AA)
    cv2.rectangle(image, (middle - half_width, row - half_height), (middle + half_width, row - half_height + 2), (78, 80, 86), -1)
    cv2.circle(image, (middle, row), round(4 * unit), (220, 52, 40), -1, cv2.LINE_AA)
    cv2.circle(image, (middle - 1, row - 1), max(1, round(1.5 * unit)), (255, 176, 160), -1, cv2.LINE_AA)


def _plate_with_name(image: Image, name: str, row: int, unit: float) -> None:
    scale, font = 0.42 * unit, cv2.FONT_HERSHEY_SIMPLEX
    (text_width, text_height), _ = cv2.getTextSize(name, font, scale, 1)
    left, pad = round(26 * unit), round(6 * unit)
    half_height = text_height // 2 + pad
    cv2.rectangle(image, (left - pad, row - half_height), (left + text_width + pad, row + half_height), (228, 186, 40), -1)
    cv2.putText(image, name, (left, row + text_height // 2), font, scale, (28, 28, 28), 1, cv2.LINE_AA)


def machine(width: int, height: int, rail: int, name: str, rng: np.random.Generator) -> tuple[Image, Image]:
    """The two rails, upper and lower, each uint8 (rail, width, 3), with bolts, a light gate and the line's name plate."""
    unit = height / 480
    upper = np.clip(_rail(width, rail, unit, rng), 0, 255).astype(np.uint8)
    lower = np.ascontiguousarray(np.clip(_rail(width, rail, unit, rng), 0, 255).astype(np.uint8)[::-1])
    for image, slot in ((upper, round(0.46 * rail)), (lower, rail - 1 - round(0.46 * rail))):
        _bolts(image, slot, unit, round(int(rng.integers(150, 200)) * unit))
        _light_gate(image, slot, unit)
    _plate_with_name(upper, name, round(0.46 * rail), unit)
    return upper, lower


def rail_shade(height: int, unit: float, azimuth_rad: float) -> Float32:
    """The rails' shadow on the belt: a factor per belt row, float32 (height, 1, 1); deeper on the lamp's side."""
    y = np.arange(height, dtype=np.float32)
    upper = 0.28 - 0.22 * np.sin(azimuth_rad)
    lower = 0.28 + 0.22 * np.sin(azimuth_rad)
    shade = 1 - upper * np.exp(-y / (9 * unit)) - lower * np.exp(-(height - 1 - y) / (9 * unit))
    return np.asarray(shade[:, None, None], np.float32)
