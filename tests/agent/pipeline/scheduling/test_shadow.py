"""A shadow candidate and its incumbent, with real video and real models: its results have no effect, and its agreement is
measured."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.scheduling import shadow as shadows
from edgefleet_agent.pipeline.scheduling.idle_time import IdleTime
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.pipeline.scheduling.shadow import Shadow, check_room
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import MissingError
from edgefleet_contract.wire.messages import ShadowGauges
from tests.agent.pipeline.scheduling.test_runner import RecordingListener, load, person
from tests.packages import MakePackage

# A candidate computes only while the machine is idle, which may never happen in parallel with other tests.
pytestmark = pytest.mark.alone
WAIT_S = 60.0


@pytest.fixture
def runner() -> Iterator[Runner]:
    made = Runner(RecordingListener())
    yield made
    made.close()


def watch(runner: Runner, frames: int) -> ShadowGauges:
    """The gauges once both have computed this many frames."""
    seen: list[ShadowGauges] = []
    deadline = time.monotonic() + WAIT_S
    while sum(one.frames for one in seen) < frames:
        assert time.monotonic() < deadline, f"not {frames} frames in {WAIT_S} s: {seen[-1:]}"
        time.sleep(0.5)
        seen.append(runner.shadows()["detector"])
    return max(seen, key=lambda one: one.frames)


def test_the_same_model_agrees_with_itself_and_another_one_less(runner: Runner, data: Path, package: MakePackage) -> None:
    """SSD as its own candidate gives the same result for every frame; YOLOX finds the same person, sometimes with other
    results."""
    load(runner, package("ssd_mobilenet_v1"))
    runner.set_pipelines([person(data, pace="realtime", fps=4.0, loop=True)])
    load(runner, package("ssd_mobilenet_v1"), "slot:shadow-detector", "b" * 64)
    same = watch(runner, 2)
    assert (same.agreement, same.errors, same.model_digest) == (1.0, 0, "b" * 64)
    assert same.confidence == pytest.approx(same.incumbent_confidence, abs=1e-3)
    assert 0 < same.frames <= same.frames_offered
    assert min(same.latency.p50_ms, same.incumbent_latency.p50_ms) > 0
    before = runner.runs["hall"].frames_total
    load(runner, package("yolox_nano"), "slot:shadow-detector", "c" * 64)
    other = watch(runner, 2)
    assert other.model_digest == "c" * 64
    assert 0.0 <= other.agreement <= 1.0
    gauges = runner.gauges(1.0)["hall"]
    assert gauges.model == "ssd_mobilenet_v1@1.0.0"
    assert runner.runs["hall"].frames_total > before
    assert runner.runs["hall"].dropped["error"] == 0


def test_a_candidate_that_is_taken_away_leaves_nothing(runner: Runner, data: Path, package: MakePackage) -> None:
    load(runner, package("ssd_mobilenet_v1"))
    runner.set_pipelines([person(data, pace="realtime", fps=4.0, loop=True)])
    load(runner, package("ssd_mobilenet_v1"), "slot:shadow-detector", "b" * 64)
    runner.clear("slot:detector")  # a pipeline uses it: stays
    runner.clear("slot:shadow-detector")
    assert runner.shadows() == {}
    assert "slot:shadow-detector" not in runner.slots()
    assert not [thread for thread in threading.enumerate() if thread.name == "model:slot:shadow-detector"]
    before = runner.runs["hall"].frames_total
    deadline = time.monotonic() + WAIT_S
    while runner.runs["hall"].frames_total == before:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_patient_work_never_takes_a_cameras_time() -> None:
    """Patient work waits without limit, while other work would start after fifty frames."""
    idle_time = IdleTime()
    idle_time.add_call("shadow", 0.5)
    idle_time.wait_s("shadow", 0.0, patient=True)
    for number in range(200):
        idle_time.frame("camera", number * 0.1)
        idle_time.add_call("shadow", 0.5)
    assert idle_time.wait_s("shadow", 19.91, patient=True) > 0.0


@pytest.fixture
def candidate(package: MakePackage) -> Iterator[LoadedModel]:
    model = LoadedModel.open(package("ssd_mobilenet_v1"), runtimes=["lite_rt", "onnx_runtime"])
    yield model
    model.close()


def offer(one: Shadow, model: LoadedModel) -> None:
    planes = tuple(np.full(shape, 128, np.uint8) for shape in ((48, 64), (24, 32), (24, 32)))
    frame = Frame(0, 0.0, time.monotonic(), 64, 48, "i420", planes)
    one.offer(frame, model.infer(frame, 0.3).result, model, 0.3, 5.0)


def test_a_hot_device_is_left_alone(candidate: LoadedModel) -> None:
    """It computes nothing, reports that it is paused, and continues once the device has cooled down."""
    heat = [80.0]
    one = Shadow(candidate, "b" * 64, lambda: None, lambda: heat[0])
    offer(one, candidate)
    one.serve(candidate.session)
    gauges = one.drain()
    assert (gauges.frames, gauges.paused_by_heat) == (0, True)
    wait_s = one.ready_in_s()
    assert wait_s is None or wait_s > 0.0


def test_its_share_of_the_time_is_limited(candidate: LoadedModel) -> None:
    """After each inference it pauses four times as long."""
    one = Shadow(candidate, "b" * 64, lambda: None, lambda: None)
    assert one.ready_in_s() is None
    offer(one, candidate)
    assert one.ready_in_s() == 0.0
    began_s = time.monotonic()
    one.serve(candidate.session)
    took_s = time.monotonic() - began_s
    offer(one, candidate)
    wait_s = one.ready_in_s()
    assert wait_s is not None
    assert 0.0 < wait_s <= took_s * (1.0 / shadows.SHARE - 1.0)
    assert one.drain().frames == 1


def test_no_window_has_more_results_than_offered_frames(candidate: LoadedModel) -> None:
    """A frame is offered before a report and computed after it: the later report has both, the earlier one neither."""
    one = Shadow(candidate, "b" * 64, lambda: None, lambda: None)
    offer(one, candidate)
    offer(one, candidate)  # the first one is skipped
    early = one.drain()
    one.serve(candidate.session)
    late = one.drain()
    assert [(seen.frames, seen.frames_offered) for seen in (early, late)] == [(0, 1), (1, 1)]
    assert (late.agreement, late.frames_empty) == (1.0, 1)  # of a gray picture


def test_a_candidate_is_refused_where_there_is_no_room(tmp_path: Path) -> None:
    """A candidate that needs more memory than the machine has is refused before it is loaded."""
    with (tmp_path / "model.bin").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(MissingError, match="free"):
        check_room(tmp_path)


def test_another_model_in_its_slot_ends_it(candidate: LoadedModel, package: MakePackage) -> None:
    """The old candidate never computes on a session that may be closed."""
    one = Shadow(candidate, "b" * 64, lambda: None, lambda: None)
    other = LoadedModel.open(package("ssd_mobilenet_v1"), runtimes=["lite_rt", "onnx_runtime"])
    offer(one, candidate)
    one.serve(other.session)
    other.close()
    assert one.drain().frames == 0
