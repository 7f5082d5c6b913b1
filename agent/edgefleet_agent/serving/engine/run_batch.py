"""Runs one batch in one session: joins the rows, runs, splits the outputs, counts."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence

import numpy as np

from edgefleet_agent.backends.base import Session
from edgefleet_agent.backends.contained import RuntimeFaultError
from edgefleet_agent.serving.engine.dynamic_batcher import QueuedRequest
from edgefleet_agent.serving.protocol.errors import CallError, Code, FaultError, internal_fault
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_contract.core.errors import EdgefleetError, ModelError

log = logging.getLogger(__name__)


def execute(
    session: Session,
    requests: Sequence[QueuedRequest],
    signature: TensorSignature,
    statistics: Statistics,
    *,
    by_cpu: bool = False,
) -> int:
    """Answer all requests of a batch. One thread at a time for a session. Returns nanoseconds in the runtime, 0 if it failed.
    by_cpu: the thread's processor time in it instead, two more system calls."""
    began_ns = ready_ns = time.monotonic_ns()
    lone = len(requests) == 1
    rows = requests[0].rows if lone else sum([request.rows for request in requests])
    try:
        inputs = requests[0].inputs
        if not lone:
            inputs = _joined(requests)
            ready_ns = time.monotonic_ns()
        cpu_ns = time.thread_time_ns() if by_cpu else 0
        outputs = session.infer(inputs)
        cpu_ns = time.thread_time_ns() - cpu_ns if by_cpu else 0
        if not lone:
            _check_rows(outputs, rows)
    except Exception as cause:  # noqa: BLE001 - the thread serves other callers, too: a fault is an error of its batch
        _fail(session, requests, signature, statistics, cause)
        return 0
    computed_ns = time.monotonic_ns()
    arrivals_ns = [requests[0].arrived_ns] if lone else [request.arrived_ns for request in requests]
    statistics.executed(arrivals_ns, rows, began_ns, ready_ns, computed_ns)
    for request in requests:
        if request.trace is not None:
            request.trace.computed(request.arrived_ns, began_ns, ready_ns, computed_ns)
            if request.trace.parent is not None and request.trace.parent.trace_id:
                statistics.add_exemplar(computed_ns - request.arrived_ns, f"{request.trace.parent.trace_id:032x}")
    if lone:
        requests[0].done(outputs, signature)
    else:
        at = 0
        for request in requests:
            until = at + request.rows
            request.done({name: array[at:until] for name, array in outputs.items()}, signature)
            at = until
    statistics.answered(len(requests), rows, time.monotonic_ns() - computed_ns)
    return cpu_ns or computed_ns - ready_ns


def refuse(
    request: QueuedRequest, signature: TensorSignature, statistics: Statistics, error: CallError, reason: str = "REJECTED"
) -> None:
    """Answer a request with an error."""
    statistics.failed(request.arrived_ns, time.monotonic_ns(), reason)
    request.done(error, signature)


def timed_out() -> CallError:
    """The error of a request that exceeded its time in the queue."""
    return CallError(Code.UNAVAILABLE, "Request timeout expired; the model is busy, try again later", 1)


def _joined(requests: Sequence[QueuedRequest]) -> Mapping[str, Array]:
    return {name: np.concatenate([request.inputs[name] for request in requests]) for name in requests[0].inputs}


def _check_rows(outputs: Mapping[str, Array], rows: int) -> None:
    """Check that each output has one row for each row of the batch; otherwise it cannot be split.

    Raises:
        ModelError: an output has another length.
    """
    for name, array in outputs.items():
        if array.ndim == 0 or len(array) != rows:
            raise ModelError(f"output '{name}' has shape {list(array.shape)} for a batch of {rows} rows")


def _fail(
    session: Session, requests: Sequence[QueuedRequest], signature: TensorSignature, statistics: Statistics, cause: Exception
) -> None:
    """Handle a failure of the runtime. The requests of a batch run again one by one, so that only faulty ones fail."""
    if isinstance(cause, RuntimeFaultError) and (cause.lost or len(requests) == 1):
        for request in requests:  # not again where the process of the model was lost: each attempt may end the next one
            refuse(request, signature, statistics, FaultError(f"model '{signature.model}': {cause}"), "BACKEND")
        return
    if len(requests) > 1:
        for request in requests:
            execute(session, [request], signature, statistics)
        return
    if not isinstance(cause, EdgefleetError):
        log.error("internal error in a request to model '%s'", signature.model, exc_info=cause)
        refuse(requests[0], signature, statistics, internal_fault(), "BACKEND")
        return
    # If the caller chose dimensions or sent text, the failure is one of the request, not of the model.
    shapes = [spec.shape[1:] if signature.batch else spec.shape for spec in signature.inputs]
    chosen = any(-1 in shape for shape in shapes) or any(spec.dtype.kind == "O" for spec in signature.inputs)
    code = Code.INVALID if chosen else Code.INTERNAL
    refuse(requests[0], signature, statistics, CallError(code, f"model '{signature.model}': {cause}"), "BACKEND")
