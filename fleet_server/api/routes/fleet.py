"""Health, the fleet at a glance, and the live stream."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from fleet_server.api import schemas, views
from fleet_server.api.context import Context, ContextDep
from fleet_server.api.hub import parse_topics

router = APIRouter(tags=["fleet"])


class EventStream(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


def broker_health(context: Context) -> schemas.BrokerHealth:
    """Whether the broker answers."""
    return schemas.BrokerHealth(state="up" if context.broker_up() else "down", url=context.broker_url)


@router.get("/health", operation_id="get_health")
def get_health(context: ContextDep) -> schemas.Health:
    """Alive, and whether the broker answers."""
    with context.database.read() as connection:
        connection.exec_driver_sql("SELECT 1")
    return schemas.Health(version=context.version, broker=broker_health(context), blocks=context.block_traffic())


@router.get("/overview", operation_id="get_overview")
def get_overview(context: ContextDep) -> schemas.Overview:
    """Counts for the whole fleet."""
    server = schemas.ServerInfo(version=context.version, started_at=context.started_at, broker=broker_health(context))
    with context.database.read() as connection:
        return views.overview(connection, server, context.samples_per_s(), time.time())


@router.get(
    "/stream",
    operation_id="stream",
    response_class=EventStream,
    responses={
        200: {
            "model": schemas.StreamMessage,
            "description": "Messages named overview, device, telemetry, rollout, attempt, event",
        }
    },
)
async def stream(context: ContextDep, topics: Annotated[str, Query(max_length=2000)]) -> EventStream:
    """What changed, about once a second. `topics`: overview, devices, device:ID, rollouts, rollout:ID, events, with commas."""
    chosen = parse_topics(topics)
    context.hub.check_room()
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventStream(context.hub.stream(chosen), headers=headers)
