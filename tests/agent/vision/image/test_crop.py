"""Crops of rotated rectangles: turned upright, and their results in the frame."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from edgefleet_agent.vision.box_parts import BoxParts
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.crop import CropPlace, crop, crop_to_frame, turned_crop
from edgefleet_agent.vision.results import Keypoints

WIDTH, HEIGHT = 640, 480


def rectangle(middle: tuple[float, float], width: float, height: float, degrees: float) -> Any:
    """Corners of a rectangle, clockwise from the one that is left of and above its middle before the rotation."""
    x, y = cos(radians(degrees)), sin(radians(degrees))
    sides = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    return np.array([[middle[0] + u * x - v * y, middle[1] + u * y + v * x] for u, v in sides], np.float32)


def patterned(corners: Any, width: int, height: int) -> Any:
    """A frame with a sign in the rectangle: a bright field, dark in its upper left quarter."""
    sign = np.full((height, width, 3), (40, 220, 220), np.uint8)
    sign[: height // 2, : width // 2] = (200, 40, 40)
    plane = np.array([[0, 0], [width, 0], [width, height]], np.float32)
    return cv2.warpAffine(sign, cv2.getAffineTransform(plane, corners[:3]), (WIDTH, HEIGHT), borderValue=(90, 90, 90))


def framed(picture: Any, layout: str) -> Frame:
    if layout == "i420":
        flat = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).ravel()
        luma, chroma = WIDTH * HEIGHT, WIDTH * HEIGHT // 4
        halves = [flat[luma + n * chroma : luma + (n + 1) * chroma].reshape(HEIGHT // 2, WIDTH // 2) for n in (0, 1)]
        return Frame(3, 1.0, 2.0, WIDTH, HEIGHT, "i420", (flat[:luma].reshape(HEIGHT, WIDTH), *halves))
    plane = {"bgr": picture, "rgb": picture[:, :, ::-1], "gray": cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)}[layout]
    kind: Any = layout
    return Frame(3, 1.0, 2.0, WIDTH, HEIGHT, kind, (np.ascontiguousarray(plane),))


def bgr(frame: Frame) -> Any:
    if frame.layout == "i420":
        height, width = frame.height & ~1, frame.width & ~1
        u, v = (plane[: height // 2, : width // 2].ravel() for plane in frame.planes[1:])
        stacked = np.concatenate([frame.planes[0][:height, :width].ravel(), u, v])
        return cv2.cvtColor(stacked.reshape(height * 3 // 2, width), cv2.COLOR_YUV2BGR_I420)
    plane = frame.planes[0]
    return {"bgr": plane, "rgb": plane[..., ::-1], "gray": np.repeat(plane[..., None], 3, axis=2)}[frame.layout]


@pytest.mark.parametrize("layout", ["bgr", "rgb", "gray", "i420"])
@pytest.mark.parametrize("degrees", [-40, -10, 5, 30, 44])
def test_a_rotated_sign_stands_upright(layout: str, degrees: int) -> None:
    corners = rectangle((300, 240), 200, 100, degrees)
    found = turned_crop(framed(patterned(corners, 200, 100), layout), corners)
    assert found is not None
    part, place = found
    assert (part.width, part.height, part.layout, part.index, part.media_s) == (200, 100, layout, 3, 1.0)
    picture = bgr(part).astype(int)
    dark, bright = picture[10:40, 10:90].mean(axis=(0, 1)), picture[60:90, 110:190].mean(axis=(0, 1))
    sign = framed(np.full((HEIGHT, WIDTH, 3), (200, 40, 40), np.uint8), layout)
    field = framed(np.full((HEIGHT, WIDTH, 3), (40, 220, 220), np.uint8), layout)
    assert np.abs(dark - bgr(sign)[0, 0]).max() < 6
    assert np.abs(bright - bgr(field)[0, 0]).max() < 6
    assert place.points(np.array([[0, 0], [200, 0], [200, 100], [0, 100]], np.float32)) == pytest.approx(corners, abs=0.01)


@example(0.0, 4.0, 6.0, True, 100.0, 100.0)
@given(
    st.floats(-180, 180),
    st.floats(4, 400),
    st.floats(4, 400),
    st.booleans(),
    st.floats(-50, 700),
    st.floats(-50, 500),
)
def test_any_rectangle(degrees: float, width: float, height: float, lying: bool, x: float, y: float) -> None:
    """The crop has the rectangle's corners, its rows run to the right or straight down, and a line of text lies."""
    frame = Frame(0, 0.0, 0.0, WIDTH, HEIGHT, "gray", (np.zeros((HEIGHT, WIDTH), np.uint8),))
    corners = rectangle((x, y), width, height, degrees)
    found = turned_crop(frame, corners, lying=lying)
    if found is None:
        return
    part, place = found
    wide, high = max(width, height), min(width, height)
    if lying and wide >= 1.5 * high + 0.01:
        assert part.width >= part.height
    elif not lying or wide <= 1.5 * high - 0.01:  # between them, rounding decides
        assert place.along[0] >= 0.7
    assert place.along[0] > -1e-6
    mapped = place.points(np.array([[0, 0], [part.width, part.height]], np.float32))
    for corner in mapped:
        assert np.abs(corners - corner).max(axis=1).min() < 1.5


