"""The web application: routes, guards, pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

import fleet_server
from fleet_server.api import failures, metrics
from fleet_server.api.guard import Guard
from fleet_server.api.pages import pages
from fleet_server.api.routes import (
    alerts,
    audit,
    care,
    devices,
    evidence,
    experiments,
    fleet,
    identity,
    measurements,
    models,
    openid,
    people,
    pipelines,
    registry,
    rollouts,
    server,
    sessions,
    snapshots,
    trust,
    uploads,
    whole_fleet,
)
from fleet_server.api.routes import (
    settings as settings_routes,
)
from fleet_server.api.sign_in import SignIn, operations
from fleet_server.api.traced import Traced
from fleet_server.app import probes
from fleet_server.app.office import Office
from fleet_server.domain.access import NEEDED
from fleet_server.settings import Settings

API: Final = "/api/v1"
UI: Final = Path(fleet_server.__file__).parent / "dashboard" / "ui"
MODULES: Final = (
    fleet, whole_fleet, care, alerts, devices, evidence, snapshots, identity, server, settings_routes, measurements, registry,
    models, uploads, pipelines, rollouts, experiments, trust, sessions, openid, people, audit,
)  # fmt: skip
ROUTERS: Final = tuple(module.router for module in MODULES)
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
    for router in ROUTERS:
        app.include_router(router, prefix=API)
    app.include_router(metrics.router)
    app.include_router(probes.router)
    app.include_router(pages(ui))
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]  # FastAPI's own way to extend its document
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESS_BYTES_MIN)
    app.add_middleware(SignIn, prefix=API, known=operations(API, ROUTERS))
    app.add_middleware(Traced, prefix=API)
    app.add_middleware(
        Guard,
        upload_bytes_max=settings.upload_bytes_max,
        public_host=settings.public_host,
        any_name=not settings.is_loopback,
    )
    return app


def _document(app: FastAPI) -> dict[str, Any]:
    """FastAPI's document, with how one signs in and what each operation needs (`x-role`)."""
    if app.openapi_schema:
        return app.openapi_schema
    document = FastAPI.openapi(app)
    document["components"]["securitySchemes"] = {
        "session": {"type": "apiKey", "in": "cookie", "name": "edgefleet", "description": "`__Host-edgefleet` over HTTPS"},
        "token": {"type": "http", "scheme": "bearer"},
    }
    refusals = {
        "401": "Sign in first",
        "403": "The role does not suffice",
    }
    for methods in document["paths"].values():
        for operation in methods.values():
            needed = NEEDED[operation["operationId"]]
            operation["security"] = [] if needed is None else [{"session": []}, {"token": []}]
            if needed is not None:
                operation["x-role"] = needed.value
                for status, text in refusals.items():
                    operation["responses"].setdefault(status, {"description": text, "content": _PROBLEM})
    return document


_PROBLEM: Final = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
