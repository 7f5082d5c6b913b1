"""The web application: routes, guards, pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

import fleet_server
from fleet_server.api import failures
from fleet_server.api.guard import Guard
from fleet_server.api.pages import pages
from fleet_server.api.routes import devices, fleet, identity, models, rollouts, trust
from fleet_server.app.office import Office
from fleet_server.settings import Settings

API: Final = "/api/v1"
UI: Final = Path(fleet_server.__file__).parent / "dashboard" / "ui"
COMPRESS_BYTES_MIN: Final = 1024


def create_app(settings: Settings, office: Office | None = None, ui: Path = UI) -> FastAPI:
    """The application. It opens an office at its start and closes it at its end, unless one that is open is handed in; nothing is
    opened before, so that its document can be written anywhere."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        ours = office or Office(settings)
        context = ours.context if office else await asyncio.to_thread(ours.open)
        app.state.context = context
        hub = asyncio.create_task(context.hub.run(), name="hub")
        try:
            yield
        finally:
            hub.cancel()
            if not office:
                await asyncio.to_thread(ours.close)

    app = FastAPI(
        title="edgefleet",
        version="1",
        description="Keeps a fleet of edge devices on the right version of the right model.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    failures.install(app)
    for module in (fleet, devices, identity, models, rollouts, trust):
        app.include_router(module.router, prefix=API)
    app.include_router(pages(ui))
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESS_BYTES_MIN)
    app.add_middleware(Guard, upload_bytes_max=settings.upload_bytes_max)
    return app
