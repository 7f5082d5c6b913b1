"""Changes of a pipeline's file during operation: the new graph is tried and takes over between two frames; other pipelines
continue."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest

from edgefleet_agent.backends.base import Array, Session
from edgefleet_agent.pipeline.camera.camera_pipeline import CameraPipeline
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_contract.core.errors import ModelError, PipelineError
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, StageSpec, read_pipeline
from edgefleet_contract.wire.messages import EventPhase, Running
from tests.agent.pipeline.camera.test_cascade import COLOUR, FOLLOW, MOVES, VISITS, RecordingListener
from tests.agent.pipeline.scenes import mean_colour
from tests.agent.pipeline.scheduling.test_runner import load

WAIT_S = 30.0


def until(condition: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


def camera(name: str, *parts: str, rate: float = 25.0) -> PipelineSpec:
    """A test pattern in real time."""
    read = read_pipeline(f'name = "{name}"\n[source]\nkind = "synthetic"\n' + "".join(parts), "test")
    source = SourceSpec(kind="synthetic", options={"width": 320, "height": 240, "rate": rate, "boxes": 2})
    return msgspec.structs.replace(read, source=source)


class PulledOut(Session):
    """A session that works during warm-up only."""

    def __init__(self, real: Session) -> None:
        self.inputs, self.outputs, self.placement = real.inputs, real.outputs, real.placement
        self._real = real
        self._left = 2

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        if not self._left:
            raise ModelError("the accelerator was pulled out; plug it in")
        self._left -= 1
        return self._real.infer(inputs)

    def close(self) -> None:
        self._real.close()


def pulled_out(folder: Path) -> LoadedModel:
    model = LoadedModel.open(folder, runtimes=["onnx_runtime"])
    return LoadedModel(model.manifest, model.variant, PulledOut(model.session), model.labels)


@pytest.fixture
def listener() -> RecordingListener:
    return RecordingListener()


def test_a_new_graph_over_the_same_source(tmp_path: Path, listener: RecordingListener) -> None:
    """The source is not opened again, no frame is lost, unchanged parts continue, and the other pipeline is not affected."""
    runner = Runner(listener)
    try:
        load(runner, mean_colour(tmp_path / "colour"), "slot:colour")
        other, plain = camera("other", MOVES, FOLLOW, VISITS), camera("hall", MOVES, FOLLOW, VISITS)
        runner.set_pipelines([other, plain])
        run, bystander = runner.runs["hall"], runner.runs["other"]
        until(lambda: any(event.pipeline == "hall" for event in listener.events))
        before = run.frames_total
        cascade = camera("hall", MOVES, FOLLOW, COLOUR, VISITS)
        runner.set_pipelines([other, cascade])
        assert runner.runs["hall"] is run
        assert runner.runs["other"] is bystander
        assert run.spec == cascade
        until(lambda: any(event.pipeline == "hall" and "attributes" in event.data for event in listener.events))
        assert run.frames_total > before
        assert run.dropped["closed"] == run.dropped["error"] == 0
        until(lambda: any(event.pipeline == "hall" and "attributes" in event.data and event.end_s for event in listener.events))
        digests = {event.config_digest for event in listener.events if event.pipeline == "hall"}
        assert len(digests) == 2
    finally:
        runner.close()
    assert listener.faults == []


STILL = '[[stages]]\nname = "scene"\nkind = "classify"\nmodel = "slot:colour"\n'
ROOM = '[[zones]]\nname = "room"\npolygon = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]\n'
IN_ROOM = '[[rules]]\nname = "in_room"\nkind = "zone"\nzone = "room"\nanchor = "center"\n'
COUNT = '[[rules]]\nname = "so_far"\nkind = "count"\nevery_s = 0.2\n'


def test_unchanged_tracks_continue(tmp_path: Path, listener: RecordingListener) -> None:
    """The whole picture is one object that never leaves: its track, its visit and the count survive changes of other stages and
    rules; a changed rule ends its events and starts again."""
    runner = Runner(listener)

    def published(rule: str, phase: EventPhase) -> list[str]:
        return [event.id for event in listener.events if event.rule == rule and event.phase is phase]

    try:
        load(runner, mean_colour(tmp_path / "colour"), "slot:colour")
        scene, follow = STILL + "min_score = 0.01\n", FOLLOW.replace('"moves"', '"scene"\noptions = {any_label = true}')
        runner.set_pipelines([camera("hall", scene, follow, ROOM, VISITS, IN_ROOM, COUNT)])
        run = runner.runs["hall"]
        until(lambda: bool(published("visits", EventPhase.NEW)) and bool(published("in_room", EventPhase.NEW)))
        more = COLOUR.replace("min_score", 'from = "follow"\nmin_score')
        changed = camera("hall", scene, follow, more, ROOM, VISITS, IN_ROOM + "min_s = 0.1\n", COUNT)
        runner.set_pipelines([changed])
        until(lambda: bool(published("in_room", EventPhase.END)) and len(published("in_room", EventPhase.NEW)) == 2)
        analyzed = run.frames_total
        until(lambda: run.frames_total > analyzed + 10)
        assert runner.runs["hall"] is run
        assert len(published("visits", EventPhase.NEW)) == 1
        assert published("visits", EventPhase.END) == []
        tracks = {event.track_id for event in listener.events if event.rule in ("visits", "in_room")}
        assert len(tracks) == 1
        assert {event.count for event in listener.events if event.rule == "so_far"} <= {0, 1}
        # Found by another stage, it is another object.
        runner.set_pipelines([msgspec.structs.replace(changed, stages=[stricter(stage) for stage in changed.stages])])
        until(lambda: published("visits", EventPhase.END) == published("visits", EventPhase.NEW)[:1])
        until(lambda: len(published("visits", EventPhase.NEW)) == 2)
    finally:
        runner.close()
    assert sorted(published("visits", EventPhase.NEW)) == sorted(published("visits", EventPhase.END))
    assert listener.faults == []


def stricter(stage: StageSpec) -> StageSpec:
    return msgspec.structs.replace(stage, min_score=0.02) if stage.name == "scene" else stage


def test_a_new_comment_changes_nothing(listener: RecordingListener) -> None:
    runner = Runner(listener)
    try:
        spec = camera("hall", MOVES, FOLLOW, VISITS)
        runner.set_pipelines([spec])
        run = runner.runs["hall"]
        assert isinstance(run, CameraPipeline)
        producers = run.producers
        moved = msgspec.structs.replace(spec, places={key: line + 1 for key, line in spec.places.items()})
        runner.set_pipelines([moved])
        assert runner.runs["hall"] is run
        assert run.producers == producers
    finally:
        runner.close()


def test_a_graph_that_fails_its_trial_is_not_taken(tmp_path: Path, listener: RecordingListener) -> None:
    """A model that loads and then fails at its first crop: the old graph continues."""
    runner = Runner(listener)
    try:
        model = mean_colour(tmp_path / "colour")
        runner.load(
            "slot:colour", lambda: pulled_out(model), lambda m: Running(package="mean-colour", version="1.0.0", digest="a" * 64)
        )
        runner.set_pipelines([camera("hall", MOVES, FOLLOW, VISITS)])
        run = runner.runs["hall"]
        until(lambda: run.frames_total > 3)
        whole = '[[stages]]\nname = "scene"\nkind = "classify"\nmodel = "slot:colour"\n'
        bad = camera("hall", whole, FOLLOW.replace('"moves"', '"scene"'), VISITS)
        with pytest.raises(PipelineError, match="dry run of the new graph failed"):
            runner.set_pipelines([bad])
        count = run.frames_total
        until(lambda: run.frames_total > count + 3)
        assert run.spec.stages[0].kind == "motion"
    finally:
        runner.close()


def test_another_source_is_another_run(listener: RecordingListener) -> None:
    runner = Runner(listener)
    try:
        runner.set_pipelines([camera("hall", MOVES, FOLLOW, VISITS)])
        first = runner.runs["hall"]
        runner.set_pipelines([camera("hall", MOVES, FOLLOW, VISITS, rate=10.0)])
        assert runner.runs["hall"] is not first
        assert first.done.is_set()
    finally:
        runner.close()


def test_a_late_frame_is_dropped(tmp_path: Path, listener: RecordingListener) -> None:
    """A deadline that no frame can meet: all are dropped with that cause, and coverage is 0."""
    runner = Runner(listener)
    try:
        load(runner, mean_colour(tmp_path / "colour"), "slot:colour")
        whole = '[[stages]]\nname = "scene"\nkind = "classify"\nmodel = "slot:colour"\n'
        runner.set_pipelines([camera("hall", whole, "[schedule]\ndeadline_ms = 0.000001\n")])
        run = runner.runs["hall"]
        until(lambda: run.dropped["late"] > 10)
        assert run.frames_total == 0
        assert runner.gauges(1.0)["hall"].dropped["late"] > 10
    finally:
        runner.close()


class Slow(Session):
    """A slow session, like an accelerator shared by eight cameras."""

    def __init__(self, real: Session) -> None:
        self.inputs, self.outputs, self.placement = real.inputs, real.outputs, real.placement
        self._real = real

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        time.sleep(0.04)
        return self._real.infer(inputs)

    def close(self) -> None:
        self._real.close()


def slow(folder: Path) -> LoadedModel:
    model = LoadedModel.open(folder, runtimes=["onnx_runtime"])
    return LoadedModel(model.manifest, model.variant, Slow(model.session), model.labels)


def test_one_model_for_three_cameras_by_priority(tmp_path: Path, listener: RecordingListener) -> None:
    """25 inferences a second for 75 frames: the important camera gets the most, the others their minimum, and every dropped
    frame has its cause."""
    model = mean_colour(tmp_path / "colour")
    whole = '[[stages]]\nname = "scene"\nkind = "classify"\nmodel = "slot:colour"\n'
    runner = Runner(listener)
    try:
        runner.load("slot:colour", lambda: slow(model), lambda m: Running(package="m", version="1.0.0", digest="a" * 64))
        priorities = {"gate": 6.0, "yard": 1.0, "hall": 1.0}
        runner.set_pipelines(
            [camera(name, whole, f"[schedule]\npriority = {priority}\nmin_fps = 1.0\n") for name, priority in priorities.items()]
        )
        runs = runner.runs
        until(lambda: sum(run.frames_total for run in runs.values()) > 100)
        frames = {name: run.frames_total for name, run in runs.items()}
        assert frames["gate"] > 1.5 * max(frames["yard"], frames["hall"])
        assert min(frames.values()) > 4
        assert all(runs[name].dropped["shared"] + runs[name].dropped["busy"] > 0 for name in ("yard", "hall"))
        assert runs["yard"].dropped["shared"] > 0
        assert runs["yard"].dropped["error"] == 0
    finally:
        runner.close()


def test_an_occupied_zone_raises_the_rate(listener: RecordingListener) -> None:
    """Ten seconds of a test pattern with boxes everywhere: the zone's rate applies, not the default one."""
    everywhere = '[[zones]]\nname = "all"\npolygon = [[0, 0], [1, 0], [1, 1], [0, 1]]\nfps = 10.0\n'
    rates = {}
    for name, zones in (("without", ""), ("with", everywhere)):
        runner = Runner(listener)
        spec = camera("hall", MOVES, FOLLOW, VISITS, zones, "[schedule]\nfps = 2.0\n")
        options = {**spec.source.options, "duration_s": 10.0}
        source = SourceSpec(kind="synthetic", pace="fast", options=options)
        runner.set_pipelines([msgspec.structs.replace(spec, source=source)])
        assert runner.runs["hall"].done.wait(WAIT_S)
        rates[name] = runner.runs["hall"].frames_total
        runner.close()
    assert rates["without"] == pytest.approx(20, abs=2)
    assert rates["with"] == pytest.approx(98, abs=8)
