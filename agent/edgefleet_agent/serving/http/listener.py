"""The HTTP listener: one thread with an event loop of its own."""

from __future__ import annotations

from edgefleet_agent.serving.engine.model_registry import ModelRegistry, Repository
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.listener import Listener
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.http.connection import Http1Connection
from edgefleet_agent.serving.http.routes import Routes


class HttpServerListener(Listener):
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
        limits: ListenerLimits | None = None,
        guard: Authentication | None = None,
    ) -> None:
        limits_in_force = limits or ListenerLimits()
        rules = guard or Authentication()
        rules.check_address(address)
        admit = None if rules.idle else rules.admit
        tls = rules.tls.context("http/1.1") if rules.tls is not None else None
        self._routes = Routes(catalogue, repository, server, limits_in_force.body_bytes, rules, address)
        super().__init__(
            address,
            "serve:http",
            limits_in_force,
            lambda context: Http1Connection(context, self._routes.handle, admit),
            access=server.access,
            tls=tls,
        )

    def close(self) -> None:
        """Stop listening, and close connections when their requests are answered."""
        super().close()
        self._routes.close()
