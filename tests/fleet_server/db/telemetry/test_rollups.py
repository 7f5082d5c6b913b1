"""Samples become minutes and hours exactly once; devices that do worse are found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.db.alerting import notices
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.rollouts import regressions
from edgefleet_server.db.telemetry import alerts, ingest, rollup_closing, rollups
from edgefleet_server.domain.statistics.summaries import CLASSES_MAX, HOUR_S, MINUTE_S, labels_of, unpack
from edgefleet_server.jobs.alert_evaluator import AlertEvaluator

NOON = 1_700_000_400 // HOUR_S * HOUR_S


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    opened = Database(where)
    opened.migrate()
    with opened.write() as connection:
        for device in ("d1", "d2"):
            ingest.add_device(raw(connection), device, 1.0)
    yield opened
    opened.close()


def store(database: Database, device: str, at: list[float], latency_ms: float) -> None:
    record = {"pipelines": {"p": {"process_fps": 10.0, "latency": {"invoke": {"p95_ms": latency_ms}}}}}
    with database.write() as connection:
        ingest.add_samples(raw(connection), [(device, when, when, json.dumps({"at": when, **record})) for when in at])


def series(database: Database, device: str, span_s: int) -> list[tuple[int, int, float]]:
    with database.read() as connection:
        found = rollups.series(raw(connection), device, span_s, 0, 2**40, 100)
    return [(at, figures["latency_p95_ms"].count, round(figures["latency_p95_ms"].mean, 3)) for at, figures in found]


def test_samples_are_summed_up_once(database: Database) -> None:
    """Late ones join the minute they belong to; a second turn changes nothing."""
    store(database, "d1", [NOON + 1, NOON + 2, NOON + 61], 10.0)
    assert rollups.turn(database) == 3
    assert rollups.turn(database) == 0
    store(database, "d1", [NOON + 30], 40.0)
    assert rollups.turn(database) == 1
    assert series(database, "d1", MINUTE_S) == [(NOON, 3, 20.0), (NOON + 60, 1, 10.0)]
    assert series(database, "d1", HOUR_S) == []
    assert rollup_closing.close_hours(database, NOON + 3600 + rollup_closing.CLOSE_AFTER_S) == 1
    assert series(database, "d1", HOUR_S) == [(NOON, 4, 17.5)]
    assert rollup_closing.close_hours(database, NOON + 3600 + rollup_closing.CLOSE_AFTER_S + 60) == 0
    store(database, "d1", [NOON + 3000], 30.0)
    rollups.turn(database)
    assert series(database, "d1", HOUR_S) == [(NOON, 5, 20.0)]
    assert series(database, "d2", MINUTE_S) == []


def test_overtaken_turn_counts_nothing_twice(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two leaders for a moment: the one that worked the sums out first, and puts them last, finds the checkpoint moved."""
    store(database, "d1", [NOON + 1, NOON + 2], 10.0)
    summed = rollups._summed

    def overtaken(*given: Any) -> Any:
        monkeypatch.setattr(rollups, "_summed", summed)
        assert rollups.turn(database) == 2
        return summed(*given)

    monkeypatch.setattr(rollups, "_summed", overtaken)
    assert rollups.turn(database) == 0
    assert series(database, "d1", MINUTE_S) == [(NOON, 2, 10.0)]


def test_old_minutes_go_before_old_hours(database: Database) -> None:
    """Each kind has its own time."""
    store(database, "d1", [NOON + 1, NOON + 7200], 10.0)
    rollups.turn(database)
    rollup_closing.close_hours(database, NOON + 4 * 3600)
    assert rollup_closing.trim(database, {MINUTE_S: NOON + 3600, HOUR_S: NOON - 1}) == 1
    assert [row[0] for row in series(database, "d1", MINUTE_S)] == [NOON + 7200]
    assert len(series(database, "d1", HOUR_S)) == 2


def attempt(database: Database, baseline: dict[str, Any] | None, committed_at: float) -> None:
    with database.write() as connection:
        db = raw(connection)
        db.execute("INSERT INTO package VALUES ('x', 'm', '1', 0, 1, 1, '{}', '[]', NULL)")
        db.execute(
            "INSERT INTO rollout (id, name, package, slot, state, state_reason, created_at, changed_at, selector, plans, gate,"
            " policy, wave_timeout_s, terms, priority, created_by)"
            " VALUES (1, 'r', 'x', 's', 'running', '', 0, 0, '{}', '[]', ?, '{}', 60, '{}', 500, '')",
            (json.dumps({"regressions": {"latency_percent": 50.0, "samples_min": 5}}),),
        )
        db.execute(
            'INSERT INTO wave (rollout, "index", name, state, total, excused_reported, excused_failed, approval, late_joiners)'
            " VALUES (1, 0, 'w', 'soaking', 1, 0, 0, FALSE, FALSE)"
        )
        db.execute(
            "INSERT INTO attempt (id, rollout, device, wave, number, state, open, latest, staging, not_before, regressed, reason,"
            " detail, updated_at, finished_at, bytes_done, bytes_total, baseline)"
            " VALUES ('1:d1:1', 1, 'd1', 0, 1, 'committed', FALSE, TRUE, FALSE, 0, '', '', '', 0, ?, 0, 0, ?)",
            (committed_at, json.dumps(baseline)),
        )


