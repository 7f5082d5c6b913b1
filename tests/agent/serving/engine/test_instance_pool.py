"""Assignment of requests to a model's sessions: the narrow ones run in parallel, the wide one runs a request that arrives
alone."""

from __future__ import annotations

import gc
import queue
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, Placement, Session
from edgefleet_agent.serving.config.model_config import DynamicBatching, ServingConfig
from edgefleet_agent.serving.engine.dynamic_batcher import Answer, QueuedRequest
from edgefleet_agent.serving.engine.instance_pool import INLINE_S_MAX, SHORT_RUNS, InstancePool
from edgefleet_agent.serving.engine.model_registry import ServedModel
from edgefleet_agent.serving.engine.multicore_session import LONE_MIN, PAIRS, MultiCoreSession
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
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


ROW = TensorSpec("X", (-1, -1), np.dtype(np.float32))


class Rows(Session):
    """Returns its input after `gate` is open, and notes shapes and threads."""

    inputs = outputs = (ROW,)
    placement = Placement("test", "0", "cpu")

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []
        self.threads: list[int] = []
        self.gate = threading.Event()
        self.gate.set()

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        self.threads.append(threading.get_ident())
        assert self.gate.wait(WAIT_S)
        self.shapes.append(inputs["X"].shape)
        return {"X": inputs["X"].copy()}

    def close(self) -> None:
        assert self.gate.is_set()


class Turns:
    """A pool of a short model whose batches have up to 4 rows, and an event loop whose turn ends with `end`."""

    def __init__(self, batching: DynamicBatching | None) -> None:
        self.session = Rows()
        signature = TensorSignature("m", "1", "test", (ROW,), (ROW,), 4, any_rows=True)
        self.pool = InstancePool(signature, [self.session], batching, INLINE_S_MAX / 10)
        self.soon: list[Callable[[], None]] = []
        self.at_turn_end = self.soon.append
        self.answers: queue.Queue[tuple[float, Answer]] = queue.Queue()

    def ask(self, value: float, shape: tuple[int, int] = (1, 2), *, on_loop: bool = True) -> None:
        inputs = {"X": np.full(shape, value, np.float32)}
        request = QueuedRequest(inputs, shape[0], lambda answer, _: self.answers.put((value, answer)), time.monotonic_ns())
        request.at_turn_end = self.at_turn_end if on_loop else None
        self.pool.put(request, 0, 0)

    def end(self) -> None:
        soon = list(self.soon)
        self.soon.clear()
        for work in soon:
            work()

    def check_answers(self, count: int) -> None:
        for _ in range(count):
            value, answer = self.answers.get(timeout=WAIT_S)
            assert not isinstance(answer, CallError)
            assert (answer["X"] == value).all()
        assert self.answers.empty()


@pytest.fixture
def turns() -> Iterator[Turns]:
    made = Turns(DynamicBatching())
    yield made
    made.session.gate.set()
    made.pool.close()


def test_requests_of_one_turn_are_one_run(turns: Turns) -> None:
    for value in range(3):
        turns.ask(value)
    assert turns.session.shapes == []
    turns.end()
    assert turns.session.shapes == [(3, 2)]
    assert turns.session.threads == [threading.get_ident()]
    turns.check_answers(3)
    assert (turns.pool.statistics.executions, turns.pool.statistics.inferences) == (1, 3)
    turns.ask(7.0)
    turns.end()
    turns.check_answers(1)


def test_a_run_has_equal_shapes_and_not_more_rows_than_a_batch(turns: Turns) -> None:
    for value, shape in enumerate([(1, 2), (2, 2), (2, 2), (1, 3), (1, 2), (6, 2), (1, 2)]):
        turns.ask(value, shape)
    turns.end()
    assert turns.session.shapes == [(3, 2), (2, 2), (1, 3), (1, 2), (6, 2), (1, 2)]
    turns.check_answers(7)


@pytest.mark.parametrize("batching", [None, DynamicBatching(preferred_batch_size=[2])])
def test_requests_run_alone_where_no_batches_are_formed(batching: DynamicBatching | None) -> None:
    turns = Turns(batching)
    turns.ask(1.0)
    turns.ask(2.0)
    assert turns.session.shapes == [(1, 2), (1, 2)]
    turns.check_answers(2)
    turns.pool.close()


def test_a_turn_that_would_wait_for_another_caller_runs_on_the_thread(turns: Turns) -> None:
    turns.session.gate.clear()
    other = threading.Thread(target=turns.ask, args=(9.0,), kwargs={"on_loop": False})
    other.start()
    ends_s = time.monotonic() + WAIT_S
    while not turns.session.threads and time.monotonic() < ends_s:
        time.sleep(0.001)
    turns.ask(1.0)
    turns.ask(2.0)
    turns.end()
    assert turns.pool.pending > 0 or len(turns.session.threads) > 1
    turns.session.gate.set()
    other.join(WAIT_S)
    turns.check_answers(3)
    assert threading.get_ident() not in turns.session.threads


def test_a_turn_that_is_open_when_the_model_is_unloaded_is_answered(turns: Turns) -> None:
    turns.ask(1.0)
    turns.ask(2.0)
    turns.pool.close()
    turns.check_answers(2)
    turns.end()
    with pytest.raises(CallError, match="being unloaded"):
        turns.ask(3.0)
    assert turns.answers.empty()
    turns.end()


def test_turns_and_unloading_side_by_side() -> None:
    """Every request is answered once, or refused so that its caller tries the next version."""
    for _ in range(50):
        turns = Turns(DynamicBatching())
        closing = threading.Thread(target=turns.pool.close)
        refused = 0
        for value in range(200):
            if value == 50:
                closing.start()
            try:
                turns.ask(value)
            except CallError:
                refused += 1
            if value % 3 == 0:
                turns.end()
        turns.end()
        closing.join(WAIT_S)
        turns.check_answers(200 - refused)


def test_an_answered_request_leaves_nothing_to_the_garbage_collector(turns: Turns) -> None:
    served = ServedModel(turns.pool, ServingConfig())
    array = np.zeros((1, 2), np.float32)
    reference = weakref.ref(array)
    call = InferenceRequest({"X": array})
    gc.disable()
    try:
        served.submit(call, lambda *_: None)
        del array, call
        assert reference() is None
    finally:
        gc.enable()
