"""The end of a connection whose last request was not read to its end: the rest is read and thrown away.

A socket that is closed with unread bytes resets the connection, and the caller, still sending, never sees the answer (RFC 9112,
9.6).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from edgefleet_agent.serving.frontend.listener_context import ListenerContext

REST_S_MAX = 5.0
REST_BYTES_MAX = 256 * 1024 * 1024


def close_after_rest(transport: asyncio.Transport, context: ListenerContext, lost: Callable[[Exception | None], None]) -> None:
    """Close a connection whose answer is written, when the caller has ended its side, at the latest after `REST_S_MAX` and
    `REST_BYTES_MAX`. lost: called at its end."""
    transport.set_protocol(_Rest(transport, context, lost))
    if transport.can_write_eof():  # TLS cannot: there the caller sees the end by the length of the answer
        transport.write_eof()
    transport.resume_reading()


class _Rest(asyncio.BufferedProtocol):
    def __init__(self, transport: asyncio.Transport, context: ListenerContext, lost: Callable[[Exception | None], None]) -> None:
        self._transport = transport
        self._context = context
        self._lost = lost
        self._bytes = 0
        self._limit = context.loop.call_later(REST_S_MAX, transport.abort)

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - asyncio's signature
        return self._context.read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._bytes += nbytes
        if self._bytes > REST_BYTES_MAX:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._limit.cancel()
        self._lost(exc)
