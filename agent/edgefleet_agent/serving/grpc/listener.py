"""The gRPC listener: one thread with an event loop of its own. Needs `pip install 'edgefleet-agent[grpc]'`."""

from __future__ import annotations

from edgefleet_agent.serving.engine.model_registry import ModelRegistry, Repository
from edgefleet_agent.serving.frontend.api_keys import Level
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.listener import Listener
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.grpc.connection import GrpcConnection
from edgefleet_agent.serving.grpc.methods import INFER_PATHS, Admit, MethodTable, Refusal, level_of
from edgefleet_agent.serving.grpc.service import STATUS, InferenceService
from edgefleet_agent.serving.http2.header_reader import Head
from edgefleet_agent.serving.protocol.errors import CallError


class GrpcListener(Listener):
    """Serves a catalogue at HOST:PORT (port 0: any free one) or unix:PATH. Opened by the constructor.

    Raises:
        UnavailableError: the address cannot be bound. InputError: it needs authentication (see `Authentication`).
    """

    def __init__(
        self,
        address: str,
        catalogue: ModelRegistry,
        repository: Repository,
        server: Server,
        limits: ListenerLimits,
        guard: Authentication | None = None,
    ) -> None:
        rules = guard or Authentication()
        rules.check_address(address)

        tls = rules.tls.context("h2") if rules.tls is not None else None
        self._service = InferenceService(catalogue, repository, server, rules)
        self._methods = methods = MethodTable(self._service.methods(), admission(rules))
        super().__init__(
            address, "serve:grpc", limits, lambda context: GrpcConnection(context, methods), access=server.access, tls=tls
        )

    def close(self) -> None:
        """Stop listening, and close connections when their calls are answered."""
        super().close()
        self._service.close()
        self._methods.pool.shutdown(wait=False, cancel_futures=True)


def admission(rules: Authentication) -> Admit:
    """The check of each call by the rules of a server."""
    idle = rules.idle

    def admit(head: Head, peer: str) -> Refusal | None:
        path = head.path
        if idle and path in INFER_PATHS:
            return None
        refusal = None if idle else rules.admit(path, head.headers, peer)
        level = level_of(path)
        if refusal is None and level is not Level.INFER:
            try:
                rules.check_level(level, head.headers, peer)
            except CallError as error:
                refusal = error
        return (STATUS[refusal.code], str(refusal), refusal.retry_s) if refusal is not None else None

    return admit
