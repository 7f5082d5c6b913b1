"""Cursor of a stream: how far it is stored, and which records of a batch are new.

A batch may come twice, overlap another, or arrive before its predecessor. The cursor's `seq` is what an `Ack` may name: all
up to it is stored or known to be lost. Records beyond a gap are stored at once and remembered as ranges, so that nothing is
stored twice when the gap is filled.

A gap is closed, and counted as lost, when the device reports that many records as lost (its outbox is bounded), or when it has
stayed open for `GAP_PATIENCE_S`. A device sends records that were not acknowledged for 30 s again, oldest first: a batch that was
lost in transit (the broker died, or the server had not subscribed yet) fills its gap well before. The remaining case is a stream
that begins in the middle because another database acknowledged the beginning; it waits once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GAP_PATIENCE_S: Final = 60.0
RANGES_MAX: Final = 16


@dataclass(frozen=True, slots=True)
class Cursor:
    """`ahead`: stored ranges (first, last) beyond `seq + 1`, in order, apart. `lost`: numbers that will never come."""

    seq: int = 0
    ahead: tuple[tuple[int, int], ...] = ()
    gap_at: float = 0.0
    lost: int = 0


def advance(cursor: Cursor, first: int, count: int, lost_reported: int, now: float) -> tuple[Cursor, list[tuple[int, int]]]:
    """Add a batch of records `first … first + count - 1` to the cursor.

    `lost_reported` = how many numbers of this epoch the device has reported as lost in total. Returns the cursor and the ranges
    of numbers (first, last) to store; none when the batch is old, or too far ahead to be remembered.
    """
    last = first + count - 1
    missing = max(0, first - cursor.seq - 1) if not cursor.ahead else 0
    if missing and cursor.lost + missing <= lost_reported:
        cursor = Cursor(first - 1, cursor.ahead, cursor.gap_at, cursor.lost + missing)
    fresh = _without(first, last, ((1, cursor.seq), *cursor.ahead))
    ranges = _joined([*cursor.ahead, *fresh])
    seq = cursor.seq
    if ranges and ranges[0][0] == seq + 1:
        seq = ranges[0][1]
        ranges = ranges[1:]
    if len(ranges) > RANGES_MAX:
        return cursor, []
    gap_at = 0.0 if not ranges else (cursor.gap_at if cursor.ahead and seq == cursor.seq else now)
    advanced = Cursor(seq, tuple(ranges), gap_at, cursor.lost)
    return _give_up(advanced, now), fresh


def _give_up(cursor: Cursor, now: float) -> Cursor:
    """Close the first gap after `GAP_PATIENCE_S`."""
    if not cursor.ahead or now - cursor.gap_at < GAP_PATIENCE_S:
        return cursor
    (first, last), *rest = cursor.ahead
    return Cursor(last, tuple(rest), now if rest else 0.0, cursor.lost + first - cursor.seq - 1)


def _without(first: int, last: int, stored: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """The parts of first … last that are in none of the stored ranges (sorted)."""
    fresh: list[tuple[int, int]] = []
    for begin, end in stored:
        if begin > last:
            break
        if first < begin:
            fresh.append((first, begin - 1))
        first = max(first, end + 1)
    if first <= last:
        fresh.append((first, last))
    return fresh


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges in order, adjacent ones merged."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined
