"""The sessions of one model and the threads that run them.

A model that takes less than a thread's wake-up is run by whoever asks (`INLINE_S_MAX`): for it the way to another thread and
back would be most of the work. Every other model has one thread for each session, which takes the largest batch that waits as
soon as it is free. Sessions of one thread give the most answers a second; a request that comes alone is answered sooner by one
that spreads over all cores, so there may be such a session besides (`WideSession`).
"""

from __future__ import annotations

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
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics

INLINE_S_MAX = 100e-6
"""A run that takes less is not worth waking a thread for."""
INLINE_WAIT_S = 1e-3
"""How long a caller waits for another one's run before it leaves the request to the thread."""
INLINE_BYTES_MAX = 64 * 1024
"""Larger inputs go to a thread even then: the time was measured with small ones."""
DRAIN_S_MAX = 10.0
"""How long the requests that wait may take to be answered when a model is unloaded."""
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
    ) -> None:
        self.signature = signature
        self.statistics = Statistics()
        self.instances = len(sessions)
        self._sessions = list(sessions)
        self._wide = wide
        self._running = 0
        self._queue = DynamicBatcher(signature.batch, batching)
        self._ready = threading.Condition()
        self._closing = False
        # Batches are wanted by whoever configures a delay; nobody else gains from them where a run is this short.
        patient = batching is not None and batching.max_queue_delay_microseconds > 0
        self._inline = run_s < INLINE_S_MAX and not patient and not claims
        self._inline_s = run_s
        self._inline_lock = threading.Lock()
        self._limiter = limiter
        self._claims = list(claims)
        self._threads = [
            threading.Thread(target=self._serve, args=(session, claim), name=f"serve:{signature.model}:{place}", daemon=True)
            for place, (session, claim) in enumerate(zip_longest(sessions, claims))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pending(self) -> int:
        """Requests that wait."""
        return len(self._queue)

    @property
    def running(self) -> int:
        """Batches that are being computed or answered."""
        return self._running

    def put(self, ticket: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Compute a request, now or when its turn comes.

        Raises:
            CallError: the queue is full, or the model is being unloaded.
        """
        if self._inline and not self._closing and _small(ticket) and self._run_here(ticket):
            return
        with self._ready:
            if self._closing:
                raise CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1)
            self._queue.put(ticket, priority, timeout_us)
            self._ready.notify()

    def close(self) -> None:
        """Answer what waits, then give memory back. New requests are refused at once."""
        with self._ready:
            self._closing = True
            self._ready.notify_all()
        ends_s = time.monotonic() + DRAIN_S_MAX
        for thread in self._threads:
            thread.join(max(0.0, ends_s - time.monotonic()))
        with self._inline_lock:
            self._inline = False
        for thread, session in zip(self._threads, self._sessions, strict=True):
            if not thread.is_alive():  # a run that never returns keeps its session
                session.close()
        if self._wide is not None and not any(thread.is_alive() for thread in self._threads):
            self._wide.close()
        for claim in self._claims:
            if self._limiter is not None:
                self._limiter.leave(claim)

    def _run_here(self, ticket: QueuedRequest) -> bool:
        """Run on the caller's thread. False: another caller is at it, or it is not that quick after all."""
        # Whoever holds it is done sooner than a thread could be woken.
        if not self._inline_lock.acquire(timeout=INLINE_WAIT_S):
            return False
        try:
            if not self._inline:
                return False
            # Time of this thread's own: that others are busy says nothing about the model.
            began_s = time.thread_time()
            execute(self._sessions[0], (ticket,), self.signature, self.statistics)
            took_s = time.thread_time() - began_s
        finally:
            self._inline_lock.release()
        self._inline_s += _SMOOTHING * (min(took_s, 20 * INLINE_S_MAX) - self._inline_s)
        if self._inline_s > 3 * INLINE_S_MAX:
            self._inline = False
        return True

    def _serve(self, session: Session, claim: ResourceClaim | None) -> None:
        shared = session is self._sessions[0]
        idle = True
        while (taken := self._next(idle)) is not None:
            batch, alone = taken
            idle = False
            if shared and self._inline:
                with self._inline_lock:
                    execute(session, batch, self.signature, self.statistics)
                continue
            if claim is not None and self._limiter is not None:
                self._limiter.acquire(claim)
            began_ns = time.monotonic_ns()
            # Nobody else is at it, so nobody else has the wide one.
            wide = self._wide if alone else None
            chosen = wide.session if wide is not None else None
            try:
                took_ns = execute(chosen or session, batch, self.signature, self.statistics)
            finally:
                if claim is not None and self._limiter is not None:
                    self._limiter.release(claim)
            if wide is not None and took_ns:
                wide.ran_alone(took_ns / 1e9, chosen is not None)
            if (learned := self._queue.learned) is not None:
                with self._ready:
                    learned.executed(sum(ticket.rows for ticket in batch), time.monotonic_ns() - began_ns)

    def _next(self, idle: bool) -> tuple[list[QueuedRequest], bool] | None:
        """The next batch, and whether it is a request on its own with nobody else at work; None when closing and nothing waits.
        idle: the caller has not run anything since it asked last."""
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
            for ticket in refused:
                refuse(ticket, self.signature, self.statistics, timed_out())
            wanted = [ticket for ticket in batch if ticket.gone is None or not ticket.gone()]
            if len(wanted) < len(batch):
                for ticket in batch:
                    if ticket not in wanted:
                        refuse(ticket, self.signature, self.statistics, CallError(Code.UNAVAILABLE, "hung up"), "CANCELED")
            if wanted:
                return wanted, alone


def _small(ticket: QueuedRequest) -> bool:
    return sum(array.nbytes for array in ticket.inputs.values()) <= INLINE_BYTES_MAX
