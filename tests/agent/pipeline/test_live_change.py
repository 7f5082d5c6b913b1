"""A pipeline's file changes while frames come: the new graph is tried, takes over between two frames, and nobody else notices."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest

from agent.backends.base import Array, Session
from agent.contract.messages import EventPhase, Running
from agent.contract.pipeline import PipelineSpec, SourceSpec, read_pipeline
from agent.errors import ModelError, PipelineError
from agent.pipeline.model import LoadedModel
from agent.pipeline.run import PipelineRun
from agent.pipeline.runner import Runner
from tests.agent.pipeline.scenes import mean_colour
from tests.agent.pipeline.test_cascade import COLOUR, FOLLOW, MOVES, VISITS, Heard
from tests.agent.pipeline.test_runner import load

WAIT_S = 30.0


def until(condition: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


def camera(name: str, *parts: str, rate: float = 25.0) -> PipelineSpec:
    """A test pattern by the clock."""
    read = read_pipeline(f'name = "{name}"\n[source]\nkind = "synthetic"\n' + "".join(parts), "test")
    source = SourceSpec(kind="synthetic", options={"width": 320, "height": 240, "rate": rate, "boxes": 2})
    return msgspec.structs.replace(read, source=source)


class PulledOut(Session):
    """A session that answers while it is warmed up, and no more."""

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
def heard() -> Heard:
    return Heard()


def test_a_new_graph_over_the_same_source(tmp_path: Path, heard: Heard) -> None:
    """The source is not opened again, no frame is lost, what goes on is ended, and the other pipeline does not notice."""
    runner = Runner(heard)
    try:
        load(runner, mean_colour(tmp_path / "colour"), "slot:colour")
        other, plain = camera("other", MOVES, FOLLOW, VISITS), camera("hall", MOVES, FOLLOW, VISITS)
        runner.set_pipelines([other, plain])
        run, bystander = runner.runs["hall"], runner.runs["other"]
        until(lambda: any(event.pipeline == "hall" for event in heard.events))
        before = run.frames_total
        cascade = camera("hall", MOVES, FOLLOW, COLOUR, VISITS)
        runner.set_pipelines([other, cascade])
        assert runner.runs["hall"] is run
        assert runner.runs["other"] is bystander
        assert run.spec == cascade
        until(lambda: any(event.pipeline == "hall" and "attributes" in event.data for event in heard.events))
        assert run.frames_total > before
        assert run.dropped["closed"] == run.dropped["error"] == 0
        first = next(event for event in heard.events if event.pipeline == "hall")
        assert any(event.id == first.id and event.phase is EventPhase.END for event in heard.events)
        digests = {event.config_digest for event in heard.events if event.pipeline == "hall"}
        assert len(digests) == 2
    finally:
        runner.close()
    assert heard.troubles == []


def test_a_new_comment_changes_nothing(heard: Heard) -> None:
    runner = Runner(heard)
    try:
        spec = camera("hall", MOVES, FOLLOW, VISITS)
        runner.set_pipelines([spec])
        run = runner.runs["hall"]
        assert isinstance(run, PipelineRun)
        flow = run.flow
        moved = msgspec.structs.replace(spec, places={key: line + 1 for key, line in spec.places.items()})
        runner.set_pipelines([moved])
        assert runner.runs["hall"] is run
        assert run.flows == [flow]
    finally:
        runner.close()


def test_a_graph_that_fails_its_trial_is_not_taken(tmp_path: Path, heard: Heard) -> None:
    """A model that loads and then fails at its first crop: the old graph goes on."""
    runner = Runner(heard)
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
        with pytest.raises(PipelineError, match="the new graph was tried and failed"):
            runner.set_pipelines([bad])
        count = run.frames_total
        until(lambda: run.frames_total > count + 3)
        assert run.spec.stages[0].kind == "motion"
    finally:
        runner.close()


def test_another_source_is_another_run(heard: Heard) -> None:
    runner = Runner(heard)
    try:
        runner.set_pipelines([camera("hall", MOVES, FOLLOW, VISITS)])
        first = runner.runs["hall"]
        runner.set_pipelines([camera("hall", MOVES, FOLLOW, VISITS, rate=10.0)])
        assert runner.runs["hall"] is not first
        assert first.done.is_set()
    finally:
        runner.close()


def test_a_late_frame_is_not_looked_at(tmp_path: Path, heard: Heard) -> None:
    """A deadline that no frame can meet: all are dropped with that cause, and coverage says that nobody looked."""
    runner = Runner(heard)
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
