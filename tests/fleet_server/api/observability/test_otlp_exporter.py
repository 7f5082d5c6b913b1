"""Measures reach an OpenTelemetry collector in the shape of OTLP's JSON."""

from __future__ import annotations

import importlib.util
import json
import logging
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from edgefleet_contract.encoding.metrics_text import Family
from edgefleet_contract.tracing.tracer import SpanRecorder
from edgefleet_server.api.observability.otlp_exporter import OtlpExporter, logs, request
from edgefleet_server.core.spans import SPANS, WAITING_MAX, LogLines
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice

installed = importlib.util.find_spec("opentelemetry") is not None
needs_sdk = pytest.mark.skipif(not installed, reason="opentelemetry-sdk (edgefleet-server[otel]) is not installed")


def test_gauges_and_counters() -> None:
    """Times in nanoseconds as text, labels as attributes, a counter as a growing sum."""
    families = [
        Family("gauge", "edgefleet_devices_in", "x", [({"fact": "online"}, 3)]),
        Family("counter", "edgefleet_messages_total", "y", [({}, 7)]),
    ]
    body = request(families, "1.2", 10.0, 12.5)
    gauge, counter = body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]
    point = gauge["gauge"]["dataPoints"][0]
    assert (point["asDouble"], point["timeUnixNano"]) == (3.0, "12500000000")
    assert point["attributes"] == [{"key": "fact", "value": {"stringValue": "online"}}]
    assert counter["name"] == "edgefleet.messages"
    assert counter["sum"]["isMonotonic"] is True
    assert counter["sum"]["aggregationTemporality"] == 2


def record(text: str, logger: str = "edgefleet_server.x") -> logging.LogRecord:
    return logging.LogRecord(logger, logging.WARNING, "", 0, text, ("this",), None)


def test_lines_are_bounded_and_lines_about_sending_are_left_out() -> None:
    lines = LogLines(SpanRecorder(), frozenset({"edgefleet_server.sending"}))
    lines.emit(record("said %s"))
    lines.emit(record("sent %s", "edgefleet_server.sending"))
    (row,) = lines.take()
    assert (row.text, row.trace, row.span) == ("said this", "", "")
    assert logs([row], "1")["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]["severityNumber"] == 13
    for _ in range(WAITING_MAX + 5):
        lines.emit(record("flood of %s"))
    assert (len(lines.take()), lines.dropped) == (WAITING_MAX, 5)


@needs_sdk
def test_a_line_knows_its_span() -> None:
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    spans = SpanRecorder()
    spans.open("", "edgefleet", "1", extra="", exporter=InMemorySpanExporter())
    lines = LogLines(spans, frozenset())
    with spans.span("outer"):
        current = spans.current()
        lines.emit(record("said %s"))
    spans.close()
    assert current is not None
    (row,) = lines.take()
    assert (int(row.trace, 16), int(row.span, 16)) == (current.trace_id, current.span_id)


def test_without_the_sdk_the_log_names_the_extra(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    context: Any = SimpleNamespace(version="1")
    OtlpExporter(context, "http://127.0.0.1:4318", 1.0)
    assert "pip install 'edgefleet-server[otel]'" in caplog.text
    assert not SPANS.on


@needs_sdk
@pytest.mark.system
def test_a_collector_gets_them(tmp_path: Path) -> None:
    """From a running server."""
    got: dict[str, list[dict[str, Any]]] = {"/v1/metrics": [], "/v1/traces": [], "/v1/logs": []}

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got[self.path].append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    collector = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    server = ServerProcess(tmp_path / "fleet", "--otlp", f"http://127.0.0.1:{collector.server_address[1]}").start()
    try:
        eventually("something came", lambda: got["/v1/metrics"])
        names = {metric["name"] for metric in got["/v1/metrics"][0]["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]}
        assert {"edgefleet.devices", "edgefleet.telemetry_records", "edgefleet.ingest_seconds"} <= names

        trace = "0af7651916cd43dd8448eb211c80319c"
        server.http.get("/devices/nobody", headers={"traceparent": f"00-{trace}-b7ad6b7169203331-01"})
        device = VirtualDevice("d-1", server.mqtt_port).start()
        device.wait_online()

        def spans() -> dict[str, dict[str, Any]]:
            bodies = [one["scopeSpans"][0]["spans"] for body in got["/v1/traces"] for one in body["resourceSpans"]]
            return {span["name"]: span for part in bodies for span in part}

        eventually(
            "spans of a request and of a batch", lambda: {"GET /api/v1/devices/{device}", "ingest.batch"} <= spans().keys()
        )
        device.stop()
        span = spans()["GET /api/v1/devices/{device}"]
        assert (span["traceId"], span["parentSpanId"], span["kind"]) == (trace, "b7ad6b7169203331", 2)
        assert {"key": "http.response.status_code", "value": {"intValue": "404"}} in span["attributes"]
        assert "nobody" not in json.dumps(span), "a span is about a route, not about a path"
        lines_seen = [
            line["body"]["stringValue"]
            for body in got["/v1/logs"]
            for line in body["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
        ]
        assert any("connected to mqtt://" in text for text in lines_seen) or lines_seen == []
    finally:
        server.stop()
        collector.shutdown()
        collector.server_close()
