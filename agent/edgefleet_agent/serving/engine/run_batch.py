"""One batch through one session: join the rows, run, cut the answers apart, count."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence

import numpy as np

from edgefleet_agent.backends.base import Session
from edgefleet_agent.serving.engine.dynamic_batcher import QueuedRequest
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_contract.core.errors import EdgefleetError

log = logging.getLogger(__name__)


def execute(session: Session, tickets: Sequence[QueuedRequest], signature: TensorSignature, statistics: Statistics) -> int:
    """Answer every ticket. One thread at a time for a session. Nanoseconds in the runtime, 0 where it refused."""
    began_ns = time.monotonic_ns()
    try:
        inputs = tickets[0].inputs if len(tickets) == 1 else _joined(tickets)
        ready_ns = time.monotonic_ns()
        outputs = session.infer(inputs)
    except Exception as cause:  # noqa: BLE001 - the thread computes for other callers, too: a fault is its own call's error
        _fail(session, tickets, signature, statistics, cause)
        return 0
    computed_ns = time.monotonic_ns()
    rows = sum(ticket.rows for ticket in tickets)
    statistics.executed([ticket.arrived_ns for ticket in tickets], rows, began_ns, ready_ns, computed_ns)
    for ticket in tickets:
        if ticket.trace is not None:
            ticket.trace.computed(ticket.arrived_ns, began_ns, ready_ns, computed_ns)
            if ticket.trace.parent is not None and ticket.trace.parent.trace_id:
                statistics.exemplify(computed_ns - ticket.arrived_ns, f"{ticket.trace.parent.trace_id:032x}")
    at = 0
    for ticket in tickets:
        if len(tickets) == 1:
            ticket.done(outputs, signature)
        else:
            ticket.done({name: array[at : at + ticket.rows] for name, array in outputs.items()}, signature)
            at += ticket.rows
    statistics.answered(len(tickets), rows, time.monotonic_ns() - computed_ns)
    return computed_ns - ready_ns


def refuse(
    ticket: QueuedRequest, signature: TensorSignature, statistics: Statistics, error: CallError, reason: str = "REJECTED"
) -> None:
    """Answer a ticket with an error."""
    statistics.failed(ticket.arrived_ns, time.monotonic_ns(), reason)
    ticket.done(error, signature)


def timed_out() -> CallError:
    """A request waited for longer than it may."""
    return CallError(Code.UNAVAILABLE, "Request timeout expired; the model is busy, try again later", 1)


def _joined(tickets: Sequence[QueuedRequest]) -> Mapping[str, Array]:
    return {name: np.concatenate([ticket.inputs[name] for ticket in tickets]) for name in tickets[0].inputs}


def _fail(
    session: Session, tickets: Sequence[QueuedRequest], signature: TensorSignature, statistics: Statistics, cause: Exception
) -> None:
    """The runtime refused. In a batch only those who are at fault shall suffer: each is run alone."""
    if len(tickets) > 1:
        for ticket in tickets:
            execute(session, [ticket], signature, statistics)
        return
    if not isinstance(cause, EdgefleetError):
        log.error("model '%s' could not answer a call", signature.model, exc_info=cause)
        refuse(tickets[0], signature, statistics, internal_fault(), "BACKEND")
        return
    # Where the caller chose dimensions or sent text, a runtime that cannot take them tells of the request, not of the model.
    shapes = [spec.shape[1:] if signature.batch else spec.shape for spec in signature.inputs]
    chosen = any(-1 in shape for shape in shapes) or any(spec.dtype.kind == "O" for spec in signature.inputs)
    code = Code.INVALID if chosen else Code.INTERNAL
    refuse(tickets[0], signature, statistics, CallError(code, f"model '{signature.model}': {cause}"), "BACKEND")
