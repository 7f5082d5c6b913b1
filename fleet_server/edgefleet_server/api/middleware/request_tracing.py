"""A span for every request of the API; endless streams have none."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edgefleet_contract.tracing.tracer import fail
from edgefleet_server.core.spans import SPANS

STREAM = "/stream"


class RequestTracing:
    """ASGI middleware. A span has the name of the route, never the path, because paths contain ids."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or not path.startswith(self._prefix) or path.endswith(STREAM):
            await self._app(scope, receive, send)
            return
        method = str(scope["method"])
        traceparent = Headers(scope=scope).get("traceparent", "")
        with SPANS.span(method, traceparent, server=True, **{"http.request.method": method}) as span:
            if span is None:
                await self._app(scope, receive, send)
                return

            async def forward(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", int(message["status"]))
                    if message["status"] >= 500:
                        fail(span, f"answered {message['status']}")
                await send(message)

            await self._app(scope, receive, forward)
            route = getattr(scope.get("route"), "path", "")
            if route:
                # Some versions of FastAPI give the path of a route without the prefix that it was included with.
                route = route if route.startswith(self._prefix) else self._prefix + route
                span.update_name(f"{method} {route}")
                span.set_attribute("http.route", route)
