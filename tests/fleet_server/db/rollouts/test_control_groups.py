"""Updated devices are compared with those of their profile and site that run the slot and were not updated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_server.db.backend.engine import Database, Driver, raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.rollouts import control_groups, regressions, rollouts
from edgefleet_server.db.rollouts.control_groups import Compared
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.domain.statistics.quantile_sketch import bucket
from edgefleet_server.domain.statistics.summaries import MINUTE_S, Summary, pack

NOON = 1_700_000_400 // 3600 * 3600
COMMITTED = NOON + 60.0


def device(db: Driver, name: str, profile: str = "pi", site: str = "lyon", digest: str = "old") -> None:
    ingest.add_device(db, name, 0.0)
    db.execute("UPDATE device SET profile = ?, labels = ? WHERE id = ?", (profile, json.dumps({"site": site}), name))
    db.execute("UPDATE device_last SET presence = 'online' WHERE device = ?", (name,))
    db.execute(
        "INSERT INTO device_slot (device, slot, phase, running_package, running_version, running_digest, target_digest, attempt,"
        " reason, detail, bytes_done, bytes_total, since_at) VALUES (?, 'detector', 'committed', 'm', '1', ?, '', '', 'none', '',"
        " 0, 0, 0)",
        (name, digest),
    )


def minutes(db: Driver, name: str, latency_ms: float, first: int, last: int) -> None:
    """Every minute of the latency, from minute `first` to before `last` of noon."""
    figures = {"latency_p95_ms": Summary(10, 10 * latency_ms, latency_ms, latency_ms, {bucket(latency_ms): 10})}
    for minute in range(first, last):
        db.execute("INSERT INTO rollup VALUES (?, ?, ?, ?)", (MINUTE_S, name, NOON + 60 * minute, pack(figures)))


def attempt(db: Driver, name: str) -> None:
    db.execute(
        "INSERT INTO attempt (id, rollout, device, wave, number, state, open, latest, staging, not_before, regressed, reason,"
        " detail, offered_at, updated_at, finished_at, bytes_done, bytes_total, baseline)"
        " VALUES (?, 1, ?, 0, 1, 'committed', FALSE, TRUE, FALSE, 0, '', '', '', ?, 0, ?, 0, 0, ?)",
        (f"1:{name}:1", name, NOON, COMMITTED, json.dumps(regressions.baseline_of(db, name, NOON))),
    )


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    """A rollout whose device `new` has committed `new`, after a quarter of an hour at 10 ms."""
    opened = Database(where)
    opened.migrate()
    with opened.write() as connection:
        db = raw(connection)
        db.execute("INSERT INTO package VALUES ('new', 'm', '2', 0, 1, 1, '{}', '[]', NULL)")
        db.execute(
            "INSERT INTO rollout (id, name, package, slot, state, state_reason, created_at, changed_at, selector, plans, gate,"
            " policy, wave_timeout_s, terms, priority, created_by) VALUES (1, 'r', 'new', 'detector', 'running', '', 0, 0, '{}',"
            " '[]', ?, '{}', 60, '{}', 500, '')",
            (json.dumps({"regressions": {"latency_percent": 50.0}}),),
        )
        db.execute(
            'INSERT INTO wave (rollout, "index", name, state, total, excused_reported, excused_failed, approval, late_joiners)'
            " VALUES (1, 0, 'w', 'soaking', 1, 0, 0, FALSE, FALSE)"
        )
        device(db, "new", digest="new")
        minutes(db, "new", 10.0, -15, 0)
        attempt(db, "new")
    yield opened
    opened.close()


def outcome(database: Database) -> tuple[str, int | None]:
    regressions.mark_regressed(database, groups.members_within)
    with database.read() as connection:
        row = raw(connection).execute("SELECT regressed, controls FROM attempt WHERE device = 'new'").fetchone()
    return row[0], row[1]


@pytest.mark.parametrize(("others_ms", "text"), [(40.0, ""), (10.0, "latency 40")])
def test_device_is_compared_with_the_others_at_the_same_time(database: Database, others_ms: float, text: str) -> None:
    """It is four times slower: with the whole site it is busy, alone it regressed."""
    with database.write() as connection:
        db = raw(connection)
        for number in range(6):
            device(db, f"d{number}")
            minutes(db, f"d{number}", 10.0, -15, 1)
            minutes(db, f"d{number}", others_ms, 1, 5)
        minutes(db, "new", 40.0, 1, 5)
    worse, controls = outcome(database)
    assert (worse[:10], controls) == (text, 6)
    if text:
        assert worse.endswith("(compared with 6 devices that were not updated)")


def test_with_few_others_its_own_past_counts(database: Database) -> None:
    with database.write() as connection:
        db = raw(connection)
        device(db, "d0")
        minutes(db, "d0", 10.0, -15, 5)
        minutes(db, "new", 40.0, 1, 5)
    worse, controls = outcome(database)
    assert controls == 1
    assert worse.endswith("(compared with its own past: only 1 device to compare with)")


def test_without_figures_since_the_commit_it_was_not_compared(database: Database) -> None:
    assert outcome(database) == ("", None)


def test_site_comes_before_profile_and_updated_devices_are_left_out(database: Database) -> None:
    with database.write() as connection:
        db = raw(connection)
        for number in range(5):
            device(db, f"lyon-{number}")
            device(db, f"nice-{number}", site="nice")
        device(db, "updated", digest="new")
        device(db, "trying")
        attempt(db, "trying")
        device(db, "jetson", profile="jetson-orin")
        device(db, "away")
        db.execute("UPDATE device_last SET presence = 'offline' WHERE device = 'away'")
        compared = Compared("detector", "new", "pi", "lyon", NOON)
        assert control_groups._devices(db, compared, "lyon") == [f"lyon-{number}" for number in range(5)]
        assert len(control_groups.read(db, compared).minutes) == 5
        db.execute("UPDATE device_last SET presence = 'offline' WHERE device = 'lyon-0'")
        assert len(control_groups.read(db, compared).minutes) == 9
        shadow = Compared("shadow-detector", "new", "pi", "nice", NOON)
        assert control_groups._devices(db, shadow, "nice") == [f"nice-{number}" for number in range(5)]


def earlier(db: Driver, name: str, state: str, first: int, last: int) -> None:
    """An update before, from minute `first` of noon to minute `last`."""
    db.execute(
        "INSERT INTO attempt (id, rollout, device, wave, number, state, open, latest, staging, not_before, regressed, reason,"
        " detail, offered_at, updated_at, finished_at, bytes_done, bytes_total)"
        " VALUES (?, 1, ?, 0, 0, ?, FALSE, FALSE, FALSE, 0, '', '', '', ?, 0, ?, 0, 0)",
        (f"1:{name}:0", name, state, NOON + 60 * first, NOON + 60 * last),
    )


@pytest.mark.parametrize("state", ["rolled_back", "committed"])
def test_a_baseline_leaves_out_other_versions(database: Database, state: str) -> None:
    """A version that was ten times slower ran until five minutes before: that is not how slow the device was. The same of the
    devices to compare with."""
    with database.write() as connection:
        db = raw(connection)
        for name in ("new", *(f"d{number}" for number in range(6))):
            if name != "new":
                device(db, name)
            db.execute("DELETE FROM rollup WHERE device = ?", (name,))
            earlier(db, name, state, -12, -5)
            minutes(db, name, 10.0, -15, -12)
            minutes(db, name, 100.0, -12, -5)
            minutes(db, name, 10.0, -5, 1)
            minutes(db, name, 40.0 if name == "new" else 10.0, 1, 5)
        baseline = regressions.baseline_of(db, "new", NOON)
        assert baseline is not None
        minutes_left = 5 if state == "committed" else 8
        assert baseline["latency_p95_ms"] == [10 * minutes_left, pytest.approx(10.0, rel=0.05)]
        db.execute("UPDATE attempt SET baseline = ? WHERE id = '1:new:1'", (json.dumps(baseline),))
    worse, controls = outcome(database)
    assert (worse[:10], controls) == ("latency 40", 6)


def test_a_rollout_that_is_cut_to_groups_is_compared_within_them(database: Database) -> None:
    """Its author and those who see it have no role for others: these are neither used nor counted."""
    selector = {"all": True, "ids": [], "labels": {}, "within": ["lyon"]}
    with database.write() as connection:
        db = raw(connection)
        record = {"name": "lyon", "note": "", "selector": {"all": False, "ids": [], "labels": {"site": "lyon"}}}
        groups.put(connection, {**record, "changed_at": 1.0, "changed_by": "ada"})
        db.execute("UPDATE rollout SET selector = ?", (json.dumps(selector),))
        for number in range(6):
            device(db, f"nice-{number}", site="nice")
            minutes(db, f"nice-{number}", 10.0, -15, 5)
        device(db, "lyon-0")
        minutes(db, "lyon-0", 10.0, -15, 5)
        minutes(db, "new", 40.0, 1, 5)
    worse, controls = outcome(database)
    assert controls == 1
    assert worse.endswith("(compared with its own past: only 1 device to compare with)")


def test_a_device_that_ends_another_update_meanwhile_is_no_control(database: Database) -> None:
    with database.write() as connection:
        db = raw(connection)
        for number in range(6):
            device(db, f"d{number}")
        earlier(db, "d0", "rolled_back", -3, 1)
        compared = Compared("detector", "new", "pi", "lyon", NOON)
        assert control_groups._devices(db, compared, "lyon") == [f"d{number}" for number in range(1, 6)]


def test_compared_devices_of_a_wave(database: Database) -> None:
    """A device without figures is not counted as compared."""

    def text() -> str:
        with database.read() as connection:
            found = rollouts.get(connection, 1, rollouts.current_figures(connection, NOON + 900.0))
        return str(found["waves"][0]["gate"]["comparison"])

    assert text().startswith("none of 1 updated devices has been compared")
    with database.write() as connection:
        minutes(raw(connection), "new", 10.0, 1, 5)
    assert outcome(database) == ("", 0)
    assert text() == "1 of 1 updated devices compared, 1 of them with their own past: no other device to compare with"
