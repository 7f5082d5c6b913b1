"""Spans and exemplars of requests with a caller's trace, over every listener."""

from __future__ import annotations

import importlib.util
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http

from edgefleet_agent.backends.installed import installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.request_spans import RequestSpans
from edgefleet_contract.tracing.traceparent import Parent
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import LIMITS, put_model

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
installed = importlib.util.find_spec("opentelemetry.sdk") is not None if importlib.util.find_spec("opentelemetry") else False
needs_sdk = pytest.mark.skipif(not installed, reason="opentelemetry-sdk (edgefleet-agent[otel]) is not installed")


class Site:
    """Both listeners of a server whose spans go to `exported`."""

    def __init__(self, root: Path) -> None:
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

        put_model(root, "model", onnx_file.identity())
        self.exporter = InMemorySpanExporter()
        self.catalogue = ModelRegistry()
        repository = FolderRepository([root], self.catalogue, LoadTarget(tuple(installed_runtimes())))
        assert repository.load_all() == []
        self.server = Server("edgefleet", "test", spans=RequestSpans("", "edgefleet", "test", exporter=self.exporter))
        self.http = open_http("127.0.0.1:0", self.catalogue, repository, self.server, LIMITS)
        self.grpc = open_grpc("127.0.0.1:0", self.catalogue, repository, self.server, LIMITS)

    def close(self) -> None:
        self.http.close()
        self.grpc.close()
        self.catalogue.close()
        assert self.server.spans is not None
        self.server.spans.close()

    def ask(self, over: str, **headers: str) -> None:
        module: Any = triton_http if over == "http" else triton_grpc
        client = module.InferenceServerClient(self.http.address if over == "http" else self.grpc.address)
        given = module.InferInput("INPUT", [1, 16], "FP32")
        given.set_data_from_numpy(np.zeros((1, 16), np.float32))
        client.infer("model", [given], headers=headers)
        client.close()

    def exported(self, count: int) -> list[Any]:
        give_up_s = time.monotonic() + 120
        while len(self.exporter.get_finished_spans()) < count:
            assert time.monotonic() < give_up_s
            self.server.spans.flush()  # type: ignore[union-attr]  # there is one here
        return list(self.exporter.get_finished_spans())


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path)
    yield made
    made.close()


@needs_sdk
@pytest.mark.parametrize("over", ["http", "grpc"])
def test_a_sampled_request_is_exported_under_its_caller(site: Site, over: str) -> None:
    site.ask(over)
    site.ask(over, traceparent=f"00-{TRACE}-{SPAN}-00")
    site.ask(over, traceparent=f"00-{TRACE}-{SPAN}-01")
    spans = {span.name: span for span in site.exported(5)}
    assert sorted(spans) == ["compute", "infer model", "post", "pre", "queue"]
    root = spans["infer model"]
    assert (f"{root.context.trace_id:032x}", f"{root.parent.span_id:016x}") == (TRACE, SPAN)
    assert root.attributes["edgefleet.model"] == "model"
    for name in ("pre", "queue", "compute", "post"):
        assert spans[name].parent.span_id == root.context.span_id
        assert root.start_time <= spans[name].start_time <= spans[name].end_time <= root.end_time
    assert spans["queue"].end_time == spans["compute"].start_time


@needs_sdk
def test_exemplars_lead_from_a_bucket_to_a_trace(site: Site) -> None:
    site.ask("http", traceparent=f"00-{TRACE}-{SPAN}-01")
    site.exported(5)
    scrape = urllib.request.Request(f"http://{site.http.address}/metrics", headers={"Accept": "application/openmetrics-text"})
    with urllib.request.urlopen(scrape, timeout=30) as answer:
        page = answer.read().decode()
        assert "openmetrics-text" in answer.headers["Content-Type"]
    lines = [line for line in page.splitlines() if f'# {{trace_id="{TRACE}"}}' in line]
    assert len(lines) == 1
    assert lines[0].startswith("edgefleet_inference_request_duration_seconds_bucket")
    assert page.endswith("# EOF\n")
    assert "# TYPE edgefleet_inference_requests counter" in page
    with urllib.request.urlopen(f"http://{site.http.address}/metrics", timeout=30) as answer:
        assert "trace_id" not in answer.read().decode()


@needs_sdk
def test_a_share_of_the_others_starts_traces_of_its_own() -> None:
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    spans = RequestSpans("", "edgefleet", "test", 1.0, exporter)
    chosen = spans.choose(b"")
    assert chosen == Parent(0, 0, True)
    spans.export(chosen, "model", "1", "HTTP", [("HTTP_RECV_END", 100), ("QUEUE_START", 200), ("REQUEST_END", 300)], "too late")
    spans.close()
    found = {span.name: span for span in exporter.get_finished_spans()}
    assert found["infer model"].parent is None
    assert found["infer model"].status.description == "too late"
    assert (found["pre"].start_time, found["pre"].end_time) == (100, 200)
