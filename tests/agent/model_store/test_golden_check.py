"""Comparison of answers with golden answers, within tolerances."""

from __future__ import annotations

import typing

import msgspec
import numpy as np
import pytest

from edgefleet_agent.model_store.golden_check import ANSWERS_MAX, differences, lowest_score, over_budget, read_expected
from edgefleet_agent.vision.answers import KINDS, ModelOutput, ObjectMask, Point, model_outputs
from edgefleet_agent.vision.results import Mask, Result
from edgefleet_agent.vision.rotated_boxes import quads_of
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.model_kinds import RESULT_KINDS
from edgefleet_contract.package.manifest import Budgets, Golden
from edgefleet_contract.wire.reason_codes import Reason

GOLDEN = Golden(input="a.png", expect="a.json", iou_min=0.8, score_tolerance=0.1)
BOX = (0.0, 0.0, 100.0, 100.0)
FAR = (500.0, 500.0, 600.0, 600.0)


def person(
    score: float = 0.9, box: tuple[float, float, float, float] | None = BOX, label: str = "person", number: int = 1
) -> ModelOutput:
    return ModelOutput(label=label, class_id=number, score=score, box=box)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ([], []),
        ([person()], [person()]),
        ([person(0.9)], [person(0.81)]),
        ([person(0.52)], [person(0.45)]),
        ([person(box=(0, 0, 100, 100))], [person(box=(0, 0, 100, 85))]),
        ([person(), person(0.8, FAR)], [person(0.8, FAR), person()]),
        ([person()], [person(), person(0.55, FAR)]),
        ([], [person(0.59)]),
        ([person(label="1")], [person(label="class 1")]),
        ([person(label="1")], [person(label="1")]),
        ([person(label="1", box=None)], [person(label="class 1", box=None)]),
    ],
    ids=[
        *("empty", "same", "score near", "just below 0.5", "box near", "any order", "weak surplus", "weak alone"),
        *("nameless", "a digit", "nameless class"),
    ],
)
def test_golden_enough(expected: list[ModelOutput], found: list[ModelOutput]) -> None:
    assert differences(expected, found, GOLDEN) == ""


@pytest.mark.parametrize(
    ("expected", "found", "problem"),
    [
        ([person()], [], "1 missing, first person 0.900 at 0, 0, 100, 100"),
        ([person(0.9)], [person(0.75)], "1 missing"),
        ([person()], [person(box=(0, 0, 100, 70))], "1 missing"),
        ([person()], [person(label="dog")], "1 missing"),
        ([person()], [person(number=2)], "1 missing"),
        ([person()], [person(), person(0.61, FAR)], "1 too many, first person 0.610 at 500"),
        ([person()], [person(), person(0.85)], "1 too many"),
        ([], [person(0.7)], "expected 0 objects, found 1"),
    ],
    ids=["gone", "score far", "box far", "label", "class", "surplus", "double", "ghost"],
)
def test_not_golden(expected: list[ModelOutput], found: list[ModelOutput], problem: str) -> None:
    assert problem in differences(expected, found, GOLDEN)


def test_tolerated_numbers_of_missing_and_surplus_boxes() -> None:
    lenient = Golden(input="a.png", expect="a.json", extra_max=1, missing_max=1)
    assert differences([person(), person(0.9, FAR)], [person()], lenient) == ""
    assert differences([person()], [person(), person(0.9, FAR)], lenient) == ""
    assert "2 missing" in differences([person(), person(0.9, FAR)], [], lenient)


def test_classes() -> None:
    def classes(**scores: float) -> list[ModelOutput]:
        return [ModelOutput(label=label, class_id=index, score=score) for index, (label, score) in enumerate(scores.items())]

    assert differences(classes(cat=0.8)[:1], classes(cat=0.75, dog=0.2), GOLDEN) == ""
    assert "expected cat 0.800, found dog 0.900" in differences(classes(cat=0.8), classes(cat=0.05, dog=0.9), GOLDEN)
    assert "has a score of 0.550" in differences(classes(cat=0.8), classes(cat=0.55, dog=0.1), GOLDEN)
    assert "found nothing" in differences(classes(cat=0.8), [], GOLDEN)


@pytest.mark.parametrize(
    ("latency_ms", "memory_bytes", "reason"),
    [(10.0, 100, Reason.NONE), (10.1, 100, Reason.OVER_LATENCY), (9.0, 101, Reason.OVER_MEMORY)],
)
def test_budgets(latency_ms: float, memory_bytes: int, reason: Reason) -> None:
    assert over_budget(Budgets(latency_ms=10.0, memory_bytes=100), latency_ms, memory_bytes)[0] is reason
    assert over_budget(Budgets(), 1e9, 10**12) == (Reason.NONE, "")


