"""Health checks: liveness (`/livez`) and readiness (`/readyz`) of this process. They are open to all callers and reveal nothing
else. Processes without the REST API serve only these."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI
from starlette.responses import PlainTextResponse

from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.core.errors import StoreError

router = APIRouter(include_in_schema=False)


@router.get("/livez")
async def livez() -> PlainTextResponse:
    """Liveness: the process answers."""
    return PlainTextResponse("alive\n")


@router.get("/readyz")
def readyz(context: ContextDep) -> PlainTextResponse:
    """Readiness: the database responds, and a process with ingest is connected to the broker."""
    try:
        with context.database.read() as connection:
            connection.exec_driver_sql("SELECT 1")
    except StoreError:
        return PlainTextResponse("waits for the database\n", 503)
    if context.database.damage:
        return PlainTextResponse("the database is damaged; see the log of the server\n", 503)
    missing = context.waits_for()
    return PlainTextResponse(f"waits for {missing}\n", 503) if missing else PlainTextResponse("ready\n")


def create_app(context: Context) -> FastAPI:
    """An application with the health checks only."""
    app = FastAPI(title="edgefleet", openapi_url=None, docs_url=None, redoc_url=None)
    app.state.context = context
    app.include_router(router)
    return app
