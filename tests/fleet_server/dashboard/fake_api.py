"""A server with the fleet server's REST API and a living fake fleet: for browser tests and for the README's pictures.

python -m tests.fleet_server.dashboard.fake_api --port 8090 --speed 1
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from edgefleet_server.api.middleware.request_guard import CONTENT_POLICY
from tests.fleet_server.dashboard import (
    fake_alerts,
    fake_components,
    fake_events,
    fake_experiments,
    fake_history,
    fake_pictures,
    fake_pipelines,
    fake_proposals,
    fake_shadows,
    fake_video,
    fake_whole,
)
from tests.fleet_server.dashboard.fake_fleet import Fleet
from tests.fleet_server.dashboard.fake_routes import routes

UI = Path(__file__).resolve().parents[3] / "fleet_server" / "edgefleet_server" / "ui"


async def _live(fleet: Fleet) -> None:
    while True:
        fleet.tick(time.time())
        await asyncio.sleep(min(0.5, 0.5 / fleet.speed * 2))


def make_app(speed: float = 1.0) -> FastAPI:
    """The fake server with the built dashboard on it."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        task = asyncio.create_task(_live(app.state.fleet))
        yield
        task.cancel()

    app = FastAPI(title="edgefleet", lifespan=lifespan)
    app.state.fleet = Fleet(speed=speed)
    app.include_router(fake_whole.routes)
    app.include_router(fake_shadows.routes)
    app.include_router(routes)
    app.include_router(fake_pictures.routes)
    app.include_router(fake_events.routes)
    app.include_router(fake_alerts.routes)
    app.include_router(fake_components.routes)
    app.include_router(fake_experiments.routes)
    app.include_router(fake_history.routes)
    app.include_router(fake_pipelines.routes)
    app.include_router(fake_proposals.routes)
    app.include_router(fake_video.routes)

    @app.middleware("http")
    async def policy(request: Request, call_next: Any) -> Any:
        answer = await call_next(request)
        answer.headers["Content-Security-Policy"] = CONTENT_POLICY
        return answer

    if UI.is_dir():
        app.mount("/assets", StaticFiles(directory=UI / "assets"))

        @app.get("/{path:path}", include_in_schema=False)
        def page(path: str) -> FileResponse:
            if path.startswith("api/"):
                raise HTTPException(404, "no such route")
            file = UI / path
            return FileResponse(file if path and file.is_file() else UI / "index.html", headers={"Cache-Control": "no-cache"})

    return app


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until killed; the first line printed is the address."""
    given = argparse.ArgumentParser()
    given.add_argument("--port", type=int, default=0)
    given.add_argument("--speed", type=float, default=1.0)
    arguments = given.parse_args(argv)
    server = uvicorn.Server(
        uvicorn.Config(make_app(arguments.speed), port=arguments.port, log_level="warning", timeout_graceful_shutdown=1)
    )
    socket = server.config.bind_socket()
    socket.listen()  # a client may connect as soon as it has read the address
    print(f"http://127.0.0.1:{socket.getsockname()[1]}", flush=True)
    server.run(sockets=[socket])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
