"""Sends log records to journald with their fields: `journalctl EDGEFLEET_SLOT=detector`, `journalctl -o json -u edgefleet-agent`.

The native protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL): one datagram a record, `NAME=value` lines, a length before values of
several lines. Fields of a record are given by `extra=log_extra(slot=…)` and become `EDGEFLEET_SLOT=…`.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
from pathlib import Path

from edgefleet_agent.core.log_fields import FIELDS

SOCKET = Path("/run/systemd/journal/socket")
VALUE_CHARS_MAX = 16_000
"""Well below the limit of one datagram; longer texts are cut, not lost."""

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))


def under_journald() -> bool:
    """Whether systemd reads our stderr into its journal, by the variable that it sets for that (systemd.exec(5))."""
    stream = os.environ.get("JOURNAL_STREAM", "")
    try:
        device, _, inode = stream.partition(":")
        found = os.fstat(2)
        return (found.st_dev, found.st_ino) == (int(device), int(inode)) and SOCKET.exists()
    except (ValueError, OSError):
        return False


def log_handler(device: str) -> logging.Handler:
    """The handler for the log of a process of the agent: journald with fields if it reads our output, otherwise stderr."""
    to_stderr = logging.StreamHandler()
    to_stderr.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    return JournalHandler(device, to_stderr) if under_journald() else to_stderr


class JournalHandler(logging.Handler):
    """Sends records to journald, or to `otherwise` if it does not accept one (it restarts)."""

    def __init__(self, device: str, otherwise: logging.Handler, place: Path = SOCKET) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(message)s"))
        self._device = device
        self._otherwise = otherwise
        self._place = str(place)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._socket.sendto(datagram(record, self._device, self.format(record)), self._place)
        except OSError:
            self._otherwise.handle(record)

    def close(self) -> None:
        self._socket.close()
        super().close()


def datagram(record: logging.LogRecord, device: str, text: str) -> bytes:
    """Encodes one record for journald."""
    fields = {
        "MESSAGE": text,
        "PRIORITY": str(next((number for level, number in _PRIORITIES if record.levelno >= level), 7)),
        "SYSLOG_IDENTIFIER": "edgefleet-agent",
        "CODE_FILE": record.pathname,
        "CODE_LINE": str(record.lineno),
        "EDGEFLEET_LOGGER": record.name,
        "EDGEFLEET_DEVICE": device,
    }
    fields |= {f"EDGEFLEET_{name.upper()}": value for name, value in getattr(record, FIELDS, {}).items() if value}
    return b"".join(_field(name, value[:VALUE_CHARS_MAX]) for name, value in fields.items())


def _field(name: str, value: str) -> bytes:
    data = value.encode(errors="replace")
    if b"\n" not in data:
        return name.encode() + b"=" + data + b"\n"
    return name.encode() + b"\n" + struct.pack("<Q", len(data)) + data + b"\n"
