"""Real pipelines in this process: a real video, a real model."""

from __future__ import annotations

import queue
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from edgefleet_agent.pipeline.camera.camera_pipeline import CameraPipeline
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_contract.core.errors import ManifestError, PipelineError
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase, Running
from tests.packages import MakePackage

PERSON = """
name = "hall"
[source]
kind = "file"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
labels = ["person"]
[[stages]]
name = "follow"
kind = "track"
[[rules]]
name = "visits"
kind = "visit"
gap_s = 2.0
"""
WAIT_S = 60.0
Load = Callable[[str, Path], None]


class RecordingListener:
    """A listener that stores events."""

    def __init__(self) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self.faults: queue.Queue[tuple[str, str, bool]] = queue.Queue()

    def on_event(self, event: Event) -> None:
        self.events.put(event)

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        self.faults.put((pipeline, text, over))

    def ended(self) -> list[Event]:
        """Completed events so far."""
        return [event for event in list(self.events.queue) if event.phase is EventPhase.END]


@pytest.fixture
def listener() -> RecordingListener:
    return RecordingListener()


@pytest.fixture
def runner(listener: RecordingListener) -> Iterator[Runner]:
    made = Runner(listener)
    yield made
    made.close()


def person(data: Path, name: str = "hall", clip: str = "worker-zone-detection.gif", **source: object) -> PipelineSpec:
    spec = read_pipeline(PERSON, "test")
    plain = {"kind": "file", "uri": str(data / "media/videos" / clip), "pace": "fast", **source}
    return msgspec.structs.replace(spec, name=name, source=msgspec.convert(plain, SourceSpec))


def load(runner: Runner, folder: Path, slot: str = "slot:detector", digest: str = "a" * 64) -> tuple[float, int]:
    swap, lost = runner.load(
        slot,
        lambda: LoadedModel.open(folder, runtimes=["lite_rt", "onnx_runtime", "open_vino"]),
        lambda model: Running(package=model.manifest.name, version=model.manifest.version, digest=digest),
    )
    return swap.gap_ms, lost


def test_every_frame_of_a_file_once(runner: Runner, listener: RecordingListener, data: Path, package: MakePackage) -> None:
    load(runner, package("ssd_mobilenet_v1"))
    runner.set_pipelines([person(data)])
    run = runner.runs["hall"]
    assert run.done.wait(WAIT_S)
    assert (run.state, run.error, run.frames_total, run.dropped.total()) == ("ended", None, 71, 0)
    gauges = runner.gauges(1.0)["hall"]
    assert (gauges.coverage, gauges.model, gauges.model_digest) == (1.0, "ssd_mobilenet_v1@1.0.0", "a" * 64)
    assert gauges.latency["invoke"].p50_ms > 0
    visits = listener.ended()
    assert visits
    assert {(event.model_digest, event.label, event.coverage) for event in visits} == {("a" * 64, "person", 1.0)}


def test_frames_that_came_while_a_model_was_busy_count_for_its_slot(runner: Runner) -> None:
    slot, other = ModelSlot("slot:detector"), ModelSlot("slot:other")
    dropped = Counter(busy=3, shared=2, late=1, off=10, damaged=20)
    runner._runs["hall"] = cast("CameraPipeline", SimpleNamespace(slots=[slot], dropped=dropped, close=lambda: None))
    assert (runner.skipped(slot), runner.skipped(other)) == (6, 0)


def test_a_swap_loses_no_frame_and_no_track(
    runner: Runner, listener: RecordingListener, data: Path, package: MakePackage
) -> None:
    """The clip shows one person at work: the tracker continues, so the visit before the swap continues after it."""
    load(runner, package("ssd_mobilenet_v1"))
    runner.set_pipelines([person(data, loop=True)])
    first = listener.events.get(timeout=WAIT_S)
    assert first.phase is EventPhase.NEW
    gap_ms, lost = load(runner, package("yolox_nano"), digest="b" * 64)
    assert lost == 0
    assert gap_ms > 0
    run = runner.runs["hall"]
    before = run.frames_total
    while run.frames_total < before + 20:
        assert not run.done.wait(0.02)
    runner.close()
    assert run.dropped["error"] == run.dropped["busy"] == 0
    last = next(event for event in listener.ended() if event.id == first.id)
    assert (last.model_digest, last.coverage) == ("b" * 64, 1.0)


