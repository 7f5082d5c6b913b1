"""Keeps the worker process running, and notifies systemd.

A vendor runtime may segfault or hang; then only the worker dies. It is restarted at once, with a limit after Erlang's restart
intensity: a worker that keeps dying is restarted with growing delay, so that a device with a broken model stays reachable. A
worker without heartbeat is killed. If the supervisor dies, the worker reads end-of-file on its socket and exits.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Callable
from io import BufferedReader

from edgefleet_agent.core.clock import Clock
from edgefleet_agent.supervisor.worker.kernel_kills import KILLED, KernelKills
from edgefleet_contract import worker_process as wire
from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import encode

RESTART_S = 0.25
INTENSITY = 5
"""Deaths in a row that are answered at once; a run of `STEADY_S` ends the row."""
STEADY_S = 60.0
SLOW_RESTART_S = 5.0
SLOW_RESTART_S_MAX = 60.0
START_S_MAX = 60.0
"""Until its first heartbeat a worker imports libraries, which takes long on a small board."""
STOP_S_MAX = 5.0
SEND_S_MAX = 2
LINE_BYTES_MAX = 4 * 1024 * 1024
QUEUED_MAX = 1000

log = logging.getLogger(__name__)


def restart_delay_s(deaths: int) -> float:
    """Seconds to wait before the start that follows `deaths` deaths in a row (from 1)."""
    if deaths <= INTENSITY:
        return RESTART_S
    return float(min(SLOW_RESTART_S * 2.0 ** min(deaths - INTENSITY - 1, 10), SLOW_RESTART_S_MAX))


class WorkerProcess:
    """One worker process, started again for as long as `turn` is called. Times are monotonic seconds.

    `command` is completed by the number of the worker's end of a socket pair; `wake` is called from another thread when
    `turn` has something to do; `kills_of` finds the kernel's kills in the group of a process.
    """

    def __init__(
        self,
        command: list[str],
        clock: Clock,
        wake: Callable[[], None],
        kills_of: Callable[[int], KernelKills] = KernelKills.of,
    ) -> None:
        self._command = command
        self._clock = clock
        self._wake = wake
        self._kills_of = kills_of
        self._kills = KernelKills(None)
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._reader: threading.Thread | None = None
        self._received: queue.Queue[wire.FromWorker] = queue.Queue(QUEUED_MAX)
        self._received_s = 0.0
        self._started_s = 0.0
        self._start_at_s = 0.0
        self._end_by_s: float | None = None
        self._deaths = 0
        self._killed_for = ""
        self.up = False
        self.incarnation = 0
        self.crashes = 0
        self.restarts = 0
        self.crash_detail = ""
        self.killed_for_memory = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def turn(self, now: float) -> list[wire.FromWorker]:
        """Start, monitor or reap the process; returns its messages since the last turn. A new `incarnation` is stateless."""
        if self._process is None:
            if now >= self._start_at_s:
                self._start(now)
            return []
        messages = self._drain()
        self.up = self.up or bool(messages)
        code = self._process.poll()
        if code is not None:
            messages += self._last_words()
            self._bury(code, now)
        elif self._end_by_s is not None:
            if now > self._end_by_s:
                self._kill("did not stop on request")
        elif now - max(self._received_s, self._started_s) > (wire.SILENCE_S_MAX if self.up else START_S_MAX):
            self._kill(f"no heartbeat for {now - max(self._received_s, self._started_s):.0f} s")
        return messages

    def send(self, message: wire.ToWorker) -> bool:
        """Hand a message to the worker. A worker that does not read is killed: it hangs."""
        if self._socket is None:
            return False
        try:
            self._socket.sendall(encode(message) + b"\n")
        except (BlockingIOError, TimeoutError):
            self._kill("does not read its requests")
        except OSError as error:
            log.debug("worker connection lost: %s", error)  # `turn` sees its end and says so
        else:
            return True
        return False

    def restart(self, why: str) -> None:
        """End the process and start another; not counted as a crash."""
        if self._end_by_s is None and self._process is not None:
            log.info("restarting the worker: %s", why)
            self._end_by_s = self._clock.monotonic() + STOP_S_MAX
            self.send(wire.Stop(request=0))

    def stop(self) -> list[wire.FromWorker]:
        """Stop the process within about `STOP_S_MAX` seconds; returns its last messages."""
        if self._process is None:
            return []
        self.send(wire.Stop(request=0))
        try:
            self._process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self._kill("did not stop on request")
            self._process.wait()
        messages = self._last_words()
        self._hang_up()
        return messages

    def _start(self, now: float) -> None:
        self.restarts = self.incarnation
        self.incarnation += 1
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SEND_S_MAX, 0))
        with theirs:
            # A session of its own: Ctrl-C in a terminal reaches us alone, and we end the worker in good order.
            self._process = subprocess.Popen(
                [*self._command, str(theirs.fileno())], pass_fds=(theirs.fileno(),), start_new_session=True
            )
        self._kills = self._kills_of(self._process.pid)
        self._socket = ours
        self._started_s = now
        self._killed_for = ""
        self._end_by_s = None
        self._received = queue.Queue(QUEUED_MAX)
        name = f"worker-{self.incarnation}"
        self._reader = threading.Thread(target=self._read, args=(ours.makefile("rb"), self._received), name=name, daemon=True)
        self._reader.start()

    def _read(self, lines: BufferedReader, received: queue.Queue[wire.FromWorker]) -> None:
        with lines, contextlib.suppress(OSError):  # the process died in the middle of a line
            while line := lines.readline(LINE_BYTES_MAX):
                self._received_s = self._clock.monotonic()
                try:
                    received.put(wire.read_report(line))
                except MessageError as error:
                    log.warning("worker: %s", error)
                self._wake()
        self._wake()

    def _drain(self) -> list[wire.FromWorker]:
        messages: list[wire.FromWorker] = []
        with contextlib.suppress(queue.Empty):
            while len(messages) < QUEUED_MAX:
                messages.append(self._received.get_nowait())
        return messages

    def _last_words(self) -> list[wire.FromWorker]:
        """Remaining messages of a dead process: its end of the socket is closed, so the reader reaches end-of-file."""
        messages = self._drain()
        if self._reader is not None:
            self._reader.join(1.0)
        return messages + self._drain()

    def _kill(self, why: str) -> None:
        if self._process is not None and not self._killed_for:
            self._killed_for = why
            self._process.send_signal(signal.SIGKILL)

    def _bury(self, code: int, now: float) -> None:
        """The process ended: count why, and set when the next one starts."""
        self._hang_up()
        self.up = False
        if self._end_by_s is not None:
            self._start_at_s = now
            return
        if now - self._started_s >= STEADY_S:
            self._deaths = 0
        self._deaths += 1
        self.crashes += 1
        self.killed_for_memory = code == -signal.SIGKILL and not self._killed_for and self._kills.happened
        self.crash_detail = KILLED if self.killed_for_memory else f"the worker crashed: {self._killed_for or _how(code)}"
        self._start_at_s = now + restart_delay_s(self._deaths)
        log.error("%s; restarting in %.1f s", self.crash_detail, self._start_at_s - now)

    def _hang_up(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._process = None


def notify_systemd(state: str) -> None:
    """Notify systemd (`READY=1`, `WATCHDOG=1`, `STOPPING=1`); does nothing without NOTIFY_SOCKET. See sd_notify(3)."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender, contextlib.suppress(OSError):
        sender.connect(address.replace("@", "\0", 1))
        sender.sendall(state.encode())


def watchdog_s() -> float | None:
    """Interval of `WATCHDOG=1` for systemd: half of its timeout, or None without a watchdog."""
    allowed_us = os.environ.get("WATCHDOG_USEC", "")
    return int(allowed_us) / 2e6 if allowed_us.isdigit() else None


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