def test_boxes_are_searched_below_the_limit() -> None:
    assert lowest_score(GOLDEN) == pytest.approx(0.4)
    assert lowest_score(Golden(input="a", expect="b", score_tolerance=0.9)) == 0.0


@pytest.mark.parametrize(
    "text", [b"", b"{}", b'[{"label": 1}]', b'[{"label": "a", "class_id": 0, "score": 1, "box": [1, 2, 3]}]', b"[" * 3000]
)
def test_damaged_expectations_are_reported(text: bytes) -> None:
    with pytest.raises(ManifestError, match=r"golden/a\.json"):
        read_expected(text, "golden/a.json")


def test_expectations_are_read_and_bounded() -> None:
    one = '{"label": "a", "class_id": 0, "score": 1, "box": [1, 2, 3, 4]}'
    assert read_expected(f"[{one}]".encode(), "a")[0].box == (1.0, 2.0, 3.0, 4.0)
    with pytest.raises(ManifestError, match="limit"):
        read_expected(f"[{','.join([one] * (ANSWERS_MAX + 1))}]".encode(), "a")


@pytest.mark.parametrize("kind", RESULT_KINDS)
def test_the_output_of_infer_for_one_picture_is_read_whole(kind: str) -> None:
    one = '{"label": "a", "class_id": 0, "score": 1, "values": {"age": 30.5}}'
    row = f'{{"image": "1.png", "model": "m", "ms": 1.5, "{kind}": [{one}]}}'
    for text in (row, f"[{row}]", f"[{one}]"):
        assert read_expected(text.encode(), "a")[0].values == {"age": 30.5}
    with pytest.raises(ManifestError, match=r"infer --json` for one picture.*edgefleet model golden DIR --images FILE"):
        read_expected(f"[{row}, {row}]".encode(), "a")


def test_each_kind_of_result_has_its_place_in_samples() -> None:
    assert set(KINDS) == set(typing.get_args(Result))
    assert set(KINDS.values()) == set(RESULT_KINDS)


def test_a_sample_that_expects_nothing_does_not_pass_by_itself() -> None:
    answer = ModelOutput(label="cat", class_id=1, score=0.9)
    assert differences([], [answer], GOLDEN) == "a.png: expected nothing, found cat 0.900"
    assert differences([], [], GOLDEN) == ""
    number = ModelOutput(label="age", class_id=0, score=1.0, values={"age": 30.0})
    assert differences([], [number], GOLDEN).startswith("a.png: expected nothing, found age")


def segments(cells: list[list[int]], *, areas: bool = True) -> list[ModelOutput]:
    return model_outputs(Mask(np.array(cells, np.int32), 640, 480), str, 5, areas=areas)


def test_segments_are_compared_by_their_place() -> None:
    left, right = [[1, 1, 0, 0]] * 4, [[0, 0, 1, 1]] * 4
    assert differences(segments(left), segments(left), GOLDEN) == ""
    assert differences(segments(left), segments(right), GOLDEN) == (
        "a.png: 0 0.500 is at another place: an overlap of 0.00, below 0.8"
    )
    finer = [[1, 1, 1, 1, 0, 0, 0, 0]] * 8  # another variant's grid
    assert differences(segments(left), segments(finer), GOLDEN) == ""
    # samples from before segments had places, and a class smaller than the tolerance
    assert differences(segments(left, areas=False), segments(right), GOLDEN) == ""
    assert differences(segments([[1, *[0] * 15]] * 2), segments([[*[0] * 15, 1]] * 2), GOLDEN) == ""


def pose(x: float) -> ModelOutput:
    return ModelOutput(label="person", class_id=0, score=0.9, box=BOX, keypoints=[Point(name="nose", x=x, y=10, score=0.9)])


def test_key_points_and_vectors() -> None:
    assert differences([pose(50)], [pose(59)], GOLDEN) == ""
    assert "1 missing" in differences([pose(50)], [pose(61)], GOLDEN)
    one, near, far = (
        ModelOutput(label="embedding", class_id=0, score=1, vector=each) for each in ([1, 0], [0.95, 0.3122], [0, 1])
    )
    assert differences([one], [near], GOLDEN) == ""
    assert "cosine to the expected vector is 0.000, below 0.9" in differences([one], [far], GOLDEN)
    assert "expected 1 vectors, found 0" in differences([one], [], GOLDEN)
    assert "expected 2 numbers, found 3" in differences(
        [one], [ModelOutput(label="e", class_id=0, score=1, vector=[1, 0, 0])], GOLDEN
    )


