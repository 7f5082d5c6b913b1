"""Detection of motion: moving objects, and changes that are no motion."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pytest

from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.motion_detector import BOXES_MAX, Motion, MotionDetector
from edgefleet_contract.pipeline.stage_options import MotionOptions

WIDTH, HEIGHT, RATE = 320, 240, 10
Plane = npt.NDArray[np.uint8]


def scene(seed: int = 7) -> Plane:
    """A quiet background with texture."""
    dice = np.random.default_rng(seed)
    coarse = dice.integers(60, 140, (HEIGHT // 8, WIDTH // 8))
    return np.kron(coarse, np.ones((8, 8))).astype(np.uint8)


def box(picture: Plane, left: int, top: int, width: int = 40, height: int = 60, shade: int = 220) -> Plane:
    shown = picture.copy()
    shown[top : top + height, left : left + width] = shade
    return shown


def detect_all(pictures: Iterable[Plane], detector: MotionDetector | None = None, first: int = 0) -> list[Motion]:
    detector = detector or MotionDetector(WIDTH, HEIGHT, MotionOptions())
    motions = []
    for index, picture in enumerate(pictures, first):
        frame = Frame(index, index / RATE, 0.0, WIDTH, HEIGHT, "gray", (picture,))
        motions.append(detector.detect(frame, frame.media_s))
    return motions


def noisy(count: int, sigma: float, gain: float = 1.0) -> list[Plane]:
    dice = np.random.default_rng(1)
    return [np.clip(scene() * gain + dice.normal(0, sigma, (HEIGHT, WIDTH)), 0, 255).astype(np.uint8) for _ in range(count)]


@pytest.mark.parametrize("sigma", [0.0, 4.0, 15.0])
def test_grain_is_no_motion(sigma: float) -> None:
    assert not any(motion.moves or len(motion.boxes) for motion in detect_all(noisy(40, sigma)))


def test_a_moving_box_is_where_it_is() -> None:
    pictures = [scene()] * 10 + [box(scene(), 20 + 6 * step, 80) for step in range(30)]
    for step, motion in enumerate(detect_all(pictures)[10:]):
        assert motion.moves
        assert len(motion.boxes) == 1
        assert motion.boxes.boxes[0] == pytest.approx([20 + 6 * step, 80, 60 + 6 * step, 140], abs=5)


def test_regions_beyond_the_limit_are_counted() -> None:
    busy = np.full((HEIGHT, WIDTH), 100, np.uint8)
    for number in range(BOXES_MAX + 6):
        busy = box(busy, 4 + 40 * (number % 8), 3 + 34 * (number // 8), 16, 16)
    detector = MotionDetector(WIDTH, HEIGHT, MotionOptions(join=0.0, min_area=0.0005))
    last = detect_all([np.full((HEIGHT, WIDTH), 100, np.uint8)] * 10 + [busy], detector)[-1]
    assert (len(last.boxes), last.left_out) == (BOXES_MAX, 6)


def test_it_leaves_no_ghost() -> None:
    pictures = [scene()] * 10 + [box(scene(), 20 + 6 * step, 80) for step in range(30)] + [scene()] * 5
    assert not any(len(motion.boxes) for motion in detect_all(pictures)[-4:])


def test_what_stops_becomes_background() -> None:
    parked = box(scene(), 200, 80)
    motions = detect_all([scene()] * 10 + [box(scene(), 20 + 6 * step, 80) for step in range(30)] + [parked] * 300)
    assert not any(motion.moves for motion in motions[45:])
    assert len(motions[50].boxes) == 1  # still detected, as a stopped object
    assert not len(motions[-1].boxes)


@pytest.mark.parametrize("gain", [0.3, 1.6])
def test_a_switched_light_is_no_motion_and_is_forgotten(gain: float) -> None:
    """Contrast grows or falls with the light, so that a common shift does not explain it."""
    motions = detect_all(noisy(20, 2.0) + noisy(40, 2.0, gain))
    assert not any(motion.moves for motion in motions)
    assert not any(len(motion.boxes) for motion in motions[30:])


def test_exposure_that_follows_a_bright_thing_is_no_motion() -> None:
    """The whole picture darkens by 20 while a white car is in it, and returns."""
    dark = np.asarray(scene() - 20, np.uint8)
    pictures = [scene()] * 10 + [box(dark, 20 + 6 * step, 80, shade=250) for step in range(30)] + [scene()] * 10
    motions = detect_all(pictures)
    assert all(len(motion.boxes) == 1 for motion in motions[10:40])
    assert not any(len(motion.boxes) for motion in motions[42:])


def test_two_that_touch_by_a_mirror_are_two() -> None:
    def pair(step: int) -> Plane:
        shown = box(box(scene(), 60, 20 + 4 * step, 60, 90), 140, 120 - 4 * step, 60, 90)
        shown[80 + 2 * step : 84 + 2 * step, 110:150] = 220
        return shown

    motions = detect_all([scene()] * 10 + [pair(step) for step in range(10)])
    assert [len(motion.boxes) for motion in motions[10:]] == [2] * 10


def test_colour_pictures_and_tiny_ones() -> None:
    for width, height in ((16, 16), (640, 16), (33, 47)):
        detector = MotionDetector(width, height, MotionOptions())
        for index in range(12):
            picture = np.full((height, width, 3), 100, np.uint8)
            if index > 8:
                picture[4:12, index - 6 : index + 2] = 250
            motion = detector.detect(Frame(index, index / RATE, 0.0, width, height, "bgr", (picture,)), index / RATE)
        assert motion.moves
