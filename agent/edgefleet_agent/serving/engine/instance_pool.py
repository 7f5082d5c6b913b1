"""The sessions of one model and the threads that run them.

A model that takes less time than a thread's wake-up runs on the caller's thread (`INLINE_S_MAX`): switching threads would cost
more than the run. Where batches are formed, it runs at the end of a turn of the listener's event loop, with all requests that
were read in it: most of so short a run costs the same for any number of rows. Every other model has one thread for each session,
which takes the largest queued batch as soon as it is free. Single-threaded sessions give the highest throughput; a lone request
is faster on a session over all cores, so there may be one in addition (`MultiCoreSession`).
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Sequence
from itertools import zip_longest

from edgefleet_agent.backends.base import Session
from edgefleet_agent.serving.config.model_config import DynamicBatching
from edgefleet_agent.serving.engine.dynamic_batcher import DynamicBatcher, QueuedRequest
from edgefleet_agent.serving.engine.multicore_session import MultiCoreSession
from edgefleet_agent.serving.engine.rate_limiter import RateLimiter, ResourceClaim
from edgefleet_agent.serving.engine.run_batch import execute, refuse, timed_out
from edgefleet_agent.serving.engine.turn_requests import Scheduled, TurnRequests
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import AtTurnEnd, TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics

log = logging.getLogger(__name__)

INLINE_S_MAX = 100e-6
"""Shorter runs are not worth a thread's wake-up."""
INLINE_WAIT_S = 1e-3
"""Longest wait of a caller for another caller's run before it queues the request for the thread."""
INLINE_BYTES_MAX = 64 * 1024
"""Larger inputs always go to a thread: the run time was measured with small ones."""
DOUBTFUL_RUNS = 64
"""Runs that are measured by processor time after one that took long: two system calls, which the other runs do without."""
SHORT_RUNS = 1000
"""Runs of half of `INLINE_S_MAX` after which callers run the model themselves again; a longer one outweighs `LONG_WEIGHT`."""
LONG_WEIGHT = 16
DRAIN_S_MAX = 10.0
"""Time limit for queued requests when a model is unloaded."""
_SMOOTHING = 0.05


