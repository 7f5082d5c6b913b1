"""A request that is refused before it was read: the caller is still sending, and sees the answer, not a reset connection."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest

from edgefleet_agent.serving.frontend import last_answer
from tests.agent.serving.conftest import LIMITS, Api

HEAD = b"POST /v2/models/add/infer HTTP/1.1\r\nHost: localhost\r\n"
BYTES = 8 * 1024 * 1024
REFUSED = {
    "too large": (HEAD + b"Content-Length: %d\r\n\r\n" % (LIMITS.body_bytes + 1), b"413"),
    "not an address of this machine": (
        HEAD.replace(b"localhost", b"elsewhere.test") + b"Content-Length: %d\r\n\r\n" % BYTES,
        b"403",
    ),
    "two lengths": (HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", b"400"),
    "chunks without a length": (HEAD + b"Transfer-Encoding: chunked\r\n\r\nno length\r\n", b"400"),
}


@pytest.fixture
def line(api: Api) -> Iterator[socket.socket]:
    address, _, port = api.http.rpartition(":")
    with socket.create_connection((address, int(port)), timeout=60) as opened:
        yield opened


@pytest.mark.parametrize("case", REFUSED)
def test_a_caller_that_sends_everything_first_sees_the_answer(line: socket.socket, case: str) -> None:
    head, status = REFUSED[case]
    line.sendall(head)
    for _ in range(BYTES // 65536):
        line.sendall(bytes(65536))
    line.shutdown(socket.SHUT_WR)
    answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"connection: close" in answer.lower()
    assert answer.endswith(b"}")


def test_what_follows_a_refused_request_is_not_answered(line: socket.socket) -> None:
    line.sendall(b"GET /v2 HTTP/1.1\r\n\r\n" + b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
    answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.count(b"HTTP/1.1 ") == 1


def test_a_caller_that_never_ends_is_cut_off(line: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_answer, "REST_BYTES_MAX", 2 * BYTES)
    line.sendall(REFUSED["too large"][0])
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < 16 * BYTES:
            sent += line.send(bytes(65536))
    assert 2 * BYTES <= sent < 16 * BYTES


def test_a_caller_that_is_silent_is_cut_off(line: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_answer, "REST_S_MAX", 0.2)
    line.sendall(REFUSED["too large"][0])
    assert b"".join(iter(lambda: line.recv(65536), b"")).startswith(b"HTTP/1.1 413")
    ended = threading.Event()

    def send_until_it_fails() -> None:
        try:
            while not ended.wait(0.05):
                line.send(b"x")
        except OSError:
            ended.set()

    sender = threading.Thread(target=send_until_it_fails)
    sender.start()
    assert ended.wait(30)
    sender.join()