@pytest.mark.parametrize(
    "corners",
    [
        rectangle((100, 100), 50, 20, 0),
        rectangle((100, 100), 50, 20, 1.5),
        rectangle((100, 100), 50, 20, 180),
        rectangle((100, 100), 6, 6, 30),
        rectangle((100, 100), 1e6, 1e6, 30),
        np.full((4, 2), np.nan, np.float32),
        np.zeros((4, 2), np.float32),
    ],
)
def test_what_an_upright_crop_suits(corners: Any) -> None:
    frame = Frame(0, 0.0, 0.0, WIDTH, HEIGHT, "gray", (np.zeros((HEIGHT, WIDTH), np.uint8),))
    assert turned_crop(frame, corners, min_side=8) is None


def test_a_person_stands_and_a_line_of_text_lies() -> None:
    frame = Frame(0, 0.0, 0.0, WIDTH, HEIGHT, "gray", (np.zeros((HEIGHT, WIDTH), np.uint8),))
    tall = rectangle((300, 240), 40, 160, 10)
    sizes = []
    for lying in (False, True):
        found = turned_crop(frame, tall, lying=lying)
        assert found is not None
        sizes.append((found[0].width, found[0].height))
    assert sizes == [(40, 160), (160, 40)]


def test_results_of_a_turned_crop_are_in_the_frame() -> None:
    place = CropPlace((100.0, 50.0), (0.6, 0.8))
    boxes = np.array([[0, 0, 10, 20]], np.float32)
    points = np.array([[[10, 0]]], np.float32)
    found = Detections(
        boxes, np.ones(1, np.float32), np.zeros(1, np.int32), parts=BoxParts(points, np.ones((1, 1), np.float32), ("a",))
    )
    result = crop_to_frame(found, place)
    assert isinstance(result, Detections)
    assert result.parts is not None
    assert result.parts.corners[0] == pytest.approx(np.array([[100, 50], [106, 58], [90, 70], [84, 62]]), abs=1e-3)
    assert result.boxes[0] == pytest.approx([84, 50, 106, 70], abs=1e-3)
    assert result.parts.points[0, 0] == pytest.approx([106, 58], abs=1e-3)
    pose = crop_to_frame(Keypoints(points, np.ones((1, 1), np.float32), ("a",)), place)
    assert isinstance(pose, Keypoints)
    assert pose.points[0, 0] == pytest.approx([106, 58], abs=1e-3)


def test_an_upright_crop_has_its_corner() -> None:
    frame = Frame(0, 0.0, 0.0, WIDTH, HEIGHT, "gray", (np.arange(WIDTH * HEIGHT, dtype=np.uint8).reshape(HEIGHT, WIDTH),))
    found = crop(frame, (10, 20, 50, 60))
    assert found is not None
    assert found[1] == CropPlace((10, 20))
    assert np.shares_memory(found[0].planes[0], frame.planes[0])
