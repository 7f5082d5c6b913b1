"""Schemas of events."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import StrictModel

Verdict = Literal["seen", "confirmed", "false_alarm"]
EventId = Annotated[int, Field(ge=1, le=2**62)]


class EventReview(BaseModel):
    """The verdict of a user on an event, and its time."""

    verdict: Verdict
    by: str
    at: float


class EventRow(BaseModel):
    """`event`: the device's record (`wire.messages.Event`). `evidence`: kinds of its uploaded evidence (`get_evidence`); always
    empty in the live stream, which is faster than the uploads. `review`: null as long as no user has marked it.
    """

    id: int
    device: str
    received_at: float
    event: dict[str, Any]
    evidence: list[Literal["snapshot", "clip"]]
    review: EventReview | None = None


class EventPage(BaseModel):
    """Newest first. `next_before_id` is the `before_id` of the following page."""

    items: list[EventRow]
    next_before_id: int | None


class FacetValue(BaseModel):
    value: str
    count: int


class EventFacets(BaseModel):
    """The most frequent values of each field, at most 100."""

    device: list[FacetValue]
    site: list[FacetValue]
    kind: list[FacetValue]
    label: list[FacetValue]
    rule: list[FacetValue]
    zone: list[FacetValue]


class EventSummary(BaseModel):
    """`counts`: events in equal parts of the period, in order. `complete_since_at`: only events since then were counted, because
    there are more than 50,000; null: all were."""

    since_at: float
    until_at: float
    counts: list[int]
    total: int
    unreviewed: int
    complete_since_at: float | None
    facets: EventFacets


class EventReviewRequest(StrictModel):
    """`verdict` null removes the marks."""

    events: Annotated[list[EventId], Field(min_length=1, max_length=500)]
    verdict: Verdict | None


class EventReviewResult(BaseModel):
    """`changed`: number of events whose mark was set or removed; unknown events are left out."""

    changed: int
