"""Types of the operations about pipelines.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from edgefleet_client.not_required import NotRequired


class EventFacets(TypedDict):
    """The most frequent values of each field, at most 100."""

    device: list[FacetValue]
    kind: list[FacetValue]
    label: list[FacetValue]
    rule: list[FacetValue]
    site: list[FacetValue]
    zone: list[FacetValue]


class EventPage(TypedDict):
    """Newest first. `next_before_id` is the `before_id` of the following page."""

    items: list[EventRow]
    next_before_id: int | None


class EventReview(TypedDict):
    """The verdict of a user on an event, and its time."""

    at: float
    by: str
    verdict: Literal["seen", "confirmed", "false_alarm"]


class EventReviewRequest(TypedDict):
    """`verdict` null removes the marks."""

    events: list[int]
    verdict: Literal["seen", "confirmed", "false_alarm"] | None


class EventReviewResult(TypedDict):
    """`changed`: number of events whose mark was set or removed; unknown events are left out."""

    changed: int


class EventRow(TypedDict):
    """`event`: the device's record (`wire.messages.Event`). `evidence`: kinds of its uploaded evidence (`get_evidence`);
    always empty in the live stream, which is faster than the uploads. `review`: null as long as no user has marked it."""

    device: str
    event: dict[str, Any]
    evidence: list[Literal["snapshot", "clip"]]
    id: int
    received_at: float
    review: NotRequired[EventReview | None]


class EventSummary(TypedDict):
    """`counts`: events in equal parts of the period, in order. `complete_since_at`: only events since then were counted,
    because there are more than 50,000; null: all were."""

    complete_since_at: float | None
    counts: list[int]
    facets: EventFacets
    since_at: float
    total: int
    unreviewed: int
    until_at: float


class FacetValue(TypedDict):
    """Fields of FacetValue."""

    count: int
    value: str


class NewPipeline(TypedDict):
    """A new version. Without `version`: the one after the latest."""

    note: NotRequired[str]
    spec: NotRequired[dict[str, Any] | None]
    text: NotRequired[str | None]
    version: NotRequired[str | None]


class PipelineCheck(TypedDict):
    """The result of a validation. `spec`: null if the text is not TOML. `effective`: the pipeline that the device of the
    draft would run; null if it would run none, or the document is invalid."""

    effective: dict[str, Any] | None
    name: str
    ok: bool
    problem: PipelineProblem | None
    spec: dict[str, Any] | None
    text: str


class PipelineDocument(TypedDict):
    """The document of a version. `spec`: the same as data. `devices`: devices with a section in the document."""

    created_at: float
    devices: list[str]
    digest: str
    name: str
    note: str
    running_on: int
    signed: bool
    slot: str
    spec: dict[str, Any]
    text: str
    version: str


class PipelineDraft(TypedDict):
    """A pipeline as TOML `text` or as data (`spec`), one of the two. `device`: the device to return the effective pipeline
    for."""

    device: NotRequired[str]
    spec: NotRequired[dict[str, Any] | None]
    text: NotRequired[str | None]


class PipelineList(TypedDict):
    """Fields of PipelineList."""

    items: list[PipelineRow]
    next_after: NotRequired[str | None]


class PipelineProblem(TypedDict):
    """One line about an error, its line number in the text, and its path in the data."""

    line: int | None
    path: list[str | int]
    text: str


class PipelineRow(TypedDict):
    """A pipeline and its versions, newest first. `slot`: its slot on a device, which is also the name of its package."""

    latest: str
    name: str
    running_on: int
    slot: str
    versions: list[PipelineVersion]


class PipelineVersion(TypedDict):
    """One version of a pipeline. `signed`: devices accept it."""

    created_at: float
    digest: str
    note: str
    running_on: int
    signed: bool
    version: str
