"""The methods of a gRPC listener, and which calls it takes."""

from __future__ import annotations

import concurrent.futures
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from edgefleet_agent.serving.frontend.api_keys import Level
from edgefleet_agent.serving.grpc.response_headers import Status
from edgefleet_agent.serving.http2.header_reader import Head

Call = TypeVar("Call")
"""The call of a method: what its handler answers."""

CALLS_MAX = 1024
"""Open calls of all connections. Beyond it, each connection may still have its equal share."""

QUICK_BYTES_MAX = 64 * 1024
"""Message of a method that takes no tensors and no files."""
READERS = 2
"""Threads that read large messages."""

_CONTENT = re.compile(rb"application/grpc(?:[+;].*)?", re.DOTALL)
"""Not gRPC-web, which is `application/grpc-web`."""
_TIMEOUT = re.compile(rb"[0-9]{1,8}[HMSmun]")
_SERVICE = b"/inference.GRPCInferenceService/"
INFER_PATHS = frozenset(
    _SERVICE + name
    for name in (
        b"ServerLive", b"ServerReady", b"ModelReady", b"ServerMetadata", b"ModelMetadata", b"ModelConfig", b"ModelStatistics",
        b"RepositoryIndex", b"ModelInfer", b"ModelStreamInfer", b"SystemSharedMemoryStatus", b"CudaSharedMemoryStatus",
    )
)  # fmt: skip

Refusal = tuple[Status, str, int]
"""Status, text, and seconds until a retry may succeed (0: it will not)."""
Admit = Callable[[Head, str], Refusal | None]
"""Admits a call with these headers from this address (None), or refuses it."""


class Receiver(Protocol):
    """Receives the messages of one streaming call. On the loop."""

    def message(self, data: memoryview) -> None: ...

    def half_closed(self) -> None: ...

    def cancelled(self) -> None: ...

    def drained(self) -> None: ...

    def end(self) -> None:
        """The server ends: end the call where it waits for a message."""
        ...


@dataclass(frozen=True, slots=True)
class Method(Generic[Call]):
    """One method, unary or streaming. unary: called with the message. stream: called at the start of the call. bytes_max: of a
    message; None for the limit of the listener. tensor_at: position of the first tensor in a message of a length, 0 if unknown.
    """

    unary: Callable[[Call, memoryview], None] | None = None
    stream: Callable[[Call], Receiver] | None = None
    bytes_max: int | None = QUICK_BYTES_MAX
    tensor_at: Callable[[int], int] | None = None


def level_of(path: bytes) -> Level:
    """The level of permission that a method needs. What is not known to call or describe a model is managing: two methods both
    read settings and change them."""
    return Level.INFER if path in INFER_PATHS or path.startswith(b"/grpc.") else Level.MANAGE


@dataclass(slots=True)
class MethodTable:
    """The methods of one listener, by path. Shared by its connections, on its loop. open_calls: of all connections.
    pool: reads large messages."""

    methods: Mapping[bytes, Method[Any]]
    admit: Admit | None = None
    open_calls: int = 0
    pool: concurrent.futures.Executor = field(
        default_factory=lambda: concurrent.futures.ThreadPoolExecutor(READERS, "grpc-reading")
    )

    @property
    def crowded(self) -> bool:
        """Whether so many calls are open that each connection may have its share only."""
        return self.open_calls > CALLS_MAX

    def refusal(self, head: Head, peer: str, own_calls: int, connections: int) -> Refusal | None:
        """The refusal of a call from this address, which `open_calls` counts already; None if it is admitted.

        own_calls: open calls of its connection, with this one. connections: open ones.
        """
        if not head.admissible:
            if (refusal := self._fault(head)) is not None:
                return refusal
            head.admissible = True
        if self.crowded and own_calls > max(1, CALLS_MAX // max(1, connections)):
            return Status.RESOURCE_EXHAUSTED, "too many calls at once; try again later", 1
        return self.admit(head, peer) if self.admit is not None else None

    def _fault(self, head: Head) -> Refusal | None:
        """The refusal of headers that are no call of a known method, whenever they are sent; None for others."""
        if head.headers.get(b":method") != b"POST" or not _CONTENT.fullmatch(head.headers.get(b"content-type", b"")):
            return Status.UNKNOWN, "not a gRPC call", 0
        if (
            b"origin" in head.headers
        ):  # a browser reaches this port over TLS, a page's own name does not: the certificate has another
            return Status.PERMISSION_DENIED, "requests of web pages are not taken", 0
        if b"grpc-timeout" in head.headers and not _TIMEOUT.fullmatch(head.headers[b"grpc-timeout"]):
            return Status.INTERNAL, "malformed grpc-timeout", 0
        if head.path not in self.methods:
            return Status.UNIMPLEMENTED, f"unknown method {head.path[:200].decode('latin-1')}", 0
        return None
