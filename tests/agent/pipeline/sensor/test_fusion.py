"""A camera and a sensor on one clock: a press cycle without an operator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.pipeline.sensor.fusion_pipeline import compile_fusion
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import EventPhase
from tests.agent.pipeline.camera.test_cascade import FOLLOW, MOVES, RecordingListener
from tests.agent.pipeline.camera.test_live_change import until
from tests.agent.pipeline.scenes import RED, Patch, film

HALL = 'name = "hall"\n[source]\nkind = "file"\n' + MOVES + FOLLOW + '[[rules]]\nname = "operator"\nkind = "visit"\nmin_s = 0.3\n'
PRESS = """
name = "press"
[source]
kind = "csv"
[[rules]]
name = "cycle"
kind = "level"
channel = "force"
above = 5.0
min_s = 0.2
gap_s = 0
"""
GUARD = """
name = "guard"
[source]
kind = "events"
[[rules]]
name = "alone"
kind = "combine"
all = ["press.cycle"]
none = ["hall.operator"]
min_s = 0.5
gap_s = 0.2
settle_s = 1.5
"""


def operator(at_s: float) -> Sequence[Patch]:
    """A person who walks through the picture from second 1.0 to second 3.4."""
    return ((RED, 100 * (at_s - 1.0), 60, 50, 120),) if 1.0 <= at_s < 3.4 else ()


def test_a_press_cycle_without_an_operator(tmp_path: Path) -> None:
    """Two cycles: one with the operator in the picture, one after the operator has left."""
    video = film(tmp_path / "hall.mp4", 7.0, operator)
    force = "\n".join(f"{tick / 20},{9.0 if 36 <= tick < 56 or 90 <= tick < 120 else 0.0}" for tick in range(141))
    (tmp_path / "press.csv").write_text(f"time,force\n{force}\n")
    listener = RecordingListener()
    runner = Runner(listener)
    try:
        hall, press = read_pipeline(HALL, "hall.toml"), read_pipeline(PRESS, "press.toml")
        hall = msgspec.structs.replace(hall, source=SourceSpec(kind="file", uri=str(video)))
        press = msgspec.structs.replace(press, source=SourceSpec(kind="csv", uri=str(tmp_path / "press.csv")))
        runner.set_pipelines([hall, press, read_pipeline(GUARD, "guard.toml")])
        until(lambda: any(event.pipeline == "guard" and event.phase is EventPhase.END for event in listener.events))
    finally:
        runner.close()
    published = [event for event in listener.events if event.pipeline == "guard"]
    assert [event.phase for event in published] == [EventPhase.NEW, EventPhase.END]
    begin, end = published
    cycles = [event for event in listener.events if event.pipeline == "press" and event.phase is EventPhase.END]
    assert len(cycles) == 2
    assert end.data["events"] == [cycles[1].id]
    assert end.end_s is not None
    assert begin.start_s is not None
    assert 0.5 <= end.end_s - begin.start_s <= 2.5
    assert end.data["from"] < end.data["to"]
    assert (end.kind, end.rule) == ("combine", "alone")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('all = ["press.cycle"]', "", "`all` must list events"),
        ('"press.cycle"', '"press"', "'press' must be \"pipeline.rule\""),
        ('kind = "combine"', 'kind = "visit"', "needs frames or readings"),
        ("[[rules]]", '[[stages]]\nname = "x"\nkind = "track"\n[[rules]]', "has no stages"),
    ],
)
def test_refused(before: str, after: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        compile_fusion(read_pipeline(GUARD.replace(before, after), "guard.toml"))


def test_a_missing_input_is_reported() -> None:
    listener = RecordingListener()
    runner = Runner(listener)
    guard, press = (
        read_pipeline(GUARD, "guard.toml"),
        read_pipeline(PRESS.replace("[source]", "[source]\nuri = 'x'"), "press.toml"),
    )
    runner.set_pipelines([guard])
    assert listener.faults == ["no pipeline publishes hall.operator, press.cycle; rules that use it never apply"]
    runner.set_pipelines([guard, press])
    runner.close()
    assert any(text.startswith("no pipeline publishes hall.operator;") for text in listener.faults), "beside what else is wrong"
