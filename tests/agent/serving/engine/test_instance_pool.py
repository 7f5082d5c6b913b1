"""Assignment of requests to a model's sessions: the narrow ones run in parallel, the wide one runs a request that arrives
alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, Placement, Session
from edgefleet_agent.serving.engine.dynamic_batcher import QueuedRequest
from edgefleet_agent.serving.engine.instance_pool import INLINE_S_MAX, SHORT_RUNS, InstancePool
from edgefleet_agent.serving.engine.multicore_session import LONE_MIN, PAIRS, MultiCoreSession
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.vision.heads.base import TensorSpec

SPEC = TensorSpec("X", (1, 4), np.dtype(np.float32))
WAIT_S = 30.0
NARROW_S = 0.01


class Gated(Session):
    """Its answers identify it; a run takes `took_s` and ends when `gate` is open."""

    inputs = outputs = (SPEC,)
    placement = Placement("test", "0", "cpu")

    def __init__(self, value: float, gate: threading.Event, took_s: float) -> None:
        self.value, self.gate, self.took_s, self.closed = value, gate, took_s, False
        self.runs = 0
        self.busy = threading.Lock()

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        assert self.busy.acquire(blocking=False), "one thread at a time"
        self.runs += 1
        assert self.gate.wait(WAIT_S)
        time.sleep(self.took_s)
        self.busy.release()
        return {"X": np.full((1, 4), self.value, np.float32)}

    def close(self) -> None:
        self.closed = True


class Site:
    """Two narrow sessions (answers 1 and 2) and a wide one (9)."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.narrow = [Gated(1.0, self.gate, NARROW_S), Gated(2.0, self.gate, NARROW_S)]
        self.wide = Gated(9.0, self.gate, 0.0)
        signature = TensorSignature("m", "1", "test", (SPEC,), (SPEC,), 0, ())
        self.opened = 0
        self.open_gate = threading.Event()
        self.pool = InstancePool(signature, self.narrow, None, 1.0, wide=MultiCoreSession("m", self._open))
        self.answers: list[float] = []
        self.answered = threading.Semaphore(0)

    def _open(self) -> Session:
        self.opened += 1
        assert self.open_gate.wait(WAIT_S)
        return self.wide

    def warm(self) -> None:
        """Sends lone requests until the wide session has answered its share of a trial."""
        self.gate.set()
        self.open_gate.set()
        before, ends_s = self.wide.runs, time.monotonic() + WAIT_S
        while self.wide.runs < before + PAIRS and time.monotonic() < ends_s:
            self.alone()
        self.alone()  # the other half of the last pair

    def alone(self) -> float:
        """The answer to a lone request."""
        self.ask()
        answer = self.wait(1)[-1]
        while self.pool.running:  # the next one would not be alone
            time.sleep(0.001)
        return answer

    def ask(self) -> None:
        self.pool.put(QueuedRequest({"X": np.zeros((1, 4), np.float32)}, 1, self._on_answer, time.monotonic_ns()), 0, 0)

    def _on_answer(self, outputs: object, _signature: TensorSignature) -> None:
        assert isinstance(outputs, Mapping), outputs
        self.answers.append(float(outputs["X"][0, 0]))
        self.answered.release()

    def wait(self, count: int) -> list[float]:
        for _ in range(count):
            assert self.answered.acquire(timeout=WAIT_S)
        return self.answers


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    yield made
    made.gate.set()
    made.pool.close()
    made.open_gate.set()
    assert all(session.closed for session in made.narrow)
    assert made.wide.closed or not made.opened


def test_requests_that_come_alone_are_answered_by_the_wide_session(site: Site) -> None:
    site.warm()
    assert [site.alone() for _ in range(5)] == [9.0] * 5
    assert site.opened == 1


def test_no_request_waits_for_the_wide_session(site: Site) -> None:
    site.gate.set()
    assert 9.0 not in [site.alone() for _ in range(3 * LONE_MIN)]
    assert site.opened == 1  # it is still being opened
    site.warm()
    assert site.alone() == 9.0


