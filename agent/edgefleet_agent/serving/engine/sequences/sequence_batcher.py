"""Sequence batcher: requests of one sequence run in order, with the model's state between them.

It is in front of the pool of a model. It fills the control tensors (START, READY, END, CORRID) and the states of each sequence;
callers see neither. Requests of one sequence run in order, those of different sequences in one batch: Triton's `oldest` strategy.
`direct` is the same here: no runtime keeps state for an index in the batch.

The number of active sequences is limited (`SequenceBatching.candidates`); further ones wait until one ends or expires.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace

from edgefleet_agent.serving.config.model_config import QUEUE_MAX, WAIT_US_MAX
from edgefleet_agent.serving.config.sequence_config import SequenceBatching
from edgefleet_agent.serving.engine.dynamic_batcher import Answer, QueuedRequest
from edgefleet_agent.serving.engine.model_availability import contained
from edgefleet_agent.serving.engine.model_registry import ModelPool
from edgefleet_agent.serving.engine.run_batch import refuse, timed_out
from edgefleet_agent.serving.engine.sequences.sequence_tensors import SequenceTensors
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault, invalid
from edgefleet_agent.serving.protocol.inference_request import SequenceMark, TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_agent.serving.protocol.tensors import Array

log = logging.getLogger(__name__)

_STALE_CHECK_NS = 1_000_000_000


@dataclass(slots=True, eq=False)
class _Sequence:
    """One active or waiting sequence. pumper: id of the thread that forwards its requests now, 0 for none."""

    states: dict[str, Array]
    waiting: deque[tuple[QueuedRequest, SequenceMark, int, int]] = field(default_factory=deque)
    running: bool = False
    ended: bool = False
    active: bool = False
    pumper: int = 0
    idle_since_ns: int = 0


class SequencePool:
    """A `ModelPool` in front of the one that computes. tensors: the control and state tensors that callers do not see."""

    def __init__(self, inner: ModelPool, config: SequenceBatching, tensors: SequenceTensors) -> None:
        full = inner.signature
        self._inner = inner
        self._tensors = tensors
        self._signature = replace(full, inputs=tensors.callers_inputs(full), outputs=tensors.callers_outputs(full))
        self._idle_ns = config.idle_ns
        self._candidates = config.candidates(inner.instances, full.batch)
        self._sequences: OrderedDict[int | str, _Sequence] = OrderedDict()
        # Idle sequences, longest first: the limit is the same for all, so the first one expires next.
        self._idle: OrderedDict[int | str, _Sequence] = OrderedDict()
        self._sleeps = False
        self._active = 0
        self._waiting = 0
        self._changed = threading.Condition()
        self._closing = False
        self._clock = threading.Thread(target=self._watch, name=f"serve:{full.model}:sequences", daemon=True)
        self._clock.start()

    @property
    def instances(self) -> int:
        """Number of concurrent sessions."""
        return self._inner.instances

    @property
    def signature(self) -> TensorSignature:
        """The tensors that callers see: without controls and states."""
        return self._signature

    @property
    def statistics(self) -> Statistics:
        """The statistics of the pool that computes."""
        return self._inner.statistics

    @property
    def pending(self) -> int:
        """Queued requests, here and in the pool that computes."""
        return self._waiting + self._inner.pending

    @property
    def active(self) -> int:
        """Number of active sequences."""
        return self._active

    def put(self, request: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Compute a request after the earlier ones of its sequence.

        Raises:
            CallError: the request has no sequence, the sequence was not started, or too many requests are queued.
        """
        mark, model = request.sequence, self._signature.model
        if mark is None or not mark.id:
            raise invalid(f"inference request to model '{model}' must specify a non-zero or non-empty correlation ID")
        if request.rows != 1:
            raise invalid(
                f"inference request to model '{model}' must specify batch-size 1 due to requirements of sequence batcher"
            )
        self._tensors.check(mark, model)
        with self._changed:
            if self._closing:
                raise CallError(Code.UNAVAILABLE, f"model '{model}' is being unloaded", 1)
            self._expire()
            sequence = self._sequences.get(mark.id)
            if not mark.start and (sequence is None or sequence.ended):
                raise invalid(
                    f"inference request for sequence {mark.id} to model '{model}' must specify the START flag on the first "
                    "request of the sequence"
                )
            if self._waiting >= QUEUE_MAX or (sequence is None and len(self._sequences) - self._active >= QUEUE_MAX):
                raise CallError(Code.UNAVAILABLE, "exceeds maximum queue size; try again later", 1)
            if sequence is None:
                sequence = self._sequences[mark.id] = _Sequence({})
            self._idle.pop(mark.id, None)
            sequence.ended = mark.end
            sequence.waiting.append((request, mark, priority, timeout_us))
            self._waiting += 1
            promoted = self._promote()
            if self._sleeps and not sequence.active:
                self._changed.notify_all()
        for fresh in promoted if sequence in promoted else [sequence, *promoted]:
            self._pump(fresh)

    def close(self) -> None:
        """Answer queued requests, then close the pool that computes."""
        with self._changed:
            self._closing = True
            self._candidates = len(self._sequences) + 1  # activate all waiting sequences
            self._promote()
            fresh = list(self._sequences.values())
            self._changed.notify_all()
        for sequence in fresh:
            self._pump(sequence)
        give_up_s = time.monotonic() + 10.0
        while self._waiting and time.monotonic() < give_up_s:
            time.sleep(0.005)
        self._inner.close()

    def _pump(self, sequence: _Sequence) -> None:
        """Forward the next request, unless one is running. If the model answers at once, the loop forwards all."""
        me = threading.get_ident()
        while True:
            with self._changed:
                if sequence.running or sequence.pumper or not sequence.active or not sequence.waiting:
                    return
                sequence.running, sequence.pumper = True, me
                request, mark, priority, timeout_us = sequence.waiting.popleft()
                self._waiting -= 1
                if mark.start:
                    sequence.states = self._tensors.initial()
            try:
                self._forward(sequence, request, mark, priority, timeout_us)
            finally:
                with self._changed:
                    sequence.pumper = 0

    def _forward(self, sequence: _Sequence, request: QueuedRequest, mark: SequenceMark, priority: int, timeout_us: int) -> None:
        tensors, signature = self._tensors, self._signature

        def done(answer: Answer, _signature: TensorSignature) -> None:
            if not isinstance(answer, CallError):
                sequence.states.update(tensors.states(answer))
            request.done(answer, signature)
            self._done(sequence, mark, failed=isinstance(answer, CallError))

        try:
            full = QueuedRequest(tensors.filled(request.inputs, sequence.states, mark), 1, contained(done), request.arrived_ns)
            full.trace = request.trace
            self._inner.put(full, priority, timeout_us)
        except CallError as error:
            request.done(error, signature)
            self._done(sequence, mark, failed=True)
        except Exception:
            log.exception("internal error in a sequence of model '%s'", signature.model)
            request.done(internal_fault(), signature)
            self._done(sequence, mark, failed=True)

    def _done(self, sequence: _Sequence, mark: SequenceMark, *, failed: bool) -> None:
        with self._changed:
            sequence.running = False
            sequence.idle_since_ns = time.monotonic_ns()
            promoted: list[_Sequence] = []
            if mark.end and not sequence.waiting:
                # A caller may repeat a failed last request; otherwise the sequence expires.
                if failed:
                    sequence.ended = False
                else:
                    self._forget(mark.id)
                    promoted = self._promote()
            if self._sequences.get(mark.id) is sequence and not sequence.waiting:
                self._idle[mark.id] = sequence
                if self._sleeps:
                    self._changed.notify_all()
            mine = sequence.pumper == threading.get_ident()
        if not mine:
            self._pump(sequence)
        for other in promoted:
            self._pump(other)

    def _forget(self, key: int | str) -> None:
        sequence = self._sequences.pop(key)
        self._idle.pop(key, None)
        self._active -= sequence.active
        sequence.states = {}

    def _promote(self) -> list[_Sequence]:
        """Activate waiting sequences up to the limit, oldest first."""
        fresh: list[_Sequence] = []
        if self._active < min(self._candidates, len(self._sequences)):
            for sequence in self._sequences.values():
                if self._active >= self._candidates:
                    break
                if not sequence.active:
                    sequence.active = True
                    self._active += 1
                    fresh.append(sequence)
        return fresh

    def _expire(self) -> int | None:
        """Drop sequences that were idle for too long. Returns nanoseconds until the next one may expire; None: none is idle."""
        now_ns = time.monotonic_ns()
        while self._idle:
            key, sequence = next(iter(self._idle.items()))
            left_ns = sequence.idle_since_ns + self._idle_ns - now_ns
            if left_ns > 0:
                return left_ns
            self._forget(key)
        return None

    def _watch(self) -> None:
        """Drop idle sequences in time, and activate waiting ones."""
        while True:
            with self._changed:
                if self._closing:
                    return
                next_ns = self._expire()
                promoted = self._promote()
                stale = self._stale()
                if not promoted and not stale:
                    if self._active < len(self._sequences):  # some wait: check again in time for them
                        next_ns = min(next_ns or _STALE_CHECK_NS, _STALE_CHECK_NS)
                    self._sleeps = next_ns is None  # otherwise it wakes up by itself
                    self._changed.wait(None if next_ns is None else next_ns / 1e9)
                    self._sleeps = False
            for sequence in promoted:
                self._pump(sequence)
            for request in stale:
                refuse(request, self._signature, self.statistics, timed_out())

    def _stale(self) -> list[QueuedRequest]:
        """Drop sequences that waited for too long to be activated; returns their requests."""
        before_ns = time.monotonic_ns() - WAIT_US_MAX * 1000
        old = [
            key
            for key, sequence in self._sequences.items()
            if not sequence.active and sequence.waiting[0][0].arrived_ns < before_ns
        ]
        found = [item[0] for key in old for item in self._sequences[key].waiting]
        for key in old:
            self._sequences.pop(key).waiting.clear()
        self._waiting -= len(found)
        return found
