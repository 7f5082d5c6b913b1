"""The HTTP listener: one thread with an event loop of its own."""

from __future__ import annotations

from edgefleet_agent.serving.engine.model_registry import ModelRegistry, Repository
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.listener import Listener
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.http.connection import Http1Connection
from edgefleet_agent.serving.http.exchange import HttpContext, HttpLimits
from edgefleet_agent.serving.http.routes import Routes


class HttpServerListener(Listener[HttpContext]):
    """Serves a catalogue at `address`: HOST:PORT (port 0: any free one), or unix:PATH. Opened by the constructor.

    Raises:
        UnavailableError: the address cannot be had. InputError: it may not be opened like this (see `Guard`).
    """

    def __init__(
        self,
        address: str,
        catalogue: ModelRegistry,
        repository: Repository,
        server: Server,
        limits: HttpLimits | None = None,
        guard: Authentication | None = None,
    ) -> None:
        kept = limits or HttpLimits()
        rules = guard or Authentication()
        rules.check_address(address)
        admit = None if rules.idle else rules.admit
        tls = rules.tls.context("http/1.1") if rules.tls is not None else None
        self._routes = Routes(catalogue, repository, server, kept.body_bytes, rules, address)
        super().__init__(
            address,
            "serve:http",
            lambda loop: HttpContext(loop, self._routes.handle, kept, admit, server.access),
            Http1Connection,
            tls,
        )

    def close(self) -> None:
        """Stop listening, and hang up once what was asked is answered."""
        super().close()
        self._routes.close()
