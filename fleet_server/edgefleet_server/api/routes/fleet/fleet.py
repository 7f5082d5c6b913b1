"""Routes of health, fleet overview and live stream."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.live.live_updates import parse_topics
from edgefleet_server.api.schemas.admin.health import BrokerHealth, Health
from edgefleet_server.api.schemas.fleet.live import StreamMessage
from edgefleet_server.api.schemas.fleet.overview import Overview
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.db.alerting import notices
from edgefleet_server.db.backend.engine import raw

RECHECK_S: Final = 10.0

router = APIRouter(tags=["fleet"])


class EventStream(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


def broker_health(context: Context) -> BrokerHealth:
    """The state of the connection to the broker."""
    state: Literal["up", "down"] = "up" if context.broker_up() else "down"
    return BrokerHealth(state=state, url=context.broker_url, devices_max=context.devices_max or None)


@router.get("/health", operation_id="get_health")
def get_health(context: ContextDep) -> Health:
    """The health of the server and of its connection to the broker."""
    with context.database.read() as connection:
        warnings = context.storage_warnings(connection)
        waiting, summarized = notices.counts(raw(connection))
    broker, refused = broker_health(context), context.database.refused_writes
    degraded = broker.state == "down" or bool(context.database.damage or context.folders.faults()) or refused is not None
    return Health(
        status="degraded" if degraded else "ok",
        version=context.version,
        broker=broker,
        database_unwritable_since=refused.since_at if refused else None,
        blocks=context.block_traffic(),
        database_fault=context.database.damage,
        storage_warnings=warnings,
        address_warnings=context.address_warnings(),
        notices_waiting=waiting,
        notices_summarized=summarized,
    )


@router.get("/overview", operation_id="get_overview")
def get_overview(context: ContextDep) -> Overview:
    """Counts for the whole fleet."""
    with context.database.read() as connection:
        return context.hub.overview(connection)


@router.get(
    "/stream",
    operation_id="stream",
    response_class=EventStream,
    responses={
        200: {
            "model": StreamMessage,
            "description": "Messages named overview, device, telemetry, rollout, attempt, event",
        }
    },
)
async def stream(context: ContextDep, caller: CallerDep, topics: Annotated[str, Query(max_length=2000)]) -> EventStream:
    """Changed objects, about once a second. `topics`, comma-separated: overview, devices, device:ID, rollouts, rollout:ID,
    events."""
    chosen = parse_topics(topics)
    who = caller.name or caller.source
    context.hub.check_room(who)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventStream(_while_known(context, caller, context.hub.stream(chosen, who)), headers=headers)


async def _while_known(context: Context, caller: Caller, frames: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The frames, until the caller loses the permission: a stream lasts longer than the authorization of its request."""
    checked_s = time.monotonic()
    try:
        async for frame in frames:
            if time.monotonic() - checked_s > RECHECK_S:
                checked_s = time.monotonic()
                if (
                    await asyncio.to_thread(context.authenticator.known, caller.via, caller.proof, caller.source, time.time())
                    is None
                ):
                    return
            yield frame
    finally:
        await frames.aclose()
