"""Reported line numbers are those of the faults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.encoding.toml_lines import line_of, lines_of
from edgefleet_contract.pipeline.spec import read_pipeline

TEXT = '''# a comment
name = "hall"   # [not a table]

[source]
kind = "file"
uri = """
[[stages]]
name = "not here"
"""

[[stages]]
name = "find"
kind = "detect"
labels = [
  "a = 1",     # [x]
  "person",
]

[[stages]]
name = "follow"
kind = "track"

[stages.options]
low_score = 0.2
"max_lost_s" = 3

[[zones]]
name = "door"
polygon = [[0, 0], [1, 0],
           [1, 1]]
schedule.fps = 3
'''


def test_every_table_and_key_has_its_line() -> None:
    lines = lines_of(TEXT)
    found = {path: TEXT.splitlines()[line - 1].strip() for path, line in lines.items()}
    assert found["name"].startswith('name = "hall"')
    assert found["stages.0"] == found["stages.1"] == "[[stages]]"
    assert lines["stages.0"] == 11
    assert found["stages.0.labels"] == "labels = ["
    assert found["stages.1.name"] == 'name = "follow"'
    assert found["stages.1.options"] == "[stages.options]"
    assert found["stages.1.options.max_lost_s"] == '"max_lost_s" = 3'
    assert found["zones.0.schedule.fps"] == "schedule.fps = 3"
    assert not [path for path in found if "not here" in path or path == "a"]


def test_what_is_not_written_is_at_the_table_around_it() -> None:
    lines = lines_of(TEXT)
    assert line_of(lines, "stages", 1, "options", "any_label") == lines["stages.1.options"]
    assert line_of(lines, "zones", 0, "polygon", 2, 1) == lines["zones.0.polygon"]
    assert line_of(lines, "nowhere") is None


@given(st.text(max_size=300))
def test_any_text_at_all(text: str) -> None:
    assert all(1 <= line <= len(text.splitlines()) for line in lines_of(text).values())


GOOD = """name = "hall"
[source]
kind = "file"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
[[zones]]
name = "door"
polygon = [[0.1, 0.1], [0.9, 0.1], [0.5, 0.9]]
[[rules]]
name = "inside"
kind = "zone"
zone = "door"
"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (('zone = "door"', 'zone = "gate"'), "p.toml:14: rule 'inside' names zone 'gate'"),
        (('kind = "zone"', 'kind = "zones"'), "p.toml:13: rule 'inside': unknown kind 'zones'"),
        (("[0.9, 0.1]", "[1.9, 0.1]"), "p.toml:10: zones[0].polygon[1][0]: must be a number up to 1"),
        (('model = "slot:detector"', 'modle = "slot:detector"'), "p.toml:7: stages has no key 'modle'; known are name, kind"),
        (('kind = "file"', 'kind = "file"\nspeed = 3'), "p.toml:4: source has no key 'speed'"),
        (
            ('name = "find"', 'name = "find"\nwhen = {stage = "x"}'),
            "p.toml:6: stage 'find' reads from 'x'; earlier",
        ),
        (
            ('name = "find"', 'name = "find"\nkeep = {outside = ["tree"]}'),
            "p.toml:6: stage 'find' names zone 'tree'; zones",
        ),
        (('zone = "door"', 'zone = "door"\n[rules.where]\ncolour = ["red"]'), "asks for 'colour'; stages are find"),
        (('kind = "zone"', 'kind = "speed"'), "measures speed; add a [plane]"),
    ],
)
def test_faults_are_reported_with_their_line(change: tuple[str, str], expected: str) -> None:
    with pytest.raises(PipelineError) as caught:
        read_pipeline(GOOD.replace(*change), "p.toml")
    assert expected in str(caught.value)
    assert str(caught.value).startswith("p.toml:")
    assert "\n" not in str(caught.value)


def test_a_comment_changes_no_work() -> None:
    first, second = read_pipeline(GOOD, "p.toml"), read_pipeline("# new\n" + GOOD, "p.toml")
    assert first.at("stages", 0) != second.at("stages", 0)
    assert first.work() == second.work()


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "line", ["[" + " " * 250_000, "[[" + "a " * 120_000, " " * 250_000 + "=", "a . " * 60_000, "'" * 250_000]
)
def test_no_line_takes_long(line: str) -> None:
    """A pattern with two ways to take each space took minutes for the first of these."""
    lines_of(line)
