"""Objects as users of Frigate know them: one id a track, from events of several rules and from frames."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from edgefleet_agent.local_api.home_automation.camera_tracks import STATIONARY_S
from edgefleet_agent.local_api.home_automation.tracked_objects import OBJECTS_MAX, UPDATE_S, Message, TrackedObjects
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event, EventPhase
from tests.agent.local_api.conftest import person, stay

AT = 1_790_000_000.0
LOST_S = 2.0
"""Default of `max_lost_s`."""
SIZE = (320, 180)


class Scene:
    """One camera, whose messages are recorded."""

    def __init__(self, spec: PipelineSpec) -> None:
        self.objects = TrackedObjects()
        self.objects.set_cameras([spec])
        self.messages: list[Message] = []

    def event(self, event: Event) -> None:
        self.messages += self.objects.on_event(event)

    def frame(self, media_s: float, *seen: ModelOutput) -> None:
        self.messages += self.objects.on_frame("hall", seen, SIZE, media_s, AT + media_s)

    @property
    def types(self) -> list[str]:
        return [message["type"] for message in self.messages]

    @property
    def last(self) -> dict[str, Any]:
        return dict(self.messages[-1]["after"])


@pytest.fixture
def scene(hall: PipelineSpec) -> Scene:
    return Scene(hall)


def zone(phase: EventPhase, name: str, number: int, track: int = 1) -> Event:
    return msgspec.structs.replace(stay(phase, number), zone=name, track_id=track)


def test_one_track_is_one_object_in_several_zones(scene: Scene) -> None:
    scene.event(stay(EventPhase.NEW, 1, "visit"))
    scene.frame(0.0, person())
    scene.event(zone(EventPhase.NEW, "yard", 2))
    scene.event(zone(EventPhase.NEW, "door", 3))
    assert scene.last["current_zones"] == ["yard", "door"]
    scene.event(zone(EventPhase.END, "yard", 2))
    scene.event(
        Event(kind="line", id="c-1", at=AT + 1, pipeline="hall", rule="crossings", line="gate", direction="in", track_id=1)
    )
    assert (scene.last["direction"], scene.last["current_zones"]) == ("in", ["door"])
    scene.event(zone(EventPhase.END, "door", 3))
    scene.event(stay(EventPhase.END, 1, "visit"))
    scene.frame(9.0)
    scene.frame(9.0 + LOST_S)
    scene.frame(20.0)
    assert scene.types == ["new", "update", "update", "update", "update", "update", "end"]
    assert {message["after"]["id"] for message in scene.messages} == {"a1b2-visit-1"}
    assert [message["before"] for message in scene.messages[1:]] == [message["after"] for message in scene.messages[:-1]]
    assert (scene.last["entered_zones"], scene.last["current_zones"]) == (["yard", "door"], [])
    assert (scene.last["start_time"], scene.last["end_time"]) == (AT, AT + 8.0)


def test_a_track_out_of_sight_for_a_moment_remains_one_object(scene: Scene) -> None:
    scene.event(stay(EventPhase.NEW, 1))
    scene.frame(0.0, person())
    scene.event(stay(EventPhase.END, 1))
    scene.frame(1.0)
    scene.frame(2.0, person())
    scene.event(msgspec.structs.replace(stay(EventPhase.NEW, 2), track_id=1))
    scene.frame(3.0)
    scene.frame(3.0 + LOST_S)
    assert "end" not in scene.types, "its second stay has not ended"
    scene.event(msgspec.structs.replace(stay(EventPhase.END, 2), track_id=1))
    scene.frame(4.0 + LOST_S)
    assert [kind for kind in scene.types if kind != "update"] == ["new", "end"]


def test_events_without_a_track_are_no_objects(scene: Scene) -> None:
    for kind in ("occupancy", "crowd"):
        event = Event(kind=kind, id=f"{kind}-1", at=AT, phase=EventPhase.NEW, pipeline="hall", rule=kind, zone="door", count=3)
        scene.event(event)
    scene.event(Event(kind="anomaly", id="p-1", phase=EventPhase.NEW, pipeline="pump", rule="unusual", track_id=1))
    assert scene.messages == []


def test_an_object_that_stands_is_stationary_until_it_moves(scene: Scene) -> None:
    scene.event(stay(EventPhase.NEW))
    for second in range(int(STATIONARY_S)):
        scene.frame(second, person(shift=second % 2))
    assert scene.types == ["new"]
    assert (scene.objects.active("hall", 9.0), scene.objects.active_in_zones("hall")) == ({"person": 1}, {("door", "person"): 1})
    scene.frame(STATIONARY_S, person())
    assert (scene.last["stationary"], scene.last["active"], scene.last["motionless_count"]) == (True, False, 11)
    assert (scene.objects.active("hall", STATIONARY_S), scene.objects.active_in_zones("hall")) == ({}, {})
    scene.frame(STATIONARY_S + 1, person(shift=100.0))
    assert (scene.last["stationary"], scene.last["motionless_count"], scene.last["position_changes"]) == (False, 0, 1)
    assert (scene.last["box"], scene.last["region"]) == ([200, 40, 260, 160], [0, 0, 320, 180])
    assert scene.types == ["new", "update", "update"]
    scene.frame(STATIONARY_S + 1.5)
    assert scene.objects.active("hall", STATIONARY_S + 1.5) == {"person": 1}, "held for a moment"
    assert scene.objects.active("hall", STATIONARY_S + 2.5) == {}


def test_the_time_of_the_track_stage_decides_what_is_stationary(hall: PipelineSpec) -> None:
    stages = [*hall.stages[:-1], msgspec.structs.replace(hall.stages[-1], options={"stationary_s": 3.0, "max_lost_s": 60.0})]
    scene = Scene(msgspec.structs.replace(hall, stages=stages))
    scene.event(stay(EventPhase.NEW))
    scene.frame(0.0, person())
    scene.frame(3.0, person())
    assert scene.last["stationary"]
    scene.event(stay(EventPhase.END))
    scene.frame(4.0)
    scene.frame(50.0)
    assert "end" not in scene.types
    scene.frame(64.0)
    assert (scene.types[-1], scene.last["stationary"]) == ("end", True)


def test_results_of_cascades_are_sub_label_and_attributes(scene: Scene) -> None:
    scene.event(stay(EventPhase.NEW))
    assert (scene.last["sub_label"], scene.last["attributes"], scene.last["current_attributes"]) == (None, {}, [])
    seen = person()
    seen.attributes = {
        "wears": {"label": "vest", "score": 0.8, "runs": 3},
        "badge": {"label": "visitor", "score": 0.9, "runs": 1},
        "head": {"label": "helmet", "score": 0.7, "runs": 1, "box": [110.4, 41.0, 130.0, 60.0]},
    }
    scene.frame(0.0, seen)
    assert scene.types == ["new", "update"]
    assert scene.last["sub_label"] == ["visitor", 0.9]
    assert scene.last["attributes"] == {"vest": 0.8, "visitor": 0.9, "helmet": 0.7}
    assert scene.last["current_attributes"] == [{"label": "helmet", "box": [110, 41, 130, 60], "score": 0.7}]
    scene.frame(1.0, seen)
    assert scene.types == ["new", "update"], "nothing has changed"
    scene.frame(UPDATE_S + 1.0, seen)
    assert scene.types[2:] == ["update"], "once a minute at least; and it is stationary"


def test_a_better_view_is_an_update_with_its_time(scene: Scene) -> None:
    scene.event(stay(EventPhase.NEW))
    assert scene.last["snapshot"] is None
    better = stay(EventPhase.UPDATE)
    better.data = {"best": {"at_s": 3.0, "score": 0.97, "box": [10.0, 10.0, 60.0, 60.0]}, "snapshot": "hall/a.jpg"}
    scene.event(better)
    snapshot = {"frame_time": AT + 1.0, "box": [10, 10, 60, 60], "area": 2500, "region": [0, 0, 0, 0]}
    assert scene.last["snapshot"] == snapshot | {"score": 0.97, "attributes": []}
    assert (scene.last["has_snapshot"], scene.last["has_clip"]) == (True, False)
    done = stay(EventPhase.END)
    done.data = better.data | {"clip": "hall/a.mp4"}
    scene.event(done)
    assert (scene.last["snapshot"]["frame_time"], scene.last["has_clip"]) == (AT + 1.0, True)


def test_a_lost_camera_ends_its_objects_and_late_ends_are_dropped(scene: Scene) -> None:
    scene.event(stay(EventPhase.NEW))
    scene.frame(0.0, person())
    scene.messages += scene.objects.end("hall")
    assert scene.types == ["new", "end"]
    scene.event(stay(EventPhase.END))  # the rule reports it when the source is back
    scene.event(stay(EventPhase.UPDATE))
    scene.frame(60.0)
    assert scene.types == ["new", "end"]
    assert scene.objects.active("hall", 60.0) == {}


def test_objects_survive_other_rules_but_not_another_source(scene: Scene, hall: PipelineSpec) -> None:
    scene.event(stay(EventPhase.NEW))
    scene.frame(0.0, person())
    scene.messages += scene.objects.set_cameras([msgspec.structs.replace(hall, rules=hall.rules[:1])])
    scene.frame(0.1, person())
    assert scene.types == ["new"]
    (open_now,) = scene.objects.now("hall")
    assert open_now["id"] == "a1b2-zone-1"
    assert (open_now["stationary"], open_now["current_zones"]) == (False, ["door"])
    other = msgspec.structs.replace(hall.source, uri="rtsp://camera.lan/2")
    scene.messages += scene.objects.set_cameras([msgspec.structs.replace(hall, source=other)])
    assert scene.types == ["new", "end"]
    scene.event(stay(EventPhase.NEW, 2))
    scene.messages += scene.objects.set_cameras([])
    assert scene.types == ["new", "end", "new", "end"]


def test_the_number_of_open_objects_is_limited(scene: Scene) -> None:
    for number in range(OBJECTS_MAX + 5):
        scene.event(stay(EventPhase.NEW, number))
    scene.event(stay(EventPhase.END, OBJECTS_MAX + 4))
    assert scene.types == ["new"] * OBJECTS_MAX
    assert len(scene.objects.end_all()) == OBJECTS_MAX
    assert scene.objects.end_all() == []
