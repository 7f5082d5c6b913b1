"""Request and response bodies of snapshots."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import Name, StrictModel
from edgefleet_server.registry.evidence_store import PICTURES_MAX


class PictureRequest(StrictModel):
    """`pipeline`: the camera's pipeline; null if the device has only one. `overlays`: with boxes, zones and lines."""

    pipeline: Name | None = None
    overlays: bool = False
    deadline_s: Annotated[float, Field(ge=2, le=600)] = 60.0


class PictureRow(BaseModel):
    """A stored picture. `id`: that of the command that requested it."""

    id: str
    received_at: float
    length_bytes: int


class PictureList(BaseModel):
    """Newest first; only the newest are stored."""

    items: Annotated[list[PictureRow], Field(max_length=PICTURES_MAX)]
