"""Exports the metrics of `/metrics`, spans and log lines to an OpenTelemetry collector: OTLP over HTTP with JSON bodies, which
needs no library.

https://opentelemetry.io/docs/specs/otlp/ (`/v1/metrics`, `/v1/traces`, `/v1/logs`)
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

import httpx

from edgefleet_contract.encoding.metrics_text import Family
from edgefleet_server.api.context import Context
from edgefleet_server.api.observability.prometheus import families
from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.spans import SPANS, LogLines, LogRow, Span, Value

EVERY_S: Final = 30.0
FETCH_S: Final = 5.0
"""Between two sendings of measures, and of spans and log lines."""
TIMEOUT_S: Final = 10.0
CLOSE_S: Final = 2.0
CUMULATIVE: Final = 2
"""AGGREGATION_TEMPORALITY_CUMULATIVE"""
FAILED: Final = 2
"""STATUS_CODE_ERROR"""
SEVERITIES: Final = {logging.DEBUG: 5, logging.INFO: 9, logging.WARNING: 13, logging.ERROR: 17, logging.CRITICAL: 21}

log = logging.getLogger(__name__)


class OtlpExporter:
    """The thread. What cannot be sent is not kept: measures come anew, and what was done meanwhile is lost to the collector."""

    def __init__(self, context: Context, endpoint: str) -> None:
        self._context = context
        self._endpoint = endpoint.rstrip("/")
        self._lines = LogLines(SPANS, __name__)
        self._dropped = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="otlp", daemon=True)
        self._well = True

    def start(self) -> None:
        """Begin."""
        SPANS.open()
        logging.getLogger("edgefleet_server").addHandler(self._lines)
        self._thread.start()

    def close(self) -> None:
        """End."""
        logging.getLogger("edgefleet_server").removeHandler(self._lines)
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)
        SPANS.close()

    def _run(self) -> None:
        with httpx.Client(timeout=TIMEOUT_S) as http:
            measured_s = -EVERY_S
            while True:
                due = time.monotonic() - measured_s >= EVERY_S
                measured_s = time.monotonic() if due else measured_s
                self._send(http, measures=due)
                if self._closing.wait(FETCH_S):
                    return

    def _send(self, http: httpx.Client, *, measures: bool) -> None:
        spans, lines = SPANS.take()
        version = self._context.version
        try:
            if measures:
                body = request(families(self._context), version, self._context.started_at, time.time())
                http.post(f"{self._endpoint}/v1/metrics", json=body).raise_for_status()
            if spans:
                http.post(f"{self._endpoint}/v1/traces", json=traces(spans, version)).raise_for_status()
            if lines:
                http.post(f"{self._endpoint}/v1/logs", json=logs(lines, version)).raise_for_status()
        except (httpx.HTTPError, httpx.InvalidURL, StoreError) as error:
            if self._well:
                log.warning("OpenTelemetry collector %s: %s; trying again every %g s", self._endpoint, error, FETCH_S)
            self._well = False
            return
        self._well = True
        if SPANS.dropped != self._dropped:
            log.warning("%d spans and lines were not sent: more came than a collector is told", SPANS.dropped - self._dropped)
            self._dropped = SPANS.dropped


def traces(spans: Iterable[Span], version: str) -> dict[str, Any]:
    """The body of one sending of spans."""
    return {"resourceSpans": [{**_from(version), "scopeSpans": [{**_scope(version), "spans": [_span(one) for one in spans]}]}]}


def logs(lines: Iterable[LogRow], version: str) -> dict[str, Any]:
    """The body of one sending of log lines."""
    return {"resourceLogs": [{**_from(version), "scopeLogs": [{**_scope(version), "logRecords": [_line(one) for one in lines]}]}]}


def _span(span: Span) -> dict[str, Any]:
    return {
        "traceId": span.trace,
        "spanId": span.id,
        **({"parentSpanId": span.parent} if span.parent else {}),
        "name": span.name,
        "kind": span.kind,
        "startTimeUnixNano": str(span.began_ns),
        "endTimeUnixNano": str(span.ended_ns),
        "attributes": [{"key": key, "value": _value(value)} for key, value in span.about.items()],
        "status": {"code": FAILED, "message": span.failed} if span.failed else {},
    }


def _line(line: LogRow) -> dict[str, Any]:
    return {
        "timeUnixNano": str(line.at_ns),
        "severityNumber": SEVERITIES.get(line.level, 9),
        "severityText": logging.getLevelName(line.level),
        "body": {"stringValue": line.text},
        "attributes": _attributes({"logger": line.logger}),
        **({"traceId": line.trace, "spanId": line.span} if line.trace else {}),
    }


def _value(value: Value) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": value}


def _from(version: str) -> dict[str, Any]:
    return {"resource": {"attributes": _attributes({"service.name": "edgefleet", "service.version": version})}}


def _scope(version: str) -> dict[str, Any]:
    return {"scope": {"name": "edgefleet", "version": version}}


def request(families: Iterable[Family], version: str, started_at: float, now: float) -> dict[str, Any]:
    """The body of one sending."""
    metrics = [_metric(family, int(started_at * 1e9), int(now * 1e9)) for family in families]
    return {"resourceMetrics": [{**_from(version), "scopeMetrics": [{**_scope(version), "metrics": metrics}]}]}


def _metric(family: Family, started_ns: int, now_ns: int) -> dict[str, Any]:
    points = [
        {
            "attributes": _attributes(labels),
            "startTimeUnixNano": str(started_ns),
            "timeUnixNano": str(now_ns),
            "asDouble": float(value),
        }
        for labels, value in family.samples
    ]
    kind: dict[str, Any] = {"gauge": {"dataPoints": points}}
    if family.kind == "counter":
        kind = {"sum": {"dataPoints": points, "aggregationTemporality": CUMULATIVE, "isMonotonic": True}}
    return {
        "name": family.name.removesuffix("_total").replace("edgefleet_", "edgefleet.", 1),
        "description": family.summary,
        **kind,
    }


def _attributes(labels: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"key": key, "value": {"stringValue": text}} for key, text in labels.items()]
