"""A socket that reads ahead. paho reads a packet in five system calls, and Python hands its lock to other threads at each: beside
busy threads the reader of a connection gets a few hundred packets a second. One call for many packets avoids that.

Thread-safe as paho uses it: one thread reads, others write.
"""

from __future__ import annotations

import socket
import ssl
from typing import Final

from edgefleet_contract.mqtt.packets import Publish, read_publishes

READ_BYTES: Final = 256 * 1024


class BufferedSocket:
    """The part of a socket that paho uses. `pending` includes what was read ahead, so that paho does not wait for it; not a
    packet that is not complete."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._data = b""
        self._at = 0
        self._is_part = False

    def read_ahead(self) -> bool:
        """Read what has arrived, without a wait; False: the connection has ended."""
        try:
            more = self._line.recv(READ_BYTES)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return True
        except OSError:
            return False
        self._data = self._data[self._at :] + more if self._at < len(self._data) else more
        self._at, self._is_part = 0, False
        return bool(more)

    def take_publishes(self, *, has_properties: bool) -> tuple[list[Publish], bool]:
        """Take the PUBLISH packets of those read ahead; and whether another packet is next, which is complete. After False the
        next `read_ahead` brings the rest of a packet, or more of them."""
        found, self._at, is_next = read_publishes(self._data, self._at, has_properties=has_properties)
        self._is_part = not is_next
        return found, is_next

    def recv(self, length: int) -> bytes:
        """Up to `length` bytes, of those read ahead if there are any.

        Raises:
            OSError: as the socket.
        """
        if self._at >= len(self._data):
            if length >= READ_BYTES:
                return self._line.recv(length)
            self._data, self._at = self._line.recv(READ_BYTES), 0
        found = self._data[self._at : self._at + length]
        self._at += len(found)
        if self._at >= len(self._data):
            self._data, self._at = b"", 0
        return found

    def pending(self) -> int:
        """Bytes that can be read without a wait."""
        ahead = 0 if self._is_part else len(self._data) - self._at
        return ahead + self._line.pending() if isinstance(self._line, ssl.SSLSocket) else ahead

    def send(self, data: bytes) -> int:
        """Send some of the bytes; returns how many."""
        return self._line.send(data)

    def fileno(self) -> int:
        """File descriptor, for `select`."""
        return self._line.fileno()

    def close(self) -> None:
        """Close the socket."""
        self._line.close()

    def setblocking(self, flag: bool) -> None:
        """Set whether calls wait."""
        self._line.setblocking(flag)

    def settimeout(self, seconds: float | None) -> None:
        """Set how long calls wait."""
        self._line.settimeout(seconds)

    def setsockopt(self, level: int, name: int, value: int) -> None:
        """Set an option of the socket."""
        self._line.setsockopt(level, name, value)
