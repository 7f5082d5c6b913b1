"""Measures reach an OpenTelemetry collector in the shape of OTLP's JSON."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.encoding.metrics_text import Family
from edgefleet_server.api.observability.otlp_exporter import logs, request, traces
from edgefleet_server.core.spans import WAITING_MAX, Spans
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice


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


def test_spans_and_lines_are_bounded_and_know_each_other() -> None:
    spans = Spans()
    with spans.span("nobody listens") as none:
        assert none is None
    spans.open()
    with contextlib.suppress(ZeroDivisionError), spans.span("outer", rollout=3) as outer, spans.span("inner") as inner:
        spans.line(logging.LogRecord("edgefleet_server.x", logging.WARNING, "", 0, "said %s", ("this",), None))
        raise ZeroDivisionError("no")
    assert outer is not None
    assert inner is not None
    found, lines = spans.take()
    why = "ZeroDivisionError: no"
    assert [(span.name, span.parent, span.failed) for span in found] == [("inner", outer.id, why), ("outer", "", why)]
    assert (lines[0].text, lines[0].trace, lines[0].span) == ("said this", outer.trace, inner.id)
    shape = traces(found, "1")["resourceSpans"][0]["scopeSpans"][0]["spans"][1]
    assert shape["attributes"] == [{"key": "rollout", "value": {"intValue": "3"}}]
    assert shape["status"] == {"code": 2, "message": "ZeroDivisionError: no"}
    assert logs(lines, "1")["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]["severityNumber"] == 13
    for _ in range(WAITING_MAX + 5):
        with spans.span("flood"):
            pass
    assert (len(spans.take()[0]), spans.dropped) == (WAITING_MAX, 5)


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
