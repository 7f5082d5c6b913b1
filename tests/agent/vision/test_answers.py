"""Results in the format of `infer --json`, and drawn."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.vision.answers import ModelOutput, model_outputs
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.frame import PixelLayout
from edgefleet_agent.vision.image.draw import colour, draw, to_bgr
from edgefleet_contract.encoding.codec import to_plain
from tests.agent.vision.pictures import frame_of, scene


def test_boxes_in_the_shape_of_the_contract() -> None:
    found = Detections(np.array([[1.04, 2, 3, 4.26]], np.float32), np.array([0.98768], np.float32), np.array([3], np.int32))
    assert to_plain(model_outputs(found, "c{}".format, 5)) == [
        {"label": "c3", "class_id": 3, "score": 0.9877, "box": [1.0, 2.0, 3.0, 4.3]}
    ]


def test_classes_are_the_best_few_without_a_box() -> None:
    scores = Classes(np.array([0.1, 0.6, 0.3], np.float32))
    assert to_plain(model_outputs(scores, str, 2)) == [
        {"label": "1", "class_id": 1, "score": 0.6},
        {"label": "2", "class_id": 2, "score": 0.3},
    ]


def test_drawing_marks_the_edge_and_leaves_the_inside() -> None:
    picture = np.zeros((200, 300, 3), np.uint8)
    draw(picture, [ModelOutput(label="cat", class_id=3, score=0.5, box=(50, 60, 150, 160))])
    assert tuple(picture[160, 100]) == colour(3)
    assert not picture[80:140, 80:120].any()


@pytest.mark.parametrize("box", [(0.0, 0.0, 300.0, 200.0), (-10.0, -10.0, 5.0, 5.0), (290.0, 190.0, 299.0, 199.0), None])
def test_drawing_at_the_border_does_not_fail(box: tuple[float, float, float, float] | None) -> None:
    picture = np.zeros((200, 300, 3), np.uint8)
    draw(picture, [ModelOutput(label="a label of some length", class_id=0, score=1.0, box=box)])
    assert picture.any()


@pytest.mark.parametrize("layout", ["i420", "rgb", "bgr", "gray"])
def test_every_layout_becomes_bgr(layout: PixelLayout) -> None:
    rgb = scene(160, 90)
    picture = to_bgr(frame_of(rgb, layout))
    assert picture.shape == (90, 160, 3)
    if layout != "gray":
        assert np.abs(picture[:, :, ::-1].astype(int) - rgb).mean() < 2
