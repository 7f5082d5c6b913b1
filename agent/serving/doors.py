"""Opens the doors. gRPC is imported only by who asks for it: a device without it needs not have it installed."""

from __future__ import annotations

from typing import Protocol

from agent.errors import MissingError
from agent.serving.catalogue import Catalogue, Repository
from agent.serving.guard import Guard
from agent.serving.http1_door import Limits
from agent.serving.http_door import HttpDoor
from agent.serving.server import Server


class Door(Protocol):
    """A listener that is open."""

    address: str

    def close(self) -> None: ...


def open_http(
    address: str,
    catalogue: Catalogue,
    repository: Repository,
    server: Server,
    limits: Limits,
    guard: Guard | None = None,
) -> Door:
    """Serve a catalogue over HTTP at HOST:PORT or unix:PATH.

    Raises:
        UnavailableError: the address cannot be had. InputError: it may not be opened like this.
    """
    return HttpDoor(address, catalogue, repository, server, limits, guard)


def open_grpc(
    address: str,
    catalogue: Catalogue,
    repository: Repository,
    server: Server,
    limits: Limits,
    guard: Guard | None = None,
) -> Door:
    """Serve a catalogue over gRPC at HOST:PORT or unix:PATH.

    Raises:
        MissingError: gRPC is not installed. UnavailableError: the address cannot be had.
    """
    try:
        from agent.serving.grpc_door import GrpcDoor
    except ModuleNotFoundError as cause:
        raise MissingError(f"gRPC needs the Python module {cause.name!r}: pip install 'edgefleet[grpc]'") from cause
    return GrpcDoor(address, catalogue, repository, server, limits, guard)
