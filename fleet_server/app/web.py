"""The web application: routes, guards, pages."""

from __future__ import annotations

from fastapi import FastAPI

from fleet_server.api.routes import devices, fleet, models, rollouts
from fleet_server.settings import Settings

API = "/api/v1"


def create_app(settings: Settings) -> FastAPI:
    """The application. Nothing is opened before it starts up, so that its document can be written anywhere."""
    app = FastAPI(title="edgefleet", version="1", openapi_url=f"{API}/openapi.json", docs_url=None, redoc_url=None)
    for module in (fleet, devices, models, rollouts):
        app.include_router(module.router, prefix=API)
    return app
