"""The application."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from edgefleet_server.api.middleware import static_files
from edgefleet_server.app.web import create_app, prepare_routes, shared_routes
from edgefleet_server.core.settings import Settings

PATHS = ("/health", "/api/v1/devices", "/api/v1/rollouts", "/api/v1/models", "/nothing")


@pytest.fixture(autouse=True)
def _new_routes() -> Iterator[None]:
    """Other tests find no routes that were prepared here, and leave none."""
    shared_routes.cache_clear()
    yield
    shared_routes.cache_clear()


@pytest.mark.parametrize("prepared", ["this", "another", "none"])
def test_prepared_routes_need_nothing_at_their_first_request(
    prepared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(Settings(data=tmp_path))
    if prepared != "none":
        prepare_routes(app if prepared == "this" else create_app(Settings()))
    made: set[str] = set()
    monkeypatch.setattr("fastapi.routing.get_dependant", lambda **options: made.add(options["call"].__module__))

    async def call() -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)  # it has no database: the answers are errors
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for path in PATHS:
                await client.get(path)

    asyncio.run(call())
    own = {static_files.__name__} if prepared == "another" else set()  # an application's own: its pages
    assert (made == own) is (prepared != "none")
