"""Routes of snapshots and clips that devices have uploaded."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as PathParameter
from starlette.responses import FileResponse

from edgefleet_contract.encoding.names import DEVICE_PATTERN
from edgefleet_contract.wire.evidence_upload import EVENT_PATTERN, Kind
from edgefleet_server.api.context import ContextDep
from edgefleet_server.core.errors import NotFoundError

router = APIRouter(tags=["devices"])
TYPES = {"snapshot": "image/jpeg", "clip": "video/mp4"}


@router.get(
    "/devices/{device}/events/{event}/{kind}",
    operation_id="get_evidence",
    response_class=FileResponse,
    responses={200: {"content": {"image/jpeg": {}, "video/mp4": {}}, "description": "The file, with ranges"}},
)
def get_evidence(
    context: ContextDep,
    device: Annotated[str, PathParameter(pattern=DEVICE_PATTERN)],
    event: Annotated[str, PathParameter(pattern=EVENT_PATTERN)],
    kind: Kind,
) -> FileResponse:
    """The uploaded snapshot or clip of an event (`id` of its record)."""
    path = context.evidence.find(device, event, kind)
    if path is None:
        raise NotFoundError(f"no {kind} of event {event!r} of {device!r} on the server; the device may not have sent it yet")
    return FileResponse(path, media_type=TYPES[kind], headers={"Cache-Control": "private, max-age=86400"})
