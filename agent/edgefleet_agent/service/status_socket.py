"""The socket through which `edgefleet-agent status` and the worker's local API read the status of the service."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from edgefleet_agent.core.damaged_files import make_way
from edgefleet_agent.core.disk_faults import DiskFaults, state_of
from edgefleet_agent.service.state_folder import in_use
from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.errors import StoreError, UnavailableError
from edgefleet_contract.encoding.number_text import json_text

ANSWER_S_MAX = 3.0
ANSWER_BYTES_MAX = 1024 * 1024
RETRY_S = 10.0
FILE = "agent.sock"

log = logging.getLogger(__name__)


def ask(state: Path) -> dict[str, Any]:
    """The status snapshot of the service with this state folder.

    Raises:
        UnavailableError: it does not run, or does not answer this user.
    """
    configured, state = state, in_use(state)
    try:
        with _address(state) as address, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            sock.settimeout(ANSWER_S_MAX)
            _connect(sock, address, state)
            data = b""
            while len(data) <= ANSWER_BYTES_MAX and (part := sock.recv(65536)):
                data += part
            if state != configured and _user_of(sock) not in (0, os.geteuid(), _owner(configured)):
                raise PermissionError("the socket belongs to another user")
        if not data:
            raise PermissionError("the agent does not respond to this user")
        status: dict[str, Any] = json.loads(data)
    except PermissionError as error:
        raise UnavailableError(
            f"permission denied for the agent on {state}; run this command as the agent's user or with sudo"
        ) from error
    except (OSError, ValueError) as error:
        raise UnavailableError(f"no edgefleet-agent is running on {state}; start it: edgefleet-agent run --config F") from error
    if not status:
        raise UnavailableError(f"the agent on {state} is starting; try again in a moment")
    return status


def _connect(sock: socket.socket, address: str, state: Path) -> None:
    """Connect to the socket in the folder, or to the one without a file. Any user may bind that name, so the process at the other
    end must be of the folder's owner, root or this user.
    """
    try:
        sock.connect(address)
    except (FileNotFoundError, ConnectionRefusedError):
        sock.connect(_fileless(state))
        if _user_of(sock) not in (0, os.geteuid(), state.stat().st_uid):
            raise PermissionError("the socket belongs to another user") from None


class StatusSocket:
    """The socket that `ask` connects to. A thread answers with the last status given to `show`.

    While the disk takes no socket (full, read-only), it is one without a file, which answers root and the agent's own user only.
    """

    def __init__(self, state: Path, faults: DiskFaults, clock: Callable[[], float] = time.monotonic) -> None:
        self._text = b"{}"
        self._state = state
        self._path = state / FILE
        self._faults = faults
        self._clock = clock
        self._sockets: list[socket.socket] = []
        self._on_disk = False
        self._try_at_s = 0.0
        self.turn()
        if not self._on_disk:
            try:
                self._serve(_fileless(state), (0, os.geteuid()))
            except OSError as error:
                log.error("no socket for `edgefleet-agent status`: %s", error)

    def turn(self) -> None:
        """Create the socket on the disk, if it is missing and a try is due."""
        if self._clock() < self._try_at_s or (self._on_disk and self._path.exists()):
            return
        self._try_at_s = self._clock() + RETRY_S
        make_way(self._path)
        try:
            with as_store_error(self._path), _address(self._state) as address:
                self._path.unlink(missing_ok=True)
                self._serve(address, ())
                self._path.chmod(0o660)
        except StoreError as error:
            text = f"{error}; only root and the agent's user can read the status"
            self._faults.set(FILE, state_of(error, self._state), text, self._state)
        else:
            self._on_disk = True
            self._faults.clear(FILE)

    def _serve(self, address: str, listeners: tuple[int, ...]) -> None:
        """Listen on `address`; `listeners`: users who get an answer, all if empty."""
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listening.bind(address)
            listening.listen(8)
        except OSError:
            listening.close()
            raise
        self._sockets.append(listening)
        threading.Thread(target=self._answer, args=(listening, listeners), name="status", daemon=True).start()

    def show(self, status: dict[str, Any]) -> None:
        """Set the status for further answers."""
        self._text = json_text(status).encode()

    def __enter__(self) -> StatusSocket:
        return self

    def __exit__(self, *_error: object) -> None:
        with contextlib.suppress(OSError):  # a read-only disk
            self._path.unlink(missing_ok=True)
        for listening in self._sockets:
            with contextlib.suppress(OSError):  # the way to wake a thread that waits in accept()
                listening.shutdown(socket.SHUT_RDWR)
            listening.close()

    def _answer(self, listening: socket.socket, listeners: tuple[int, ...]) -> None:
        while True:
            try:
                caller, _address = listening.accept()
            except OSError:
                return  # closed
            with caller, contextlib.suppress(OSError):  # the caller has disconnected
                if listeners and _user_of(caller) not in listeners:
                    continue
                caller.settimeout(ANSWER_S_MAX)
                caller.sendall(self._text)


def _fileless(state: Path) -> str:
    """Address of the socket without a file: an abstract name, derived from the state folder."""
    stat_result = state.stat()
    return f"\0edgefleet-agent/{stat_result.st_dev}/{stat_result.st_ino}"


def _owner(state: Path) -> int:
    """User id of the owner of the folder, or of what is in its place; of this process where there is nothing."""
    try:
        return state.lstat().st_uid
    except OSError:
        return os.geteuid()


def _user_of(connected: socket.socket) -> int:
    """User id of the process at the other end."""
    form = struct.Struct("iII")
    _process, user, _group = form.unpack(connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, form.size))
    return int(user)


@contextlib.contextmanager
def _address(state: Path) -> Iterator[str]:
    """The socket's path through an open folder descriptor: the path of a Unix socket is limited to 107 bytes."""
    handle = os.open(state, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{handle}/{FILE}"
    finally:
        os.close(handle)