def test_device_that_does_worse_is_noted_once(database: Database) -> None:
    """Against its own past, from the first whole minute after it committed."""
    store(database, "d1", [NOON - 300 + step for step in range(0, 280, 10)], 10.0)
    rollups.turn(database)
    with database.read() as connection:
        before = regressions.baseline_of(raw(connection), "d1", NOON)
    assert before is not None
    attempt(database, before, NOON + 5.0)
    assert regressions.mark_regressed(database, groups.members_within) == 0
    store(database, "d1", [NOON + 60 + step for step in range(0, 50, 5)], 30.0)
    rollups.turn(database)
    assert regressions.mark_regressed(database, groups.members_within) == 1
    assert regressions.mark_regressed(database, groups.members_within) == 0
    with database.read() as connection:
        regressed = raw(connection).execute("SELECT regressed FROM attempt").fetchone()[0]
    assert regressed.startswith("latency 3")


def store_labels(database: Database, at: float, **labels: int) -> None:
    record = {"at": at, "pipelines": {"p": {"process_fps": 10.0, "labels": labels}}}
    with database.write() as connection:
        ingest.add_samples(raw(connection), [("d1", at, at, json.dumps(record))])


def test_device_whose_labels_are_shuffled_is_noted(database: Database) -> None:
    """Boxes by label are kept for minutes, and are no figures of charts."""
    for minute in range(-10, 0):
        store_labels(database, NOON + 60 * minute, person=90, car=30, truck=2)
    rollups.turn(database)
    with database.read() as connection:
        before = regressions.baseline_of(raw(connection), "d1", NOON)
    assert before is not None
    assert before["class:person"] == [10, 90.0]
    attempt(database, before, NOON + 5.0)
    for minute in (1, 2, 3):
        store_labels(database, NOON + 60 * minute, person=3, car=25, truck=88)
    rollups.turn(database)
    rollup_closing.close_hours(database, NOON + 2 * HOUR_S)
    assert regressions.mark_regressed(database, groups.members_within) == 1
    with database.read() as connection:
        regressed = raw(connection).execute("SELECT regressed FROM attempt").fetchone()[0]
        shown = [rollups.series(raw(connection), "d1", span_s, 0, 2**40, 100) for span_s in (MINUTE_S, HOUR_S)]
        hours = raw(connection).execute("SELECT figures FROM rollup WHERE span_s = ?", (HOUR_S,)).fetchall()
    assert regressed.startswith("class mix: 'truck' 2 % → 76 %, 'person' 74 % → 3 %, 'car' 25 % → 22 %, 54 % changed")
    assert not any(name.startswith("class:") for figures in shown for _, found in figures for name in found)
    assert not any("class:" in name for row in hours for name in unpack(row[0]))


def test_labels_of_a_minute_are_bounded(database: Database) -> None:
    """A device may invent a label a frame."""
    for sample in range(20):
        store_labels(database, NOON + sample, **{f"{sample}-{number}": 1 for number in range(50)})
    rollups.turn(database)
    with database.read() as connection:
        found = unpack(raw(connection).execute("SELECT figures FROM rollup").fetchone()[0])
    labels = labels_of(found)
    assert len(labels) <= CLASSES_MAX + 1
    assert sum(labels.values()) == 1000


def test_alerts_start_end_and_notify(database: Database) -> None:
    """One alert for a device that got hot and cooled down; a silenced rule sends no notice."""
    rule = {"kind": "threshold", "figure": "temperature_c", "above": 80.0, "for_s": 0.0, "severity": "critical"}
    rule |= {"webhooks": [{"url": "http://localhost/hook", "secret": "s"}], "emails": ["ops@example.org"]}
    with database.write() as connection:
        number = alerts.put_rule(raw(connection), None, "hot", rule, True, "ada", 1.0)
    alarm = AlertEvaluator(database)

    def heat(celsius: float, now: float) -> int:
        with database.write() as connection:
            raw(connection).execute("UPDATE device_last SET temperature_c = ?, sample_at = ? WHERE device = 'd1'", (celsius, now))
        return alarm.turn(now)

    assert (heat(60.0, 100.0), heat(90.0, 110.0), heat(91.0, 120.0), heat(70.0, 130.0)) == (0, 1, 0, 1)
    with database.read() as connection:
        (only,) = alerts.alerts(raw(connection), open_only=False)
        queued = notices.notices(raw(connection), 10)
    assert (only["subject"], only["began_at"], only["ended_at"]) == ("d1", 110.0, 130.0)
    assert [notice["target"] for notice in queued] == ["mailto:ops@example.org", "http://localhost/hook"] * 2
    with database.write() as connection:
        alerts.silence(raw(connection), number, 1000.0, "ada")
    assert heat(95.0, 140.0) == 1
    with database.read() as connection:
        assert len(notices.notices(raw(connection), 10)) == 4


def test_absence_and_events(database: Database) -> None:
    """Devices that are away, and devices that see too much."""
    with database.write() as connection:
        db = raw(connection)
        alerts.put_rule(db, None, "away", {"kind": "absence", "for_s": 60.0}, True, "", 1.0)
        alerts.put_rule(db, None, "many", {"kind": "rate", "above": 2.0, "for_s": 0.0, "event_kind": "visit"}, True, "", 1.0)
        db.execute("UPDATE device_last SET presence = 'online' WHERE device = 'd1'")
        db.execute("UPDATE device_last SET presence_at = 100 WHERE device = 'd2'")
        ingest.add_events(db, [("d1", 150.0, 150.0, "visit", "cat", "{}")] * 3)
    assert AlertEvaluator(database).turn(161.0) == 2
    with database.read() as connection:
        found = alerts.alerts(raw(connection), open_only=True)
    assert {(one["rule_name"], one["subject"], one["text"]) for one in found} == {
        ("away", "d2", "offline for 61 s"),
        ("many", "d1", "3 visit events in 5 min, above the limit of 2"),
    }
