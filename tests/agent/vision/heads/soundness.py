"""Checks what every result of a head has to be, for any values of the outputs."""

from __future__ import annotations

import numpy as np

from edgefleet_agent.vision.answers import model_outputs
from edgefleet_agent.vision.box_parts import cells_from
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.image.preprocess import fit_geometry
from edgefleet_agent.vision.results import Embedding, Keypoints, Mask, Result, Text, Values
from edgefleet_contract.encoding.codec import encode

SCORE_STEP = 1e-3
"""Rounding of scores from float16."""


def assert_sound(result: Result, min_score: float, size: tuple[int, int]) -> None:
    """The invariants of a result, in pixels of an input of `size` and in those of a frame, and that it can be encoded."""
    _assert_kind(result, min_score)
    width, height = max(size[0], 1), max(size[1], 1)
    geometry, _ = fit_geometry("letterbox", (2 * width, 3 * height), (width, height))
    placed = geometry.place(result, (width, height))
    _assert_kind(placed, min_score)
    for answer in model_outputs(placed, str, 5):
        text = encode(answer)
        assert b"null" not in text.replace(b'"track_id":null', b"").replace(b'"box":null', b"")


def _assert_kind(result: Result, min_score: float) -> None:
    if isinstance(result, Detections):
        _assert_boxes(result, min_score)
    elif isinstance(result, Classes):
        assert result.scores.dtype == np.float32
        assert result.scores.ndim == 1
        assert len(result.scores) > 0
        assert np.isfinite(result.scores).all()
    elif isinstance(result, Keypoints):
        assert result.points.dtype == result.scores.dtype == np.float32
        assert np.isfinite(result.points).all()
        assert ((result.scores >= 0) & (result.scores <= 1)).all()
    elif isinstance(result, Mask):
        assert result.class_ids.dtype == np.int32
        assert result.class_ids.ndim == 2
        assert 0 <= result.class_ids.min() <= result.class_ids.max() <= 65_535
    elif isinstance(result, Embedding):
        assert result.vector.dtype == np.float32
        length = float(np.linalg.norm(result.vector))
        assert length == 0 or abs(length - 1) < 1e-3
    elif isinstance(result, Values):
        assert all(np.isfinite(each.number) for each in result.values)
        assert all(0 <= each.number <= 1 for each in result.values if each.label)
    else:
        assert isinstance(result, Text)
        assert ((result.scores >= 0) & (result.scores <= 1)).all()
        assert len(result.text) >= len(result.scores)


def _assert_boxes(result: Detections, min_score: float) -> None:
    assert result.boxes.dtype == result.scores.dtype == np.float32
    assert result.class_ids.dtype == np.int32
    assert np.isfinite(result.boxes).all()
    assert (result.boxes[:, 2:] >= result.boxes[:, :2]).all()
    assert ((result.scores >= min_score - SCORE_STEP) & (result.scores <= 1)).all()
    assert (result.class_ids >= 0).all()
    if result.parts is None:
        return
    parts = result.parts
    assert np.isfinite(parts.points).all()
    assert np.isfinite(parts.corners).all()
    assert ((parts.point_scores >= 0) & (parts.point_scores <= 1)).all()
    for mask in parts.masks:
        assert mask.cells.dtype == np.bool_
        assert mask.cells.size > 0
        assert np.isfinite(mask.area).all()
        assert np.array_equal(cells_from(mask.runs(), *mask.cells.shape), mask.cells)
