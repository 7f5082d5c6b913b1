"""A listening socket and the thread with its event loop: the common part of the HTTP and gRPC listeners.

uvloop is used where it is installed (`pip install 'edgefleet-agent[serving]'`): the same code, about twice the requests.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path

from edgefleet_agent.core.socket_file import SocketFile, remove_stale
from edgefleet_agent.serving.frontend.access_log import AccessLog
from edgefleet_agent.serving.frontend.listener_context import ListenerContext, ListenerLimits
from edgefleet_agent.serving.frontend.tls_handshake import accept_tls
from edgefleet_contract.core.errors import UnavailableError

BACKLOG = 512
SWEEP_S = 1.0
CLOSE_S_MAX = 3.0
DRAIN_POLL_S = 0.05
FLUSH_S_MAX = 1.0
"""Time for the last answers to be taken."""


class Listener:
    """Listens at `address`: HOST:PORT (port 0: any free one), or unix:PATH. The constructor opens it and starts serving.

    Raises:
        UnavailableError: the address cannot be bound.
    """

    def __init__(
        self,
        address: str,
        name: str,
        limits: ListenerLimits,
        make_connection: Callable[[ListenerContext], asyncio.BaseProtocol],
        *,
        access: AccessLog | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._limits = limits
        self._access = access
        self._make_connection = make_connection
        self._tls = tls
        self._socket, self.address = listen(address)
        self._file = SocketFile.of(self._socket)
        self._loop = _new_loop()
        self._closing = self._draining = False
        self._changed, self._idle = asyncio.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def drain(self) -> None:
        """Refuse new requests from now on; those that run are answered. See `wait_idle`."""
        with contextlib.suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(self._change, False)

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until no request runs; False after `timeout_s` seconds. Call `drain` before."""
        return self._idle.wait(timeout_s)

    def close(self) -> None:
        """Stop listening, and answer: within `CLOSE_S_MAX` seconds, or after `drain` at once with an error."""
        with contextlib.suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(self._change, True)
        self._thread.join(CLOSE_S_MAX + 2 * FLUSH_S_MAX)
        if self._file is not None:
            self._file.remove()

    def _change(self, closing: bool) -> None:
        if closing:
            self._closing = True
        else:
            self._draining = True
        self._changed.set()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        context = ListenerContext(self._loop, self._limits, self._access)
        async with contextlib.AsyncExitStack() as accepting:
            if self._tls is None:
                opening = self._loop.create_unix_server if self._socket.family == socket.AF_UNIX else self._loop.create_server
                server = await opening(lambda: self._make_connection(context), sock=self._socket, backlog=BACKLOG)
                accepting.callback(server.close)
            else:
                task = self._loop.create_task(accept_tls(self._socket, context, self._tls, self._make_connection))
                accepting.push_async_callback(asyncio.wait, [task])
                accepting.callback(task.cancel)
            await self._sweep(context)
        ends_s = self._loop.time() + (0.0 if self._draining else CLOSE_S_MAX)
        busy = context.drain()
        while busy and self._loop.time() < ends_s:
            await asyncio.sleep(0.01)
            busy = context.drain()
        context.refuse_rest()
        ends_s = self._loop.time() + FLUSH_S_MAX
        while context.connections and self._loop.time() < ends_s:
            for connection in context.connections:
                connection.close_when_idle()
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)  # closed transports release their sockets in a later round of the loop

    async def _sweep(self, context: ListenerContext) -> None:
        while not self._closing:
            if self._draining:
                (self._idle.clear if context.drain() else self._idle.set)()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._changed.wait(), DRAIN_POLL_S if self._draining else SWEEP_S)
            self._changed.clear()
            context.sweep()


def listen(address: str) -> tuple[socket.socket, str]:
    """Open a listening socket. Returns it with its address and real port.

    Raises:
        UnavailableError: the address is in use, not of this machine, or not valid.
    """
    try:
        if address.startswith("unix:"):
            path = Path(address.removeprefix("unix:"))
            remove_stale(path)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
            path.chmod(0o660)
            listener.listen(BACKLOG)  # callers wait from here on, before the loop runs
            return listener, address
        host, _, port = address.rpartition(":")
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host.strip("[]"), int(port)))
        listener.listen(BACKLOG)
        return listener, f"{host}:{listener.getsockname()[1]}"
    except (OSError, ValueError, OverflowError) as cause:
        text = os.strerror(cause.errno) if isinstance(cause, OSError) and cause.errno else str(cause)
        raise UnavailableError(f"cannot listen on {address}: {text}; choose a free HOST:PORT or unix:PATH") from cause


def peer_of(transport: asyncio.BaseTransport) -> str:
    """The address of a connection's peer; empty for a Unix socket, `unknown` if it has disconnected already."""
    name = transport.get_extra_info("peername")
    if isinstance(name, tuple):
        return str(name[0])
    own = transport.get_extra_info("socket")
    return "" if own is not None and own.family == socket.AF_UNIX else "unknown"


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ModuleNotFoundError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop
