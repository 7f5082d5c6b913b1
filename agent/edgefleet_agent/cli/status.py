"""`edgefleet-agent status`: prints the status of the service on this device, read over a Unix socket in its state folder."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.support.config_option import add_config_option
from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.errors import StoreError, UnavailableError

ANSWER_S_MAX = 3.0
ANSWER_BYTES_MAX = 1024 * 1024

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `status`."""
    add_config_option(parser)
    parser.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the status of the running service.

    Raises:
        UnavailableError: it does not run.
    """
    status = ask(Path(configuration.read_settings(arguments.config).state))
    print(json.dumps(status, indent=2) if arguments.json else table(status))
    return 0


def ask(state: Path) -> dict[str, Any]:
    """The status snapshot of the service with this state folder.

    Raises:
        UnavailableError: it does not run, or does not answer this user.
    """
    try:
        with _address(state) as address, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            sock.settimeout(ANSWER_S_MAX)
            _connect(sock, address, state)
            data = b""
            while len(data) <= ANSWER_BYTES_MAX and (part := sock.recv(65536)):
                data += part
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


def table(status: dict[str, Any]) -> str:
    """Formats the status as text."""
    link = "connected" if status["connected"] else "not connected (working offline)"
    worker, outbox = status["worker"], status["outbox"]
    lines = [
        f"device     {status['device']}, {link}, generation {status['generation']}",
        *_profile(status.get("profile", {})),
        f"worker     {'up' if worker['up'] else 'down'}, {worker['rss_bytes'] / 1e6:.0f} MB, {worker['restarts']} restarts",
        f"supervisor {status['supervisor_rss_bytes'] / 1e6:.0f} MB",
        f"outbox     {outbox['records']} records pending, {outbox['lost']} lost",
        f"disk       {status['disk_free_bytes'] / 1e9:.1f} GB free",
    ]
    for slot, report in sorted(status["slots"].items()):
        running = report.get("running")
        what = (
            f"{running['package']}@{running['version']} on {running.get('placement') or running.get('runtime') or '?'}"
            if running
            else "nothing running"
        )
        lines.append(f"slot       {slot}: {what}; {_phase(report)}{_why(report)}")
    lines += [f"pipeline   {name}: {state}" for name, state in sorted(status["pipelines"].items())]
    if status["fault"]:
        lines.append(f"fault      {status['fault']}")
    return "\n".join(lines)


def _phase(report: dict[str, Any]) -> str:
    """Name of the phase; for a committed package that does not run, a text that says so."""
    running = report.get("running")
    here = running is not None and running["digest"] == report.get("target")
    idle = report["phase"] == "committed" and report.get("target") and not here
    return "committed, but not running" if idle else report["phase"]


def _profile(own: dict[str, Any]) -> list[str]:
    """Lines about the profile; empty for an agent older than this command."""
    if not own:
        return []
    missing = [f"missing    {each['what']}: {each['fix']}" for each in own["missing"]]
    return [f"profile    {own['name'] or 'none'} ({own['reason']})", *missing]


def _why(report: dict[str, Any]) -> str:
    parts = [report.get("reason", ""), report.get("detail", "")]
    if report.get("bytes_total") and report["phase"] == "fetching":
        parts.append(f"{100 * report.get('bytes_done', 0) // report['bytes_total']} %")
    text = ", ".join(part for part in parts if part)
    return f" ({text})" if text else ""


class StatusClient:
    """The socket that `ask` connects to. A thread answers with the last status given to `show`.

    If the socket cannot be created on the disk (full, read-only), it is one without a file, which answers root and the agent's
    own user only.
    """

    def __init__(self, state: Path) -> None:
        self._text = b"{}"
        self._path = state / "agent.sock"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listeners: tuple[int, ...] = ()
        try:
            try:
                with as_store_error(self._path), _address(state) as address:
                    self._path.unlink(missing_ok=True)
                    self._socket.bind(address)
                    self._path.chmod(0o660)
            except StoreError as error:
                log.warning("%s; until the next start, only root and this user can read the status", error)
                self._listeners = (0, os.geteuid())
                self._socket.bind(_fileless(state))
            self._socket.listen(8)
        except OSError as error:
            log.error("no socket for `edgefleet-agent status` (%s); status is unavailable until the next start", error)
        else:
            threading.Thread(target=self._answer, name="status", daemon=True).start()

    def show(self, status: dict[str, Any]) -> None:
        """Set the status for further answers."""
        self._text = json.dumps(status).encode()

    def __enter__(self) -> StatusClient:
        return self

    def __exit__(self, *_error: object) -> None:
        with contextlib.suppress(OSError):  # a read-only disk
            self._path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # the way to wake a thread that waits in accept()
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _answer(self) -> None:
        while True:
            try:
                caller, _address = self._socket.accept()
            except OSError:
                return  # closed
            with caller, contextlib.suppress(OSError):  # the caller has disconnected
                if self._listeners and _user_of(caller) not in self._listeners:
                    continue
                caller.settimeout(ANSWER_S_MAX)
                caller.sendall(self._text)


def _fileless(state: Path) -> str:
    """Address of the socket without a file: an abstract name, derived from the state folder."""
    stat_result = state.stat()
    return f"\0edgefleet-agent/{stat_result.st_dev}/{stat_result.st_ino}"


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
        yield f"/proc/self/fd/{handle}/agent.sock"
    finally:
        os.close(handle)
