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
        UnavailableError: the address cannot be bound. InputError: it needs authentication (see `Authentication`).
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
        limits_in_force = limits or HttpLimits()
        rules = guard or Authentication()
        rules.check_address(address)
        admit = None if rules.idle else rules.admit
        tls = rules.tls.context("http/1.1") if rules.tls is not None else None
        self._routes = Routes(catalogue, repository, server, limits_in_force.body_bytes, rules, address)
        super().__init__(
            address,
            "serve:http",
            lambda loop: HttpContext(loop, self._routes.handle, limits_in_force, admit, server.access),
            Http1Connection,
            tls,
        )

    def close(self) -> None:
        """Stop listening, and close connections when their requests are answered."""
        super().close()
        self._routes.close()
