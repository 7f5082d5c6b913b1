"""Health, the fleet at a glance, and the live stream."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from fleet_server.api import schemas
from fleet_server.api.context import ContextDep

router = APIRouter(tags=["fleet"])


class EventStream(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


@router.get("/health", operation_id="get_health")
def get_health(context: ContextDep) -> schemas.Health:
    """Alive, and whether the broker answers."""
    raise NotImplementedError


@router.get("/overview", operation_id="get_overview")
def get_overview(context: ContextDep) -> schemas.Overview:
    """Counts for the whole fleet."""
    raise NotImplementedError


@router.get(
    "/stream",
    operation_id="stream",
    response_class=EventStream,
    responses={200: {"model": schemas.StreamMessage, "description": "Messages named overview, device, telemetry, rollout, attempt, event"}},
)
async def stream(context: ContextDep, topics: Annotated[str, Query(max_length=2000)]) -> EventStream:
    """What changed, about once a second. `topics`, comma-separated: overview, devices, device:ID, rollouts, rollout:ID, events."""
    raise NotImplementedError
