"""Pipelines of the fleet: the pipeline of each device from one document, and refusals."""

from __future__ import annotations

import pytest

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.fleet_pipeline import _PASSWORD, pipeline_of, pipeline_slot, read_fleet_pipeline, with_own_source
from edgefleet_contract.pipeline.spec import read_pipeline

BASE = """\
name = "gate"

[source]
kind = "device"
fps = 5.0

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
polygon = [[0.1, 0.1], [0.2, 0.1], [0.2, 0.2]]

[[lines]]
name = "in"
points = [[0.0, 0.5], [1.0, 0.5]]

[[rules]]
name = "passed"
kind = "line"
line = "in"
"""

SECTIONS = """
[[for]]
devices = ["hall-1", "hall-2"]
lines = [{ name = "out", points = [[0.0, 0.9], [1.0, 0.9]] }, { name = "in", points = [[0.5, 0.0], [0.5, 1.0]] }]

[[for]]
devices = ["hall-2"]
source = { kind = "rtsp", uri = "rtsp://10.0.0.2/main", credentials = "front" }

[[for]]
devices = ["hall-3"]
run = false
"""

OWN = """\
name = "gate"
[source]
kind = "rtsp"
uri = "rtsp://admin:secret@10.0.0.9/main"
[[masks]]
name = "street"
polygon = [[0.0, 0.0], [0.3, 0.0], [0.3, 0.3]]
"""


def test_a_device_without_a_section_runs_the_document_as_it_is() -> None:
    fleet = read_fleet_pipeline(BASE + SECTIONS, "gate.toml")
    assert fleet.for_device("elsewhere") is fleet.spec
    assert fleet.devices == ["hall-1", "hall-2", "hall-3"]


def test_sections_change_tables_by_key_and_lists_as_a_whole_and_later_ones_win() -> None:
    fleet = read_fleet_pipeline(BASE + SECTIONS, "gate.toml")
    first, second = fleet.for_device("hall-1"), fleet.for_device("hall-2")
    assert first is not None
    assert second is not None
    assert [(line.name, line.points[0]) for line in first.lines] == [("out", (0.0, 0.9)), ("in", (0.5, 0.0))]
    assert first.zones == fleet.spec.zones
    assert (first.source.kind, second.source.kind, second.source.fps) == ("device", "rtsp", 5.0)
    assert second.lines == first.lines
    assert fleet.for_device("hall-3") is None


def test_the_source_stays_on_the_device_and_what_it_masks_stays_masked() -> None:
    fleet, own = read_fleet_pipeline(BASE, "gate.toml"), read_pipeline(OWN, "own.toml")
    spec = with_own_source(fleet.spec, {"gate": own})
    assert (spec.source.kind, spec.source.uri, spec.source.fps) == ("rtsp", "rtsp://admin:secret@10.0.0.9/main", 5.0)
    assert [mask.name for mask in spec.masks] == ["street"]
    with pytest.raises(PipelineError, match="own pipeline 'gate'; it has hall"):
        with_own_source(fleet.spec, {"hall": own})


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('kind = "device"', 'kind = "rtsp"\nuri = "rtsp://admin:pw@cam/1"', r"gate.toml:5: a password has no place"),
        ('kind = "device"', 'kind = "mjpeg"\nuri = "http://cam/1?user=a&password=b"', r"gate.toml:5: a password has no place"),
        ('model = "slot:detector"', 'model = "package:/etc"', r"the fleet names models by slot"),
        ('line = "in"', 'line = "on"', r"gate.toml:28: rule 'passed' names line 'on'; lines are in"),
        ('devices = ["hall-3"]', 'devices = ["Hall 3"]', r"gate.toml:38: a section names its devices"),
        ('devices = ["hall-3"]', 'devices = ["hall-3"]\nname = "x"', r"gate.toml:38: a section \[\[for\]\] has no key 'name'"),
        ('points = [[0.5, 0.0], [0.5, 1.0]]', "points = [[0.5, 0.0]]", r"gate.toml:30: .*for hall-1"),
        ('uri = "rtsp://10.0.0.2/main"', 'uri = "rtsp://a:b@10.0.0.2/main"', r"gate.toml:30: a password"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_with_its_line(old: str, new: str, expected: str) -> None:
    with pytest.raises(PipelineError, match=expected):
        read_fleet_pipeline((BASE + SECTIONS).replace(old, new), "gate.toml")


def test_a_document_has_a_limit() -> None:
    with pytest.raises(PipelineError, match="over 262144 bytes"):
        read_fleet_pipeline(BASE + "#" * 262_144, "gate.toml")


@pytest.mark.timeout(30)
@pytest.mark.parametrize("part", [":", "://", "?token", "a:"])
def test_no_address_takes_long(part: str) -> None:
    """The search for a password took minutes for colons alone."""
    assert _PASSWORD.search("rtsp://" + part * 60_000) is None


def test_slots_of_pipelines_have_names_of_their_own() -> None:
    assert pipeline_of(pipeline_slot("gate")) == "gate"
    assert pipeline_of("detector") is None
    with pytest.raises(PipelineError, match="at most 55"):
        read_fleet_pipeline(BASE.replace('"gate"', f'"{"g" * 60}"'), "gate.toml")
