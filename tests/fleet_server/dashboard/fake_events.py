"""The routes of events over the fake fleet: list, summary, marks."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request

from edgefleet_server.api.routes.fleet.events import chosen_events
from edgefleet_server.api.schemas.fleet import events as schemas
from edgefleet_server.db.telemetry.events import EventFilter
from tests.fleet_server.dashboard.fake_fleet import Fleet

routes = APIRouter(prefix="/api/v1")
Chosen = Annotated[EventFilter, Depends(chosen_events)]
DAY_S = 86_400.0


def _site(fleet: Fleet, row: dict[str, Any]) -> str:
    return fleet.devices[row["device"]].labels.get("site", "")


def _fits(fleet: Fleet, row: dict[str, Any], chosen: EventFilter) -> bool:
    event = row["event"]
    return (
        chosen.device in ("", row["device"])
        and chosen.site in ("", _site(fleet, row))
        and all(getattr(chosen, name) in ("", event[name]) for name in ("kind", "label", "rule", "zone"))
        and chosen.text.lower() in json.dumps(event).lower()
        and (chosen.since_at or 0) <= row["received_at"] <= (chosen.until_at or time.time())
        and chosen.reviewed in (None, row.get("review") is not None)
    )


def _matching(request: Request, chosen: EventFilter) -> list[dict[str, Any]]:
    """Newest first."""
    fleet: Fleet = request.app.state.fleet
    return [row for row in reversed(fleet.events) if _fits(fleet, row, chosen)]


@routes.get("/events", operation_id="list_events")
def events(request: Request, chosen: Chosen, before_id: int | None = None, limit: int = 50) -> schemas.EventPage:
    rows = [row for row in _matching(request, chosen) if before_id is None or row["id"] < before_id]
    return schemas.EventPage(items=rows[:limit], next_before_id=rows[limit - 1]["id"] if len(rows) > limit else None)


@routes.get("/events/summary", operation_id="summarize_events")
def summary(request: Request, chosen: Chosen, parts: Annotated[int, Query(ge=1)] = 60) -> schemas.EventSummary:
    until_at = time.time() if chosen.until_at is None else chosen.until_at
    since_at = until_at - DAY_S if chosen.since_at is None else chosen.since_at
    rows = [row for row in _matching(request, chosen) if since_at <= row["received_at"]]
    counts = [0] * parts
    for row in rows:
        counts[min(parts - 1, int((row["received_at"] - since_at) / (until_at - since_at) * parts))] += 1
    values = {name: [row["event"][name] for row in rows] for name in ("kind", "label", "rule", "zone")}
    values |= {"device": [row["device"] for row in rows], "site": [_site(request.app.state.fleet, row) for row in rows]}
    facets = {
        name: [schemas.FacetValue(value=value, count=count) for value, count in Counter(filter(None, found)).most_common(100)]
        for name, found in values.items()
    }
    return schemas.EventSummary(
        since_at=since_at,
        until_at=until_at,
        counts=counts,
        total=len(rows),
        unreviewed=sum(row.get("review") is None for row in rows),
        complete_since_at=None,
        facets=schemas.EventFacets.model_validate(facets),
    )


@routes.post("/events/reviews", operation_id="review_events")
def review(request: Request, body: schemas.EventReviewRequest) -> schemas.EventReviewResult:
    rows = [row for row in request.app.state.fleet.events if row["id"] in body.events]
    for row in rows:
        row["review"] = body.verdict and {"verdict": body.verdict, "by": "ada", "at": time.time()}
    return schemas.EventReviewResult(changed=len(rows))
