"""Parts of a valid pipeline that can never work are found, with their lines."""

from __future__ import annotations

import pytest

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.possible import check_possible
from edgefleet_contract.pipeline.spec import read_pipeline

GATE = """name = "gate"
[source]
kind = "rtsp"
uri = "rtsp://h/x"
[[stages]]
name = "find"
kind = "detect"
model = "slot:d"
labels = ["person", "dog"]
[[stages]]
name = "follow"
kind = "track"
[[zones]]
name = "yard"
polygon = [[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]]
[[masks]]
name = "wall"
polygon = [[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]]
[[lines]]
name = "door"
points = [[0.5, 0.0], [0.5, 1.0]]
forward = "in"
backward = "out"
[[rules]]
name = "crossings"
kind = "line"
line = "door"
labels = ["person"]
"""


def check(text: str) -> None:
    check_possible(read_pipeline(text, "gate.toml"))


@pytest.mark.parametrize(
    ("good", "wrong", "why"),
    [
        ("[0.5, 1.0]]", "[0.5, 0.0]]", "gate.toml:21: line 'door': its two points are equal"),
        ('"out"', '"in"', "gate.toml:23: line 'door': both directions are called 'in'"),
        ("[0.5, 0.5], [1.0, 0.0]]\n[[masks", "[0.5, 0.5], [1.0, 1.0]]\n[[masks", "gate.toml:15: zone 'yard' has no area"),
        ("[0.5, 0.5], [1.0, 0.0]]\n[[lines", "[0.5, 0.5], [0.0, 0.0]]\n[[lines", "gate.toml:18: mask 'wall' has no area"),
        (
            'labels = ["person"]',
            'labels = ["person", "persn"]',
            "28: rule 'crossings': no stage gives label 'persn'; they give dog, person",
        ),
        (
            'name = "find"\nkind = "detect"\nmodel = "slot:d"\nlabels = ["person", "dog"]',
            'name = "m"\nkind = "motion"',
            "they give motion",
        ),
    ],
)
def test_each_part_that_can_never_work(good: str, wrong: str, why: str) -> None:
    assert good in GATE
    with pytest.raises(PipelineError) as refused:
        check(GATE.replace(good, wrong))
    assert why in str(refused.value)


def test_what_can_work_is_not_refused() -> None:
    check(GATE)
    check(GATE.replace('labels = ["person", "dog"]\n', ""))  # the model may give any
    crossed = "[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]"
    check(GATE.replace("[[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]]", crossed))


@pytest.mark.parametrize("limit", ["above = nan", "below = inf"])
def test_limits_that_no_value_reaches(limit: str) -> None:
    text = f'name = "p"\n[source]\nkind = "csv"\n[[rules]]\nname = "hot"\nkind = "level"\nchannel = "t"\n{limit}\n'
    with pytest.raises(PipelineError, match="must be a finite number"):
        check(text)
