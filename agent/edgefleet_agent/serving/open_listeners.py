"""Opens listeners. The gRPC modules are imported on demand: a device without gRPC does not need the package."""

from __future__ import annotations

from typing import Protocol

from edgefleet_agent.core.extras import install_hint
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, Repository
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.http.listener import HttpServerListener
from edgefleet_contract.core.errors import MissingError


class OpenListener(Protocol):
    """A listener that is open."""

    address: str

    def drain(self) -> None: ...

    def wait_idle(self, timeout_s: float) -> bool: ...

    def close(self) -> None: ...


def open_http(
    address: str,
    catalogue: ModelRegistry,
    repository: Repository,
    server: Server,
    limits: ListenerLimits,
    guard: Authentication | None = None,
) -> OpenListener:
    """Serve a catalogue over HTTP at HOST:PORT or unix:PATH.

    Raises:
        UnavailableError: the address cannot be bound. InputError: it needs authentication.
    """
    return HttpServerListener(address, catalogue, repository, server, limits, guard)


def open_grpc(
    address: str,
    catalogue: ModelRegistry,
    repository: Repository,
    server: Server,
    limits: ListenerLimits,
    guard: Authentication | None = None,
) -> OpenListener:
    """Serve a catalogue over gRPC at HOST:PORT or unix:PATH.

    Raises:
        MissingError: gRPC is not installed. UnavailableError: the address cannot be bound.
    """
    try:
        from edgefleet_agent.serving.grpc.listener import GrpcListener
    except ModuleNotFoundError as cause:
        raise MissingError(f"gRPC needs the Python module {cause.name!r}: {install_hint('grpc')}") from cause
    return GrpcListener(address, catalogue, repository, server, limits, guard)
