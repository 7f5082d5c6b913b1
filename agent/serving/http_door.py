"""The HTTP listener: one thread with an event loop of its own."""

from __future__ import annotations

from agent.serving.catalogue import Catalogue, Repository
from agent.serving.guard import Guard
from agent.serving.http1 import Connection
from agent.serving.http1_door import Door, Limits
from agent.serving.http_routes import Routes
from agent.serving.listener import Listener
from agent.serving.server import Server


class HttpDoor(Listener[Door]):
    """Serves a catalogue at `address`: HOST:PORT (port 0: any free one), or unix:PATH. Opened by the constructor.

    Raises:
        UnavailableError: the address cannot be had. InputError: it may not be opened like this (see `Guard`).
    """

    def __init__(
        self,
        address: str,
        catalogue: Catalogue,
        repository: Repository,
        server: Server,
        limits: Limits | None = None,
        guard: Guard | None = None,
    ) -> None:
        kept = limits or Limits()
        rules = guard or Guard()
        rules.check_address(address)
        admit = None if rules.idle else rules.admit
        tls = rules.tls.context("http/1.1") if rules.tls is not None else None
        self._routes = Routes(catalogue, repository, server, kept.body_bytes, rules, address)
        super().__init__(
            address, "serve:http", lambda loop: Door(loop, self._routes.handle, kept, admit, server.access), Connection, tls
        )

    def close(self) -> None:
        """Stop listening, and hang up once what was asked is answered."""
        super().close()
        self._routes.close()
