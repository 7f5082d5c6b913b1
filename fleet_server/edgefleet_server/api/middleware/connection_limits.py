"""Limits of HTTP connections, so that no client keeps others out: idle ones, slow writers and slow readers are closed, and of too
many connections those of the address with the most give way.

Uvicorn itself has one limit, for idle connections between two requests.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

OWN_FILES: Final = 512
"""Open files of the server that are no connections: database, blobs, broker."""
RATE_AFTER_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """`total`: connections; `of_address`: those of one address, 0 = no limit (behind a proxy all have the same). `head_s`: time
    for the head of a request; `stall_s`: time without progress of a body or a response; `rate_min`: bytes a second of a body."""

    total: int = 4096
    of_address: int = 512
    head_s: float = 15.0
    stall_s: float = 30.0
    rate_min: float = 1024.0


def raise_file_limit(limits: ConnectionLimits, share_max: float = 0.75) -> int:
    """Allow this process as many open files as the system lets it, and return the number of connections that leaves."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return max(16, min(limits.total, int(hard * share_max), hard - OWN_FILES))


class OpenConnections:
    """All connections of a process, by address. Used on the event loop only."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.closed = 0
        self._by_address: dict[str, dict[LimitedConnection, None]] = {}
        self._count = 0
        self._sweeper: asyncio.TimerHandle | None = None

    def add(self, connection: LimitedConnection) -> None:
        """Add a connection; above a limit, another one is closed, or the new one if its address has no idle one."""
        group = self._by_address.setdefault(connection.address, {})
        group[connection] = None
        self._count += 1
        if self.limits.of_address and len(group) > self.limits.of_address:
            self._make_room(group, connection)
        elif self._count > self.limits.total:
            self._make_room(max(self._by_address.values(), key=len), connection)
        if self._sweeper is None:
            self._sweep()

    def remove(self, connection: LimitedConnection) -> None:
        """Forget a connection that has ended."""
        group = self._by_address.get(connection.address, {})
        if connection in group:
            del group[connection]
            self._count -= 1
            if not group:
                del self._by_address[connection.address]

    def _make_room(self, group: Mapping[LimitedConnection, None], new: LimitedConnection) -> None:
        self._close(next((one for one in group if one.is_idle and one is not new), new))

    def _close(self, connection: LimitedConnection) -> None:
        self.closed += 1
        self.remove(connection)
        connection.transport.abort()

    def _sweep(self) -> None:
        """Close the connections that make no progress; runs while there are any."""
        now = time.monotonic()
        for connection in [one for group in self._by_address.values() for one in group if one.is_stuck(now, self.limits)]:
            self._close(connection)
        period_s = min(1.0, self.limits.head_s / 4, self.limits.stall_s / 4)
        self._sweeper = asyncio.get_running_loop().call_later(period_s, self._sweep) if self._count else None


class LimitedConnection(H11Protocol):
    """Uvicorn's protocol, with the times that the limits need. `every` is set by `limited`."""

    every: ClassVar[OpenConnections]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._waits_since = self._request_since = self._read_at = time.monotonic()
        self._closes_since = 0.0
        self._body_bytes = 0
        self._unsent = Unsent()
        self.every.add(self)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection is a WebSocket from now on, whose users have limits of their own."""
        self.every.remove(self)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.every.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Note the progress of the client."""
        self._read_at = time.monotonic()
        self._body_bytes += len(data)
        if self.is_idle:
            self._request_since, self._body_bytes = self._read_at, 0
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Note that the client may send the next request."""
        self._waits_since = time.monotonic()
        super().on_response_complete()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return bool(getattr(self.cycle, "response_complete", True))  # before the first request there is no cycle

    def is_stuck(self, now: float, limits: ConnectionLimits) -> bool:
        """Whether the client has made no progress for too long."""
        size = self.transport.get_write_buffer_size()
        if size:
            return self._unsent.is_stuck(size, now, limits)
        if self._unsent.size:
            self._unsent, self._waits_since = Unsent(), now
        if self.transport.is_closing():
            self._closes_since = self._closes_since or now
            return now - self._closes_since > limits.stall_s
        if self.is_idle:
            return now - self._waits_since > limits.head_s
        if not self.cycle.more_body or self.flow.read_paused:
            return False
        took_s = now - self._request_since
        slow = took_s > max(RATE_AFTER_S, limits.stall_s) and self._body_bytes < limits.rate_min * took_s
        return slow or now - self._read_at > limits.stall_s


class Unsent:
    """Bytes that wait until the client reads."""

    def __init__(self) -> None:
        self.size = self._read = 0
        self._moved_at = self._since = 0.0

    def is_stuck(self, size: int, now: float, limits: ConnectionLimits) -> bool:
        """Whether the client reads nothing, or too slowly."""
        if not self.size:
            self._since = now
        if size != self.size:
            self._read += max(0, self.size - size)
            self.size, self._moved_at = size, now
        took_s = now - self._since
        slow = took_s > max(RATE_AFTER_S, limits.stall_s) and self._read < limits.rate_min * took_s
        return slow or now - self._moved_at > limits.stall_s


def limited(limits: ConnectionLimits) -> Any:
    """A class of connections for `uvicorn.Config(http=…)`, with counters of its own."""
    return type("LimitedConnection", (LimitedConnection,), {"every": OpenConnections(limits)})
