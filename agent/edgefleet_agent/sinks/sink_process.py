"""Starts the process of one sink and hands it events, one at a time. Used by one thread; `kill` by any."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
from io import BufferedReader

from edgefleet_agent.sinks.host import LINE_BYTES_MAX, SinkReply, SinkStart
from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import decode, encode

START_S_MAX = 60.0
"""Until the first answer a process imports libraries, which takes long on a small board."""
ANSWER_S_MAX = 30.0
STOP_S_MAX = 5.0


class SinkProcess:
    """The process of one sink. command: completed by the number of its end of a socket pair."""

    def __init__(self, command: list[str], start: SinkStart) -> None:
        self._command = command
        self._start = start
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._lines: BufferedReader | None = None

    @property
    def up(self) -> bool:
        """Whether there is a process that answers."""
        return self._socket is not None

    def start(self) -> SinkReply:
        """Start the sink, and its process if there is none. Does nothing if both run."""
        if self.up:
            return self._ask(b"", START_S_MAX)
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                # A session of its own: Ctrl-C in a terminal reaches the service alone, which ends the sinks in good order.
                self._process = subprocess.Popen(
                    [*self._command, str(theirs.fileno())], pass_fds=(theirs.fileno(),), start_new_session=True
                )
            except OSError as cause:
                ours.close()
                return SinkReply(fault=f"its process cannot be started: {cause.strerror}", again=True)
        self._socket, self._lines = ours, ours.makefile("rb")
        return self._ask(encode(self._start), START_S_MAX)

    def offer(self, line: bytes) -> SinkReply:
        """Hand over one event, as JSON. If the process ends or does not answer, it is not `up` afterwards."""
        return self._ask(line, ANSWER_S_MAX)

    def stop(self) -> None:
        """Have the sink closed, and wait for the end of the process."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_WR)
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_S_MAX)
        self._bury()

    def kill(self) -> None:
        """Kill the process; a call that waits for its answer returns."""
        process = self._process
        if process is not None:
            process.send_signal(signal.SIGKILL)

    def _ask(self, line: bytes, wait_s: float) -> SinkReply:
        assert self._socket is not None
        assert self._lines is not None
        try:
            self._socket.settimeout(wait_s)
            self._socket.sendall(line + b"\n")
            answer = self._lines.readline(LINE_BYTES_MAX)
            if answer:
                return decode(answer, SinkReply, bytes_max=LINE_BYTES_MAX)
            fault = self._end_text()
        except TimeoutError:
            fault = f"no answer within {wait_s:.0f} s"
        except (OSError, MessageError):  # it died in the middle of a line
            fault = self._end_text()
        self._bury()
        return SinkReply(fault=fault, again=True)

    def _end_text(self) -> str:
        """A text about the end of the process."""
        assert self._process is not None
        try:
            code = self._process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            return "its process closed the connection"
        if code >= 0:
            return f"its process ended with exit code {code}"
        try:
            return f"its process crashed with signal {signal.Signals(-code).name}"
        except ValueError:
            return f"its process crashed with signal {-code}"

    def _bury(self) -> None:
        if self._lines is not None:
            self._lines.close()
        if self._socket is not None:
            self._socket.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._socket = self._lines = None
