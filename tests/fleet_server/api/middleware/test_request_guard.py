"""Accepted and refused requests: sent directly to the middleware, with a small application behind it."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from edgefleet_server.api.middleware import error_handlers
from edgefleet_server.api.middleware.request_guard import CONTENT_POLICY, FORM_BYTES, JSON_BYTES_MAX, RequestGuard

LIMIT = 100_000


def ask(method: str = "GET", host: str = "127.0.0.1:8080", **more: Any) -> httpx.Response:
    app = FastAPI()
    error_handlers.install(app)

    @app.api_route("/x", methods=["GET", "POST"])
    async def echo(request: Request) -> int:
        return len(await request.body())

    app.add_middleware(RequestGuard, upload_bytes_max=LIMIT)

    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
            headers = {"host": host, **more.pop("headers", {})}
            return await client.request(method, "/x", headers=headers, **more)

    return asyncio.run(go())


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "127.0.0.2:8080", "localhost", "localhost:1", "[::1]:8080"])
def test_our_own_names(host: str) -> None:
    """Loopback, with and without a port; every answer carries the policy."""
    answer = ask(host=host)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == CONTENT_POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "localhost.evil.example:8080", "10.0.0.7"]
)
def test_names_of_others(host: str) -> None:
    """A site that rebinds its name to this machine sends that name."""
    answer = ask(host=host)
    assert (answer.status_code, "not this machine" in answer.json()["detail"]) == (403, True)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),  # no browser
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),  # another port of this machine is another program
        ({"origin": "http://127.0.0.1:8080"}, 200),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": "http://127.0.0.1:8080"}, 403),
    ],
)
def test_pages_of_others_may_not_change_anything(headers: dict[str, str], status: int) -> None:
    """Unsafe methods come from our own pages or from no page; reading is not our business here."""
    assert ask("POST", headers=headers).status_code == status
    assert ask("GET", headers=headers).status_code == 200


def test_bodies_are_bounded_while_they_arrive() -> None:
    """By what the length says, and by what comes when nothing says it."""
    assert ask("POST", content=b"x" * 1000).json() == 1000
    assert ask("POST", content=b"x" * (JSON_BYTES_MAX + 1)).status_code == 413

    async def drip() -> Any:
        for _ in range(40):
            yield b"x" * 10_000

    form = {"content-type": "multipart/form-data; boundary=x"}
    answer = ask("POST", content=drip(), headers=form)
    assert answer.status_code == 413
    assert str(LIMIT + FORM_BYTES) in answer.json()["detail"]
