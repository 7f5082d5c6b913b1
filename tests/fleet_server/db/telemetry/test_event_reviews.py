"""Events are counted over time and by field, and users mark them; marks last as long as their events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.db.backend.engine import Connection, Database, raw
from edgefleet_server.db.devices import device_labels, removal
from edgefleet_server.db.telemetry import event_reviews, events, ingest

NOON = 1_700_000_000.0
SITES = {"d1": "bremen", "d2": "bremen", "d3": "lyon", "d4": None}


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    """40 events: of four devices in turn, one a minute."""
    opened = Database(where)
    opened.migrate()
    with opened.write() as connection:
        db = raw(connection)
        for device, site in SITES.items():
            ingest.add_device(db, device, 1.0)
            if site:
                device_labels.set_labels(connection, device, {"site": site})
        ingest.add_events(db, [row(number) for number in range(40)])
    yield opened
    opened.close()


def row(number: int) -> tuple[Any, ...]:
    label = "person" if number % 2 else "car"
    record: dict[str, Any] = {"kind": "zone", "label": label, "rule": f"r{number % 4 // 2}"}
    if number % 2:
        record["zone"] = "door"
    at = NOON + 60.0 * number
    return (f"d{number % 4 + 1}", at, at, "zone", label, json.dumps(record))


def ids(connection: Connection, **chosen: Any) -> list[int]:
    return [row[0] for row in events.newest(connection, events.EventFilter(**chosen), limit=100)]


@pytest.mark.parametrize(
    ("chosen", "number"),
    [
        ({}, 40),
        ({"site": "bremen"}, 20),
        ({"site": "lyon", "label": "car"}, 10),
        ({"site": "nowhere"}, 0),
        ({"rule": "r1"}, 20),
        ({"zone": "door", "device": "d2"}, 10),
        ({"text": "DOOR"}, 20),
        ({"reviewed": True}, 0),
        ({"reviewed": False}, 40),
        ({"since_at": NOON + 60.0, "until_at": NOON + 120.0}, 2),
    ],
)
def test_the_list_and_the_summary_choose_the_same(database: Database, chosen: dict[str, Any], number: int) -> None:
    with database.read() as connection:
        assert len(ids(connection, **chosen)) == number
        if "since_at" not in chosen:
            found = events.summarize(connection, events.EventFilter(**chosen), NOON, NOON + 3600.0, 6)
            assert (found.total, sum(found.counts), found.unreviewed) == (number, number, number)


def test_a_summary_counts_by_time_and_by_field(database: Database) -> None:
    with database.read() as connection:
        found = events.summarize(connection, events.EventFilter(), NOON, NOON + 2400.0, 4)
    assert found.counts == [10, 10, 10, 10]
    assert found.complete_since_at is None
    assert dict(found.facets["device"]) == dict.fromkeys(SITES, 10)
    assert found.facets["site"] == [("bremen", 20), ("lyon", 10)]
    assert dict(found.facets["label"]) == {"car": 20, "person": 20}
    assert dict(found.facets["rule"]) == {"r0": 20, "r1": 20}
    assert found.facets["zone"] == [("door", 20)]


def test_a_summary_of_too_many_has_the_time_since_when_it_is_complete(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "SUMMARY_EVENTS_MAX", 15)
    with database.read() as connection:
        cut = events.summarize(connection, events.EventFilter(), NOON, NOON + 2400.0, 4)
        whole = events.summarize(connection, events.EventFilter(site="lyon"), NOON, NOON + 2400.0, 4)
        exactly = events.summarize(connection, events.EventFilter(), NOON, NOON + 14 * 60.0, 4)
    assert (cut.total, cut.counts, cut.complete_since_at) == (15, [0, 0, 5, 10], NOON + 25 * 60.0)
    assert (whole.total, whole.complete_since_at) == (10, None)
    assert (exactly.total, exactly.complete_since_at) == (15, None)


def test_marks_replace_each_other_and_are_removed(database: Database) -> None:
    with database.write() as connection:
        db, (first, second, *_) = raw(connection), ids(connection, label="car")
        assert event_reviews.mark(db, [first, second, 10**12], "seen", "ada", 5.0) == 2
        assert event_reviews.mark(db, [first], "false_alarm", "bob", 6.0) == 1
        assert ids(connection, reviewed=True) == [first, second]
        assert len(ids(connection, reviewed=False)) == 38
        assert events.summarize(connection, events.EventFilter(), NOON, NOON + 2400.0, 1).unreviewed == 38
        found = event_reviews.of(db, ids(connection))
        assert {event: (mark.verdict, mark.by) for event, mark in found.items()} == {
            first: ("false_alarm", "bob"),
            second: ("seen", "ada"),
        }
        assert event_reviews.unmark(db, [first, 10**12]) == 1
        assert ids(connection, reviewed=True) == [second]


def test_marks_go_with_their_events(database: Database) -> None:
    """An id that is given to another event later has no mark."""
    with database.write() as connection:
        db, everything = raw(connection), ids(connection)
        event_reviews.mark(db, everything, "confirmed", "ada", 5.0)
        removal.remove(db, "d1")
        assert len(event_reviews.of(db, everything)) == 30
        db.execute("DELETE FROM event WHERE device = ?", ("d2",))  # as retention does
        assert event_reviews.remove_orphans(db) == 10
        assert set(event_reviews.of(db, everything)) == set(ids(connection))
