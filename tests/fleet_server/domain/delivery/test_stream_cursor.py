"""Exactly once in the table, whatever order and however often batches come; and an acknowledgement never promises too much."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_server.domain.delivery.stream_cursor import GAP_PATIENCE_S, RANGES_MAX, Cursor, advance


def store(cursor: Cursor, table: list[int], first: int, count: int, lost: int = 0, now: float = 0.0) -> Cursor:
    cursor, ranges = advance(cursor, first, count, lost, now)
    for begin, end in ranges:
        table.extend(range(begin, end + 1))
    return cursor


@settings(max_examples=300, deadline=None)
@given(batches=st.lists(st.tuples(st.integers(1, 60), st.integers(1, 15), st.integers(0, 5)), max_size=60))
def test_exactly_once_and_honest(batches: list[tuple[int, int, int]]) -> None:
    """No number twice; every number up to `seq` is stored or counted as lost; ranges ahead are stored."""
    cursor, table, lost_reported = Cursor(), list[int](), 0
    for step, (first, count, lost) in enumerate(batches):
        lost_reported = max(lost_reported, lost)
        before = cursor.seq
        cursor = store(cursor, table, first, count, lost_reported, float(step))
        assert cursor.seq >= before
        assert len(table) == len(set(table))
        stored = set(table)
        missing = [number for number in range(1, cursor.seq + 1) if number not in stored]
        assert len(missing) <= cursor.lost
        assert all(number in stored for first_, last in cursor.ahead for number in range(first_, last + 1))
        assert len(cursor.ahead) <= RANGES_MAX


@given(order=st.permutations(range(8)))
def test_any_order_ends_complete(order: list[int]) -> None:
    """Eight batches in any order: all stored, acknowledged to the end, nothing lost."""
    cursor, table = Cursor(), list[int]()
    for number in order:
        cursor = store(cursor, table, 1 + 10 * number, 10)
    assert (cursor.seq, cursor.ahead, cursor.lost) == (80, (), 0)
    assert sorted(table) == list(range(1, 81))


def test_gap_that_the_device_explains_is_closed_at_once() -> None:
    """Its outbox was full: 5 records never left it."""
    cursor, table = Cursor(seq=10), list[int]()
    cursor = store(cursor, table, 16, 4, lost=5)
    assert (cursor.seq, cursor.lost) == (19, 5)


def test_unexplained_gap_is_waited_for() -> None:
    """Not acknowledged past it, until patience ends."""
    cursor, table = Cursor(seq=10), list[int]()
    cursor = store(cursor, table, 16, 4, now=0.0)
    assert cursor.seq == 10
    cursor = store(cursor, table, 20, 1, now=GAP_PATIENCE_S / 2)
    assert cursor.seq == 10
    cursor = store(cursor, table, 21, 1, now=GAP_PATIENCE_S + 1)
    assert (cursor.seq, cursor.lost) == (21, 5)


def test_first_batch_lost_on_the_wire_is_not_given_up() -> None:
    """The broker died with it; the device sends it again 30 s later, and meanwhile others arrive."""
    cursor, table = Cursor(), list[int]()
    for step in range(4):
        cursor = store(cursor, table, 2 + step, 1, now=10.0 * step)
        assert cursor.seq == 0
    cursor = store(cursor, table, 1, 1, now=31.0)
    assert (cursor.seq, cursor.lost) == (5, 0)


def test_stream_that_starts_in_the_middle() -> None:
    """A new database behind an old device: stored at once, acknowledged after a while, nothing stored twice."""
    cursor, table = Cursor(), list[int]()
    cursor = store(cursor, table, 501, 10, now=0.0)
    assert cursor.seq == 0
    cursor = store(cursor, table, 501, 20, now=GAP_PATIENCE_S + 0.1)
    assert cursor.seq == 520
    assert table == list(range(501, 521))
