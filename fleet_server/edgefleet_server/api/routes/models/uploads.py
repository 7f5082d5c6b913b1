"""Routes of resumable package uploads: create, append, finish."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.fields import Problem
from edgefleet_server.api.schemas.models import registry
from edgefleet_server.api.schemas.models.models import ModelVersion
from edgefleet_server.db.registry import packages
from edgefleet_server.registry.resumable_uploads import ID_PATTERN, PIECE_BYTES_MAX, READ_BYTES, UploadStatus

router = APIRouter(tags=["models"])

Upload = Annotated[str, Path(pattern=ID_PATTERN, description="Id of an upload")]
BYTES = {
    "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.post("/uploads", operation_id="begin_upload", status_code=201)
def begin_upload(context: ContextDep, caller: CallerDep, body: registry.UploadRequest) -> registry.UploadState:
    """Start the upload of a package, or find an interrupted upload of the same bytes."""
    return _upload_state(context.uploads.begin(caller.name, body.length_bytes, body.sha256, time.time()))


@router.get("/uploads/{upload}", operation_id="get_upload")
def get_upload(context: ContextDep, caller: CallerDep, upload: Upload) -> registry.UploadState:
    """The state of an upload."""
    return _upload_state(context.uploads.status(upload, caller.name))


@router.patch(
    "/uploads/{upload}",
    operation_id="append_upload",
    openapi_extra=BYTES,
    responses={409: {"model": Problem, "description": "It continues at another byte"}},
)
async def append_upload(
    context: ContextDep,
    caller: CallerDep,
    upload: Upload,
    request: Request,
    offset_bytes: Annotated[int, Query(ge=0, le=2**40)],
) -> registry.UploadState:
    """Append the next piece; it is on the server's disk before the response is sent."""
    with ExitStack() as closing:
        piece = await run_in_threadpool(closing.enter_context, context.uploads.piece(upload, caller.name, offset_bytes))
        waiting = bytearray()
        with suppress(ClientDisconnect):  # what arrived is kept, and the client continues there
            async for data in request.stream():
                waiting += data
                if len(waiting) >= READ_BYTES:
                    await run_in_threadpool(piece.write, bytes(waiting))
                    waiting.clear()
        await run_in_threadpool(piece.write, bytes(waiting))
        return _upload_state(await run_in_threadpool(piece.finish))


@router.post(
    "/uploads/{upload}/finish",
    operation_id="finish_upload",
    status_code=201,
    responses={
        200: {"model": ModelVersion, "description": "The same content is there already"},
        409: {"model": Problem, "description": "Not all of it is here, or the version exists with other content"},
    },
)
def finish_upload(context: ContextDep, caller: CallerDep, upload: Upload, response: Response) -> ModelVersion:
    """Finish an upload after its last piece: check the package and store it."""
    with context.uploads.whole(upload, caller.name) as archive:
        pushed = context.registry.push(archive, time.time())
    if not pushed.new:
        response.status_code = 200
    with context.database.read() as connection:
        record = packages.find(connection, pushed.name, pushed.version)
        return views.model_version(record, packages.running_on(connection))


@router.delete("/uploads/{upload}", operation_id="drop_upload", status_code=204)
def drop_upload(context: ContextDep, caller: CallerDep, upload: Upload) -> Response:
    """Cancel an upload and delete its pieces."""
    context.uploads.drop(upload, caller.name)
    return Response(status_code=204)


def _upload_state(state: UploadStatus) -> registry.UploadState:
    return registry.UploadState(
        id=state.coming.id,
        offset_bytes=state.offset,
        length_bytes=state.coming.length,
        piece_bytes_max=PIECE_BYTES_MAX,
    )
