"""Switches of a running camera, and the trigger that opens its gates."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.pipeline.camera.motion_gate import MotionGate
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.recording.event_recorder import EventRecorder
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.sources.bitrate_gate import TriggerGate
from edgefleet_agent.sources.camera_switches import SWITCHES, CameraSwitches
from edgefleet_agent.sources.cameras.rtsp import RtspSource
from edgefleet_agent.sources.trigger import Trigger
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.pipeline.graph import compile_graph
from edgefleet_contract.pipeline.spec import EvidenceSpec, PipelineSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase
from tests.agent.fakes.cameras import RtspCamera, no_rtsp_server
from tests.agent.pipeline.camera.test_cascade import RecordingListener

WAIT_S = 30.0
PATIENT = {"gate": "trigger", "open_timeout_s": 15.0, "read_timeout_s": 30.0}
"""Long time-outs: on a busy machine the test's camera pauses, too."""
MOVING = """
name = "yard"
[source]
kind = "synthetic"
[[stages]]
name = "moves"
kind = "motion"
[[stages]]
name = "follow"
kind = "track"
from = "moves"
[[rules]]
name = "visits"
kind = "visit"
"""


def until(condition: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < ends_s
        time.sleep(0.02)


@pytest.fixture
def observer() -> RecordingListener:
    return RecordingListener()


@pytest.fixture
def runner(observer: RecordingListener) -> Iterator[Runner]:
    runner = Runner(observer)
    yield runner
    runner.close()


def yard() -> PipelineSpec:
    source = SourceSpec(kind="synthetic", options={"width": 320, "height": 240, "rate": 25.0, "boxes": 2})
    return msgspec.structs.replace(read_pipeline(MOVING, "yard.toml"), source=source)


def test_detection_switched_off_and_on(runner: Runner, observer: RecordingListener) -> None:
    runner.set_pipelines([yard()])
    run, switches = runner.runs["yard"], runner.switches("yard")
    assert switches is not None
    assert runner.switches("attic") is None
    until(lambda: any(event.phase is EventPhase.NEW for event in observer.events))
    switches.set("detect", False)
    until(lambda: run.dropped["off"] > 5)
    frames_before = run.frames_total
    started = {event.id for event in observer.events if event.phase is EventPhase.NEW}
    tracks = {event.track_id for event in observer.events}
    assert started <= {event.id for event in observer.events if event.phase is EventPhase.END}  # no event stays open
    off = run.dropped["off"]
    until(lambda: run.dropped["off"] > off + 5)
    assert run.frames_total == frames_before
    # Another graph of the same camera keeps the switches.
    runner.set_pipelines([msgspec.structs.replace(yard(), rules=[msgspec.structs.replace(yard().rules[0], min_s=0.1)])])
    assert runner.switches("yard") is switches
    switches.set("detect", True)
    until(lambda: run.frames_total > frames_before + 5)
    until(lambda: any(event.phase is EventPhase.NEW and event.id not in started for event in observer.events))
    later = {event.track_id for event in observer.events if event.id not in started}
    assert not tracks & later, "a number of a track never means another object"


class Wall(SystemClock):
    """A wall clock that the test can set."""

    def __init__(self) -> None:
        self.shift_s = 0.0

    def wall(self) -> float:
        return super().wall() + self.shift_s


def test_a_wall_clock_set_back_shifts_no_event(observer: RecordingListener) -> None:
    """Event dates follow the current wall clock; durations and order follow the source's own time."""
    wall = Wall()
    runner = Runner(observer, clock=wall)
    count = msgspec.structs.replace(yard().rules[0], name="so_far", kind="count", every_s=0.2)
    try:
        runner.set_pipelines([msgspec.structs.replace(yard(), rules=[count])])
        until(lambda: len(observer.events) >= 3)
        wall.shift_s = -86_400.0
        events_before = len(observer.events)
        until(lambda: len(observer.events) >= events_before + 3)
    finally:
        runner.close()
    spans = [(event.start_s, event.end_s) for event in observer.events if event.start_s is not None and event.end_s is not None]
    assert spans == sorted(spans)
    assert all(0.1 < end - start < 5.0 for start, end in spans[:-1])
    stamps = [event.at for event in observer.events]
    assert max(stamps) - min(stamps) > 80_000.0
    assert all(event.coverage is None or 0.0 <= event.coverage <= 1.0 for event in observer.events)


def still(index: int) -> Frame:
    luma, chroma = np.full((90, 160), 90, np.uint8), np.full((45, 80), 128, np.uint8)
    return Frame(index, index / 10, 0.0, 160, 90, "i420", (luma, chroma, chroma))


def test_a_gate_of_motion_opens_for_a_trigger() -> None:
    detect = '[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:x"\nfrom = "moves"\n'
    text = MOVING.replace('[[stages]]\nname = "follow"', detect + '[[stages]]\nname = "follow"').replace(
        'kind = "track"\nfrom = "moves"', 'kind = "track"\nfrom = "find"'
    )
    moves = compile_graph(read_pipeline(text, "yard.toml")).motion
    assert moves is not None
    gate = MotionGate(moves, 160, 90)
    opened = [gate.opens(still(index), forced=index in (150, 151)) for index in range(200)]
    assert opened[150]
    assert opened[151]
    assert not any(opened[152:158])
    assert sum(opened[100:]) < 20


def test_stored_evidence_of_an_event(tmp_path: Path) -> None:
    switches = CameraSwitches()
    recorder = EventRecorder(EvidenceSpec(), EvidenceFolder(tmp_path, 1 << 30, 1e9), lambda *_: None, switches)
    for enabled in (True, False):
        switches.set("snapshots", enabled)
        switches.set("recordings", enabled)
        event = Event(
            kind="visit", id=f"e-{enabled}", pipeline="hall", rule="visits", phase=EventPhase.END, start_s=0.0, end_s=1.0
        )
        recorder.on_event(event, still(0))
        assert ("snapshot" in event.data, "clip" in event.data) == (enabled, enabled)
    recorder.close()


def test_switches_are_four() -> None:
    with pytest.raises(InputError, match="known are detect, motion, recordings, snapshots"):
        CameraSwitches().set("warp", True)
    assert set(CameraSwitches().states()) == set(SWITCHES)


def test_a_trigger_is_over_by_itself() -> None:
    trigger = Trigger()
    assert not trigger.active
    trigger.pull(0.05)
    until(lambda: not trigger.active)
    trigger.pull(1e9)
    assert trigger.active
    trigger.pull(0)
    assert not trigger.active
    gate = TriggerGate()
    gate.set_active(False)
    assert not gate.check(0, False, 100.0)


@pytest.mark.skipif(bool(no_rtsp_server()), reason=no_rtsp_server() or "there is one")
def test_a_camera_that_is_only_analysed_when_triggered() -> None:
    """The camera sends a key frame every ten pictures."""
    with RtspCamera() as camera:
        camera.on()
        source = RtspSource(SourceSpec(kind="rtsp", uri=camera.url(), options=PATIENT))
        source.open()
        frames = source.frames()
        quiet = [next(frames).index for _ in range(4)]
        assert all(later - earlier >= 5 for earlier, later in itertools.pairwise(quiet[1:]))
        source.trigger.pull(600)
        busy = [next(frames).index for _ in range(40)]
        assert sum(later - earlier == 1 for earlier, later in itertools.pairwise(busy)) > 30
        source.close()
