"""OpenVINO's table of detections."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.vision.heads.detection_output import DetectionOutputHead
from edgefleet_contract.core.errors import ManifestError
from tests.agent.vision.heads.contexts import context, spec

ROWS = np.array(
    [
        [
            [
                [0, 1, 0.6, 0, 0, 0.5, 0.5],
                [0, 2, 0.9, 0.5, 0.5, 1, 1],
                [0, 1, 0.3, 0, 0, 1, 1],
                [-1, 0, 0, 0, 0, 0, 0],
                [0, 1, 0.99, 0, 0, 1, 1],
            ]
        ]
    ],
    np.float32,
)


def test_rows_until_the_end_mark_best_first() -> None:
    found = DetectionOutputHead(context(spec("o", (1, 1, 5, 7)))).decode({"o": ROWS}, 0.5)
    assert found.boxes.tolist() == [[32, 16, 64, 32], [0, 0, 32, 16]]
    assert found.class_ids.tolist() == [2, 1]
    assert np.allclose(found.scores, [0.9, 0.6])


def test_a_table_without_an_end_mark_and_an_empty_one() -> None:
    head = DetectionOutputHead(context(spec("o", (1, 1, 5, 7))))
    assert len(head.decode({"o": ROWS[:, :, :3]}, 0.0)) == 3
    assert len(head.decode({"o": ROWS[:, :, 3:]}, 0.0)) == 0


def test_the_runtime_may_reuse_its_memory() -> None:
    rows = ROWS.copy()
    found = DetectionOutputHead(context(spec("o", (1, 1, 5, 7)))).decode({"o": rows}, 0.5)
    rows[:] = 0
    assert np.allclose(found.scores, [0.9, 0.6])


def test_another_shape_or_a_param_is_refused() -> None:
    with pytest.raises(ManifestError, match="expected float"):
        DetectionOutputHead(context(spec("o", (1, 1, 5, 6))))
    with pytest.raises(ManifestError, match="unknown param 'iou'; known are none"):
        DetectionOutputHead(context(spec("o", (1, 1, 5, 7)), iou=0.5))
