"""The HTTP listener: one thread with an event loop of its own."""

from __future__ import annotations

from edgefleet_agent.core.host_check import HostCheck
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, Repository
from edgefleet_agent.serving.frontend.authentication import Authentication, check_page
from edgefleet_agent.serving.frontend.listener import Listener
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.http.connection import Check, Http1Connection
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
        self._routes = Routes(catalogue, repository, server, limits_in_force.body_bytes, rules)
        check = None if address.startswith("unix:") else _check(rules.host_check())  # no browser reaches a Unix socket
        super().__init__(
            address,
            "serve:http",
            limits_in_force,
            lambda context: Http1Connection(context, self._routes.handle, admit, check),
            access=server.access,
            tls=tls,
        )

    def close(self) -> None:
        """Stop listening, and close connections when their requests are answered."""
        super().close()
        self._routes.close()


def _check(check: HostCheck) -> Check:
    return lambda request: check_page(check, request.method, request.target, request.headers)