def test_a_model_that_does_not_fit_leaves_the_incumbent(
    runner: Runner, listener: RecordingListener, data: Path, package: MakePackage
) -> None:
    load(runner, package("ssd_mobilenet_v1"))
    runner.set_pipelines([person(data, loop=True)])
    listener.events.get(timeout=WAIT_S)
    with pytest.raises(PipelineError, match=r"mobilenet_v2@1\.0\.0 does classification, not detection"):
        load(runner, package("mobilenet_v2"))
    with pytest.raises(ManifestError):
        load(runner, data)
    run = runner.runs["hall"]
    before = run.frames_total
    while run.frames_total < before + 5:
        assert not run.done.wait(0.02)
    assert runner.gauges(1.0)["hall"].model == "ssd_mobilenet_v1@1.0.0"


def test_a_pipeline_waits_for_its_slot(runner: Runner, listener: RecordingListener, data: Path, package: MakePackage) -> None:
    runner.set_pipelines([person(data)])
    run = runner.runs["hall"]
    assert run.state == "waiting"
    assert not run.done.wait(0.05)
    load(runner, package("ssd_mobilenet_v1"))
    assert run.done.wait(WAIT_S)
    assert run.frames_total == 71


def test_pipelines_share_a_model_and_come_and_go(runner: Runner, data: Path, package: MakePackage) -> None:
    load(runner, package("ssd_mobilenet_v1"))
    stays = person(data, "stays", loop=True)
    runner.set_pipelines([stays, person(data, "goes", loop=True)])
    unchanged = runner.runs["stays"]
    runner.set_pipelines([stays, person(data, "comes")])
    assert runner.runs["stays"] is unchanged
    assert set(runner.runs) == {"stays", "comes"}
    assert runner.runs["comes"].done.wait(WAIT_S)
    assert runner.runs["comes"].frames_total == 71
    assert not unchanged.done.is_set()


def test_one_bad_pipeline_costs_nothing_else(runner: Runner, data: Path, package: MakePackage) -> None:
    load(runner, package("ssd_mobilenet_v1"))
    runner.set_pipelines([person(data, "stays", loop=True)])
    unchanged = runner.runs["stays"]
    bad = person(data, "bad")
    bad.stages[0].labels = ["unicorn"]
    with pytest.raises(PipelineError, match="has no label 'unicorn'"):
        runner.set_pipelines([bad, unchanged.spec, person(data, "good", loop=True)])
    with pytest.raises(PipelineError, match="unknown source 'tape'; known are camera, file"):
        runner.set_pipelines([person(data, "bad", kind="tape"), unchanged.spec])
    assert runner.runs == {"stays": unchanged}
    assert not unchanged.done.is_set()


def test_a_lost_source_is_reported_once_and_found_again(
    runner: Runner, listener: RecordingListener, data: Path, package: MakePackage, tmp_path: Path
) -> None:
    load(runner, package("ssd_mobilenet_v1"))
    clip = tmp_path / "camera.gif"
    runner.set_pipelines([person(data, clip=str(clip), pace="realtime")])
    pipeline, text, over = listener.faults.get(timeout=WAIT_S)
    assert (pipeline, over) == ("hall", False)
    assert "no such file" in text
    assert runner.runs["hall"].state == "source_lost"
    shutil.copyfile(data / "media/videos/worker-zone-detection.gif", tmp_path / "whole.gif")
    (tmp_path / "whole.gif").rename(clip)
    assert listener.faults.get(timeout=WAIT_S) == ("hall", "the source delivers frames again", True)
    assert runner.runs["hall"].done.wait(WAIT_S)


def test_two_models_on_one_frame(runner: Runner, listener: RecordingListener, data: Path, package: MakePackage) -> None:
    """Both models analyze every frame; each has its own tracker, and track numbers are unique."""
    load(runner, package("ssd_mobilenet_v1"))
    load(runner, package("yolox_nano"), slot="slot:second")
    two = PERSON.replace(
        "[[rules]]",
        """
[[stages]]
name = "find2"
kind = "detect"
model = "slot:second"
labels = ["person"]
[[stages]]
name = "follow2"
kind = "track"
from = "find2"
[[rules]]""",
    )
    spec = msgspec.structs.replace(read_pipeline(two, "test"), source=person(data).source)
    runner.set_pipelines([spec])
    assert runner.runs["hall"].done.wait(WAIT_S)
    assert runner.runs["hall"].frames_total == 71
    ids = [event.track_id for event in listener.ended()]
    assert len(ids) == len(set(ids)) >= 2
