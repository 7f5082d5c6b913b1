"""A request that the server makes to its own application, for a trial or for an approved proposal."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Scope

CARRIED: Final = frozenset({b"host", b"cookie", b"authorization", b"origin", b"sec-fetch-site", b"user-agent", b"traceparent"})
"""Headers of the outer request that the inner one has, too: identity, and where it comes from."""
PREFIX: Final = "/api/v1"


@dataclass(slots=True)
class InnerResponse:
    """Status and body of a response; status 0 = there was none."""

    status: int = 0
    body: bytearray = field(default_factory=bytearray)

    @property
    def content(self) -> Any:
        """The JSON of the body; None if it has none."""
        try:
            return json.loads(bytes(self.body))
        except ValueError:
            return None

    @property
    def detail(self) -> str:
        """The reason of a refusal, one line."""
        content = self.content
        return str(content.get("detail", "") if isinstance(content, dict) else "") or f"status {self.status}"


async def send_inner(app: ASGIApp, outer: Scope, method: str, target: str, body: bytes, state: dict[str, Any]) -> InnerResponse:
    """Run the application for a request; returns its response. `outer`: the request that it is made for; `target`: path below
    `/api/v1`, with the query; `state`: what middleware and routes know of the request. `inner` of it is `read`, `trial` or
    `approved`; only this function sets it."""
    response = InnerResponse()
    path, _, query = target.partition("?")
    headers = [(name, value) for name, value in outer["headers"] if name in CARRIED]
    if body:
        headers += [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    taken = ("type", "asgi", "http_version", "scheme", "client", "server", "app")
    scope: Scope = {
        **{key: outer[key] for key in taken if key in outer},
        "method": method,
        "path": unquote(PREFIX + path),
        "raw_path": (PREFIX + path).encode("ascii", "replace"),
        "query_string": query.encode("ascii", "replace"),
        "root_path": "",
        "headers": headers,
        "state": state,
    }
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            response.status = int(message["status"])
        elif message["type"] == "http.response.body":
            response.body += message.get("body", b"")

    await app(scope, receive, send)
    return response
