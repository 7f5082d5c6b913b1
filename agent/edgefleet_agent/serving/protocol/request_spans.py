"""Exports requests as OpenTelemetry spans. Needs `pip install 'edgefleet-agent[otel]'`.

A request is a span of kind server under the caller's span (W3C `traceparent`), with child spans for reading (`pre`), waiting
(`queue`), the runtime (`compute`) and answering (`post`). The caller decides about sampling by its trace flags; of the requests
without a `traceparent`, a configured share is sampled.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from edgefleet_contract.tracing.traceparent import Parent, read_parent
from edgefleet_contract.tracing.tracer import SpanRecorder

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

_PHASES = (
    ("pre", "RECV_END", "QUEUE_START"),
    ("queue", "QUEUE_START", "COMPUTE_START"),
    ("compute", "COMPUTE_START", "COMPUTE_OUTPUT_START"),
    ("post", "COMPUTE_OUTPUT_START", "REQUEST_END"),
)
"""Child span, and the time stamps of its start and end."""


class RequestSpans:
    """Samples requests and exports their spans. share: of requests without a `traceparent`.

    Raises:
        InputError: the endpoint is not a URL. MissingError: OpenTelemetry is not installed.
    """

    def __init__(
        self, endpoint: str, service: str, version: str, share: float = 0.0, exporter: SpanExporter | None = None
    ) -> None:
        self._recorder = SpanRecorder()
        self._recorder.open(endpoint, service, version, extra="edgefleet-agent[otel]", exporter=exporter)
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
        at = {name.removeprefix(f"{protocol}_"): ns for name, ns in stamps}
        phases = [(name, at[first], at[last]) for name, first, last in _PHASES if first in at and last in at]
        about: dict[str, str | int | float | bool] = {
            "rpc.system": protocol.lower(),
            "edgefleet.model": model,
            "edgefleet.version": version,
        }
        self._recorder.export(parent, (f"infer {model}", stamps[0][1], stamps[-1][1]), about, phases, error)

    def flush(self) -> None:
        """Send what waits."""
        self._recorder.flush()

    def close(self) -> None:
        """Send queued spans."""
        self._recorder.close()
