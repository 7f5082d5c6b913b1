"""Measures reach an OpenTelemetry collector in the shape of OTLP's JSON."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from fleet_server.api.metrics import Family
from fleet_server.app.export import request
from tests.fleet_server.system import ServerProcess, eventually


def test_gauges_and_counters() -> None:
    """Times in nanoseconds as text, labels as attributes, a counter as a growing sum."""
    told = [Family("gauge", "devices_in", "x", [({"fact": "online"}, 3)]), Family("counter", "messages_total", "y", [({}, 7)])]
    body = request(told, "1.2", 10.0, 12.5)
    gauge, counter = body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]
    point = gauge["gauge"]["dataPoints"][0]
    assert (point["asDouble"], point["timeUnixNano"]) == (3.0, "12500000000")
    assert point["attributes"] == [{"key": "fact", "value": {"stringValue": "online"}}]
    assert counter["name"] == "edgefleet.messages"
    assert counter["sum"]["isMonotonic"] is True
    assert counter["sum"]["aggregationTemporality"] == 2


@pytest.mark.system
def test_a_collector_gets_them(tmp_path: Path) -> None:
    """From a running server."""
    got: list[dict[str, Any]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/metrics"
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    collector = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    server = ServerProcess(tmp_path / "fleet", "--otlp", f"http://127.0.0.1:{collector.server_address[1]}").start()
    try:
        eventually("something came", lambda: got)
        names = {metric["name"] for metric in got[0]["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]}
        assert {"edgefleet.devices", "edgefleet.telemetry_records", "edgefleet.ingest_seconds"} <= names
    finally:
        server.stop()
        collector.shutdown()
        collector.server_close()
