"""Marks of users on events: seen, confirmed, or a false alarm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from edgefleet_server.db.backend.driver import Driver

CHUNK_ROWS: Final = 20_000


@dataclass(frozen=True, slots=True)
class EventReview:
    """The verdict of a user on an event, and its time (Unix seconds)."""

    verdict: str
    by: str
    at: float


def of(db: Driver, events: Sequence[int]) -> dict[int, EventReview]:
    """Marks by event; events without one are left out."""
    if not events:
        return {}
    rows = db.execute(f'SELECT event, verdict, "by", at FROM event_review WHERE event IN {_slots(events)}', tuple(events))  # noqa: S608
    return {event: EventReview(verdict, by, at) for event, verdict, by, at in rows}


def mark(db: Driver, events: Sequence[int], verdict: str, by: str, now: float) -> int:
    """Mark events, in place of earlier marks; ids without an event are left out. Returns the number of marked events."""
    known = [row[0] for row in db.execute(f"SELECT id FROM event WHERE id IN {_slots(events)}", tuple(events))]  # noqa: S608
    db.executemany(
        'INSERT INTO event_review (event, verdict, "by", at) VALUES (?, ?, ?, ?)'
        ' ON CONFLICT (event) DO UPDATE SET verdict = excluded.verdict, "by" = excluded."by", at = excluded.at',
        [(event, verdict, by, now) for event in known],
    )
    return len(known)


def unmark(db: Driver, events: Sequence[int]) -> int:
    """Remove the marks of events; returns their number."""
    return db.execute(f"DELETE FROM event_review WHERE event IN {_slots(events)}", tuple(events)).rowcount  # noqa: S608


def _slots(events: Sequence[int]) -> str:
    """Placeholders for the ids of a condition."""
    return f"({', '.join('?' * len(events))})"


def remove_orphans(db: Driver) -> int:
    """Remove marks of events that retention has deleted, at most `CHUNK_ROWS`; returns their number."""
    return db.execute(
        "DELETE FROM event_review WHERE event IN (SELECT r.event FROM event_review r LEFT JOIN event e ON e.id = r.event"
        " WHERE e.id IS NULL LIMIT ?)",
        (CHUNK_ROWS,),
    ).rowcount
