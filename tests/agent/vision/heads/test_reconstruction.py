"""Anomaly by reconstruction: what a picture or a series has that the model does not give back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.heads.base import Array, HeadContext, TensorSpec
from edgefleet_agent.vision.heads.reconstruction import ReconstructionHead
from edgefleet_contract.core.errors import ManifestError

SIDE = 64


def head_for(dtype: str, shape: tuple[int, ...], scale: float = 0.0, **params: Any) -> ReconstructionHead:
    kind = np.dtype(dtype)
    zero_point = -128 if kind == np.int8 else 0
    given, made = (TensorSpec(name, shape, kind, scale, zero_point if scale else 0) for name in ("picture", "again"))
    context = HeadContext({"again": made}, {}, {"threshold": 0.1, **params}, SIDE, SIDE, input=given)
    return ReconstructionHead(context)


def pictures(dtype: str) -> tuple[Array, Array, float]:
    """A picture with a mark at 20..28, 36..40, the picture without, and what a step of a value is worth."""
    usual = np.random.default_rng(3).integers(60, 120, (1, SIDE, SIDE, 3))
    marked = usual.copy()
    marked[:, 36:40, 20:28] += 100
    if dtype == "float32":
        return (marked / 255).astype(np.float32), (usual / 255).astype(np.float32), 0.0
    shift = 128 if dtype == "int8" else 0
    return (marked - shift).astype(dtype), (usual - shift).astype(dtype), 1 / 255


@pytest.mark.parametrize("dtype", ["uint8", "int8", "float32"])
def test_a_mark_is_found_where_it_is_in_every_type(dtype: str) -> None:
    given, made, scale = pictures(dtype)
    head = head_for(dtype, given.shape, scale, cell=8)
    found = head.decode({"picture": given, "again": made}, 0.5)
    assert isinstance(found, Detections)
    # Cells of 8 pixels: columns 16..24 and 24..32 of rows 32..40.
    assert found.boxes.tolist() == [[16, 32, 32, 40]]
    assert found.class_ids.tolist() == [0]
    error = 100 / 255 * np.sqrt(0.25)
    assert found.scores[0] == pytest.approx(error / (error + 0.1), abs=1e-4)
    assert len(head.decode({"picture": given, "again": made}, 0.9).scores) == 0
    assert len(head.decode({"picture": made, "again": made}, 0.5).scores) == 0


def test_channels_first_and_a_last_cell_that_is_smaller() -> None:
    given = np.zeros((1, 3, 50, 40), np.float32)
    made = given.copy()
    made[:, :, 48:, 32:] = 1.0
    context = HeadContext(
        {"y": TensorSpec("y", given.shape, np.dtype(np.float32))},
        {},
        {"threshold": 0.5},
        40,
        50,
        input=TensorSpec("x", given.shape, np.dtype(np.float32)),
    )
    found = ReconstructionHead(context).decode({"x": given, "y": made}, 0.5)
    assert isinstance(found, Detections)
    assert found.boxes.tolist() == [[32, 48, 40, 50]]
    assert found.scores[0] == pytest.approx(1 / 1.5)


def test_two_marks_are_two_regions_the_worst_first() -> None:
    given, made, scale = pictures("uint8")
    made[:, :8, :8] = given[:, :8, :8] - 40
    head = head_for("uint8", given.shape, scale, cell=8)
    found = head.decode({"picture": given, "again": made}, 0.5)
    assert found.boxes.tolist() == [[16, 32, 32, 40], [0, 0, 8, 8]]
    assert found.scores[0] > found.scores[1] > 0.5


def test_different_quantizations_are_compared_as_real_values() -> None:
    given, made, _ = pictures("uint8")
    specs = (
        TensorSpec("picture", given.shape, np.dtype(np.uint8), 1 / 255),
        TensorSpec("again", given.shape, np.dtype(np.uint8), 1 / 128),
    )
    context = HeadContext({"again": specs[1]}, {}, {"threshold": 0.1, "cell": 8}, SIDE, SIDE, input=specs[0])
    halved = np.rint(made / 255 * 128).astype(np.uint8)
    found = ReconstructionHead(context).decode({"picture": given, "again": halved}, 0.5)
    assert found.boxes.tolist() == [[16, 32, 32, 40]]


def test_a_whole_picture_and_a_series_are_usual_or_not() -> None:
    given, made, scale = pictures("uint8")
    found = head_for("uint8", given.shape, scale, cell=0, threshold=0.01).decode({"picture": given, "again": made}, 0.5)
    assert isinstance(found, Classes)
    assert found.scores[1] > 0.5
    assert found.scores.sum() == pytest.approx(1)
    series = np.zeros((1, 30, 4), np.float32)
    head = head_for("float32", series.shape)
    calm = head.decode({"picture": series, "again": series + np.float32(0.05)}, 0.5)
    loud = head.decode({"picture": series, "again": series + np.float32(0.1)}, 0.5)
    assert isinstance(calm, Classes)
    assert isinstance(loud, Classes)
    assert calm.scores[1] == pytest.approx(1 / 3)
    assert loud.scores[1] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("params", "shape", "expected"),
    [
        ({"threshold": 0}, (1, 8, 8, 3), "'threshold' must be a number"),
        ({"cells": 4}, (1, 8, 8, 3), "unknown param 'cells'"),
        ({"layout": "hwc"}, (1, 8, 8, 3), "nhwc or nchw"),
        ({}, (1, 4, 4, 3), "has shape"),
    ],
)
def test_what_does_not_fit_is_refused(params: dict[str, Any], shape: tuple[int, ...], expected: str) -> None:
    given, made = TensorSpec("x", (1, 8, 8, 3), np.dtype(np.uint8)), TensorSpec("y", shape, np.dtype(np.uint8))
    with pytest.raises(ManifestError, match=expected):
        ReconstructionHead(HeadContext({"y": made}, {}, {"threshold": 1, **params}, 8, 8, input=given))


def test_a_threshold_has_to_be_given() -> None:
    spec = TensorSpec("x", (1, 8, 8, 3), np.dtype(np.uint8))
    with pytest.raises(ManifestError, match="'threshold' is missing"):
        ReconstructionHead(HeadContext({"y": TensorSpec("y", spec.shape, spec.dtype)}, {}, {}, 8, 8, input=spec))
