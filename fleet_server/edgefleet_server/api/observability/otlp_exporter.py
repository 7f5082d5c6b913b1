"""Exports the metrics of `/metrics` and log lines to an OpenTelemetry collector: OTLP over HTTP with JSON bodies, which needs no
library. Spans go there too if OpenTelemetry's SDK is installed.

https://opentelemetry.io/docs/specs/otlp/ (`/v1/metrics`, `/v1/logs`)
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable
from typing import Any, Final

import httpx

from edgefleet_contract.encoding.metrics_text import Family
from edgefleet_contract.tracing.otlp_json import encode_attributes, encode_resource
from edgefleet_server.api.context import Context
from edgefleet_server.api.observability.prometheus import families
from edgefleet_server.core.errors import MissingError, StoreError
from edgefleet_server.core.spans import SPANS, LogLines, LogRow

SERVICE: Final = "edgefleet"
EXTRA: Final = "edgefleet-server[otel]"
EVERY_S: Final = 30.0
FETCH_S: Final = 5.0
"""Interval of the exports of metrics and log lines."""
TIMEOUT_S: Final = 10.0
CLOSE_S: Final = 2.0
CUMULATIVE: Final = 2
"""AGGREGATION_TEMPORALITY_CUMULATIVE"""
SEVERITIES: Final = {logging.DEBUG: 5, logging.INFO: 9, logging.WARNING: 13, logging.ERROR: 17, logging.CRITICAL: 21}

LOGGERS: Final = ("edgefleet_server", "edgefleet_contract")
APART: Final = frozenset({__name__, "edgefleet_contract.tracing.span_exporter"})
"""Loggers that speak about sending."""

log = logging.getLogger(__name__)


class OtlpExporter:
    """The export thread. Data that cannot be sent is dropped: metrics are cumulative, log lines of the time are lost.
    `share`: the sampled part of the traces that the server starts.

    Raises:
        InputError: the endpoint is not an http or https URL.
    """

    def __init__(self, context: Context, endpoint: str, share: float) -> None:
        self._context = context
        self._endpoint = endpoint.rstrip("/")
        self._lines = LogLines(SPANS, APART)
        self._dropped = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="otlp", daemon=True)
        self._well = True
        try:
            SPANS.open(endpoint, SERVICE, context.version, share=share, extra=EXTRA)
        except MissingError as error:
            log.warning("--otlp: metrics and log lines only; %s", error)

    def start(self) -> None:
        """Start the thread."""
        for name in LOGGERS:
            logging.getLogger(name).addHandler(self._lines)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread."""
        for name in LOGGERS:
            logging.getLogger(name).removeHandler(self._lines)
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
        lines = self._lines.take()
        version = self._context.version
        try:
            if measures:
                body = request(families(self._context), version, self._context.started_at, time.time())
                http.post(f"{self._endpoint}/v1/metrics", json=body).raise_for_status()
            if lines:
                http.post(f"{self._endpoint}/v1/logs", json=logs(lines, version)).raise_for_status()
        except (httpx.HTTPError, httpx.InvalidURL, StoreError) as error:
            if self._well:
                log.warning("OpenTelemetry collector %s: %s; trying again every %g s", self._endpoint, error, FETCH_S)
            self._well = False
            return
        self._well = True
        if self._lines.dropped != self._dropped:
            log.warning("%d log lines were not sent: more came than are sent to a collector", self._lines.dropped - self._dropped)
            self._dropped = self._lines.dropped


def logs(lines: Iterable[LogRow], version: str) -> dict[str, Any]:
    """The body of an export request for log lines."""
    return {
        "resourceLogs": [
            {**encode_resource(SERVICE, version), "scopeLogs": [{**_scope(version), "logRecords": [_line(one) for one in lines]}]}
        ]
    }


def _line(line: LogRow) -> dict[str, Any]:
    return {
        "timeUnixNano": str(line.at_ns),
        "severityNumber": SEVERITIES.get(line.level, 9),
        "severityText": logging.getLevelName(line.level),
        "body": {"stringValue": line.text},
        "attributes": encode_attributes({"logger": line.logger}),
        **({"traceId": line.trace, "spanId": line.span} if line.trace else {}),
    }


def _scope(version: str) -> dict[str, Any]:
    return {"scope": {"name": "edgefleet", "version": version}}


def request(families: Iterable[Family], version: str, started_at: float, now: float) -> dict[str, Any]:
    """The body of an export request for metrics."""
    metrics = [_metric(family, int(started_at * 1e9), int(now * 1e9)) for family in families]
    return {"resourceMetrics": [{**encode_resource(SERVICE, version), "scopeMetrics": [{**_scope(version), "metrics": metrics}]}]}


def _metric(family: Family, started_ns: int, now_ns: int) -> dict[str, Any]:
    points = [
        {
            "attributes": encode_attributes(labels),
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
