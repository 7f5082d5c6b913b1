"""HEAD: the headers of GET, never a body, and the connection goes on with the next request (RFC 9110, 9.3.2)."""

from __future__ import annotations

import socket

import pytest

from tests.agent.serving.conftest import Api

PATHS = [
    "/v2", "/v2/health/ready", "/v2/models/add", "/v2/models/none", "/v2/models/none/ready", "/v2/models/add/infer", "/nowhere",
    "/v2/systemsharedmemory/status",
    "/metrics", "/docs", "/openapi.json", "/v2/models/stats", "/v1/models/add", "/v1/models/none",
]  # fmt: skip


@pytest.mark.parametrize("host", ["localhost", "elsewhere.test"])
@pytest.mark.parametrize("path", PATHS)
def test_no_body_follows_and_the_next_request_is_answered(path: str, host: str, api: Api) -> None:
    address, _, port = api.http.rpartition(":")
    with socket.create_connection((address, int(port)), timeout=60) as line:
        line.sendall(f"HEAD {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        line.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        received = b"".join(iter(lambda: line.recv(65536), b""))
    first, _, rest = received.partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 ")
    assert b"content-length: " in first.lower()
    if b"connection: close" not in first.lower():
        assert rest.startswith(b"HTTP/1.1 200 "), rest[:200]
        assert rest.endswith(b'{"live":true}')
    else:
        assert rest == b""


@pytest.mark.parametrize("path", ["/v2", "/v2/models/add", "/v2/models/none", "/docs"])
def test_the_length_is_that_of_the_body_of_get(path: str, api: Api) -> None:
    address, _, port = api.http.rpartition(":")
    lengths = []
    for method in ("HEAD", "GET"):
        with socket.create_connection((address, int(port)), timeout=60) as line:
            line.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            head = b"".join(iter(lambda: line.recv(65536), b"")).partition(b"\r\n\r\n")[0]
        lengths.append([row for row in head.lower().split(b"\r\n") if row.startswith(b"content-length")])
    assert lengths[0] == lengths[1] != []
