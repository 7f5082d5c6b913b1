"""Metrics: the path of the API, and a listener for them alone, so that a scraper needs no way to the models."""

from __future__ import annotations

from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.listener import Listener
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.metrics import content_type, render_metrics
from edgefleet_agent.serving.http.bodies import JSON, answer_error, encode
from edgefleet_agent.serving.http.connection import Http1Connection
from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.request_head import RequestHead
from edgefleet_agent.serving.protocol.errors import CallError, Code

CONNECTIONS_MAX = 16


def answer_metrics(catalogue: ModelRegistry, request: RequestHead, exchange: Exchange) -> None:
    """Send the metrics: our names, or Triton's with `?names=triton`."""
    triton = b"names=triton" in request.target.partition(b"?")[2].split(b"&")
    open_form = not triton and b"application/openmetrics-text" in request.headers.get(b"accept", b"")
    page = render_metrics(catalogue, triton=triton, openmetrics=open_form)
    exchange.answer(200, content_type(openmetrics=open_form), [page])


class MetricsListener(Listener):
    """Serves `/metrics` and nothing else at `address`: HOST:PORT (port 0: any free one), or unix:PATH. Opened by the constructor.

    Raises:
        UnavailableError: the address cannot be bound. InputError: it needs authentication (see `Authentication`).
    """

    def __init__(self, address: str, catalogue: ModelRegistry, guard: Authentication | None = None) -> None:
        rules = guard or Authentication()
        rules.check_address(address)

        def handle(request: RequestHead, exchange: Exchange) -> None:
            if request.target.partition(b"?")[0] != b"/metrics":
                answer_error(exchange, CallError(Code.NOT_FOUND, "Not Found"))
            elif request.method not in (b"GET", b"HEAD"):
                exchange.answer(405, JSON + b"Allow: GET\r\n", [encode({"error": "Method Not Allowed"})])
            else:
                answer_metrics(catalogue, request, exchange)

        super().__init__(
            address,
            "serve:metrics",
            ListenerLimits(body_bytes=1024, connections=CONNECTIONS_MAX),
            lambda context: Http1Connection(context, handle, None if rules.idle else rules.admit),
            tls=rules.tls.context("http/1.1") if rules.tls is not None else None,
        )
