"""Results in the format of `infer --json`, and drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.answers import ModelOutput, ObjectMask, model_outputs
from edgefleet_agent.vision.box_parts import BoxMask, BoxParts, cells_from, mask_iou
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.frame import PixelLayout
from edgefleet_agent.vision.image.draw import colour, draw, to_bgr
from edgefleet_agent.vision.tracking.track_attributes import TrackAttributes
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


def test_masks_are_runs_and_come_back() -> None:
    cells = np.array([[True, True, False], [False, True, True]])
    mask = BoxMask(cells, (10.04, 20, 40, 40))
    assert mask.runs() == [0, 2, 2, 2]
    assert BoxMask(~cells, mask.area).runs() == [2, 2, 2]
    found = Detections(
        np.array([[10, 20, 40, 40]], np.float32),
        np.array([0.9], np.float32),
        np.array([3], np.int32),
        parts=BoxParts(masks=(mask,)),
    )
    (answer,) = model_outputs(found, str, 5)
    assert to_plain(answer)["mask"] == {"area": [10.0, 20.0, 40.0, 40.0], "size": [2, 3], "runs": [0, 2, 2, 2]}
    assert answer.mask is not None
    assert np.array_equal(answer.mask.mask().cells, cells)
    with pytest.raises(ValueError, match="no mask of 2 x 3"):
        cells_from([1, 2], 2, 3)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**36 - 1))
def test_any_mask_comes_back(rows: int, columns: int, bits: int) -> None:
    cells = np.array([bits >> index & 1 for index in range(rows * columns)], bool).reshape(rows, columns)
    assert np.array_equal(cells_from(BoxMask(cells, (0, 0, 1, 1)).runs(), rows, columns), cells)


def test_a_mask_is_cut_at_the_border_of_the_frame() -> None:
    mask = BoxMask(np.ones((4, 4), bool), (-10, 0, 30, 40)).moved(np.zeros(2, np.float32), np.ones(2, np.float32), (25, 100))
    assert mask.area == (0, 0, 30, 40)
    assert mask.cells.shape == (4, 3)
    outside = BoxMask(np.ones((2, 2), bool), (-30, -30, -10, -10)).moved(np.zeros(2, np.float32), np.ones(2, np.float32), (9, 9))
    assert outside.cells.shape == (1, 1)


def test_masks_of_other_grids_are_compared_by_their_places() -> None:
    coarse, fine = (
        BoxMask(np.array([[True, False]]), (0, 0, 20, 10)),
        BoxMask(np.array([[True, True, False, False]]), (0, 0, 20, 10)),
    )
    assert mask_iou(coarse, fine) == 1.0
    assert mask_iou(coarse, BoxMask(np.array([[False, True]]), (0, 0, 20, 10))) == 0.0
    assert mask_iou(coarse, BoxMask(np.array([[True]]), (0, 0, 20, 10))) == pytest.approx(0.5, abs=0.02)
    assert mask_iou(BoxMask(np.array([[False]]), (0, 0, 2, 2)), BoxMask(np.array([[False]]), (0, 0, 2, 2))) == 0.0


def test_parts_stay_with_their_boxes_and_have_to_fit() -> None:
    count = 4
    parts = BoxParts(
        np.arange(count * 4, dtype=np.float32).reshape(count, 2, 2),
        np.ones((count, 2), np.float32),
        ("a", "b"),
        tuple(BoxMask(np.ones((1, index + 1), bool), (0, 0, 1, 1)) for index in range(count)),
        np.arange(count * 8, dtype=np.float32).reshape(count, 4, 2),
    )
    boxes = Detections(np.zeros((count, 4), np.float32), np.ones(count, np.float32), np.zeros(count, np.int32), parts=parts)
    for chosen in (np.array([2, 0]), np.array([True, False, True, False]), slice(1, 3)):
        rows = np.arange(count)[chosen].tolist()
        found = boxes[chosen].parts
        assert found is not None
        assert found.points[:, 0, 0].tolist() == [4 * row for row in rows]
        assert found.corners[:, 0, 0].tolist() == [8 * row for row in rows]
        assert [mask.cells.shape[1] for mask in found.masks] == [row + 1 for row in rows]
    with pytest.raises(ValueError, match="parts: not those of 3 boxes"):
        Detections(np.zeros((3, 4), np.float32), np.ones(3, np.float32), np.zeros(3, np.int32), parts=parts)


def test_an_object_is_drawn_by_its_mask_and_a_rotated_box_by_its_corners() -> None:
    mask = ObjectMask(area=(60, 60, 140, 140), size=(1, 2), runs=[0, 1, 1])
    picture = np.zeros((200, 300, 3), np.uint8)
    draw(picture, [ModelOutput(label="cat", class_id=3, score=0.5, box=(50, 50, 150, 150), mask=mask)])
    assert picture[100, 70:95].any(axis=1).all()
    assert not picture[70:130, 105:135].any()
    picture[:] = 0
    corners = [(100.0, 20.0), (180.0, 100.0), (100.0, 180.0), (20.0, 100.0)]
    draw(picture, [ModelOutput(label="ship", class_id=3, score=0.5, box=(20, 20, 180, 180), corners=corners, angle=45.0)])
    assert tuple(picture[60, 140]) == colour(3)
    assert not picture[175:185, 30:60].any()
    far = ObjectMask(area=(-500, -500, 900, 900), size=(1, 1), runs=[0, 1])
    draw(picture, [ModelOutput(label="cat", class_id=3, score=0.5, box=(0, 0, 300, 200), mask=far)])


def test_values_of_a_regression_are_averaged_over_the_runs_of_a_track() -> None:
    attributes = TrackAttributes()
    for age, label, score in ((30.0, "male", 0.9), (40.0, "female", 0.6), (38.0, "male", 0.8)):
        values: dict[str, float | str] = {"age": age, "gender": label}
        answer = ModelOutput(label=label, class_id=0, score=score, values=values, units={"age": "years"})
        attributes.take(1, "faces", [answer], 1.0)
    found = attributes.of(1)["faces"]
    assert (found["label"], found["runs"], found["units"]) == ("male", 3, {"age": "years"})
    assert found["values"] == {"age": 36.0, "gender": "male"}
