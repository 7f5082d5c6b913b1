"""Maintenance windows: when a device may be updated, in its own time zone.

A window that ends before it starts spans midnight and belongs to the day on which it starts. Its limits are local wall-clock
times, so it is an hour longer or shorter in a night when the clocks change.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Final

ZONE_LABEL: Final = "timezone"
"""The label of a device that names its time zone as the IANA database does: `timezone=Europe/Lisbon`."""
DAY_MINUTES: Final = 24 * 60
WEEK_DAYS: Final = 7


@dataclass(frozen=True, slots=True)
class Window:
    """`start_minute`, `end_minute` of the day; equal = the whole day. `days` 0 = Monday; empty = every day."""

    start_minute: int
    end_minute: int
    days: frozenset[int] = frozenset()
    zone: str = "UTC"


def is_open(window: Window, at: float, zone: tzinfo) -> bool:
    """Whether a device in `zone` may be updated at wall time `at`."""
    there = datetime.fromtimestamp(at, zone)
    minute = there.hour * 60 + there.minute
    start, end = window.start_minute, window.end_minute
    today, yesterday = there.weekday(), (there.weekday() - 1) % WEEK_DAYS
    if start == end:
        return _counts(window, today)
    if start < end:
        return start <= minute < end and _counts(window, today)
    return (minute >= start and _counts(window, today)) or (minute < end and _counts(window, yesterday))


def opens_in_s(window: Window, at: float, zone: tzinfo) -> float:
    """Seconds until the window opens for a device in `zone`; 0 while it is open."""
    if is_open(window, at, zone):
        return 0.0
    there = datetime.fromtimestamp(at, zone)
    midnight = there.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    for day in range(WEEK_DAYS + 2):
        opens = midnight + timedelta(days=day, minutes=window.start_minute)
        opens_at = opens.timestamp()
        if opens_at > at and is_open(window, opens_at, zone):
            return opens_at - at
    return float(WEEK_DAYS * DAY_MINUTES * 60)


def words(window: Window) -> str:
    """`22:00-05:00 on Mon, Tue`, for people."""
    span = f"{_clock(window.start_minute)}-{_clock(window.end_minute)}"
    if not window.days:
        return span
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    return f"{span} on {', '.join(names[day] for day in sorted(window.days))}"


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _counts(window: Window, day: int) -> bool:
    return not window.days or day in window.days
