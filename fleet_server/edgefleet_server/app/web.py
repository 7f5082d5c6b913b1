"""The web application: routes, middleware, static files."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, Depends, FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import NoMatchFound

import edgefleet_server
from edgefleet_server.api.document.openapi_document import TAGS, complete
from edgefleet_server.api.middleware import error_handlers
from edgefleet_server.api.middleware.authorization import Authorization
from edgefleet_server.api.middleware.json_bodies import check_json_body
from edgefleet_server.api.middleware.operations import operations
from edgefleet_server.api.middleware.request_guard import RequestGuard
from edgefleet_server.api.middleware.request_tracing import RequestTracing
from edgefleet_server.api.middleware.static_files import pages
from edgefleet_server.api.middleware.upload_gate import UploadGate
from edgefleet_server.api.observability import prometheus
from edgefleet_server.api.routes import live_video
from edgefleet_server.api.routes.admin import audit, identity, openid, people, proposals, server, sessions
from edgefleet_server.api.routes.admin import settings as settings_routes
from edgefleet_server.api.routes.fleet import (
    alerts,
    components,
    configurations,
    device_admin,
    devices,
    diagnosis,
    events,
    evidence,
    fleet,
    fleet_reports,
    history,
    measurements,
    recipients,
    snapshots,
    snoozes,
)
from edgefleet_server.api.routes.models import models, pipelines, registry, trust, uploads
from edgefleet_server.api.routes.rollouts import experiments, rollouts
from edgefleet_server.app import health
from edgefleet_server.app.server_builder import ServerApp
from edgefleet_server.core.settings import Settings

API: Final = "/api/v1"
UI: Final = Path(edgefleet_server.__file__).parent / "ui"
MODULES: Final = (
    fleet, components, fleet_reports, device_admin, alerts, recipients, snoozes, configurations, devices, history, diagnosis,
    events, evidence,
    snapshots, identity, server, settings_routes, measurements, registry, models, uploads, pipelines, rollouts, experiments,
    trust, sessions, openid, people, proposals, audit,
)  # fmt: skip
ROUTERS: Final = tuple(module.router for module in MODULES)
COMPRESS_BYTES_MIN: Final = 1024


def create_app(settings: Settings, server_app: ServerApp | None = None, ui: Path = UI) -> FastAPI:
    """The application. It opens a `ServerApp` at its start and closes it at its end, unless an open one is given; nothing is
    opened before, so that the OpenAPI document can be written without a data folder."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        ours = server_app or ServerApp(settings)
        context = ours.context if server_app else await asyncio.to_thread(ours.open)
        app.state.context = context
        hub = asyncio.create_task(context.hub.run(), name="hub")
        try:
            yield
        finally:
            hub.cancel()
            if not server_app:
                await asyncio.to_thread(ours.close)

    app = FastAPI(
        title="edgefleet",
        version="1",
        description="Keeps a fleet of edge devices on the right version of the right model.",
        openapi_tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    error_handlers.install(app)
    known = operations(API, ROUTERS)
    app.router.routes.extend(shared_routes().routes)  # `include_router` would prepare copies
    app.router.routes.extend(live_video.ROUTES)
    app.include_router(pages(ui, known))
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]  # FastAPI's own way to extend its document
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESS_BYTES_MIN)
    app.add_middleware(UploadGate, upload_bytes_max=settings.upload_bytes_max)
    app.add_middleware(Authorization, prefix=API, known=known, sockets=live_video.SOCKETS)
    app.add_middleware(RequestTracing, prefix=API)
    app.add_middleware(
        RequestGuard,
        upload_bytes_max=settings.upload_bytes_max,
        public_host=settings.public_host,
        any_name=not settings.is_loopback,
    )
    return app


def prepare_routes(app: FastAPI) -> None:
    """Let FastAPI prepare all routes now. It would do so at the first request of each, which then waits, and all threads with
    it."""
    with suppress(NoMatchFound):
        app.url_path_for("?")


@functools.cache
def shared_routes() -> APIRouter:
    """All routes but the pages. They hold nothing of one application: what is prepared for the first is prepared for all."""
    shared = APIRouter()
    for router in ROUTERS:
        shared.include_router(router, prefix=API, dependencies=[Depends(check_json_body)])
    shared.include_router(prometheus.router)
    shared.include_router(health.router)
    return shared


def _document(app: FastAPI) -> dict[str, Any]:
    """FastAPI's OpenAPI document, completed once."""
    if not app.openapi_schema:
        app.openapi_schema = complete(FastAPI.openapi(app))
    return app.openapi_schema
