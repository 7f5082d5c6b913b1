"""TCP ports of this machine: which are free, and which one a server keeps."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Final

from edgefleet_contract.core.atomic_files import read_if_there, write_atomic
from edgefleet_server.core.errors import UnavailableError

PORT_CHARS_MAX: Final = 16


def choose_port(requested: int, memory: Path, option: str, host: str, other: int = 0) -> int:
    """The requested port, or any free one: the same as last time where possible, because devices remember it. other: a port that
    was chosen just before, and is free until its listener opens it.

    Raises:
        UnavailableError: the requested port is in use.
    """
    if requested:
        deadline = time.monotonic() + 3.0  # the broker of a server that was just killed may still be saving
        while not is_free(host, requested):
            if time.monotonic() > deadline:
                raise UnavailableError(
                    f"MQTT port {requested} is in use; choose another port with {option}, or use that broker with --broker"
                )
            time.sleep(0.1)
        return requested
    last = (read_if_there(memory, PORT_CHARS_MAX) or b"").decode("ascii", "replace").strip()
    if last.isdigit() and 0 < int(last) < 65536 and int(last) != other:
        deadline = time.monotonic() + 3.0
        while time.monotonic() < deadline:
            if is_free(host, int(last)):
                return int(last)
            time.sleep(0.1)
    port = other
    while port == other:
        with socket.socket(_family(host)) as probe:
            probe.bind((host, 0))
            port = int(probe.getsockname()[1])
    write_atomic(memory, str(port).encode())
    return port


def is_listening(host: str, port: int) -> bool:
    """Whether a process accepts connections there."""
    try:
        socket.create_connection((host, port), timeout=1.0).close()
    except OSError:
        return False
    return True


def is_free(host: str, port: int) -> bool:
    """Whether a process may listen there."""
    with socket.socket(_family(host)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
