"""Shrinking close to Pillow's BILINEAR, and exactly like OpenCV with `linear`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.image.resize import Mode, Plane, Resize
from tests.agent.vision.pictures import pillow_bilinear

PHOTOGRAPHS = ["cat_720p.jpg", "parrot.jpg", "pets.jpg", "zebra.jpeg", "people_detection.png", "dog_bike_car.jpg", "hot_dog.jpg"]


def resized(picture: Plane, width: int, height: int, mode: Mode) -> Plane:
    channels = 1 if picture.ndim == 2 else 3
    into = np.empty((height, width, 3)[: 2 if channels == 1 else 3], np.uint8)
    Resize((picture.shape[0], picture.shape[1]), (height, width), channels, mode)(picture, into)
    return into


@pytest.mark.parametrize("side", [128, 224, 300, 320])
@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_area_is_closer_to_pillow_than_opencv(data: Path, name: str, side: int) -> None:
    picture = cv2.imread(str(data / "media/images" / name))
    reference = pillow_bilinear(picture, side, side)

    def away(got: Plane) -> float:
        return float(np.abs(got - reference).mean())

    ours = away(resized(picture, side, side, "area"))
    linear = away(cv2.resize(picture, (side, side), interpolation=cv2.INTER_LINEAR))
    area = away(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA))
    assert ours < 0.75 * linear
    assert ours < 1.35 * area
    assert ours < 2.1


def test_linear_is_opencv() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (97, 141, 3), np.uint8)
    assert np.array_equal(resized(picture, 50, 60, "linear"), cv2.resize(picture, (50, 60), interpolation=cv2.INTER_LINEAR))


def test_enlarging_is_linear_in_both_modes() -> None:
    picture = np.random.default_rng(2).integers(0, 256, (20, 30), np.uint8)
    assert np.array_equal(resized(picture, 64, 64, "area"), cv2.resize(picture, (64, 64), interpolation=cv2.INTER_LINEAR))


def test_same_size_is_a_copy() -> None:
    picture = np.random.default_rng(3).integers(0, 256, (20, 30, 3), np.uint8)
    for mode in ("area", "linear"):
        assert np.array_equal(resized(picture, 30, 20, mode), picture)


def test_every_pixel_counts() -> None:
    """One white pixel at any position changes the small picture; linear sampling would miss most of them."""
    for row in range(0, 90, 7):
        for column in range(0, 160, 11):
            picture = np.zeros((90, 160), np.uint8)
            picture[row, column] = 255
            assert resized(picture, 30, 30, "area").any()


@given(
    source=st.tuples(st.integers(1, 400), st.integers(1, 400)),
    target=st.tuples(st.integers(1, 120), st.integers(1, 120)),
    channels=st.sampled_from([1, 3]),
    level=st.integers(0, 255),
    mode=st.sampled_from(["area", "linear"]),
)
def test_any_size_to_any_size_keeps_a_flat_picture(
    source: tuple[int, int], target: tuple[int, int], channels: int, level: int, mode: Mode
) -> None:
    picture = np.full(source if channels == 1 else (*source, 3), level, np.uint8)
    assert np.abs(resized(picture, target[1], target[0], mode).astype(int) - level).max() <= 1


def test_a_plane_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected \(10, 10\)"):
        Resize((10, 10), (5, 5), 1, "area")(np.zeros((11, 10), np.uint8), np.zeros((5, 5), np.uint8))
