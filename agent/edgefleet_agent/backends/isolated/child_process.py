"""The process of an isolated model, as the agent sees it: start, messages with a time limit, end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys

import msgspec

from edgefleet_agent.backends.contained import RuntimeFaultError
from edgefleet_agent.backends.isolated.messages import FROM_PROCESS, MESSAGE_BYTES_MAX, FromProcess, ToProcess, encode
from edgefleet_agent.backends.isolated.shared_buffer import SharedBuffer

COMMAND = (sys.executable, "-m", "edgefleet_agent.backends.isolated.child")
STOP_S_MAX = 2.0
_STANDARD_ERROR = 2


class LostProcessError(RuntimeFaultError):
    """The process ended, or was ended because it did not answer."""

    lost = True


class ChildProcess:
    """One process with its buffers. One request at a time.

    Raises:
        LostProcessError: it cannot be started.
    """

    def __init__(self) -> None:
        with contextlib.ExitStack() as opened:
            try:
                self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                opened.enter_context(theirs)
                opened.callback(self._line.close)
                for each in (self._line, theirs):
                    each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MESSAGE_BYTES_MAX)
                self.given, self.made = SharedBuffer(), SharedBuffer()
                opened.callback(self.given.close)
                opened.callback(self.made.close)
                read_end, self._lifeline = os.pipe2(os.O_CLOEXEC)
                opened.callback(os.close, self._lifeline)
                descriptors = [theirs.fileno(), self.given.descriptor, self.made.descriptor, read_end]
                try:
                    self._process = subprocess.Popen(
                        [*COMMAND, *map(str, descriptors)],
                        pass_fds=descriptors,
                        stdin=subprocess.DEVNULL,
                        stdout=_STANDARD_ERROR,
                    )
                finally:
                    os.close(read_end)
            except OSError as cause:
                raise LostProcessError(f"no process could be started for the model: {cause.strerror or cause}") from cause
            self._resources = opened.pop_all()
            theirs.close()

    @property
    def lost(self) -> bool:
        """True once the process was ended."""
        return self._process.returncode is not None

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def ask(self, message: ToProcess, wait_s: float) -> FromProcess:
        """Send a message; returns the reply.

        Raises:
            LostProcessError: the process ended or did not reply within `wait_s`; it is ended and its resources are freed.
        """
        try:
            self._line.settimeout(wait_s)
            self._line.send(encode(message))
            data = self._line.recv(MESSAGE_BYTES_MAX)
            if not data:
                raise LostProcessError(f"the model's process {self._fate()}")
            reply: FromProcess = FROM_PROCESS.decode(data)
        except TimeoutError as cause:
            self.kill()
            raise LostProcessError(f"the model's process did not respond for {wait_s:g} s and was killed") from cause
        except (OSError, msgspec.DecodeError) as cause:
            raise LostProcessError(f"the model's process {self._fate()}") from cause
        except BaseException:  # Ctrl-C: the next message would get the reply to this one
            self.kill()
            raise
        return reply

    def close(self) -> None:
        """Let the process end, and wait for that."""
        self._line.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S_MAX)
        self.kill()

    def kill(self) -> None:
        """End the process now and free its resources."""
        self._process.kill()
        self._process.wait()
        self._resources.close()

    def _fate(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S_MAX)
        code = self._process.returncode
        self.kill()
        if code is None:
            return "closed its connection and was killed"
        if code >= 0:
            return f"ended with exit code {code}"
        try:
            return f"was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"was ended by signal {-code}"
