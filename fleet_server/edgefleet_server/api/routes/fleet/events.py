"""Events: list, summary, marks of users."""

from __future__ import annotations

import time
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.device_scope import DeviceScopeDep
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.fields import DeviceId, TimeAt
from edgefleet_server.api.schemas.fleet import events as schemas
from edgefleet_server.core.errors import InputError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.telemetry import event_reviews, events

DAY_S: Final = 86_400.0

router = APIRouter(tags=["devices"])


def chosen_events(
    scope: DeviceScopeDep,
    device: DeviceId | None = None,
    site: Annotated[str, Query(max_length=256, description="label `site` of the device")] = "",
    kind: Annotated[str, Query(max_length=100)] = "",
    label: Annotated[str, Query(max_length=200)] = "",
    rule: Annotated[str, Query(max_length=200)] = "",
    zone: Annotated[str, Query(max_length=200)] = "",
    text: Annotated[str, Query(max_length=100, description="anywhere in the event")] = "",
    since_at: TimeAt | None = None,
    until_at: TimeAt | None = None,
    reviewed: Annotated[bool | None, Query(description="whether a user has marked it")] = None,
) -> events.EventFilter:
    """The filter of events from the query parameters, of the devices of the caller."""
    return events.EventFilter(device or "", site, kind, label, rule, zone, text, since_at, until_at, reviewed, scope.ids)


Chosen = Annotated[events.EventFilter, Depends(chosen_events)]


@router.get("/events", operation_id="list_events")
def list_events(
    context: ContextDep,
    chosen: Chosen,
    before_id: Annotated[int, Query(ge=1, le=2**62)] | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> schemas.EventPage:
    """Events of the fleet that match all given parameters, newest first, with the kinds of their uploaded evidence."""
    with context.database.read() as connection:
        found = events.newest(connection, chosen, before_id=before_id, limit=limit)
        reviews = event_reviews.of(raw(connection), [row[0] for row in found])
    more = found[-1][0] if len(found) == limit else None
    items = [views.event_row(row, reviews.get(row[0])) for row in found]
    for item in items:
        item.evidence = context.evidence.kinds(item.device, str(item.event.get("id", "")))
    return schemas.EventPage(items=items, next_before_id=more)


@router.get("/events/summary", operation_id="summarize_events")
def summarize_events(
    context: ContextDep, chosen: Chosen, parts: Annotated[int, Query(ge=1, le=500)] = 60
) -> schemas.EventSummary:
    """Counts of the events that match all given parameters: over time, and by the values of their fields. Without times, of the
    last 24 hours."""
    until_at = time.time() if chosen.until_at is None else chosen.until_at
    since_at = until_at - DAY_S if chosen.since_at is None else chosen.since_at
    if since_at >= until_at:
        raise InputError("since_at: must be before until_at")
    with context.database.read() as connection:
        found = events.summarize(connection, chosen, since_at, until_at, parts)
    facets = {
        name: [schemas.FacetValue(value=value, count=count) for value, count in values] for name, values in found.facets.items()
    }
    return schemas.EventSummary(
        since_at=since_at,
        until_at=until_at,
        counts=found.counts,
        total=found.total,
        unreviewed=found.unreviewed,
        complete_since_at=found.complete_since_at,
        facets=schemas.EventFacets.model_validate(facets),
    )


@router.post("/events/reviews", operation_id="review_events")
def review_events(
    context: ContextDep, caller: CallerDep, scope: DeviceScopeDep, body: schemas.EventReviewRequest
) -> schemas.EventReviewResult:
    """Mark events as seen, confirmed or false alarms, or remove the marks. Those of devices for which the caller lacks the role
    are left out, as those that do not exist."""
    with context.database.write() as connection:
        db = raw(connection)
        chosen = body.events if scope.ids is None else events.of_devices(db, body.events, scope.ids)
        if body.verdict is None:
            changed = event_reviews.unmark(db, chosen) if chosen else 0
        else:
            changed = event_reviews.mark(db, chosen, body.verdict, caller.name or caller.source, time.time()) if chosen else 0
    return schemas.EventReviewResult(changed=changed)
