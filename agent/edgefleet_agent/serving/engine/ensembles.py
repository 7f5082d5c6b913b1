"""Ensembles: one request through several models. Every step goes through its own model's queue, so it is batched with others.

A step starts when all that may make its inputs is done or left out. A step whose condition is not met, or whose inputs were not
made, is left out; outputs that were not made are told as empty tensors. Where several steps make a tensor, the last one in the
file that ran gives it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

import numpy as np

from edgefleet_agent.serving.config.model_config import QUEUE_MAX
from edgefleet_agent.serving.engine.dynamic_batcher import RETRY_S, Answer, QueuedRequest
from edgefleet_agent.serving.engine.ensemble_plan import EnsemblePlan, holds
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.run_batch import refuse
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.package.ensemble import EnsembleStep


class EnsemblePool:
    """An `Engine` that has no session of its own."""

    instances = 1

    def __init__(self, plan: EnsemblePlan, catalogue: ModelRegistry) -> None:
        self.plan = plan
        self.signature = plan.signature
        self.statistics = Statistics()
        self.catalogue = catalogue
        self._lock = threading.Lock()
        self._running = 0
        self._closing = False

    @property
    def pending(self) -> int:
        """Requests under way."""
        return self._running

    def put(self, ticket: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Send a request on its way.

        Raises:
            CallError: too many are under way, or the ensemble is being unloaded.
        """
        with self._lock:
            if self._closing:
                raise CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1)
            if self._running >= QUEUE_MAX:
                raise CallError(Code.UNAVAILABLE, "exceeds maximum queue size; try again later", RETRY_S)
            self._running += 1
        _Run(self, ticket, priority, timeout_us).advance()

    def ended(self) -> None:
        """A request is answered."""
        with self._lock:
            self._running -= 1

    def close(self) -> None:
        """Take no new request; those under way are computed by the models, which are not ours to close."""
        with self._lock:
            self._closing = True


class _Run:
    """One request. Steps report from any thread; whichever makes the last one ready goes on with it."""

    def __init__(self, pool: EnsemblePool, ticket: QueuedRequest, priority: int, timeout_us: int) -> None:
        self._pool = pool
        self._ticket = ticket
        self._schedule = (priority, timeout_us)
        self._began_ns = time.monotonic_ns()
        self._values: dict[str, Array] = dict(ticket.inputs)
        self._made: dict[int, Mapping[str, Array]] = {}
        self._open = set(range(len(pool.plan.steps)))
        self._decided: set[int] = set()
        self._lock = threading.Lock()
        self._drivers: set[int] = set()
        self._answered = False

    def advance(self) -> None:
        """Start every step that can be; answer when none is left.

        A model that computes on its caller's thread reports before `_start` returns, still holding its session: what follows
        from that is started here, in the loop, when the session is free again.
        """
        me = threading.get_ident()
        with self._lock:
            if me in self._drivers:
                return
            self._drivers.add(me)
        while self._round():
            pass
        with self._lock:
            self._drivers.discard(me)

    def _round(self) -> bool:
        """Start what can be now; False when there was nothing."""
        steps = self._pool.plan.steps
        with self._lock:
            starting: list[tuple[int, dict[str, Array]]] = []
            going = True
            while going:
                going = False
                for place in sorted(self._open):
                    if self._waits(steps[place]):
                        continue
                    self._open.discard(place)
                    inputs = self._inputs(steps[place])
                    if inputs is None:
                        self._decided.add(place)
                        going = True  # what waited for it may be left out or go on, too
                    else:
                        starting.append((place, inputs))
            finished = len(self._decided) == len(steps) and not self._answered
            self._answered = self._answered or finished
        if finished:
            self._answer()
        for place, inputs in starting:
            self._start(place, inputs)
        return bool(starting)

    def _waits(self, step: EnsembleStep) -> bool:
        return any(maker not in self._decided for name in _wanted(step) for maker in self._pool.plan.makers.get(name, ()))

    def _value(self, name: str) -> Array | None:
        for maker in reversed(self._pool.plan.makers.get(name, ())):
            if maker in self._made:
                return self._made[maker][name]
        return self._values.get(name)

    def _inputs(self, step: EnsembleStep) -> dict[str, Array] | None:
        """What a step gets; None when it is left out."""
        if step.when is not None:
            asked = self._value(step.when.tensor)
            if asked is None or not holds(step.when, asked):
                return None
        inputs: dict[str, Array] = {}
        for own, name in step.input_map.items():
            value = self._value(name)
            if value is None:
                return None
            inputs[own] = value
        return inputs

    def _start(self, place: int, inputs: dict[str, Array]) -> None:
        step = self._pool.plan.steps[place]
        priority, timeout_us = self._schedule
        call = InferenceRequest(inputs, priority=priority, timeout_us=timeout_us, sequence=self._ticket.sequence)

        def done(answer: Answer, _signature: TensorSignature) -> None:
            if isinstance(answer, CallError):
                self._fail(answer)
                return
            # Outputs belong to the runtime once this returns, and other steps read them later.
            made = {name: np.array(answer[own]) for own, name in step.output_map.items()}
            with self._lock:
                self._made[place] = made
                self._decided.add(place)
            self.advance()

        try:
            served = self._pool.catalogue.route(step.model, step.version)
            self._pool.catalogue.submit(served, step.version, call, done)
        except CallError as error:
            missing = error.code is Code.NOT_FOUND
            self._fail(CallError(Code.UNAVAILABLE, f"step '{step.model}': {error}", 1) if missing else error)

    def _fail(self, error: CallError) -> None:
        with self._lock:
            if self._answered:
                return
            self._answered = True
            self._open.clear()
        self._pool.ended()
        refuse(self._ticket, self._pool.signature, self._pool.statistics, error, "OTHER")

    def _answer(self) -> None:
        signature, ticket = self._pool.signature, self._ticket
        outputs = {spec.name: self._output(spec) for spec in signature.outputs}
        now_ns = time.monotonic_ns()
        self._pool.ended()
        statistics = self._pool.statistics
        statistics.executed([ticket.arrived_ns], ticket.rows, self._began_ns, self._began_ns, now_ns)
        if ticket.trace is not None:
            ticket.trace.computed(ticket.arrived_ns, self._began_ns, self._began_ns, now_ns)
        ticket.done(outputs, signature)
        statistics.answered(1, ticket.rows, time.monotonic_ns() - now_ns)

    def _output(self, spec: TensorSpec) -> Array:
        value = self._value(spec.name)
        if value is not None:
            return value
        # Left out: nothing of it, told as a first axis of 0.
        return np.empty((0, *(max(side, 0) for side in spec.shape[1:])), spec.dtype)


def _wanted(step: EnsembleStep) -> list[str]:
    return [*step.input_map.values(), *([step.when.tensor] if step.when is not None else [])]
