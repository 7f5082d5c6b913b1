"""The cost of an answer does not grow with the number of callers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import PresenceMessage
from edgefleet_server.api.counts import fleet_counts
from edgefleet_server.api.counts.fleet_counts import FleetCounts
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import device_filters, devices
from edgefleet_server.db.registry import packages
from edgefleet_server.db.rollouts import rollouts
from edgefleet_server.domain.states import AttemptState
from edgefleet_server.link.ingest_writer import IngestWriter
from tests.fleet_server.fakes.migrated_file import migrated_file

NAMES = [f"dev-{number}" for number in range(12)]


class Statements:
    """Texts of the statements that SQLAlchemy ran."""

    def __init__(self, database: Database) -> None:
        self.texts: list[str] = []
        event.listen(database._engine, "before_cursor_execute", self._note)

    def _note(self, _connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        if text != "BEGIN":
            self.texts.append(text)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(migrated_file(tmp_path / "fleet.db"))
    opened.migrate()
    births = [
        ReceivedMessage(
            topics.presence(name), encode(PresenceMessage(device=name, online=True, boot="b", connection=1)), retained=False
        )
        for name in NAMES
    ]
    with opened.ingest_transaction() as connection:
        IngestWriter(100).write(raw(connection), births, time.time())
    yield opened
    opened.close()


@pytest.fixture
def counts(database: Database) -> Iterator[FleetCounts]:
    opened = FleetCounts(database)
    yield opened
    opened.close()


def _roll_out(database: Database) -> int:
    now = time.time()
    record: dict[str, Any] = {
        "name": "r", "package": "d" * 64, "slot": "detector", "state": "running", "created_at": now, "changed_at": now,
        "selector": {"all": True, "ids": [], "labels": {}}, "plans": [], "state_reason": "",
        "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.0}, "created_by": "ada",
        "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 60.0, "priority": 500, "terms": {},
    }  # fmt: skip
    with database.write() as connection:
        packages.add(
            connection,
            {
                "digest": "d" * 64, "name": "spotter", "version": "1.0.0", "descriptor_bytes": 10, "length_bytes": 10,
                "created_at": now, "manifest": {}, "files": [],
            },
            {"a" * 64: 10},
        )  # fmt: skip
        number = rollouts.create(connection, record)
        rollouts.set_waves(connection, number, [("all", False)], [NAMES], now)
    return number


def test_a_large_fleet_is_counted_once_for_many_callers(
    database: Database, counts: FleetCounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet_counts, "LARGE", len(NAMES))
    ran = Statements(database)
    assert counts.devices().by_status["online"] == len(NAMES)
    once = len(ran.texts)
    for _ in range(20):
        counts.devices()
    assert len(ran.texts) == once


def test_a_small_fleet_is_always_current(database: Database, counts: FleetCounts) -> None:
    assert counts.devices().by_status["offline"] == 0
    with database.write() as connection:
        raw(connection).execute("UPDATE device_last SET presence = 'offline' WHERE device = ?", (NAMES[0],))
    assert counts.devices().by_status["offline"] == 1


def test_a_rollout_never_shows_the_counts_of_an_earlier_state(
    database: Database, counts: FleetCounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet_counts, "LARGE", len(NAMES))
    number = _roll_out(database)
    ran = Statements(database)

    def committed() -> int:
        with database.read() as connection:
            record = rollouts.get(connection, number, counts.rollout)
        return int(record["counts"].get(AttemptState.COMMITTED.value, 0))

    assert committed() == 0
    first = len(ran.texts)
    assert committed() == 0
    again = len(ran.texts) - first
    assert again < first, "the attempts were not counted again"
    with database.write() as connection:
        db = raw(connection)
        db.execute("UPDATE attempt SET state = 'committed', open = FALSE WHERE rollout = ?", (number,))
        db.execute("UPDATE rollout SET state = 'completed', finished_at = 2 WHERE id = ?", (number,))
    assert committed() == len(NAMES)


def test_unreachable_devices_are_found_from_those_that_are_away(database: Database) -> None:
    """Not by reading every attempt: most devices of a large fleet are there."""
    number = _roll_out(database)
    now = time.time()
    with database.write() as connection:
        db = raw(connection)
        db.execute("UPDATE wave SET state = 'running', started_at = ? WHERE rollout = ?", (now - 100.0, number))
        for name, away_s in ((NAMES[0], 90.0), (NAMES[1], 5.0)):
            db.execute("UPDATE device_last SET presence = 'offline', presence_at = ? WHERE device = ?", (now - away_s, name))
    with database.read() as connection:
        record = rollouts.get(connection, number, rollouts.current_figures(connection, now))
        found = rollouts.current_figures(connection, now)(record)
        assert dict(found.unreachable) == {0: 1}


def test_a_page_of_devices_takes_as_many_statements_as_one_device(database: Database) -> None:
    ran = Statements(database)
    with database.read() as connection:
        devices.page(connection, device_filters.Filter(), "id", 0, 1)
    one = len(ran.texts)
    with database.read() as connection:
        devices.page(connection, device_filters.Filter(), "id", 0, len(NAMES))
    assert len(ran.texts) == 2 * one
