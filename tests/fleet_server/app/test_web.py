"""The application."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from edgefleet_server.app.web import create_app, prepare_routes
from edgefleet_server.core.settings import Settings

PATHS = ("/health", "/api/v1/devices", "/api/v1/rollouts", "/api/v1/models", "/nothing")


@pytest.mark.parametrize("are_prepared", [True, False])
def test_prepared_routes_need_nothing_at_their_first_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, are_prepared: bool
) -> None:
    app = create_app(Settings(data=tmp_path))
    if are_prepared:
        prepare_routes(app)
    made: list[object] = []
    monkeypatch.setattr("fastapi.routing.get_dependant", lambda **options: made.append(options))

    async def call() -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)  # it has no database: the answers are errors
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for path in PATHS:
                await client.get(path)

    asyncio.run(call())
    assert bool(made) is not are_prepared
