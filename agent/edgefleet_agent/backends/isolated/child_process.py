"""The process of isolated models, as the agent sees it: start, connections, end.

Models with the same key share a process, because a vendor library opens its device for one process at a time. Each has a
connection of its own, and the process a thread for it: a load delays no run of another model.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
import weakref
from typing import Protocol

from edgefleet_agent.backends.contained import RuntimeFaultError
from edgefleet_agent.backends.isolated.connection import Connection, packet_sockets
from edgefleet_agent.backends.process_end import STOP_S_MAX, ProcessEnd, wait_for_end
from edgefleet_agent.backends.restart_pause import FAILED_MAX
from edgefleet_contract.core.malloc import private_bytes, resident_bytes

COMMAND = (sys.executable, "-m", "edgefleet_agent.backends.isolated.child")
_STANDARD_ERROR = 2


class LostProcessError(RuntimeFaultError):
    """The process ended, or was ended because it did not answer."""

    lost = True


class ChildProcess:
    """One process. Used by `take_process` and `leave_process`; any thread.

    Raises:
        LostProcessError: it cannot be started.
    """

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.users = 0
        self.failed_runs = 0
        with contextlib.ExitStack() as opened:
            try:
                self._control, theirs = packet_sockets()
                opened.callback(self._control.close)
                opened.enter_context(theirs)
                read_end, self._lifeline = os.pipe2(os.O_CLOEXEC)
                opened.callback(os.close, self._lifeline)
                descriptors = [theirs.fileno(), read_end]
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
        watched.add(self)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def lives(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def connect(self) -> Connection:
        """A new connection, for one model.

        Raises:
            LostProcessError: the process has ended, or there are no resources for it.
        """
        try:
            return Connection(self._control)
        except OSError as cause:
            raise LostProcessError(f"no connection to the model's process: {cause.strerror or cause}") from cause

    def close(self) -> None:
        """Let the process end, and wait for that."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S_MAX)
        self.kill()

    def kill(self) -> None:
        """End the process now and free its resources."""
        self._process.kill()
        self._process.wait()
        self._resources.close()

    def end(self) -> ProcessEnd:
        """The end of the process. One that does not end is killed."""
        return wait_for_end(self._process, self.kill)


class ModelProcess(Protocol):
    """A process of models, for the measurement of memory."""

    @property
    def pid(self) -> int:
        """The process id."""
        ...

    def lives(self) -> bool:
        """Whether the process has not ended."""
        ...


watched: weakref.WeakSet[ModelProcess] = weakref.WeakSet()
"""Every process of models: those of this module, and the host processes of `backends.hosted`."""
_shared: dict[str, ChildProcess] = {}
_lock = threading.Lock()


def resident_with_processes() -> int:
    """Memory in RAM of this process and of all its processes of models."""
    return resident_bytes() + sum(resident_bytes(process.pid) for process in list(watched) if process.lives())


def take_process(key: str) -> ChildProcess:
    """The process of this key, started if there is none that lives, or if its last runs all failed. Without a key, a process of
    its own.

    Raises:
        LostProcessError: it cannot be started.
    """
    if not key:
        return ChildProcess()
    with _lock:
        process = _shared.get(key)
        if process is not None and process.failed_runs >= FAILED_MAX:
            process.kill()
        if process is None or not process.lives():
            process = _shared[key] = ChildProcess(key)
        process.users += 1
        return process


def leave_process(process: ChildProcess) -> None:
    """Give the process back; the last user ends it."""
    if process.key:
        with _lock:
            process.users -= 1
            if process.users:
                return
            if _shared.get(process.key) is process:
                del _shared[process.key]
    process.close()


def private_with_processes() -> int:
    """Memory of their own of this process and of all its processes of models (see `private_bytes`)."""
    return private_bytes() + sum(private_bytes(process.pid) for process in list(watched) if process.lives())
