"""Clients that hold connections open: each is closed, and none of them keeps another client out."""

from __future__ import annotations

import asyncio
import resource
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.responses import StreamingResponse

from edgefleet_server.api.middleware.connection_limits import ConnectionLimits, OpenConnections, limited
from tests.fleet_server.fakes.server_process import ServerProcess, eventually

BIG = b"x" * (8 * 1024 * 1024)


async def endless() -> AsyncIterator[bytes]:
    while True:
        yield BIG[:4096]
        await asyncio.sleep(0.001)


async def app(scope: Any, receive: Any, send: Any) -> None:
    """`/`: the length of the body. `/big`: 8 MiB. `/events`: an endless stream. `/slow`: after a second."""
    if scope["path"] == "/events":
        await StreamingResponse(endless())(scope, receive, send)
        return
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-length", str(length).encode())]})
    if scope["path"] == "/slow":
        await asyncio.sleep(1.0)
    await send({"type": "http.response.body", "body": BIG if scope["path"] == "/big" else b"", "more_body": False})


@contextmanager
def served(limits: ConnectionLimits) -> Iterator[tuple[tuple[str, int], OpenConnections, uvicorn.Server]]:
    kind = limited(limits)
    server = uvicorn.Server(uvicorn.Config(app, http=kind, port=0, lifespan="off", log_config=None, timeout_graceful_shutdown=1))
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    eventually("the server runs", lambda: server.started)
    try:
        yield listener.getsockname(), kind.every, server
    finally:
        server.should_exit = True
        thread.join(10.0)


def get(address: tuple[str, int], path: str = "/") -> int:
    return httpx.get(f"http://127.0.0.1:{address[1]}{path}", timeout=5.0).status_code


def closed(line: socket.socket, within_s: float) -> bool:
    """Whether the server closes the connection, without a byte from here."""
    line.settimeout(within_s)
    try:
        while line.recv(65536):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("limits", [ConnectionLimits(total=40, of_address=0), ConnectionLimits(total=4000, of_address=40)])
def test_idle_connections_give_way(limits: ConnectionLimits) -> None:
    """To a new client at once, and to each of many; a request that is being answered is not cut."""
    with served(limits) as (address, every, server), ExitStack() as held:
        busy = held.enter_context(socket.create_connection(address))
        busy.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(0.2)
        for _ in range(300):
            held.enter_context(socket.create_connection(address))
        assert get(address) == 200
        assert busy.recv(15) == b"HTTP/1.1 200 OK"
        assert every.closed >= 260
        assert len(server.server_state.connections) <= 42


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHos",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nbegun",
        b"GET /big HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        b"GET /events HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
    ids=["silent", "half a head", "half a body", "unread answer", "unread last answer", "unread events"],
)
def test_client_without_progress_is_closed(sent: bytes) -> None:
    """Whatever it waits with; the application's task ends as well."""
    with served(ConnectionLimits(head_s=0.4, stall_s=0.4)) as (address, every, server), socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        line.connect(address)
        line.sendall(sent)
        eventually("closed", lambda: every.closed == 1, 10.0)
        eventually("its task ends", lambda: not server.server_state.tasks and not server.server_state.connections)
        assert closed(line, 5.0)
        assert get(address) == 200


@pytest.mark.parametrize(
    "head", [b"GET / HTTP/1.1\r\nX: ", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"], ids=["head", "body"]
)
def test_client_that_trickles_is_closed(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then is no progress."""
    monkeypatch.setattr("edgefleet_server.api.middleware.connection_limits.RATE_AFTER_S", 0.5)
    with served(ConnectionLimits(head_s=0.6, stall_s=0.6)) as (address, every, _server):
        line = socket.create_connection(address)
        line.sendall(head)

        def trickle() -> bool:
            line.send(b"x")
            time.sleep(0.05)
            return every.closed == 1

        eventually("closed", trickle, 10.0)
        line.close()


def test_honest_clients_are_not_closed() -> None:
    """One that uploads steadily, one that reads slowly but reads, one that reuses its connection."""
    with served(ConnectionLimits(head_s=10.0, stall_s=1.0)) as (address, every, _server):
        with httpx.Client(base_url=f"http://127.0.0.1:{address[1]}") as client:

            def steadily() -> Iterator[bytes]:
                for _ in range(12):
                    time.sleep(0.2)
                    yield b"x" * 4096

            assert client.post("/", content=steadily()).headers["x-length"] == str(12 * 4096)
            with client.stream("GET", "/big") as answer:
                read = 0
                for chunk in answer.iter_raw(512 * 1024):
                    read += len(chunk)
                    time.sleep(0.1)
            assert read == len(BIG)
            assert client.get("/").status_code == 200
        assert every.closed == 0


@pytest.mark.system
def test_new_client_is_served_beside_thousands_of_idle_connections(tmp_path: Path) -> None:
    """Of a server that was started with the usual limit of 1,024 open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    try:
        server = ServerProcess(tmp_path / "fleet").start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        with ExitStack() as held:
            port = int(server.state()["url"].rpartition(":")[2])
            for _ in range(min(3000, hard - 1000)):
                held.enter_context(socket.create_connection(("127.0.0.1", port)))
            began = time.monotonic()
            assert [httpx.get(f"{server.state()['url']}/readyz").status_code for _ in range(5)] == [200] * 5
            assert time.monotonic() - began < 10.0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        server.stop()
