"""Objects and motion of a real pipeline: frames of a video, motion detection, tracker and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from edgefleet_agent.local_api.home_automation.camera_activity import CameraActivity
from edgefleet_agent.local_api.home_automation.frigate_topics import FrigateTopics
from edgefleet_agent.local_api.home_automation.tracked_objects import Message
from edgefleet_agent.local_api.hub import LocalApiHub
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, PipelineGauges
from tests.agent.pipeline.camera.test_cascade import RecordingListener, two_pass
from tests.agent.pipeline.scenes import film

YARD = """
name = "yard"
[source]
kind = "file"
[[stages]]
name = "moves"
kind = "motion"
[[stages]]
name = "follow"
kind = "track"
from = "moves"
[[zones]]
name = "left"
polygon = [[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]]
[[zones]]
name = "middle"
polygon = [[0.3, 0.0], [0.7, 0.0], [0.7, 1.0], [0.3, 1.0]]
[[lines]]
name = "gate"
points = [[0.6, 0.0], [0.6, 1.0]]
[[rules]]
name = "visits"
kind = "visit"
[[rules]]
name = "at_left"
kind = "zone"
zone = "left"
[[rules]]
name = "at_middle"
kind = "zone"
zone = "middle"
[[rules]]
name = "crossings"
kind = "line"
line = "gate"
[[rules]]
name = "inside"
kind = "occupancy"
"""


class Recorder:
    """An integration that records messages about objects, and motion."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.motion: list[bool] = []
        self.events: list[Event] = []
        self.activity = CameraActivity(FrigateTopics("frigate"), self.messages.append)

    def on_pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        self.activity.set_cameras(specs)

    def on_event(self, event: Event, picture: bytes) -> None:
        self.events.append(event)
        self.activity.on_event(event)

    def on_frame(self, pipeline: str, frame: Frame, seen: Sequence[ModelOutput]) -> None:
        self.activity.on_frame(pipeline, frame, seen)

    def on_motion(self, pipeline: str, moves: bool) -> None:
        self.motion.append(moves)

    def on_gauges(self, gauges: Mapping[str, PipelineGauges]) -> None: ...
    def on_switch(self, pipeline: str, name: str, on: bool) -> None: ...
    def close(self) -> None: ...


def test_one_object_for_each_that_crosses_the_picture(tmp_path: Path) -> None:
    video = film(tmp_path / "yard.mp4", 12.0, two_pass)
    spec = msgspec.structs.replace(read_pipeline(YARD, "yard.toml"), source=SourceSpec(kind="file", uri=str(video), pace="fast"))
    hub, recorder = LocalApiHub("hall-7", "1.2.3"), Recorder()
    hub.integrations.append(recorder)
    runner = Runner(RecordingListener(), observers=hub)
    try:
        runner.set_pipelines([spec])
        assert runner.runs["yard"].done.wait(60.0)
    finally:
        runner.close()
    ended = [message["after"] for message in recorder.messages if message["type"] == "end"]
    recorder.activity.end("yard")
    about: dict[str, list[Message]] = {}
    for message in recorder.messages:
        about.setdefault(message["after"]["id"], []).append(message)
    assert len(about) == len({event.track_id for event in recorder.events} - {None}), "one object for each track"
    for messages in about.values():
        assert [message["type"] for message in messages if message["type"] != "update"] == ["new", "end"]
        assert messages[-1]["type"] == "end"
    assert len(ended) == 2, "both have left before the end of the video"
    for last in ended:
        assert set(last["entered_zones"]) == {"left", "middle"}
        assert (last["current_zones"], last["stationary"]) == ([], False)
        states = [message["after"] for message in about[last["id"]]]
        assert any(len(state["current_zones"]) == 2 for state in states), "in both zones at once"
        assert any(state["direction"] for state in states), "its crossing is an update of the same object"
    assert recorder.motion == [False, True]
