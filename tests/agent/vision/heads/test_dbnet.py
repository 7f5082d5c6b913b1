"""Text detection from drawn maps of probabilities: where a region is found, how far it grows, what counts as noise."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import HeadContext, TensorSpec
from edgefleet_agent.vision.heads.dbnet import DbnetHead
from edgefleet_agent.vision.rotated_boxes import angles_of
from edgefleet_contract.core.errors import ManifestError

WIDTH, HEIGHT = 320, 192


def region(cells: Any, middle: tuple[float, float], sides: tuple[float, float], degrees: float, value: float = 0.9) -> None:
    """Fill a rotated rectangle of the map."""
    corners = cv2.boxPoints((middle, sides, degrees))
    cv2.fillPoly(cells, [np.rint(corners).astype(np.int32)], value)


def found(cells: Any, shape: tuple[int, ...] = (), min_score: float = 0.5, **params: Any) -> Detections:
    """The boxes of a map, as the output of a shape."""
    output = cells.reshape(shape or (1, 1, *cells.shape))
    spec = TensorSpec("sigmoid_0.tmp_0", output.shape, output.dtype)
    head = DbnetHead(HeadContext({spec.name: spec}, {}, params, WIDTH, HEIGHT))
    assert head.classes == 1
    return head.decode({spec.name: output}, min_score)


def test_a_region_grows_by_its_area_over_its_perimeter() -> None:
    cells = np.zeros((HEIGHT, WIDTH), np.float32)
    region(cells, (100, 60), (80, 20), 0)
    boxes = found(cells)
    grown = 80 * 20 * 1.5 / (2 * (80 + 20))  # on each side
    assert boxes.boxes[0] == pytest.approx([60 - grown, 50 - grown, 140 + grown, 70 + grown], abs=1.0)
    assert boxes.scores[0] == pytest.approx(0.9, abs=0.01)
    assert found(cells, unclip=0).boxes[0] == pytest.approx([60, 50, 140, 70], abs=1.0)


@pytest.mark.parametrize("degrees", [-44, -30, 0, 15, 44])
def test_a_rotated_region_has_corners_clockwise_from_the_upper_left(degrees: float) -> None:
    cells = np.zeros((HEIGHT, WIDTH), np.float32)
    region(cells, (160, 96), (100, 24), degrees)
    boxes = found(cells, unclip=0)
    assert boxes.parts is not None
    (corners,) = boxes.parts.corners
    assert corners.mean(axis=0) == pytest.approx([160, 96], abs=1.0)
    assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(100, abs=2.5)
    assert np.linalg.norm(corners[2] - corners[1]) == pytest.approx(24, abs=2.5)
    assert (angles_of(boxes.parts.corners)[0] - degrees + 90) % 180 == pytest.approx(90, abs=2.0)
    assert boxes.boxes[0] == pytest.approx([*corners.min(axis=0), *corners.max(axis=0)], abs=0.01)


def test_a_coarse_map_and_other_layouts_give_pixels_of_the_input() -> None:
    cells = np.zeros((HEIGHT // 4, WIDTH // 4), np.float32)
    region(cells, (20, 12), (24, 8), 0)
    first = found(cells, unclip=0).boxes[0]
    assert first == pytest.approx([4 * 8, 4 * 8, 4 * 32, 4 * 16], abs=4.0)
    for shape in ((1, *cells.shape, 1), (1, *cells.shape)):
        assert np.array_equal(found(cells, shape, unclip=0).boxes[0], first)


def test_the_best_is_first_and_noise_is_left_out() -> None:
    cells = np.zeros((HEIGHT, WIDTH), np.float32)
    region(cells, (60, 40), (60, 16), 0, 0.7)
    region(cells, (60, 120), (60, 16), 0, 0.95)
    region(cells, (200, 40), (60, 16), 0, 0.4)  # above the threshold, below the score
    cells[100, 200:203] = 1.0  # a speck
    cells[150, 250] = np.nan
    boxes = found(cells)
    assert boxes.scores == pytest.approx([0.95, 0.7], abs=0.01)
    assert boxes.class_ids.tolist() == [0, 0]
    assert len(found(cells, min_score=0.3)) == 3
    assert len(found(np.zeros_like(cells))) == 0


def test_more_regions_than_the_limit_leave_the_largest() -> None:
    cells = np.zeros((HEIGHT, WIDTH), np.float32)
    for row in range(0, HEIGHT - 6, 6):
        for column in range(0, WIDTH - 6, 6):
            cells[row : row + 5, column : column + 5] = 0.9
    cells[0:11, 0:11] = 0.99
    boxes = found(cells)
    assert len(boxes) == 1000
    assert boxes.scores[0] == pytest.approx(0.99, abs=0.01)


def test_a_model_without_a_picture_of_a_fixed_size_is_refused() -> None:
    spec = TensorSpec("map", (1, 1, -1, -1), np.dtype(np.float32))
    with pytest.raises(ManifestError, match="no picture input of a fixed size"):
        DbnetHead(HeadContext({"map": spec}, {}, {}, 0, 0))
    with pytest.raises(ManifestError, match=r"expected \[1, 1, rows, columns\]"):
        DbnetHead(HeadContext({"map": TensorSpec("map", (1, 2, 8, 8), np.dtype(np.float32))}, {}, {}, 64, 64))
