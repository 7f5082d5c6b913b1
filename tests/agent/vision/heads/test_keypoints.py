"""Peaks of heat maps, and class maps of several layouts."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.vision.heads.keypoints import HeatmapHead, LandmarksHead, MoveNetHead
from edgefleet_agent.vision.heads.segmentation import SegmentationHead
from edgefleet_agent.vision.image.preprocess import fit_geometry
from edgefleet_agent.vision.results import Keypoints, Mask
from edgefleet_contract.core.errors import ManifestError
from tests.agent.vision.heads.contexts import context, spec


@pytest.mark.parametrize("last", [True, False])
def test_a_peak_leans_to_its_higher_neighbour(last: bool) -> None:
    maps = np.zeros((1, 3, 8, 16), np.float32)  # cells of 4 x 4 pixels
    maps[0, 0, 2, 5], maps[0, 0, 2, 6], maps[0, 0, 1, 5] = 0.9, 0.5, 0.4
    maps[0, 1, 0, 0] = 0.7
    maps[0, 2, 7, 15], maps[0, 2, 7, 14] = 0.8, 0.1
    tensor = np.moveaxis(maps, 1, 3) if last else maps
    found = HeatmapHead(context(spec("o", tensor.shape))).decode({"o": tensor}, 0.5)
    assert found.points[0].tolist() == [[23, 9], [2, 2], [61, 30]]
    assert np.allclose(found.scores, [[0.9, 0.7, 0.8]])
    assert found.names == ("point_0", "point_1", "point_2")


@pytest.mark.parametrize("layout", ["nhwc", "nchw"])
def test_the_largest_score_wins_whatever_the_scale(layout: str) -> None:
    rng = np.random.default_rng(4)
    stored = rng.integers(0, 256, (1, 4, 8, 3), np.uint8)
    tensor = stored if layout == "nhwc" else np.ascontiguousarray(np.moveaxis(stored, 3, 1))
    mask = SegmentationHead(context(spec("o", tensor.shape, np.uint8, 0.1, 7), layout=layout)).decode({"o": tensor}, 0.5)
    assert np.array_equal(mask.class_ids, stored[0].argmax(axis=2))
    assert sum(share for _, share in mask.shares()) == pytest.approx(1)


@pytest.mark.parametrize("shape", [(1, 4, 8), (1, 4, 8, 1)])
def test_a_map_of_classes(shape: tuple[int, ...]) -> None:
    stored = np.arange(32, dtype=np.int64).reshape(shape) % 5
    mask = SegmentationHead(context(spec("o", shape, np.int64))).decode({"o": stored}, 0.5)
    assert np.array_equal(mask.class_ids.ravel(), np.arange(32) % 5)


def test_points_and_maps_leave_the_letterbox() -> None:
    geometry, _ = fit_geometry("letterbox", (100, 50), (64, 64))  # 64 x 32 in the middle, 16 rows of padding above and below
    moved = geometry.place(
        Keypoints(np.array([[[32, 16], [0, 48]]], np.float32), np.ones((1, 2), np.float32), ("a", "b")), (64, 64)
    )
    assert isinstance(moved, Keypoints)
    assert np.allclose(moved.points, [[[50, 0], [0, 50]]])
    cells = np.zeros((16, 16), np.int32)
    cells[4:12] = 1
    mask = geometry.place(Mask(cells), (64, 64))
    assert isinstance(mask, Mask)
    assert mask.class_ids.shape == (8, 16)
    assert mask.shares() == [(1, 1.0)]
    assert (mask.width, mask.height) == (100, 50)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ManifestError, match=r"expected \[1, 1, points, 3\]"):
        MoveNetHead(context(spec("o", (1, 17, 3))))
    with pytest.raises(ManifestError, match=r"expected \[1, 2 \* points\]"):
        LandmarksHead(context(spec("o", (1, 9))))
    with pytest.raises(ManifestError, match="class numbers are whole"):
        SegmentationHead(context(spec("o", (1, 4, 8))))
