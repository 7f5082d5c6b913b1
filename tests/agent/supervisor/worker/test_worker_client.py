"""The client of the worker: results of loads, pictures and gauges, and what a new process makes of them."""

from __future__ import annotations

import pytest

from edgefleet_agent.supervisor.worker.kernel_kills import KILLED
from edgefleet_agent.supervisor.worker.late_answers import WAITING_MAX
from edgefleet_agent.supervisor.worker.worker_client import ANSWER_S_MAX, CRASHES_WITHIN_S, LoadOptions, WorkerClient
from edgefleet_agent.updates.state import ShadowWatch
from edgefleet_contract import worker_process as wire
from edgefleet_contract.wire.messages import PipelineGauges, Running, ShadowGauges
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.device import DirectWorker

PACKAGE = Running(package="noise", version="1.0.0", digest="0" * 64)


class Port(DirectWorker):
    """Answers nothing by itself, and notes the requests."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[wire.ToWorker] = []

    def turn(self, _now: float) -> list[wire.FromWorker]:
        words, self.words = self.words, []
        return words

    def send(self, message: wire.ToWorker) -> bool:
        self.requests.append(message)
        return self.up


def client() -> tuple[WorkerClient, Port]:
    port = Port()
    made = WorkerClient(port, LoadOptions(["onnx_runtime"], "cpu"))
    made.turn(0.0, 0.0)
    return made, port


def sent(port: Port) -> wire.SetSlot:
    """The last request."""
    message = port.requests[-1]
    assert isinstance(message, wire.SetSlot)
    return message


def test_a_load_ends_as_running_or_as_a_counted_failure() -> None:
    worker, port = client()
    for count in (1, 2):
        worker.load("detector", PACKAGE, "folder", 1.0)
        assert worker.loading("detector")
        port.words = [wire.Done(request=count, ok=False, reason=Reason.MODEL_REFUSED, detail="no")]
        worker.turn(2.0, 0.0)
        assert not worker.loading("detector")
        assert worker.failures["detector"].count == count
    worker.load("detector", PACKAGE, "folder", 3.0)
    port.words = [wire.Done(request=3, ok=True)]
    worker.turn(4.0, 1000.0)
    assert (worker.failures, worker.running["detector"].since_at) == ({}, 1000.0)
    worker.unload("detector")
    assert worker.running == {}


def test_what_runs_beside_the_committed_package_is_watched() -> None:
    """Frames that both analysed, and why it does not run; a new process has to load it again."""
    worker, port = client()
    worker.shadows.begin("detector", PACKAGE.digest, 1.0)
    worker.load("shadow-detector", PACKAGE, "folder", 1.0)
    port.words = [wire.Done(request=1, ok=True, running=PACKAGE)]
    for agreement, digest in ((1.0, PACKAGE.digest), (0.5, PACKAGE.digest), (0.0, "1" * 64)):
        shadow = ShadowGauges(model_digest=digest, frames=10, agreement=agreement)
        port.words.append(wire.Gauges(window_s=2.0, pipelines={}, shadows={"detector": shadow}))
    worker.turn(3.0, 0.0)
    assert worker.watch_beside("detector") == ShadowWatch(PACKAGE.digest, 1.0, 3.0, 20, 0.75)
    worker.stop_beside("detector")
    assert (worker.watch_beside("detector"), worker.running) == (None, {})


def test_too_little_memory_is_an_obstacle_and_an_abandoned_load_leaves_nothing() -> None:
    worker, port = client()
    worker.shadows.begin("detector", PACKAGE.digest, 1.0)
    worker.load("shadow-detector", PACKAGE, "folder", 1.0)
    port.words = [wire.Done(request=1, ok=False, reason=Reason.INCOMPATIBLE, detail="requires 900 MiB")]
    worker.turn(2.0, 0.0)
    watch = worker.watch_beside("detector")
    assert watch is not None
    assert watch.obstacle == "requires 900 MiB"
    worker.stop_beside("detector")
    assert worker.failures == {}
    worker.shadows.begin("detector", PACKAGE.digest, 3.0)
    worker.load("shadow-detector", PACKAGE, "folder", 3.0)
    worker.stop_beside("detector")
    port.words = [wire.Done(request=3, ok=True, running=PACKAGE)]
    worker.turn(4.0, 0.0)
    assert (worker.running, worker.loading("shadow-detector")) == ({}, False)


def test_a_process_that_died_while_loading_counts_as_failure_and_runs_nothing() -> None:
    worker, port = client()
    worker.load("other", PACKAGE, "folder", 1.0)
    port.words = [wire.Done(request=1, ok=True), wire.Gauges(window_s=2.0, pipelines={})]
    worker.turn(1.0, 0.0)
    worker.load("detector", PACKAGE, "folder", 1.0)
    picture = worker.take_picture("line", "p.jpg", overlays=False)
    assert worker.pictures.answer(picture) is None
    port.crashes, port.crash_detail = 1, "it was killed"
    worker.turn(2.0, 0.0)
    failure = worker.failures["detector"]
    assert (failure.reason, failure.detail) == (Reason.TRIAL_CRASH, "while loading the package, it was killed")
    assert (failure.died, worker.memory.killed) == (True, "")
    assert (worker.running, worker.loading("detector"), worker.gauges.last) == ({}, False, None)
    answer = worker.pictures.answer(picture)
    assert answer is not None
    assert not answer.ok


def test_a_process_that_the_kernel_ended_while_loading_is_over_memory() -> None:
    worker, port = client()
    worker.load("detector", PACKAGE, "folder", 1.0)
    port.crashes, port.crash_detail, port.killed_for_memory = 1, KILLED, True
    worker.turn(2.0, 0.0)
    failure = worker.failures["detector"]
    assert (failure.reason, failure.detail) == (Reason.OVER_MEMORY, f"while loading the package, {KILLED}")
    port.incarnation += 1
    worker.turn(3.0, 0.0)
    assert worker.memory.overrun == KILLED, "not counted yet"
    worker.memory.clear()
    assert worker.memory.overrun == ""


def test_a_process_that_does_not_answer_a_load_is_restarted() -> None:
    worker, port = client()
    worker.load("detector", PACKAGE, "folder", 1.0)
    worker.turn(1.0 + ANSWER_S_MAX, 0.0)
    assert port.incarnation == 1
    worker.turn(1.1 + ANSWER_S_MAX, 0.0)
    assert port.incarnation == 2


def test_a_picture_is_answered_once_and_old_requests_are_forgotten() -> None:
    worker, port = client()
    first = worker.take_picture("line", "p.jpg", overlays=True)
    port.words = [wire.PictureTaken(request=first, ok=True, width=4), wire.PictureTaken(request=999, ok=True)]
    worker.turn(1.0, 0.0)
    taken = worker.pictures.answer(first)
    assert taken is not None
    assert (taken.ok, taken.width) == (True, 4)
    repeated = worker.pictures.answer(first)
    assert repeated is not None
    assert not repeated.ok
    second = worker.take_picture("line", "p.jpg", overlays=True)
    for _ in range(WAITING_MAX):
        worker.take_picture("line", "p.jpg", overlays=True)
    assert worker.pictures.answer(second) is not None, "forgotten: answered as failed"


def test_windows_of_gauges_are_joined_until_the_next_sample() -> None:
    worker, port = client()
    assert not worker.gauges.expected
    for fps in (10.0, 30.0):
        port.words = [wire.Gauges(window_s=2.0, pipelines={"line": PipelineGauges(process_fps=fps)})]
        worker.turn(1.0, 0.0)
    assert worker.gauges.last is not None
    assert worker.gauges.last.pipelines["line"].process_fps == 30.0
    joined = worker.gauges.take()
    assert joined is not None
    assert (joined.window_s, joined.pipelines["line"].process_fps) == (4.0, 20.0)
    assert worker.gauges.expected
    assert worker.gauges.take() is None


@pytest.mark.parametrize(("pause_s", "apart"), [(CRASHES_WITHIN_S - 1, True), (CRASHES_WITHIN_S + 1, False)])
def test_two_crashes_in_a_row_put_accelerators_into_processes_of_their_own(pause_s: float, apart: bool) -> None:
    worker, port = client()
    for count, now in ((1, 1000.0), (2, 1000.0 + pause_s)):
        worker.load("detector", PACKAGE, "folder", now)
        assert not sent(port).apart
        port.crashes = count
        worker.turn(now, 0.0)
    worker.load("detector", PACKAGE, "folder", 5000.0)
    assert sent(port).apart == apart
