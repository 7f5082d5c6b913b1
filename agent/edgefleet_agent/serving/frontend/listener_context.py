"""State and limits that all connections of a listener share, whatever their protocol."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass

from edgefleet_agent.serving.frontend.access_log import AccessLog
from edgefleet_agent.serving.frontend.connection_table import ConnectionTable, Phase
from edgefleet_agent.serving.frontend.loop_mailbox import LoopMailbox
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import AtTurnEnd

ENDING = CallError(Code.UNAVAILABLE, "the server is shutting down", 1)
READ_BYTES = 256 * 1024
"""Bytes that are read at once where it is not known what follows."""
FIRST_BYTES = 4096
"""Of these, bytes that are handled first: where a body begins in them, the others are copied to where it stays."""
NEW_S_MAX = 1.0
"""Time for a caller that connects while requests are still answered to send its own, which is refused."""


@dataclass(frozen=True, slots=True)
class ListenerLimits:
    """Limits of callers: bytes of one body or message, and of all in memory; connections, and those of one other machine.

    receive_s: for a whole head, body or message to arrive, and for an answer to be taken. idle_s: between two requests.
    """

    body_bytes: int = 64 * 1024 * 1024
    bodies_bytes: int = 256 * 1024 * 1024
    connections: int = 256
    address_connections: int = 128
    receive_s: float = 30.0
    idle_s: float = 75.0


class ListenerContext:
    """Shared state of the connections of one listener. Made on the thread of its loop, which alone changes it.

    read_buffer: takes what the socket of any connection gives, until the callback for it returns. bodies_bytes: of all bodies in
    memory. draining: no new request is taken. work: functions for the loop, from any thread. at_turn_end: runs a function when
    the callbacks of this turn of the loop have run; on its thread.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, limits: ListenerLimits, access: AccessLog | None = None) -> None:
        self.loop = loop
        self.limits = limits
        self.access = access
        self.thread_id = threading.get_ident()
        self.connections = ConnectionTable(limits.connections, limits.address_connections)
        self.read_buffer = memoryview(bytearray(READ_BYTES))
        self.bodies_bytes = 0
        self.draining = False
        self.at_turn_end: AtTurnEnd = loop.call_soon
        self.work: LoopMailbox[Callable[[], None]] = LoopMailbox(loop, lambda work: work())

    def drain(self) -> bool:
        """Close what is not needed to answer the requests that run; called periodically on the loop. Returns whether any runs."""
        self.draining = True
        busy = False
        now_s = self.loop.time()
        for connection in self.connections:
            phase, since_s = connection.phase()
            if phase in (Phase.ANSWER, Phase.PART):
                busy = True
                connection.end_after_answer()
            elif phase is Phase.IDLE or now_s - since_s > NEW_S_MAX:
                connection.close_when_idle()
        return busy

    def refuse_rest(self) -> None:
        """Answer what still runs with an error."""
        for connection in self.connections:
            connection.refuse_rest(ENDING)

    def sweep(self) -> None:
        """Close connections and end requests that take too long. Called periodically on the loop."""
        now_s = self.loop.time()
        for connection in self.connections:
            connection.check_time(now_s)
