"""SSD with post-processing in the model."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.vision.heads.ssd import SsdHead
from edgefleet_contract.core.errors import ManifestError
from tests.agent.vision.heads.contexts import context, spec

OUTPUTS = (spec("b", (1, 4, 4)), spec("c", (1, 4)), spec("s", (1, 4)), spec("n", (1,)))
TENSORS = {
    "b": np.array([[[0.25, 0.5, 0.5, 1.0], [0, 0, 1, 1], [0, 0, 0.5, 0.5], [0, 0, 1, 1]]], np.float32),
    "c": np.array([[3, 0, 1, 2]], np.float32),
    "s": np.array([[0.6, 0.9, 0.4, 0.8]], np.float32),
    "n": np.array([3], np.float32),
}


def test_rows_to_boxes_best_first() -> None:
    found = SsdHead(context(*OUTPUTS)).decode(TENSORS, 0.5)
    assert found.boxes.tolist() == [[0, 0, 64, 32], [32, 8, 64, 16]]
    assert found.class_ids.tolist() == [0, 3]
    assert np.allclose(found.scores, [0.9, 0.6])


def test_the_count_limits_the_rows_and_may_be_absent() -> None:
    assert len(SsdHead(context(*OUTPUTS)).decode({**TENSORS, "n": np.array([1], np.float32)}, 0.0)) == 1
    assert len(SsdHead(context(*OUTPUTS)).decode({**TENSORS, "n": np.array([99], np.float32)}, 0.0)) == 4
    assert len(SsdHead(context(*OUTPUTS[:3])).decode(TENSORS, 0.5)) == 3


def test_names_and_an_offset_from_the_manifest() -> None:
    names = {"boxes": "b", "classes": "c", "scores": "s", "count": "n"}
    shuffled = context(*OUTPUTS[::-1], names=names, class_offset=1)
    assert SsdHead(shuffled).decode(TENSORS, 0.5).class_ids.tolist() == [1, 4]


def test_quantized_scores_are_compared_as_stored() -> None:
    outputs = (*OUTPUTS[:2], spec("s", (1, 4), np.uint8, 1 / 256, 0), OUTPUTS[3])
    stored = np.array([[128, 127, 255, 0]], np.uint8)
    assert np.allclose(SsdHead(context(*outputs)).decode({**TENSORS, "s": stored}, 0.5).scores, [255 / 256, 0.5])


def test_nothing_found_is_empty() -> None:
    found = SsdHead(context(*OUTPUTS)).decode(TENSORS, 0.95)
    assert (len(found), found.boxes.shape) == (0, (0, 4))


def test_outputs_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ManifestError, match="expected \\[1, n, 4\\]"):
        SsdHead(context(*OUTPUTS[::-1]))
    with pytest.raises(ManifestError, match="no output 'x' for 'boxes'; the model has 'b' \\[1, 4, 4\\], 'c'"):
        SsdHead(context(*OUTPUTS, names={"boxes": "x"}))
    with pytest.raises(ManifestError, match="unknown param 'iou'"):
        SsdHead(context(*OUTPUTS, iou=0.5))
    with pytest.raises(ManifestError, match="'class_offset' must be a whole number"):
        SsdHead(context(*OUTPUTS, class_offset="one"))
