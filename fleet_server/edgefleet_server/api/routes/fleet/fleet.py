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
from edgefleet_server.api.device_scope import DeviceScope, DeviceScopeDep, scope_for, subject_filter
from edgefleet_server.api.live.live_updates import SeenObjects, parse_topics
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.admin.health import BrokerHealth, Health
from edgefleet_server.api.schemas.fleet.live import StreamMessage
from edgefleet_server.api.schemas.fleet.overview import Overview
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.db.alerting import notices
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.rollouts import rollouts
from edgefleet_server.domain.policy.roles import Role

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
def get_overview(context: ContextDep, scope: DeviceScopeDep) -> Overview:
    """Counts for the whole fleet, or for the devices of the caller."""
    with context.database.read() as connection:
        whole = context.hub.overview(connection)
        if scope.ids is None or scope.groups is None:
            return whole
        seen = subject_filter(connection, scope)
        return views.overview_of(connection, whole, scope.ids, scope.groups, seen, time.time())


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
async def stream(
    context: ContextDep, caller: CallerDep, scope: DeviceScopeDep, topics: Annotated[str, Query(max_length=2000)]
) -> EventStream:
    """Changed objects, about once a second. `topics`, comma-separated: overview, devices, device:ID, rollouts, rollout:ID,
    events. A caller with roles for groups gets those of their devices and rollouts, and no overview."""
    chosen = parse_topics(topics)
    who = caller.name or caller.source
    context.hub.check_room(who)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    seen = await asyncio.to_thread(_seen, context, scope)
    return EventStream(_while_known(context, caller, seen, context.hub.stream(chosen, who, seen)), headers=headers)


def _seen(context: Context, scope: DeviceScope) -> SeenObjects:
    """The objects that the caller of a stream sees."""
    if scope.groups is None:
        return SeenObjects()
    with context.database.read() as connection:
        return SeenObjects(scope.ids, rollouts.of_groups(connection, scope.groups))


def _seen_now(context: Context, caller: Caller) -> SeenObjects | None:
    """The objects that the caller of a stream sees now; None if it has lost the permission."""
    known = context.authenticator.known(caller.via, caller.proof, caller.source, time.time())
    return None if known is None else _seen(context, scope_for(context.database, known, Role.VIEWER))


async def _while_known(
    context: Context, caller: Caller, seen: SeenObjects, frames: AsyncGenerator[bytes, None]
) -> AsyncIterator[bytes]:
    """The frames, until the caller loses the permission: a stream lasts longer than the authorization of its request. `seen`: the
    object that the stream reads, which follows what the caller sees."""
    checked_s = time.monotonic()
    try:
        async for frame in frames:
            if time.monotonic() - checked_s > RECHECK_S:
                checked_s = time.monotonic()
                now = await asyncio.to_thread(_seen_now, context, caller)
                if now is None:
                    return
                seen.devices, seen.rollouts = now.devices, now.rollouts
            yield frame
    finally:
        await frames.aclose()
