"""Connections of a TLS listener until their handshake is done.

They count in the table of connections from the start, as ones whose first request has not arrived. TLS servers of asyncio give a
connection to its protocol only after the handshake: half-open ones would have no limit, and could not be given up.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Callable

from edgefleet_agent.serving.frontend.connection_table import Admission, Phase
from edgefleet_agent.serving.frontend.listener_context import ListenerContext
from edgefleet_agent.serving.protocol.errors import CallError

log = logging.getLogger(__name__)

HANDSHAKE_S_MAX = 10.0
RETRY_S = 1.0
"""Pause after a connection could not be accepted: the process has too many open files."""

MakeConnection = Callable[[ListenerContext], asyncio.BaseProtocol]


async def accept_tls(listening: socket.socket, context: ListenerContext, tls: ssl.SSLContext, make: MakeConnection) -> None:
    """Accept connections until the task is cancelled, then close the listening socket.

    make: makes the connection for one whose handshake is done.
    """
    handshakes: set[asyncio.Task[None]] = set()
    listening.setblocking(False)
    with listening:
        while True:
            accepted = await _accept(listening, context)
            if accepted is None:
                await asyncio.sleep(RETRY_S)
                continue
            line, peer = accepted
            handshake = TlsHandshake(line, context, make)
            if context.connections.add(handshake, peer, context.loop.time()) is Admission.REFUSED:
                line.close()  # a sentence about it would cost a handshake
                continue
            task = context.loop.create_task(handshake.run(tls))
            handshakes.add(task)
            task.add_done_callback(handshakes.discard)


async def _accept(listening: socket.socket, context: ListenerContext) -> tuple[socket.socket, str] | None:
    """The next connection and the address of its peer, empty for a Unix socket; None if none can be accepted now."""
    try:
        line, address = await context.loop.sock_accept(listening)
    except OSError as cause:
        log.warning("a connection cannot be accepted: %s", cause)
        return None
    return line, str(address[0]) if isinstance(address, tuple) else ""


class TlsHandshake(asyncio.Protocol):
    """One connection in its handshake; then it hands over to a connection of the listener's protocol."""

    def __init__(self, line: socket.socket, context: ListenerContext, make: MakeConnection) -> None:
        self._line = line
        self._context = context
        self._make = make
        self._since_s = context.loop.time()

    async def run(self, tls: ssl.SSLContext) -> None:
        """Shake hands; `connection_made` follows, or the connection is closed."""
        try:
            await self._context.loop.connect_accepted_socket(
                lambda: self, self._line, ssl=tls, ssl_handshake_timeout=HANDSHAKE_S_MAX
            )
        except (OSError, asyncio.TimeoutError) as cause:  # of the peer: no TLS, no trusted certificate, no answer
            log.debug("a TLS handshake failed: %s", cause)
            self._line.close()
        finally:
            self._context.connections.discard(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._context.connections.discard(self)
        connection = self._make(self._context)
        transport.set_protocol(connection)
        connection.connection_made(transport)

    def phase(self) -> tuple[Phase, float]:
        """Return what the server waits for, and since when."""
        return Phase.NEW, self._since_s

    def give_up(self) -> None:
        """Close the connection at once."""
        with contextlib.suppress(OSError):  # the peer has closed it
            self._line.shutdown(socket.SHUT_RDWR)

    close_when_idle = end_after_answer = give_up

    def refuse_rest(self, error: CallError) -> None:  # noqa: ARG002 (an interface)
        """Close the connection: the peer cannot read an answer yet."""
        self.give_up()

    def check_time(self, now_s: float) -> None:
        """Nothing: the handshake has a limit of its own."""
