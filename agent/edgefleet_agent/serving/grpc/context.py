"""Shared state of the HTTP/2 connections of one listener."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping

from edgefleet_agent.serving.frontend.access_log import AccessLog
from edgefleet_agent.serving.frontend.listener import ListenerConnection
from edgefleet_agent.serving.frontend.loop_mailbox import LoopMailbox
from edgefleet_agent.serving.grpc.call import Method, Status
from edgefleet_agent.serving.grpc.frames import Head
from edgefleet_agent.serving.http.exchange import HttpLimits

Admit = Callable[[Head, str], "tuple[Status, str, int] | None"]
"""Admits a call with these headers from this address (None), or gives status, text and seconds until a retry."""


class GrpcContext:
    """Shared state of the connections of one listener. methods: by path."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        methods: Mapping[bytes, Method],
        limits: HttpLimits,
        admit: Admit | None = None,
        access: AccessLog | None = None,
    ) -> None:
        self.loop = loop
        self.methods = methods
        self.limits = limits
        self.admit = admit
        self.access = access
        self.thread_id = threading.get_ident()
        self.connections: set[ListenerConnection] = set()
        self.bodies_bytes = 0
        self.calls = 0
        self.work: LoopMailbox[Callable[[], None]] = LoopMailbox(loop, lambda work: work())

    def sweep(self) -> None:
        """Close connections and end calls that take too long. Called periodically on the loop."""
        now_s = self.loop.time()
        for connection in list(self.connections):
            connection.check_time(now_s)
