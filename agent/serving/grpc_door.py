"""The gRPC listener: one thread with an event loop of its own, like the HTTP door's. Needs `pip install 'edgefleet[grpc]'`."""

from __future__ import annotations

from agent.serving.catalogue import Catalogue, Repository
from agent.serving.grpc_service import Service
from agent.serving.http1 import Limits
from agent.serving.http2 import Connection
from agent.serving.http2_door import Door
from agent.serving.listener import Listener
from agent.serving.server import Server


class GrpcDoor(Listener[Door]):
    """Serves a catalogue at HOST:PORT (port 0: any free one) or unix:PATH. Opened by the constructor.

    Raises:
        UnavailableError: the address cannot be had.
    """

    def __init__(self, address: str, catalogue: Catalogue, repository: Repository, server: Server, limits: Limits) -> None:
        self._service = Service(catalogue, repository, server)
        methods = self._service.methods()
        super().__init__(address, "serve:grpc", lambda loop: Door(loop, methods, limits), Connection)

    def close(self) -> None:
        """Stop listening, and end once what was asked is answered."""
        super().close()
        self._service.close()
