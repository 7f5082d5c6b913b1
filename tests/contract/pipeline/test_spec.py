"""A pipeline is checked as a whole before its start; the error names the fault."""

from __future__ import annotations

import pytest

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import read_pipeline

TOML = """
name = "hall"

[source]
kind = "file"
uri = "v.mp4"

[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"

[[stages]]
name = "follow"
kind = "track"
from = "find"

[[zones]]
name = "door"
polygon = [[0.1, 0.1], [0.9, 0.1], [0.5, 0.9]]

[[lines]]
name = "gate"
points = [[0.0, 0.5], [1.0, 0.5]]

[[rules]]
name = "inside"
kind = "zone"
zone = "door"

[[rules]]
name = "crossings"
kind = "line"
line = "gate"
"""


def test_a_pipeline_reads() -> None:
    spec = read_pipeline(TOML, "hall.toml")
    assert spec.slots() == ["detector"]
    assert spec.stages[1].from_ == "find"
    assert spec.rules[1].line == "gate"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (('from = "find"', 'from = "search"'), "stage 'follow' reads from 'search'; earlier stages are find"),
        (('zone = "door"', 'zone = "gate"'), "rule 'inside' names zone 'gate'; zones are door"),
        (('line = "gate"', 'line = "door"'), "rule 'crossings' names line 'door'; lines are gate"),
        (('name = "crossings"', 'name = "inside"'), "two rules are called 'inside'"),
        (('kind = "zone"', 'kind = "zones"'), "rule 'inside': unknown kind 'zones'"),
        (("[0.9, 0.1]", "[1.9, 0.1]"), "zones[0].polygon[1]"),
        (('name = "hall"', 'name = "hall'), "hall.toml: not valid TOML"),
    ],
)
def test_a_fault_is_named(change: tuple[str, str], expected: str) -> None:
    with pytest.raises(PipelineError) as caught:
        read_pipeline(TOML.replace(*change), "hall.toml")
    assert expected in str(caught.value)
