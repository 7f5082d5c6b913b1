"""Exports requests as OpenTelemetry spans. Needs `pip install 'edgefleet-agent[otel]'`.

A request is a span of kind server under the caller's span (W3C `traceparent`), with child spans for reading (`pre`), waiting
(`queue`), the runtime (`compute`) and answering (`post`). The caller decides about sampling by its trace flags; of the requests
without a `traceparent`, a configured share is sampled. A thread exports spans in batches; if the collector is not reachable,
spans are dropped.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from edgefleet_contract.core.errors import MissingError

_PARENT = re.compile(rb"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_PHASES = (
    ("pre", "RECV_END", "QUEUE_START"),
    ("queue", "QUEUE_START", "COMPUTE_START"),
    ("compute", "COMPUTE_START", "COMPUTE_OUTPUT_START"),
    ("post", "COMPUTE_OUTPUT_START", "REQUEST_END"),
)
"""Child span, and the time stamps of its start and end."""


@dataclass(frozen=True, slots=True)
class Parent:
    """The caller's span. Ids 0: there is none, the trace starts here."""

    trace_id: int
    span_id: int
    sampled: bool


def read_parent(header: bytes) -> Parent | None:
    """Parse a `traceparent` (W3C Trace Context, level 1). None if it is not valid; the header is ignored then."""
    found = _PARENT.fullmatch(header)
    if found is None or found[1] == b"ff" or (found[1] == b"00" and found[5]):
        return None
    trace_id, span_id = int(found[2], 16), int(found[3], 16)
    if not trace_id or not span_id:
        return None
    return Parent(trace_id, span_id, bool(int(found[4], 16) & 1))


class Spans:
    """Samples requests and exports their spans. share: of requests without a `traceparent`.

    Raises:
        MissingError: OpenTelemetry is not installed.
    """

    def __init__(self, endpoint: str, service: str, version: str, share: float = 0.0, exporter: Any = None) -> None:
        try:
            from opentelemetry import trace
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError as cause:
            raise MissingError(f"OpenTelemetry needs {cause.name!r}: pip install 'edgefleet-agent[otel]'") from cause
        if exporter is None:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            exporter = OTLPSpanExporter(endpoint=endpoint)
        self._api = trace
        self._provider = TracerProvider(resource=Resource.create({"service.name": service, "service.version": version}))
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("edgefleet.serving", version)
        self._share = share

    def choose(self, header: bytes) -> Parent | None:
        """The parent span of a request with this `traceparent` (empty: none); None if the request is not sampled."""
        parent = read_parent(header) if header else None
        if parent is not None:
            return parent if parent.sampled else None
        if self._share and random.random() < self._share:  # noqa: S311 - a sample, no secret
            return Parent(0, 0, True)
        return None

    def export(
        self, parent: Parent, model: str, version: str, protocol: str, stamps: Sequence[tuple[str, int]], error: str
    ) -> None:
        """Export one request, answered or refused. stamps: name and wall-clock nanoseconds, in order."""
        from opentelemetry.context import Context

        at = {name.removeprefix(f"{protocol}_"): ns for name, ns in stamps}
        began_ns, ended_ns = stamps[0][1], stamps[-1][1]
        api = self._api
        context = Context()
        if parent.span_id:
            remote = api.SpanContext(parent.trace_id, parent.span_id, is_remote=True, trace_flags=api.TraceFlags(1))
            context = api.set_span_in_context(api.NonRecordingSpan(remote), context)
        attributes = {"rpc.system": protocol.lower(), "edgefleet.model": model, "edgefleet.version": version}
        span = self._tracer.start_span(
            f"infer {model}",
            context,
            kind=api.SpanKind.SERVER,
            attributes=attributes,
            start_time=began_ns,
        )
        if error:
            span.set_status(api.Status(api.StatusCode.ERROR, error[:500]))
        inside = api.set_span_in_context(span)
        for name, first, last in _PHASES:
            if first in at and last in at:
                self._tracer.start_span(name, inside, start_time=at[first]).end(max(at[first], at[last]))
        span.end(ended_ns)

    def close(self) -> None:
        """Send queued spans."""
        self._provider.shutdown()
