"""The gRPC listener: one thread with an event loop of its own, like the HTTP door's. Needs `pip install 'edgefleet[grpc]'`."""

from __future__ import annotations

from agent.serving.catalogue import Catalogue, Repository
from agent.serving.grpc_service import STATUS, Service
from agent.serving.guard import Guard
from agent.serving.http1_door import Limits
from agent.serving.http2 import Connection
from agent.serving.http2_door import Door
from agent.serving.http2_frames import Head
from agent.serving.listener import Listener
from agent.serving.rpc import Status
from agent.serving.server import Server


class GrpcDoor(Listener[Door]):
    """Serves a catalogue at HOST:PORT (port 0: any free one) or unix:PATH. Opened by the constructor.

    Raises:
        UnavailableError: the address cannot be had. InputError: it may not be opened like this (see `Guard`).
    """

    def __init__(
        self,
        address: str,
        catalogue: Catalogue,
        repository: Repository,
        server: Server,
        limits: Limits,
        guard: Guard | None = None,
    ) -> None:
        rules = guard or Guard()
        rules.check_address(address)

        def admit(head: Head, peer: str) -> tuple[Status, str, int] | None:
            refusal = rules.admit(head.path, head.headers, peer)
            return (STATUS[refusal.code], str(refusal), refusal.retry_s) if refusal is not None else None

        tls = rules.tls.context("h2") if rules.tls is not None else None
        self._service = Service(catalogue, repository, server, rules, address)
        methods = self._service.methods()
        super().__init__(
            address,
            "serve:grpc",
            lambda loop: Door(loop, methods, limits, None if rules.idle else admit, server.access),
            Connection,
            tls,
        )

    def close(self) -> None:
        """Stop listening, and end once what was asked is answered."""
        super().close()
        self._service.close()
