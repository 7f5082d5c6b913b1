"""The dashboard's files. Pages are never cached, hashed assets without limit; every path that is not a file returns the page of
the single-page application."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from edgefleet_server.api.error_responses import problem_response
from edgefleet_server.api.middleware.operations import Operation

FOREVER: Final = "public, max-age=31536000, immutable"

NOT_BUILT: Final = (
    "<!doctype html><html lang=en><title>edgefleet</title><p>The dashboard is not built; the API is at "
    "<a href=/api/v1/overview>/api/v1</a>. Build it with <code>make ui</code>."
)


def pages(folder: Path, operations: Sequence[Operation] = ()) -> APIRouter:
    """Routes for all paths outside the API. `folder`: the built dashboard; may be empty. `operations`: those of the API."""
    router = APIRouter(include_in_schema=False)
    root = folder.resolve()

    @router.api_route("/api/{rest:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
    def no_such_route(request: Request, rest: str) -> Response:
        """Answer 404 to an unknown path of the API, which otherwise would return the dashboard with status 200; 405 to a method
        that an operation does not have."""
        if methods := {method for one in operations if one.path.match(request.url.path) for method in one.methods}:
            allowed = {"Allow": ", ".join(sorted(methods))}
            text = f"{request.method} is not possible here; {allowed['Allow']} is"
            return problem_response(request.scope, 405, text, headers=allowed)
        return problem_response(request.scope, 404, f"no such route: /api/{rest[:200]}; see /api/v1/openapi.json")

    @router.get("/{path:path}")
    def page(request: Request, path: str) -> Response:
        file = (root / path).resolve()
        if path and file.is_relative_to(root) and file.is_file():
            hashed = file.parent.name == "assets"
            return FileResponse(file, headers={"Cache-Control": FOREVER if hashed else "no-cache"})
        accepted = request.headers.get("accept", "*/*")
        if path.startswith("assets/") or not ("text/html" in accepted or "*/*" in accepted):
            return problem_response(request.scope, 404, f"no such file: {path[:200]}")
        index = root / "index.html"
        if not index.is_file():
            return HTMLResponse(NOT_BUILT)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})

    return router
