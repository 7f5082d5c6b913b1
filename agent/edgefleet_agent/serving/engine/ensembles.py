"""Ensembles: one request through several models. Each step uses the queue of its model, so it is batched with other requests.

A step starts when all steps that may produce its inputs are done or skipped. A step is skipped if its condition is not met or an
input was not produced; outputs that were not produced are empty tensors. If several steps produce a tensor, the last one in the
file that ran wins.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping

import numpy as np

from edgefleet_agent.serving.config.model_config import QUEUE_MAX
from edgefleet_agent.serving.engine.dynamic_batcher import RETRY_S, Answer, QueuedRequest
from edgefleet_agent.serving.engine.ensemble_plan import EnsemblePlan, condition_met
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.run_batch import refuse
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.package.ensemble import EnsembleStep

log = logging.getLogger(__name__)


class EnsemblePool:
    """A `ModelPool` without sessions: the models of the steps compute."""

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
        """Running requests."""
        return self._running

    def put(self, request: QueuedRequest, priority: int, timeout_us: int) -> None:
        """Start a request.

        Raises:
            CallError: too many requests are running, or the ensemble is being unloaded.
        """
        with self._lock:
            if self._closing:
                raise CallError(Code.UNAVAILABLE, f"model '{self.signature.model}' is being unloaded", 1)
            if self._running >= QUEUE_MAX:
                raise CallError(Code.UNAVAILABLE, "exceeds maximum queue size; try again later", RETRY_S)
            self._running += 1
        run = _Run(self, request, priority, timeout_us)
        try:
            run.advance()
        except Exception:
            log.exception("internal error in ensemble '%s'", self.signature.model)
            run.fail(internal_fault())

    def lacks(self) -> str:
        """The step whose model does not answer now, and why, as in "model 'm' is ..."; empty while all do."""
        for step in self.plan.steps:
            reason = self.catalogue.lacking(step.model, step.version)
            if reason:
                return reason
        changed = self.changed_steps()
        return f"waiting for '{changed[0]}', which has other tensors than when the ensemble was loaded" if changed else ""

    def changed_steps(self) -> list[str]:
        """The models of steps that were loaded again with other tensors."""
        found: list[str] = []
        for step, planned in zip(self.plan.steps, self.plan.of_steps, strict=True):
            served = self.catalogue.served(step.model, step.version)
            if served is not None and not served.signature.same_tensors(planned):
                found.append(step.model)
        return found

    def ended(self) -> None:
        """Count an answered request."""
        with self._lock:
            self._running -= 1

    def close(self) -> None:
        """Refuse new requests. Running ones continue; the models of the steps stay open."""
        with self._lock:
            self._closing = True


class _Run:
    """One running request. Steps report from any thread; the thread that completes the inputs of a step starts it."""

    def __init__(self, pool: EnsemblePool, request: QueuedRequest, priority: int, timeout_us: int) -> None:
        self._pool = pool
        self._request = request
        self._schedule = (priority, timeout_us)
        self._began_ns = time.monotonic_ns()
        self._values: dict[str, Array] = dict(request.inputs)
        self._made: dict[int, Mapping[str, Array]] = {}
        self._open = set(range(len(pool.plan.steps)))
        self._decided: set[int] = set()
        self._lock = threading.Lock()
        self._drivers: set[int] = set()
        self._answered = False

    def advance(self) -> None:
        """Start all steps that are ready; answer when none is left.

        A model that computes on its caller's thread reports before `_start` returns, while it holds its session: the following
        steps start in this loop, after the session is free.
        """
        me = threading.get_ident()
        with self._lock:
            if me in self._drivers:
                return
            self._drivers.add(me)
        try:
            while self._round():
                pass
        finally:
            with self._lock:
                self._drivers.discard(me)

    def _round(self) -> bool:
        """Start all steps that are ready now; False if there is none."""
        steps = self._pool.plan.steps
        with self._lock:
            starting: list[tuple[int, dict[str, Array]]] = []
            going = True
            while going:
                going = False
                for index in sorted(self._open):
                    if self._waits(steps[index]):
                        continue
                    self._open.discard(index)
                    inputs = self._inputs(steps[index])
                    if inputs is None:
                        self._decided.add(index)
                        going = True  # steps that depend on it may be ready or skipped now
                    else:
                        starting.append((index, inputs))
            finished = len(self._decided) == len(steps) and not self._answered
            self._answered = self._answered or finished
        if finished:
            self._answer()
        for index, inputs in starting:
            self._start(index, inputs)
        return bool(starting)

    def _waits(self, step: EnsembleStep) -> bool:
        return any(
            maker not in self._decided for name in _required_tensors(step) for maker in self._pool.plan.makers.get(name, ())
        )

    def _value(self, name: str) -> Array | None:
        for maker in reversed(self._pool.plan.makers.get(name, ())):
            if maker in self._made:
                return self._made[maker][name]
        return self._values.get(name)

    def _inputs(self, step: EnsembleStep) -> dict[str, Array] | None:
        """The inputs of a step; None if it is skipped."""
        if step.when is not None:
            value = self._value(step.when.tensor)
            if value is None or not condition_met(step.when, value):
                return None
        inputs: dict[str, Array] = {}
        for own, name in step.input_map.items():
            value = self._value(name)
            if value is None:
                return None
            inputs[own] = value
        return inputs

    def _start(self, index: int, inputs: dict[str, Array]) -> None:
        step = self._pool.plan.steps[index]
        priority, timeout_us = self._schedule
        call = InferenceRequest(inputs, priority=priority, timeout_us=timeout_us, sequence=self._request.sequence)

        def done(answer: Answer, _signature: TensorSignature) -> None:
            if isinstance(answer, CallError):
                self.fail(answer)
                return
            # Copied: the runtime reuses outputs once this returns, and other steps read them later.
            made = {name: np.array(answer[own]) for own, name in step.output_map.items()}
            with self._lock:
                self._made[index] = made
                self._decided.add(index)
            self.advance()

        try:
            served = self._pool.catalogue.route(step.model, step.version)
            self._pool.catalogue.submit(served, step.version, call, done)
        except CallError as error:
            missing = error.code is Code.NOT_FOUND
            self.fail(CallError(Code.UNAVAILABLE, f"step '{step.model}': {error}", 1) if missing else error)

    def fail(self, error: CallError) -> None:
        """Answer with an error, unless the request is answered."""
        with self._lock:
            if self._answered:
                return
            self._answered = True
            self._open.clear()
        self._pool.ended()
        refuse(self._request, self._pool.signature, self._pool.statistics, error, "OTHER")

    def _answer(self) -> None:
        signature, request = self._pool.signature, self._request
        outputs = {spec.name: self._output(spec) for spec in signature.outputs}
        now_ns = time.monotonic_ns()
        self._pool.ended()
        statistics = self._pool.statistics
        statistics.executed([request.arrived_ns], request.rows, self._began_ns, self._began_ns, now_ns)
        if request.trace is not None:
            request.trace.computed(request.arrived_ns, self._began_ns, self._began_ns, now_ns)
        request.done(outputs, signature)
        statistics.answered(1, request.rows, time.monotonic_ns() - now_ns)

    def _output(self, spec: TensorSpec) -> Array:
        value = self._value(spec.name)
        if value is not None:
            return value
        # Not produced: an empty tensor, with a first axis of 0.
        return np.empty((0, *(max(side, 0) for side in spec.shape[1:])), spec.dtype)


def _required_tensors(step: EnsembleStep) -> list[str]:
    return [*step.input_map.values(), *([step.when.tensor] if step.when is not None else [])]
