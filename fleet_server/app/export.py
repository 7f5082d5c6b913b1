"""Sends what `/metrics` tells to an OpenTelemetry collector: OTLP over HTTP with JSON bodies, which needs no library.

https://opentelemetry.io/docs/specs/otlp/ (`/v1/metrics`, `ExportMetricsServiceRequest`)
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

import httpx

from fleet_server.api.context import Context
from fleet_server.api.metrics import Family, families
from fleet_server.errors import StoreError

EVERY_S: Final = 30.0
TIMEOUT_S: Final = 10.0
CLOSE_S: Final = 2.0
CUMULATIVE: Final = 2
"""AGGREGATION_TEMPORALITY_CUMULATIVE"""

log = logging.getLogger(__name__)


class Exporter:
    """The thread. What cannot be sent is not kept: the next sending has the newer values."""

    def __init__(self, context: Context, endpoint: str) -> None:
        self._context = context
        self._url = f"{endpoint.rstrip('/')}/v1/metrics"
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="otlp", daemon=True)
        self._well = True

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)

    def _run(self) -> None:
        with httpx.Client(timeout=TIMEOUT_S) as http:
            while True:
                self._send(http)
                if self._closing.wait(EVERY_S):
                    return

    def _send(self, http: httpx.Client) -> None:
        try:
            body = request(families(self._context), self._context.version, self._context.started_at, time.time())
            http.post(self._url, json=body).raise_for_status()
        except (httpx.HTTPError, httpx.InvalidURL, StoreError) as error:
            if self._well:
                log.warning("OpenTelemetry collector %s: %s; trying again every %g s", self._url, error, EVERY_S)
            self._well = False
            return
        self._well = True


def request(told: Iterable[Family], version: str, started_at: float, now: float) -> dict[str, Any]:
    """The body of one sending."""
    metrics = [_metric(family, int(started_at * 1e9), int(now * 1e9)) for family in told]
    resource = {"attributes": _attributes({"service.name": "edgefleet", "service.version": version})}
    scope = {"name": "edgefleet", "version": version}
    return {"resourceMetrics": [{"resource": resource, "scopeMetrics": [{"scope": scope, "metrics": metrics}]}]}


def _metric(family: Family, started_ns: int, now_ns: int) -> dict[str, Any]:
    points = [
        {
            "attributes": _attributes(labels),
            "startTimeUnixNano": str(started_ns),
            "timeUnixNano": str(now_ns),
            "asDouble": float(value),
        }
        for labels, value in family.rows
    ]
    kind: dict[str, Any] = {"gauge": {"dataPoints": points}}
    if family.kind == "counter":
        kind = {"sum": {"dataPoints": points, "aggregationTemporality": CUMULATIVE, "isMonotonic": True}}
    return {"name": f"edgefleet.{family.name.removesuffix('_total')}", "description": family.summary, **kind}


def _attributes(labels: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"key": key, "value": {"stringValue": text}} for key, text in labels.items()]
