"""Sends spans to a collector: OTLP over HTTP with JSON bodies.

OpenTelemetry's own exporter brings requests and protobuf, which would be loaded on every device that is traced.
"""

from __future__ import annotations

import json
import logging
import os
import urllib.request
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.util.re import parse_env_headers

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.https_trust import https_context
from edgefleet_contract.tracing.otlp_json import encode_attributes, encode_resource

TIMEOUT_S: Final = 10.0
TEXT_CHARS_MAX: Final = 2000
HEADERS_VARIABLE: Final = "OTEL_EXPORTER_OTLP_HEADERS"
"""Environment variable: further headers, as `name=value,name=value`. A collector may ask for a key."""

log = logging.getLogger(__name__)


class JsonSpanExporter(SpanExporter):
    """Posts batches to `{endpoint}/v1/traces`. A batch that is not taken is dropped; the first of several is reported.

    Raises:
        InputError: not an http or https URL.
    """

    def __init__(self, endpoint: str, service: str, version: str) -> None:
        if urlsplit(endpoint).scheme not in ("http", "https") or not urlsplit(endpoint).hostname:
            raise InputError(f"collector {endpoint!r} is not of the form http://host:4318")
        self._url = f"{endpoint.rstrip('/')}/v1/traces"
        self._version = version
        self._resource = encode_resource(service, version)
        handler = urllib.request.HTTPSHandler(context=https_context())
        self._opener = urllib.request.build_opener(handler)
        headers = parse_env_headers(os.environ.get(HEADERS_VARIABLE, ""), liberal=True)
        self._headers = {"Content-Type": "application/json", **headers}
        self._well = True

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch (called on the SDK's thread)."""
        scope = {"scope": {"name": "edgefleet", "version": self._version}, "spans": [encode_span(span) for span in spans]}
        body = json.dumps({"resourceSpans": [{**self._resource, "scopeSpans": [scope]}]}).encode()
        request = urllib.request.Request(self._url, body, self._headers)  # noqa: S310 (its scheme is checked)
        try:
            with self._opener.open(request, timeout=TIMEOUT_S):
                self._well = True
        except (OSError, ValueError) as error:  # URLError and timeouts are OSErrors; ValueError: a header that cannot be sent
            if self._well:
                log.warning("collector %s: %s; spans are dropped until it answers", self._url, error)
            self._well = False
            return SpanExportResult.FAILURE
        return SpanExportResult.SUCCESS


def encode_span(span: ReadableSpan) -> dict[str, Any]:
    """A `Span` of OTLP."""
    context, parent, status = span.get_span_context(), span.parent, span.status
    assert context is not None  # of a span that has ended
    failed = {"code": status.status_code.value, "message": (status.description or "")[:TEXT_CHARS_MAX]}
    return {
        "traceId": f"{context.trace_id:032x}",
        "spanId": f"{context.span_id:016x}",
        **({"parentSpanId": f"{parent.span_id:016x}"} if parent is not None else {}),
        "name": span.name,
        "kind": span.kind.value + 1,  # OTLP counts from 1: 0 is "unspecified"
        "startTimeUnixNano": str(span.start_time),
        "endTimeUnixNano": str(span.end_time),
        "attributes": encode_attributes(span.attributes or {}),
        "status": failed if status.status_code.value else {},
    }
