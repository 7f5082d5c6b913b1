"""Frames for tests: the same picture in every layout, and the reference for `area`."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.frame import Frame, PixelLayout

Picture = npt.NDArray[np.uint8]


def scene(width: int, height: int) -> Picture:
    """A smooth colourful rgb picture: different in every corner, within the colours that video can carry."""
    down, across = np.mgrid[0:height, 0:width]
    red = 70 + 110 * across / width
    green = 70 + 110 * down / height
    blue = 125 + 50 * np.sin(across / width * 5) * np.cos(down / height * 4)
    return np.stack([red, green, blue], axis=2).round().astype(np.uint8)


def frame_of(rgb: Picture, layout: PixelLayout, *, full_range: bool = False, stride: int = 0) -> Frame:
    """`rgb` as a frame of `layout`; `stride` adds as many bytes to every row, as decoders do."""
    height, width = rgb.shape[:2]
    planes: list[Picture]
    if layout == "i420":
        planes = i420(rgb, full_range=full_range)
    elif layout == "gray":
        planes = [cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(np.uint8)]
    else:
        planes = [rgb if layout == "rgb" else np.ascontiguousarray(rgb[:, :, ::-1])]
    padded = [np.pad(plane, ((0, 0), (0, stride), *((0, 0),) * (plane.ndim - 2)))[:, : plane.shape[1]] for plane in planes]
    return Frame(0, 0.0, 0.0, width, height, layout, tuple(padded), full_range)


def i420(rgb: Picture, *, full_range: bool) -> list[Picture]:
    """BT.601 by its definition, chroma as the mean of 2 x 2 pixels; any size, odd ones too."""
    red, green, blue = (rgb[:, :, channel].astype(np.float64) for channel in range(3))
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    cb, cr = (blue - luma) * 0.564, (red - luma) * 0.713
    if not full_range:
        luma, cb, cr = 16 + luma * 219 / 255, cb * 224 / 255, cr * 224 / 255
    edges = ((0, rgb.shape[0] % 2), (0, rgb.shape[1] % 2))
    halves = []
    for chroma in (cb, cr):
        even = np.pad(chroma, edges, mode="edge")
        halves.append(even.reshape(even.shape[0] // 2, 2, even.shape[1] // 2, 2).mean(axis=(1, 3)) + 128)
    return [np.clip(plane.round(), 0, 255).astype(np.uint8) for plane in (luma, *halves)]


def pillow_bilinear(picture: Picture, width: int, height: int) -> npt.NDArray[np.float64]:
    """Pillow's BILINEAR by its definition: a triangle of the ratio's half width on each axis, rounded between the two passes."""
    across, down = _triangle(picture.shape[1], width), _triangle(picture.shape[0], height)
    rows = np.rint(np.einsum("wx,yxc->ywc", across, picture.astype(np.float64), optimize=True))
    return np.rint(np.einsum("hy,ywc->hwc", down, rows, optimize=True))


def _triangle(source: int, target: int) -> npt.NDArray[np.float64]:
    ratio = source / target
    distance = np.abs((np.arange(source) + 0.5)[None] - ((np.arange(target) + 0.5) * ratio)[:, None])
    weights = np.clip(1 - distance / max(ratio, 1.0), 0, None)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