class InstancePool:
    """Computes the requests of one version of one model. `put` from any thread."""

    def __init__(
        self,
        signature: TensorSignature,
        sessions: Sequence[Session],
        batching: DynamicBatching | None,
        run_s: float,
        limiter: RateLimiter | None = None,
        claims: Sequence[ResourceClaim] = (),
        wide: MultiCoreSession | None = None,
        *,
        joined: bool = True,
    ) -> None:
        """Starts the threads. joined: false computes every request alone, whatever `batching` says."""
        self.signature = signature
        self.statistics = Statistics()
        self.instances = len(sessions)
        self._sessions = list(sessions)
        self._wide = wide
        self._running = 0
        self._queue = DynamicBatcher(signature.batch if joined else 1, batching)
        self._ready = threading.Condition()
        self._closing = False
        # A configured delay asks for batches; otherwise they gain nothing for runs this short.
        patient = batching is not None and batching.max_queue_delay_microseconds > 0
        self._inline = run_s < INLINE_S_MAX and not patient and not claims
        self._was_inline = self._inline
        self._short_runs = 0
        self._inline_s = run_s
        self._inline_lock = threading.Lock()
        self._doubtful = 0
        # Preferred sizes are for the threads, which choose among all that waits.
        joins = joined and signature.batch > 1 and batching is not None and not batching.preferred_batch_size
        self._turn_rows_max = signature.batch if joins else 1
        self._turns: dict[AtTurnEnd, TurnRequests] = {}
        self._limiter = limiter
        self._claims = list(claims)
        self._threads = [
            threading.Thread(target=self._serve, args=(session, claim), name=f"serve:{signature.model}:{index}", daemon=True)
            for index, (session, claim) in enumerate(zip_longest(sessions, claims))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pending(self) -> int:
        """Queued requests."""
        return len(self._queue)

    @property
    def running(self) -> int:
        """Batches being computed or answered."""
        return self._running

    def put(self, request: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Compute a request now, or queue it.

        Raises:
            CallError: the queue is full, or the model is being unloaded.
        """
        if self._inline and not self._closing and _small(request):
            if request.at_turn_end is None or self._turn_rows_max < 2:
                answered = self._run_here(request)
            else:
                answered = self._gather(request.at_turn_end, (request, priority, timeout_us))
            if answered:
                return
        with self._ready:
            if self._closing:
                raise CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1)
            self._queue.put(request, priority, timeout_us)
            self._ready.notify()

    def close(self) -> None:
        """Answer queued requests, then close the sessions. New requests are refused."""
        with self._inline_lock, self._ready:
            self._closing = True
            refused = [each for turn in list(self._turns.values()) for each in self._queue_all(turn)]
            self._ready.notify_all()
        self._refuse(refused)
        ends_s = time.monotonic() + DRAIN_S_MAX
        for thread in self._threads:
            thread.join(max(0.0, ends_s - time.monotonic()))
        with self._inline_lock:
            self._inline = False
        for thread, session in zip(self._threads, self._sessions, strict=True):
            if not thread.is_alive():  # a run that hangs keeps its session
                session.close()
        if self._wide is not None and not any(thread.is_alive() for thread in self._threads):
            self._wide.close()
        for claim in self._claims:
            if self._limiter is not None:
                self._limiter.leave(claim)

    def _run_here(self, request: QueuedRequest) -> bool:
        """Run on the caller's thread. False: another caller is running, or the model turned out to be slower."""
        # The holder of the lock finishes sooner than a thread wakes up.
        if not self._inline_lock.acquire(timeout=INLINE_WAIT_S):
            return False
        try:
            if not self._inline:
                return False
            self._run_inline((request,))
        finally:
            self._inline_lock.release()
        return True

    def _run_inline(self, batch: Sequence[QueuedRequest]) -> None:
        """Run on this thread, which holds the lock for it."""
        doubtful = self._doubtful > 0
        took_ns = execute(self._sessions[0], batch, self.signature, self.statistics, by_cpu=doubtful)
        took_s = took_ns / 1e9 / len(batch)  # what each of them would have held up the others for
        if doubtful:
            self._doubtful -= 1
        elif took_s > INLINE_S_MAX:  # other load may have held it up
            self._doubtful = DOUBTFUL_RUNS
            return
        self._inline_s += _SMOOTHING * (min(took_s, 4 * INLINE_S_MAX) - self._inline_s)
        if self._inline_s > 2 * INLINE_S_MAX:
            self._inline = False

    def _gather(self, at_turn_end: AtTurnEnd, scheduled: Scheduled) -> bool:
        """Run on the caller's thread at the end of the turn of its event loop. False: the model is being unloaded."""
        turn = self._turns.get(at_turn_end)
        if turn is None:
            turn = self._turns[at_turn_end] = TurnRequests(self._turn_rows_max)
        turn.append(scheduled)
        if len(turn) == 1:
            at_turn_end(functools.partial(self._end_turn, turn))
        return not self._closing or not turn.discard(scheduled)

    def _end_turn(self, turn: TurnRequests) -> None:
        """Compute the requests of a turn: here, or on the threads if another caller is running for long."""
        while turn and self._inline and self._inline_lock.acquire(timeout=INLINE_WAIT_S):
            try:
                if turn and self._inline:
                    self._run_inline(turn.take())
            finally:
                self._inline_lock.release()
        if turn:
            with self._ready:
                refused = self._queue_all(turn)
                self._ready.notify()
            self._refuse(refused)

    def _queue_all(self, turn: TurnRequests) -> list[tuple[QueuedRequest, CallError]]:
        """Queue the requests of a turn for the threads; returns those for which there is no room. Under the condition."""
        refused: list[tuple[QueuedRequest, CallError]] = []
        while turn:
            request, priority, timeout_us = turn.popleft()
            try:
                self._queue.put(request, priority, timeout_us)
            except CallError as error:
                refused.append((request, error))
        return refused

    def _refuse(self, refused: list[tuple[QueuedRequest, CallError]]) -> None:
        for request, error in refused:
            self.statistics.rejected("REJECTED" if error.code is Code.UNAVAILABLE else "OTHER")
            request.done(error, self.signature)

    def _serve(self, session: Session, claim: ResourceClaim | None) -> None:
        shared = session is self._sessions[0]
        idle = True
        while (taken := self._next(idle)) is not None:
            idle = False
            if shared and self._inline:
                with self._inline_lock:
                    execute(session, taken[0], self.signature, self.statistics)
                continue
            try:
                returning = shared and self._was_inline
                took_ns = self._run(session, claim, *taken, by_cpu=returning)
                if returning:
                    self._ran_short(0 < took_ns < INLINE_S_MAX * 0.5e9)
            except Exception:
                # The requests are answered: only what follows an answer can fail, such as the start of another thread.
                log.exception("internal error after a request to model '%s'", self.signature.model)

    def _ran_short(self, short: bool) -> None:
        """Let callers run the model again after many short runs: it was other load that had made them long. Only on the thread of
        the session that callers use, which therefore does not run now."""
        self._short_runs = max(0, self._short_runs + (1 if short else -LONG_WEIGHT))
        if self._short_runs >= SHORT_RUNS and not self._closing:
            self._short_runs, self._inline_s = 0, 0.0
            self._inline = True

    def _run(
        self, session: Session, claim: ResourceClaim | None, batch: list[QueuedRequest], alone: bool, *, by_cpu: bool
    ) -> int:
        """Answer a batch, and learn from its duration; returns it as `execute`. alone: no other batch is running, so the
        multi-core session is free."""
        if claim is not None and self._limiter is not None:
            self._limiter.acquire(claim)
        began_ns = time.monotonic_ns()
        wide = self._wide if alone else None
        chosen = wide.session if wide is not None else None
        try:
            took_ns = execute(chosen or session, batch, self.signature, self.statistics, by_cpu=by_cpu and wide is None)
        finally:
            if claim is not None and self._limiter is not None:
                self._limiter.release(claim)
        if not took_ns:
            (chosen or session).recover(lambda: self._closing)  # meanwhile other sessions take the next requests
        if wide is not None and took_ns:
            wide.ran_alone(took_ns / 1e9, chosen is not None)
        if (learned := self._queue.learned) is not None:
            with self._ready:
                learned.executed(sum(request.rows for request in batch), time.monotonic_ns() - began_ns)
        return took_ns

    def _next(self, idle: bool) -> tuple[list[QueuedRequest], bool] | None:
        """The next batch, and whether it is a lone request while no other batch runs; None if closing and the queue is empty.
        idle: the caller has not run a batch since its last call."""
        while True:
            with self._ready:
                self._running -= not idle
                idle = True
                batch, refused, wait_s = self._queue.take(time.monotonic_ns())
                if not batch and not refused:
                    if self._closing and not len(self._queue):
                        return None
                    self._ready.wait(wait_s)
                    continue
                if batch:
                    if waiting := len(self._queue):
                        self._ready.notify()
                    alone = not self._running and not waiting and len(batch) == 1
                    self._running += 1
                    idle = False
            for request in refused:
                refuse(request, self.signature, self.statistics, timed_out())
            live = [request for request in batch if request.is_cancelled is None or not request.is_cancelled()]
            if len(live) < len(batch):
                for request in batch:
                    if request not in live:
                        refuse(request, self.signature, self.statistics, CallError(Code.UNAVAILABLE, "hung up"), "CANCELED")
            if live:
                return live, alone


def _small(request: QueuedRequest) -> bool:
    size = 0
    for array in request.inputs.values():
        size += array.nbytes
    return size <= INLINE_BYTES_MAX
