"""Pixels under a mask are removed, in every pixel layout."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.frame import Frame, PixelLayout
from edgefleet_agent.vision.image.draw import to_bgr
from edgefleet_agent.vision.image.privacy_mask import PrivacyMasks
from edgefleet_contract.pipeline.spec import MaskSpec

SQUARE = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]


def noisy(layout: PixelLayout, width: int = 64, height: int = 48, seed: int = 0) -> Frame:
    dice = np.random.default_rng(seed)
    shapes = {
        "i420": [(height, width), ((height + 1) // 2, (width + 1) // 2), ((height + 1) // 2, (width + 1) // 2)],
        "gray": [(height, width)],
        "rgb": [(height, width, 3)],
        "bgr": [(height, width, 3)],
    }[layout]
    planes = tuple(dice.integers(30, 255, shape, np.uint8) for shape in shapes)
    for plane in planes:
        plane.flags.writeable = False  # as a decoder's
    return Frame(0, 0.0, 0.0, width, height, layout, planes)


@pytest.mark.parametrize("layout", ["i420", "gray", "rgb", "bgr"])
def test_black_is_black_and_the_rest_is_untouched(layout: PixelLayout) -> None:
    frame = noisy(layout)
    masked = PrivacyMasks([MaskSpec(name="window", polygon=SQUARE)])(frame)
    picture = to_bgr(masked)
    assert picture[12:36, 16:48].max() <= 1
    for before, after in zip(frame.planes, masked.planes, strict=True):
        edge = before.shape[0] // 4 - 1
        assert (before[:edge] == after[:edge]).all()
        assert not np.shares_memory(before, after)


def test_blur_leaves_no_detail() -> None:
    """Two pictures that differ in every pixel, but not in their coarse content, look the same under it."""
    masks = PrivacyMasks([MaskSpec(name="desk", polygon=[(0, 0), (1, 0), (1, 1), (0, 1)], fill="blur")])
    first, second = (masks(noisy("i420", 320, 240, seed)).planes[0].astype(int) for seed in (1, 2))
    assert np.abs(noisy("i420", 320, 240, 1).planes[0].astype(int) - noisy("i420", 320, 240, 2).planes[0].astype(int)).mean() > 50
    assert np.abs(first - second).mean() < 6
    assert first.std() < 6


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=6), st.integers(16, 70), st.integers(16, 70))
def test_any_polygon_in_any_picture(polygon: list[tuple[float, float]], width: int, height: int) -> None:
    frame = noisy("i420", width, height)
    for fill in ("black", "blur"):
        masked = PrivacyMasks([MaskSpec(name="any", polygon=polygon, fill=fill)])(frame)  # type: ignore[arg-type]  # a literal, in a loop
        assert [plane.shape for plane in masked.planes] == [plane.shape for plane in frame.planes]
    masked = PrivacyMasks([MaskSpec(name="any", polygon=polygon)])(frame)
    for x, y in polygon:
        assert masked.planes[0][min(height - 1, int(y * height)), min(width - 1, int(x * width))] == 16
