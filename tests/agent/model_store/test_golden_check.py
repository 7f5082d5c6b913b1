"""Comparison of answers with golden answers, within tolerances."""

from __future__ import annotations

import pytest

from edgefleet_agent.model_store.golden_check import ANSWERS_MAX, differences, lowest_score, over_budget, read_expected
from edgefleet_agent.vision.answers import ModelOutput, Point
from edgefleet_contract.core.errors import ManifestError
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
