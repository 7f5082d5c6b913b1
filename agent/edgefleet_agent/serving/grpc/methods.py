"""The methods of a gRPC listener, and which calls it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from edgefleet_agent.serving.grpc.call import Method, Status
from edgefleet_agent.serving.http2.header_reader import Head

CALLS_MAX = 1024
"""Open calls of all connections. Beyond it, each connection may still have its equal share."""

Refusal = tuple[Status, str, int]
"""Status, text, and seconds until a retry may succeed (0: it will not)."""
Admit = Callable[[Head, str], Refusal | None]
"""Admits a call with these headers from this address (None), or refuses it."""


@dataclass(slots=True)
class MethodTable:
    """The methods of one listener, by path. Shared by its connections, on its loop. open_calls: of all connections."""

    methods: Mapping[bytes, Method]
    admit: Admit | None = None
    open_calls: int = 0

    def refusal(self, head: Head, peer: str, own_calls: int, connections: int) -> Refusal | None:
        """The refusal of a call from this address, which `open_calls` counts already; None if it is admitted.

        own_calls: open calls of its connection, with this one. connections: open ones.
        """
        if head.headers.get(b":method") != b"POST" or not head.headers.get(b"content-type", b"").startswith(b"application/grpc"):
            return Status.UNKNOWN, "not a gRPC call", 0
        if head.path not in self.methods:
            return Status.UNIMPLEMENTED, f"unknown method {head.path[:200].decode('latin-1')}", 0
        if self.open_calls > CALLS_MAX and own_calls > max(1, CALLS_MAX // max(1, connections)):
            return Status.RESOURCE_EXHAUSTED, "too many calls at once; try again later", 1
        return self.admit(head, peer) if self.admit is not None else None
