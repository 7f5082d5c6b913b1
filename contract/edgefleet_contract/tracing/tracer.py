"""Spans of one process, made with OpenTelemetry's SDK.

Until a recorder is opened each call costs one comparison, and nothing of OpenTelemetry is loaded. The SDK's queue is bounded:
what a slow collector does not take is dropped, and nothing that is being done waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from edgefleet_contract.core.errors import MissingError
from edgefleet_contract.tracing.otlp_json import Value
from edgefleet_contract.tracing.traceparent import Parent, read_parent

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span, Tracer

WAITING_MAX: Final = 4096
"""Spans that wait to be sent; more are dropped, which the SDK reports."""
BATCH_MAX: Final = 512
EVERY_S: Final = 5.0
CLOSE_S: Final = 2.0
TEXT_CHARS_MAX: Final = 500
Phase = tuple[str, int, int]
"""Name, start and end (wall time, nanoseconds) of a part of something."""


class SpanRecorder:
    """Spans of one process; off until `open`. For any thread."""

    def __init__(self) -> None:
        self._provider: TracerProvider | None = None
        self._tracer: Tracer | None = None

    @property
    def on(self) -> bool:
        """Whether spans are made."""
        return self._tracer is not None

    def open(
        self, endpoint: str, service: str, version: str, *, share: float = 1.0, extra: str, exporter: SpanExporter | None = None
    ) -> None:
        """Export to the collector at `endpoint` (http://host:4318). A caller's `traceparent` says whether its trace is sampled;
        of other traces, the part `share` is. `extra`: the extra that brings OpenTelemetry.

        Raises:
            InputError: not an http or https URL. MissingError: OpenTelemetry is not installed.
        """
        try:
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
            from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio

            from edgefleet_contract.tracing.span_exporter import TIMEOUT_S, JsonSpanExporter
        except ModuleNotFoundError as cause:
            raise MissingError(f"spans need {cause.name!r}: pip install '{extra}'") from cause
        provider = TracerProvider(
            sampler=ParentBasedTraceIdRatio(share),
            resource=Resource.create({"service.name": service, "service.version": version}),
            shutdown_on_exit=False,
        )
        provider.add_span_processor(
            BatchSpanProcessor(
                exporter or JsonSpanExporter(endpoint, service, version),
                max_queue_size=WAITING_MAX,
                schedule_delay_millis=EVERY_S * 1000,
                max_export_batch_size=BATCH_MAX,
                export_timeout_millis=TIMEOUT_S * 1000,
            )
        )
        self._provider, self._tracer = provider, provider.get_tracer("edgefleet", version)

    def close(self) -> None:
        """Make no more spans, and give those that wait `CLOSE_S` to be sent."""
        provider, self._provider, self._tracer = self._provider, None, None
        if provider is not None:
            thread = threading.Thread(target=provider.shutdown, name="spans-close", daemon=True)
            thread.start()
            thread.join(CLOSE_S)

    def flush(self) -> None:
        """Send what waits."""
        if self._provider is not None:
            self._provider.force_flush()

    @contextmanager
    def span(self, name: str, traceparent: str = "", *, server: bool = False, **about: Value) -> Iterator[Span | None]:
        """Span around the block, within the current one; None if it is not recorded. An exception fails it. `traceparent`: the
        caller's, where there is no current span. `server`: it answers a request."""
        tracer = self._tracer
        if tracer is None:
            yield None
            return
        from opentelemetry.trace import SpanKind

        kind = SpanKind.SERVER if server else SpanKind.INTERNAL
        context = None if current_parent() is not None else _context(read_parent(traceparent.encode()))
        with tracer.start_as_current_span(name, context, kind, about, record_exception=False) as span:
            yield span if span.is_recording() else None

    def export(self, parent: Parent, whole: Phase, about: dict[str, Value], phases: Sequence[Phase], error: str) -> None:
        """Export a request that has ended, with a child span for each phase. `error`: why it failed; empty: it did not."""
        name, began_ns, ended_ns = whole
        tracer = self._tracer
        if tracer is None:
            return
        from opentelemetry.trace import SpanKind, set_span_in_context

        span = tracer.start_span(name, _context(parent), kind=SpanKind.SERVER, attributes=about, start_time=began_ns)
        if error:
            fail(span, error)
        inside = set_span_in_context(span)
        for phase, first_ns, last_ns in phases:
            tracer.start_span(phase, inside, start_time=first_ns).end(max(first_ns, last_ns))
        span.end(ended_ns)

    def traceparent(self) -> dict[str, str]:
        """The header for a request that the current span makes; empty if there is none."""
        parent = current_parent() if self._tracer is not None else None
        return {"traceparent": parent.header} if parent is not None else {}

    def current(self) -> Parent | None:
        """The current span, if it is recorded."""
        parent = current_parent() if self._tracer is not None else None
        return parent if parent is not None and parent.sampled else None


def fail(span: Span, text: str) -> None:
    """Mark a span as failed."""
    from opentelemetry.trace import Status, StatusCode

    span.set_status(Status(StatusCode.ERROR, text[:TEXT_CHARS_MAX]))


def current_parent() -> Parent | None:
    """The current span of this thread or task. Only where OpenTelemetry is installed."""
    from opentelemetry.trace import get_current_span

    context = get_current_span().get_span_context()
    return Parent(context.trace_id, context.span_id, bool(context.trace_flags.sampled)) if context.is_valid else None


def _context(parent: Parent | None) -> Context:
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    if parent is None or not parent.span_id:
        return Context()
    remote = SpanContext(parent.trace_id, parent.span_id, is_remote=True, trace_flags=TraceFlags(int(parent.sampled)))
    return set_span_in_context(NonRecordingSpan(remote), Context())
