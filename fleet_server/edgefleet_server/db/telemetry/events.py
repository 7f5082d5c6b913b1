"""Queries about events."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import Connection, func, select
from sqlmodel import col

from edgefleet_server.db.backend.driver import Driver, is_among, json_field
from edgefleet_server.db.tables.core import DeviceRecord, EventRecord
from edgefleet_server.db.tables.telemetry import EventReviewRecord

Raw = tuple[int, str, float, str]
"""(id, device, received at, record as JSON text)"""
SUMMARY_EVENTS_MAX: Final = 50_000
"""Events that a summary reads, the newest ones."""
FACET_VALUES_MAX: Final = 100
_SITE: Final = col(DeviceRecord.labels)["site"].as_string()


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Events that match every given condition. `text` is searched in the whole record, case-insensitively. `site`: of the label
    of the device. `reviewed`: whether a user has marked the event. `devices`: only of these, None = of all. Times are those of
    arrival, in Unix seconds."""

    device: str = ""
    site: str = ""
    kind: str = ""
    label: str = ""
    rule: str = ""
    zone: str = ""
    text: str = ""
    since_at: float | None = None
    until_at: float | None = None
    reviewed: bool | None = None
    devices: frozenset[str] | None = None

    def conditions(self, connection: Connection) -> list[Any]:
        """The conditions of a query."""
        found: list[Any] = [
            column == value
            for column, value in (
                (col(EventRecord.device), self.device),
                (col(EventRecord.kind), self.kind),
                (col(EventRecord.label), self.label),
            )
            if value
        ]
        for name, value in (("rule", self.rule), ("zone", self.zone)):
            if value:
                found.append(json_field(connection, col(EventRecord.record), name) == value)
        if self.site:
            at_site = select(col(DeviceRecord.id)).where(self.site == _SITE)
            found.append(col(EventRecord.device).in_(at_site))
        if self.devices is not None:
            found.append(is_among(col(EventRecord.device), self.devices))
        if self.text:
            found.append(col(EventRecord.record).icontains(self.text, autoescape=True))
        if self.since_at is not None:
            found.append(col(EventRecord.received_at) >= self.since_at)
        if self.until_at is not None:
            found.append(col(EventRecord.received_at) <= self.until_at)
        if self.reviewed is not None:
            marks = select(col(EventReviewRecord.event)).where(col(EventReviewRecord.event) == col(EventRecord.id))
            is_marked = marks.correlate(EventRecord).exists()
            found.append(is_marked if self.reviewed else ~is_marked)
        return found


@dataclass(frozen=True, slots=True)
class EventSummary:
    """Counts of the events of a period. `counts`: by equal parts of it, in order. `complete_since_at`: events before it were not
    counted, because there are more than `SUMMARY_EVENTS_MAX`; None = all were counted. `facets`: field → its most frequent
    values with their counts."""

    counts: list[int]
    total: int
    unreviewed: int
    complete_since_at: float | None
    facets: Mapping[str, list[tuple[str, int]]] = field(default_factory=dict)


def newest(
    connection: Connection,
    chosen: EventFilter | None = None,
    *,
    before_id: int | None = None,
    after_id: int | None = None,
    limit: int = 50,
) -> list[Raw]:
    """Events, newest first."""
    columns: list[Any] = [col(getattr(EventRecord, name)) for name in ("id", "device", "received_at", "record")]
    conditions = chosen.conditions(connection) if chosen is not None else []
    if before_id is not None:
        conditions.append(col(EventRecord.id) < before_id)
    if after_id is not None:
        conditions.append(col(EventRecord.id) > after_id)
    found = connection.execute(select(*columns).where(*conditions).order_by(col(EventRecord.id).desc()).limit(limit))
    return [(row[0], row[1], row[2], row[3]) for row in found]


def summarize(connection: Connection, chosen: EventFilter, since_at: float, until_at: float, parts: int) -> EventSummary:
    """Count the events from `since_at` to `until_at`, which replace the times of the filter."""
    fields = [json_field(connection, col(EventRecord.record), name) for name in ("rule", "zone")]
    names = ("device", "kind", "label")
    marked = col(EventReviewRecord.event).is_not(None)
    columns: list[Any] = [col(EventRecord.received_at), marked, *(col(getattr(EventRecord, name)) for name in names), *fields]
    statement = (
        select(*columns)
        .select_from(EventRecord)
        .outerjoin(EventReviewRecord, col(EventReviewRecord.event) == col(EventRecord.id))
        .where(*replace(chosen, since_at=since_at, until_at=until_at).conditions(connection))
        .order_by(col(EventRecord.received_at).desc())
        .limit(SUMMARY_EVENTS_MAX + 1)
    )
    counts, facets = [0] * parts, {name: Counter[str]() for name in (*names, "rule", "zone")}
    total, unreviewed, oldest = 0, 0, until_at
    rows = connection.execute(statement)
    for received_at, is_reviewed, *values in itertools.islice(rows, SUMMARY_EVENTS_MAX):
        total, oldest = total + 1, received_at
        unreviewed += not is_reviewed
        counts[min(parts - 1, int((received_at - since_at) / (until_at - since_at) * parts))] += 1
        for name, value in zip(facets, values, strict=True):
            if value:
                facets[name][value] += 1
    cut = rows.first() is not None if total == SUMMARY_EVENTS_MAX else False
    shown = {name: counter.most_common(FACET_VALUES_MAX) for name, counter in facets.items()}
    shown["site"] = _sites(connection, facets["device"]).most_common(FACET_VALUES_MAX)
    return EventSummary(counts, total, unreviewed, oldest if cut else None, shown)


def _sites(connection: Connection, devices: Mapping[str, int]) -> Counter[str]:
    """Number of events by site."""
    found: Counter[str] = Counter()
    for device, name in connection.execute(select(col(DeviceRecord.id), _SITE).where(_SITE.is_not(None))):
        if name and device in devices:
            found[name] += devices[device]
    return found


def of_devices(db: Driver, events: Sequence[int], devices: Collection[str]) -> list[int]:
    """Those of these events that are of the devices."""
    slots = ", ".join("?" * len(events))
    rows = db.execute(f"SELECT id, device FROM event WHERE id IN ({slots})", tuple(events))  # noqa: S608 (placeholders)
    return [number for number, device in rows if device in devices]


def newest_id(connection: Connection) -> int:
    """The id of the newest event; 0 if there is none."""
    return connection.execute(select(func.max(col(EventRecord.id)))).scalar_one() or 0


def count_since(connection: Connection, since_at: float, devices: Collection[str] | None = None) -> int:
    """Number of events received since `since_at`. devices: only of these."""
    only = [] if devices is None else [is_among(col(EventRecord.device), devices)]
    return int(connection.execute(select(func.count()).where(col(EventRecord.received_at) >= since_at, *only)).scalar_one())
