"""A time limit for a whole delivery. The limits of HTTP and SMTP clients are those of single reads: a receiver that sends a byte
now and then would hold its thread for ever."""

from __future__ import annotations

import contextlib
import os
import smtplib
import socket
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any


class DeliveryDeadline:
    """A context: after `seconds` its sockets are shut down, so that every read and write on them ends. `expired`: they were."""

    def __init__(self, seconds: float) -> None:
        self.expired = False
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True

    def __enter__(self) -> DeliveryDeadline:
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._timer.cancel()
        with self._lock:
            for watched in self._sockets:
                watched.close()
            self._sockets.clear()

    def watch(self, connection: socket.socket) -> None:
        """Add a connection. It is watched through a copy, because TLS replaces the original."""
        copy = socket.socket(fileno=os.dup(connection.fileno()))
        with self._lock:
            self._sockets.append(copy)
            if self.expired:
                _shut(copy)

    def trace(self, event: str, details: Mapping[str, Any]) -> None:
        """Watch the connections of a request; for the extension `trace` of httpx."""
        if event == "connection.connect_tcp.complete":
            self.watch(details["return_value"].get_extra_info("socket"))

    def _expire(self) -> None:
        with self._lock:
            self.expired = True
            for watched in self._sockets:
                _shut(watched)


class _Watched:
    """An SMTP client whose connections are watched by `deadline`."""

    def __init__(self, deadline: DeliveryDeadline, **options: Any) -> None:
        self._deadline = deadline
        super().__init__(**options)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        made: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]  # of smtplib
        self._deadline.watch(made)
        return made


class WatchedSmtp(_Watched, smtplib.SMTP):
    """The client that begins in the clear."""


class WatchedSmtps(_Watched, smtplib.SMTP_SSL):
    """The client with TLS from the first byte."""


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended by itself
        connection.shutdown(socket.SHUT_RDWR)