def test_values_differ_by_the_tolerance_of_the_expected_number() -> None:
    def values(age: float, gender: str, score: float = 0.9) -> list[ModelOutput]:
        return [ModelOutput(label=gender, class_id=0, score=score, values={"age": age, "gender": gender})]

    golden = msgspec.structs.replace(GOLDEN, score_tolerance=0.1)
    assert differences(values(40, "male"), values(43.9, "male"), golden) == ""
    assert "age is 44.1, expected 40" in differences(values(40, "male"), values(44.1, "male"), golden)
    assert differences(values(0.1, "male"), values(0.19, "male"), golden) == ""
    assert "expected gender male, found female" in differences(values(40, "male"), values(40, "female"), golden)
    assert "expected age 40, found nothing" in differences(values(40, "male"), [], golden)
    assert "score 0.700, expected 0.900" in differences(values(40, "male"), values(40, "male", 0.7), golden)


def shaped(cells: list[list[int]], turned: float = 0.0) -> ModelOutput:
    """An object with a mask, and with a rotated box."""
    flat = [each for row in cells for each in row]
    runs, last = [0], 0
    for cell in flat:
        if cell != last:
            runs.append(0)
            last = cell
        runs[-1] += 1
    quad = quads_of(np.array([[50, 50, 80, 20]], np.float32), np.array([turned], np.float32))[0]
    mask = ObjectMask(area=(10, 10, 90, 90), size=(len(cells), len(cells[0])), runs=runs)
    corners = [(x, y) for x, y in quad.tolist()]
    return ModelOutput(label="a", class_id=0, score=0.9, box=(10, 10, 90, 90), mask=mask, corners=corners)


def test_masks_and_rotated_boxes_overlap() -> None:
    whole, half = [[1, 1], [1, 1]], [[1, 1], [0, 0]]
    fine = [[1, 1, 1, 1]] * 4
    assert differences([shaped(whole)], [shaped(whole)], GOLDEN) == ""
    assert differences([shaped(whole)], [shaped(fine)], GOLDEN) == ""
    assert "1 missing" in differences([shaped(whole)], [shaped(half)], GOLDEN)
    assert differences([shaped(whole, 0.5)], [shaped(whole, 0.51)], GOLDEN) == ""
    assert "1 missing" in differences([shaped(whole, 0.5)], [shaped(whole, 1.0)], GOLDEN)
    assert "1 missing" in differences(
        [shaped(whole)], [ModelOutput(label="a", class_id=0, score=0.9, box=(10, 10, 90, 90))], GOLDEN
    )


@pytest.mark.parametrize(
    "field",
    [
        '"mask": {"area": [0, 0, 1, 1], "size": [2, 2], "runs": [5]}',
        '"mask": {"area": [0, 0, 1, 1], "size": [0, 4], "runs": []}',
        '"mask": {"area": [0, 0, 1, 1], "size": [99999, 99999], "runs": [9999800001]}',
        '"mask": {"area": [0, 0, 1, 1], "size": [2, 2], "runs": [-1, 5]}',
        '"corners": [[0, 0], [1, 1]]',
    ],
)
def test_damaged_masks_and_corners_are_reported(field: str) -> None:
    text = f'[{{"label": "a", "class_id": 0, "score": 1, "box": [1, 2, 3, 4], {field}}}]'
    with pytest.raises(ManifestError, match="record the golden sample again"):
        read_expected(text.encode(), "a")


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_an_answer_that_is_no_number_differs_from_every_other(wrong: float) -> None:
    """A comparison with NaN is never true: such a model passed its self-test."""
    number = ModelOutput(label="age", class_id=0, score=1.0, values={"age": 30.0})
    vector = ModelOutput(label="", class_id=0, score=1.0, vector=[1.0, 0.0])
    expected = [
        (number, msgspec.structs.replace(number, values={"age": wrong}), "age is -, expected 30"),
        (number, msgspec.structs.replace(number, score=wrong), "score -, expected 1.000"),
        (vector, msgspec.structs.replace(vector, vector=[wrong, 0.0]), "cosine to the expected vector is -"),
    ]
    for right, other, text in expected:
        assert text in differences([right], [other], GOLDEN)
    label = ModelOutput(label="cat", class_id=1, score=0.9)
    assert differences([label], [msgspec.structs.replace(label, score=wrong)], GOLDEN) != ""
