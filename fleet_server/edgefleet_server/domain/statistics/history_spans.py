"""Spans of aggregates: how long each is stored, and which of them shows a period."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from edgefleet_server.domain.statistics.summaries import DAY_S, HOUR_S, MINUTE_S, SPANS_S

PERIOD_S_MAX: Final = 3_650.0 * DAY_S
"""The longest retention that can be set."""


class StoredAges(Protocol):
    """The settings about the age of aggregates, in seconds."""

    @property
    def minutes_retention_s(self) -> float: ...
    @property
    def hours_retention_s(self) -> float: ...
    @property
    def days_retention_s(self) -> float: ...


def stored_since(settings: StoredAges, now: float) -> dict[int, float]:
    """By span, the time of the oldest rows that are stored."""
    return {
        MINUTE_S: now - settings.minutes_retention_s,
        HOUR_S: now - settings.hours_retention_s,
        DAY_S: now - settings.days_retention_s,
    }


def choose_span(since: float, until: float, oldest_by_span: Mapping[int, float], points_max: int) -> int:
    """The shortest span that is still stored at `since` and has at most `points_max` points in the period; the longest one if
    there is none. `oldest_by_span`: from `stored_since`."""
    for span_s in SPANS_S:
        if since >= oldest_by_span[span_s] - span_s and len(starts(span_s, since, until)) <= points_max:
            return span_s
    return SPANS_S[-1]


def starts(span_s: int, since: float, until: float) -> range:
    """The starts of all spans that lie in the period, also in part."""
    first = int(since // span_s) * span_s
    return range(first, max(first + span_s, int(-(-until // span_s)) * span_s), span_s)
