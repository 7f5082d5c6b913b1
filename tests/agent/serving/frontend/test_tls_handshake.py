"""Half-open TLS connections count as connections: they are given up for others, at both listeners and on both event loops."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import select
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tritonclient.grpc as triton_grpc

from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend import connection_table
from edgefleet_agent.serving.frontend import listener as listener_module
from edgefleet_agent.serving.frontend.authentication import Authentication, Tls
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from tests.agent.serving.conftest import SERVER, put_model
from tests.agent.serving.frontend.test_authentication import certificate
from tests.agent.serving.onnx_file import identity

FULL = 64
HALF_OPEN = 256
HALF_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
ANSWER_S_MAX = 5.0
"""Far below the time limit of a handshake, 10 s, also on a loaded machine."""
IN_USE_S = 600.0
"""The healthy caller counts as in use between its requests, however long a loaded machine takes to accept the others."""


@pytest.fixture(params=["uvloop", "asyncio"])
def opened(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any, Path]]:
    if request.param == "asyncio":
        monkeypatch.setattr(listener_module, "_new_loop", asyncio.new_event_loop)
    else:
        pytest.importorskip("uvloop", reason="uvloop is not installed")
    authority = certificate(tmp_path, "authority", None)
    certificate(tmp_path, "server", authority)
    put_model(tmp_path / "models", "m", identity())
    catalogue = ModelRegistry()
    repository = FolderRepository([tmp_path / "models"], catalogue, LoadTarget(()))
    guard = Authentication(tls=Tls(tmp_path / "server.pem", tmp_path / "server.key"))
    limits = ListenerLimits(connections=FULL)
    listeners = [each("127.0.0.1:0", catalogue, repository, SERVER, limits, guard) for each in (open_http, open_grpc)]
    yield (*listeners, tmp_path / "authority.pem")
    for each in listeners:
        each.close()
    catalogue.close()


def connect(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def still_open(lines: list[socket.socket]) -> int:
    """The number of connections that the server has not closed, when that is settled."""
    ends_s = time.monotonic() + ANSWER_S_MAX
    while True:
        readable, _, _ = select.select(lines, [], [], 0)
        left = len(lines) - len(readable)
        if left <= FULL or time.monotonic() > ends_s:
            return left
        time.sleep(0.05)


def test_half_open_handshakes_leave_room_for_others(opened: tuple[Any, Any, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    http_listener, grpc_listener, authority = opened
    monkeypatch.setattr(connection_table, "IDLE_S", IN_USE_S)
    known = ssl.create_default_context(cafile=str(authority))
    port = int(http_listener.address.rpartition(":")[2])
    healthy = http.client.HTTPSConnection("localhost", port, timeout=30, context=known)
    longest_s = 0.0
    with contextlib.ExitStack() as stack:
        for address in (http_listener.address, grpc_listener.address):
            lines: list[socket.socket] = []
            for number in range(HALF_OPEN):
                lines.append(stack.enter_context(connect(address)))
                if number % 2:
                    with contextlib.suppress(OSError):
                        lines[-1].sendall(HALF_HELLO)
                if number % 32 == 0:
                    began_s = time.monotonic()
                    healthy.request("GET", "/v2/health/ready")
                    assert healthy.getresponse().read()
                    longest_s = max(longest_s, time.monotonic() - began_s)
            assert still_open(lines) <= FULL
        began_s = time.monotonic()
        late = http.client.HTTPSConnection("localhost", port, timeout=30, context=known)
        late.request("GET", "/v2/health/ready")
        assert late.getresponse().status == 200
        client = triton_grpc.InferenceServerClient(
            grpc_listener.address.replace("127.0.0.1", "localhost"), ssl=True, root_certificates=str(authority)
        )
        assert client.is_server_ready()
        client.close()
        longest_s = max(longest_s, time.monotonic() - began_s)
        late.close()
    healthy.close()
    assert longest_s < ANSWER_S_MAX


def test_data_behind_the_handshake_is_not_lost(opened: tuple[Any, Any, Path]) -> None:
    """A request in the same packets as the end of the handshake; and a large one in pieces."""
    http_listener, _, authority = opened
    known = ssl.create_default_context(cafile=str(authority))
    body = b"x" * 300_000
    for _ in range(20):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = known.wrap_bio(incoming, outgoing, server_hostname="localhost")
        with connect(http_listener.address) as line:
            while True:
                try:
                    session.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    line.sendall(outgoing.read())
                    incoming.write(line.recv(65536))
            head = b"POST /v2/models/none/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
            session.write(b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n" + head + body)
            line.sendall(outgoing.read())  # the end of the handshake, too
            answers = b""
            while answers.count(b"HTTP/1.1") < 2 or not answers.endswith(b"}"):
                incoming.write(line.recv(65536))
                with contextlib.suppress(ssl.SSLWantReadError):
                    while True:
                        answers += session.read(65536)
            assert answers.startswith(b"HTTP/1.1 200")
            assert b"HTTP/1.1 404" in answers


def test_a_plain_connection_to_a_tls_port_is_closed(opened: tuple[Any, Any, Path]) -> None:
    with connect(opened[0].address) as line:
        line.sendall(b"GET /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        line.settimeout(ANSWER_S_MAX)
        with contextlib.suppress(ConnectionResetError):
            while line.recv(4096):
                pass