def test_it_is_judged_by_every_second_request(site: Site) -> None:
    site.gate.set()
    site.open_gate.set()
    answers: list[float] = []
    ends_s = time.monotonic() + WAIT_S
    while answers.count(9.0) < PAIRS and time.monotonic() < ends_s:
        answers.append(site.alone())
    trial = answers[answers.index(9.0) :]
    assert [answer == 9.0 for answer in trial] == [True, False] * (PAIRS - 1) + [True]


def test_without_a_gain_it_is_given_back_and_tried_again_later(site: Site) -> None:
    site.wide.took_s = NARROW_S
    site.warm()
    assert site.wide.closed
    answers = [site.alone() for _ in range(8 * LONE_MIN - 2)]
    assert (site.opened, 9.0 in answers) == (1, False)
    site.wide.took_s = 0.0
    site.warm()
    assert site.opened == 2
    assert [site.alone() for _ in range(5)] == [9.0] * 5


def test_closed_while_the_wide_session_is_being_opened(site: Site) -> None:
    site.gate.set()
    while not site.opened:
        site.alone()
    site.pool.close()
    assert not site.wide.closed
    site.open_gate.set()
    ends_s = time.monotonic() + WAIT_S
    while not site.wide.closed and time.monotonic() < ends_s:
        time.sleep(0.001)
    assert site.wide.closed


def test_requests_that_come_together_run_side_by_side_and_never_two_in_the_wide_one(site: Site) -> None:
    site.warm()
    before = site.wide.runs
    site.gate.clear()
    site.ask()
    ends_s = time.monotonic() + WAIT_S
    while site.wide.runs == before and time.monotonic() < ends_s:
        time.sleep(0.001)
    narrow = sum(session.runs for session in site.narrow)
    for _ in range(6):
        site.ask()  # while the first one runs
    while sum(session.runs for session in site.narrow) == narrow and time.monotonic() < ends_s:
        time.sleep(0.001)
    site.gate.set()
    site.wait(7)
    assert site.wide.runs - before + sum(session.runs for session in site.narrow) - narrow == 7
    assert sum(session.runs for session in site.narrow) > narrow


class Timed(Session):
    """Notes the threads of its runs, which compute for `cpu_s` and sleep for `sleep_s`."""

    inputs = outputs = (SPEC,)
    placement = Placement("test", "0", "cpu")

    def __init__(self) -> None:
        self.cpu_s = self.sleep_s = 0.0
        self.threads: list[int] = []

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        self.threads.append(threading.get_ident())
        if self.cpu_s:
            ends_s = time.thread_time() + self.cpu_s
            while time.thread_time() < ends_s:
                pass
        if self.sleep_s:
            time.sleep(self.sleep_s)
        return {"X": inputs["X"]}

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("cpu_s", "sleep_s", "moves"), [(0.002, 0.0, True), (0.0, 0.002, False)])
def test_a_model_that_turns_out_to_compute_longer_leaves_the_callers_thread(cpu_s: float, sleep_s: float, moves: bool) -> None:
    """One whose thread only had to wait stays: that was other load."""
    session = Timed()
    pool = InstancePool(TensorSignature("m", "1", "test", (SPEC,), (SPEC,), 0, ()), [session], None, INLINE_S_MAX / 10)
    answered = threading.Semaphore(0)

    def ask(count: int) -> list[int]:
        session.threads.clear()
        for _ in range(count):
            request = QueuedRequest({"X": np.zeros((1, 4), np.float32)}, 1, lambda *_: answered.release(), time.monotonic_ns())
            pool.put(request, 0, 0)
            assert answered.acquire(timeout=WAIT_S)
        return session.threads

    here = threading.get_ident()
    assert set(ask(20)) == {here}
    session.cpu_s, session.sleep_s = cpu_s, sleep_s
    assert (ask(50)[-1] != here) == moves
    session.cpu_s = session.sleep_s = 0.0
    if moves:
        assert here not in ask(SHORT_RUNS // 2), "it comes back after many short runs only"
    ends_s = time.monotonic() + WAIT_S  # on a busy machine not every run is short
    while ask(SHORT_RUNS)[-1] != here and time.monotonic() < ends_s:
        pass
    assert set(ask(20)) == {here}
    pool.close()
