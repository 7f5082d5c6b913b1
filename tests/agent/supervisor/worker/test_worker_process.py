"""The keeper of the worker: dead, silent, deaf and quickly dying processes; and words for systemd."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.supervisor.worker.worker_process import (
    INTENSITY,
    RESTART_S,
    SLOW_RESTART_S,
    SLOW_RESTART_S_MAX,
    WorkerProcess,
    notify_systemd,
    restart_delay_s,
    watchdog_s,
)
from edgefleet_contract import worker_process as wire
from edgefleet_contract.core.errors import MessageError

FAKE = [sys.executable, "-m", "tests.agent.fakes.worker", "--fd"]


def until(
    worker: WorkerProcess, done: Callable[[list[wire.FromWorker]], bool], timeout_s: float = 120.0
) -> list[wire.FromWorker]:
    """Turn until `done` accepts the messages received so far."""
    received: list[wire.FromWorker] = []
    ends = time.monotonic() + timeout_s
    while not done(received):
        assert time.monotonic() < ends, f"never happened; heard {received[-3:]}"
        received += worker.turn(time.monotonic())
        time.sleep(0.01)
    return received


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    woken = threading.Event()
    worker = WorkerProcess(FAKE, SystemClock(), woken.set)
    until(worker, lambda _: worker.up)
    assert woken.is_set()
    yield worker
    worker.stop()


def test_requests_are_answered_and_the_last_messages_are_returned(worker: WorkerProcess) -> None:
    assert worker.send(wire.SetPipelines(request=7, pipelines=[]))
    until(worker, lambda received: any(isinstance(word, wire.Done) and word.request == 7 for word in received))
    last = worker.stop()
    assert any(isinstance(word, wire.EventFound) and word.event.kind == "goodbye" for word in last)
    assert worker.pid is None
    assert not worker.send(wire.Stop(request=1))


def test_a_killed_worker_is_back_and_counted(worker: WorkerProcess) -> None:
    pid = worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until(worker, lambda _: worker.up and worker.pid not in (None, pid))
    assert (worker.crashes, worker.restarts, worker.incarnation) == (1, 1, 2)
    assert worker.crash_detail == "the worker crashed: signal SIGKILL"


def test_a_requested_restart_is_no_crash(worker: WorkerProcess) -> None:
    pid = worker.pid
    worker.restart("for a test")
    until(worker, lambda _: worker.up and worker.pid not in (None, pid))
    assert (worker.crashes, worker.restarts) == (0, 1)


def test_a_worker_that_cannot_start_is_tried_ever_more_slowly() -> None:
    worker = WorkerProcess([sys.executable, "-c", "raise SystemExit(3)"], SystemClock(), lambda: None)
    now, starts = time.monotonic(), []
    for _ in range(INTENSITY + 2):
        before = worker.incarnation
        while worker.incarnation == before or worker.pid is not None:
            worker.turn(now)
            now += 0.05
            time.sleep(0.005)
        starts.append(worker.incarnation)
    worker.stop()
    assert worker.crashes == INTENSITY + 2
    assert worker.crash_detail == "the worker crashed: exit code 3"
    assert not worker.up


def test_deaths_in_a_row_cost_patience() -> None:
    delays = [restart_delay_s(deaths) for deaths in range(1, 30)]
    assert delays[:INTENSITY] == [RESTART_S] * INTENSITY
    assert delays[INTENSITY] == SLOW_RESTART_S
    assert delays == sorted(delays)
    assert delays[-1] == SLOW_RESTART_S_MAX


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[]", b"1", b'{"type":"nothing"}', b'{"type":["done"]}', b'{"type":"done"}', b"\xff", b"[" * 9999]
)
def test_a_line_that_is_no_message_is_logged(line: bytes) -> None:
    with pytest.raises(MessageError):
        wire.read_report(line)
    with pytest.raises(MessageError):
        wire.read_request(line)


def test_a_worker_that_speaks_nonsense_is_not_up_but_killed_in_time() -> None:
    code = "import socket, sys, time; socket.socket(fileno=int(sys.argv[1])).sendall(b'nonsense\\n' * 100); time.sleep(60)"
    worker = WorkerProcess([sys.executable, "-c", code], SystemClock(), lambda: None)
    worker.turn(0.0)
    time.sleep(0.3)
    assert worker.turn(1.0) == []
    assert not worker.up
    now = time.monotonic() + 1000.0
    while worker.crashes == 0:
        worker.turn(now)
        time.sleep(0.01)
    assert "no heartbeat" in worker.crash_detail
    worker.stop()


def test_a_worker_that_does_not_read_is_killed() -> None:
    worker = WorkerProcess([sys.executable, "-c", "import time; time.sleep(60)"], SystemClock(), lambda: None)
    worker.turn(0.0)
    big = wire.SetSlot(request=1, slot="s", package="p", version="1.0.0", digest="0" * 64, folder="x" * 3_000_000, runtimes=[])
    assert not worker.send(big)
    while worker.crashes == 0:
        worker.turn(1.0)
        time.sleep(0.01)
    assert "does not read" in worker.crash_detail
    worker.stop()


def test_systemd_is_notified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        notify_systemd("READY=1")
        assert systemd.recv(100) == b"READY=1"
        systemd.close()
        notify_systemd("WATCHDOG=1")
    monkeypatch.setenv("NOTIFY_SOCKET", "")
    notify_systemd("READY=1")


@pytest.mark.parametrize(("value", "expected"), [("60000000", 30.0), ("", None), ("-1", None), ("x", None)])
def test_the_watchdog_interval(monkeypatch: pytest.MonkeyPatch, value: str, expected: float | None) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", value)
    assert watchdog_s() == expected
