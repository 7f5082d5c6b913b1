"""Heads and trailers that never become a request are answered at once."""

from __future__ import annotations

import socket

import pytest

from tests.agent.serving.conftest import Api

CHUNKED = b"POST /v2/repository/index HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"


def answered(api: Api, data: bytes) -> bytes:
    """All bytes of the answer until the connection is closed."""
    host, _, port = api.http.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as caller:
        caller.sendall(data)
        found = b""
        while part := caller.recv(65536):
            found += part
        return found


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(11, 120)), b"TLS"),
        (b"GET /v2/health/live HTTP/1.1\nHost: localhost\n\n", b"CRLF"),
        (b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\n\n", b"CRLF"),
    ],
    ids=["TLS hello", "bare LF", "bare LF later"],
)
def test_no_head_is_refused_at_once(api: Api, data: bytes, why: bytes) -> None:
    answer = answered(api, data)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert why in answer
    assert b"408" not in answer.splitlines()[0], "the time-out of a head that does not end"


def test_trailers_have_a_limit(api: Api) -> None:
    end = b"\r\n"
    host, _, port = api.http.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as caller:
        caller.sendall(CHUNKED + b"x: y\r\n" * 10 + end)
        assert caller.recv(65536).startswith(b"HTTP/1.1 200 ")
    answer = answered(api, CHUNKED + b"x: y\r\n" * 1000 + end)
    assert answer.startswith(b"HTTP/1.1 400 ")


def test_the_root_lists_the_api(api: Api) -> None:
    answer = answered(api, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")
    for word in (b"/docs", b"KServe V2", b"TensorFlow Serving", b"/metrics"):
        assert word in answer
