"""Spans of a process: what is recorded, under whom, and how it reaches a collector."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from edgefleet_contract.core.errors import InputError, MissingError
from edgefleet_contract.tracing.traceparent import Parent
from edgefleet_contract.tracing.tracer import SpanRecorder, fail

pytest.importorskip("opentelemetry.sdk.trace", reason="opentelemetry-sdk (the extra otel) is not installed")

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
CALLER = f"00-{TRACE}-{SPAN}-01"


class Collector:
    """An HTTP server that keeps bodies. `status`: what it answers."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.status = 200
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                collector.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                collector.keys.append(self.headers["api-key"])
                self.send_response(collector.status)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def spans(self) -> dict[str, dict[str, Any]]:
        return {span["name"]: span for body in self.bodies for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"]}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    yield made
    made.close()


@pytest.fixture
def recorder(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> Iterator[SpanRecorder]:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=k1")
    made = SpanRecorder()
    made.open(collector.url, "edgefleet", "1.2", extra="")
    yield made
    made.close()


def test_spans_stand_under_each_other_and_under_the_caller(recorder: SpanRecorder, collector: Collector) -> None:
    with contextlib.suppress(ZeroDivisionError), recorder.span("outer", CALLER, server=True, rollout=3) as outer:
        assert outer is not None
        outer.set_attribute("share", 0.5)
        with recorder.span("inner", f"00-{'a' * 32}-{SPAN}-01") as inner:
            assert inner is not None
            fail(inner, "too late")
        raise ZeroDivisionError("no")
    recorder.flush()
    found = collector.spans()
    above, below = found["outer"], found["inner"]
    assert (above["traceId"], above["parentSpanId"], above["kind"]) == (TRACE, SPAN, 2)
    assert (below["traceId"], below["parentSpanId"], below["kind"]) == (TRACE, above["spanId"], 1)
    assert above["status"] == {"code": 2, "message": "ZeroDivisionError: no"}
    assert below["status"] == {"code": 2, "message": "too late"}
    assert above["attributes"] == [
        {"key": "rollout", "value": {"intValue": "3"}},
        {"key": "share", "value": {"doubleValue": 0.5}},
    ]
    assert int(above["startTimeUnixNano"]) <= int(below["startTimeUnixNano"]) <= int(above["endTimeUnixNano"])
    resource = collector.bodies[0]["resourceSpans"][0]["resource"]["attributes"]
    assert {"key": "service.version", "value": {"stringValue": "1.2"}} in resource
    assert collector.keys == ["k1"]


def test_the_header_names_the_current_span(recorder: SpanRecorder) -> None:
    assert recorder.traceparent() == {}
    with recorder.span("outer", CALLER) as outer:
        assert outer is not None
        span_id = outer.get_span_context().span_id
        assert recorder.traceparent() == {"traceparent": f"00-{TRACE}-{span_id:016x}-01"}
        assert recorder.current() == Parent(int(TRACE, 16), span_id, True)


def test_a_caller_that_is_not_sampled_is_not_recorded(recorder: SpanRecorder, collector: Collector) -> None:
    with recorder.span("outer", f"00-{TRACE}-{SPAN}-00") as outer, recorder.span("inner") as inner:
        assert (outer, inner, recorder.current()) == (None, None, None)
        assert recorder.traceparent()["traceparent"].endswith("-00")
    recorder.flush()
    assert collector.bodies == []


def test_a_share_of_nothing(collector: Collector) -> None:
    recorder = SpanRecorder()
    recorder.open(collector.url, "edgefleet", "1", share=0.0, extra="")
    with recorder.span("alone") as alone:
        assert alone is None
    with recorder.span("called", CALLER) as called:
        assert called is not None
    recorder.close()
    assert list(collector.spans()) == ["called"]
    assert not recorder.on


def test_a_collector_that_refuses_is_reported_once(
    recorder: SpanRecorder, collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    collector.status = 500
    for name in ("first", "second"):
        with recorder.span(name):
            pass
        recorder.flush()
    warnings = [one.getMessage() for one in caplog.records if one.name == "edgefleet_contract.tracing.span_exporter"]
    assert len(collector.bodies) == 2
    assert len(warnings) == 1
    assert "HTTP Error 500" in warnings[0]


@pytest.mark.parametrize("endpoint", ["collector:4318", "file:///etc/passwd", "http://"])
def test_an_endpoint_that_is_no_url(endpoint: str) -> None:
    with pytest.raises(InputError, match="http://host:4318"):
        SpanRecorder().open(endpoint, "edgefleet", "1", extra="")


def test_a_recorder_that_is_off_loads_nothing() -> None:
    script = (
        "import sys\n"
        "from edgefleet_contract.tracing.tracer import SpanRecorder\n"
        "with SpanRecorder().span('x') as span: assert span is None\n"
        "assert SpanRecorder().traceparent() == {} and SpanRecorder().current() is None\n"
        "assert not [name for name in sys.modules if name.startswith('opentelemetry')]\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_without_opentelemetry_the_text_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(MissingError, match=r"pip install 'edgefleet-agent\[otel\]'"):
        SpanRecorder().open("http://127.0.0.1:4318", "edgefleet", "1", extra="edgefleet-agent[otel]")
