"""Pipelined requests: answered in order, with a bounded buffer, one at each turn of the loop."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time

import numpy as np
import pytest

from edgefleet_agent.cli.measure.load_clients import http_post
from edgefleet_agent.serving.frontend.listener_context import READ_BYTES
from edgefleet_agent.serving.http.connection import Http1Connection
from tests.agent.serving.conftest import Api

REQUESTS = 40_000
LIVE = b"GET /v2/health/live HTTP/1.1\r\nHost: a\r\n\r\n"
WAIT_S = 60.0


def line_to(api: Api) -> socket.socket:
    host, _, port = api.http.rpartition(":")
    return socket.create_connection((host.removeprefix("http://"), int(port)), timeout=WAIT_S)


@pytest.fixture
def buffered(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The largest buffer of a connection so far."""
    largest = [0]
    before = Http1Connection._buffer_ahead

    def buffer_ahead(self: Http1Connection, data: bytes) -> None:
        before(self, data)
        largest[0] = max(largest[0], len(self._buffer))

    monkeypatch.setattr(Http1Connection, "_buffer_ahead", buffer_ahead)
    return largest


def test_all_are_answered_and_the_buffer_is_bounded(api: Api, buffered: list[int]) -> None:
    line = line_to(api)
    sender = threading.Thread(target=line.sendall, args=(LIVE * REQUESTS,))
    sender.start()
    host, _, port = api.http.rpartition(":")
    other = http.client.HTTPConnection(host.removeprefix("http://"), int(port), timeout=WAIT_S)
    answers, rest, others = 0, b"", 0
    while answers < REQUESTS:
        data = rest + line.recv(1 << 20)
        assert data != rest, f"closed after {answers} answers"
        answers += data.count(b"HTTP/1.1 200 ")
        rest = data[-12:] if data[-12:].count(b"HTTP/1.1 200 ") == 0 else b""
        other.request("GET", "/v2/health/ready")
        others += other.getresponse().read() == b"" or 1
    sender.join(WAIT_S)
    line.close()
    other.close()
    assert others > 1
    assert buffered[0] <= 2 * READ_BYTES


def test_a_request_that_is_cut_by_a_read_is_answered(api: Api) -> None:
    """The last pipelined request is incomplete: the connection reads on, although it paused before."""
    line = line_to(api)
    line.sendall(LIVE * 100 + LIVE[:10])
    answers = b""
    while answers.count(b"200 OK") < 100:
        answers += line.recv(1 << 20)
    line.sendall(LIVE[10:])
    while answers.count(b"200 OK") < 101:
        got = line.recv(1 << 20)
        assert got
        answers += got
    line.close()


def test_a_large_body_behind_another_request_is_whole(api: Api) -> None:
    """Its first part arrives in the same bytes as the request before it, the rest later."""
    values = np.arange(64 * 1024, dtype=np.float32).reshape(-1, 16)
    described = {"name": "INPUT", "datatype": "FP32", "shape": values.shape, "parameters": {"binary_data_size": values.nbytes}}
    head = json.dumps({"inputs": [described], "parameters": {"binary_data_output": True}}).encode()
    size = f"Inference-Header-Content-Length: {len(head)}"
    request = http_post("/v2/models/identity_fp32/infer", head + values.tobytes(), size)
    for first in (len(LIVE) + 300, 5_000, 60_000, 200_000):
        with line_to(api) as line:
            line.sendall((LIVE + request)[:first])
            time.sleep(0.05)
            line.sendall((LIVE + request)[first:])
            answers = b""
            while not answers.endswith(values.tobytes()[-64:]):
                got = line.recv(1 << 20)
                assert got
                answers += got
            assert answers.count(b"HTTP/1.1 200 ") == 2
            assert values.tobytes() in answers
