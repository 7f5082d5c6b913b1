"""Alerts about blind cameras, memory, and events of one label or rule, from samples and events to texts. Over both databases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import removal
from edgefleet_server.db.telemetry import alerts, camera_hours, ingest, rollup_closing, rollups
from edgefleet_server.domain.statistics.summaries import HOUR_S
from edgefleet_server.jobs.alert_evaluator import AlertEvaluator

NOON = 1_700_000_400 // HOUR_S * HOUR_S
MIB = 2**20
Found = set[tuple[str, str, bool]]


class Watch:
    """A database with two devices and one rule."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._alarm = AlertEvaluator(database)
        with database.write() as connection:
            for device in ("d1", "d2"):
                ingest.add_device(raw(connection), device, 1.0)

    def rule(self, kind: str, **terms: Any) -> None:
        with self.database.write() as connection:
            alerts.put_rule(raw(connection), None, kind, {"kind": kind, "for_s": 0.0, **terms}, True, "", 1.0)

    def sample(self, device: str, at: list[float], **record: Any) -> None:
        """Samples of a device, of which the last is its latest."""
        with self.database.write() as connection:
            db = raw(connection)
            ingest.add_samples(db, [(device, when, when, json.dumps({"at": when, **record})) for when in at])
            db.execute("UPDATE device_last SET sample = ?, sample_at = ? WHERE device = ?", (json.dumps(record), at[-1], device))
        rollups.turn(self.database)

    def events(self, device: str, count: int, at: float, label: str, rule: str) -> None:
        record = json.dumps({"kind": "visit", "rule": rule, "pipeline": "hall"})
        with self.database.write() as connection:
            ingest.add_events(raw(connection), [(device, at, at, "visit", label, record)] * count)

    def found(self, now: float) -> Found:
        """(subject, text, whether it is open) of every alert after one more evaluation."""
        self._alarm.turn(now)
        with self.database.read() as connection:
            records = alerts.alerts(raw(connection), open_only=False)
        return {(one["subject"], one["text"], one["ended_at"] is None) for one in records}


@pytest.fixture
def watch(where: Path | str) -> Iterator[Watch]:
    database = Database(where)
    database.migrate()
    yield Watch(database)
    database.close()


def minutes(start: float, count: int) -> list[float]:
    return [start + 60.0 * number for number in range(count)]


def pipelines(**detections: float) -> dict[str, Any]:
    """One minute of pipelines, each with these detections in every frame, one frame a second."""
    return {
        "window_s": 60.0,
        "pipelines": {name: {"process_fps": 1.0, "detections_per_frame": count} for name, count in detections.items()},
    }


def test_camera_that_finds_nothing_any_more(watch: Watch) -> None:
    """The one of two cameras that went blind is the subject; it is over when it finds something again."""
    watch.rule("blind_camera", figure="detections_per_hour", below=20.0)
    watch.sample("d1", minutes(NOON, 60), **pipelines(door=0.5, hall=0.5))
    assert watch.found(NOON + 3590.0) == set()
    watch.sample("d1", minutes(NOON + 3600.0, 60), **pipelines(door=0.0, hall=0.5))
    ((subject, text, is_open),) = watch.found(NOON + 2 * 3600.0)
    assert (subject, text, is_open) == ("d1/door", "detections per hour 0, below the limit of 20", True)
    with watch.database.read() as connection:
        db = raw(connection)
        (one,) = alerts.alerts(db, open_only=True, device="d1")
        assert (one["device"], one["pipeline"], one["rollout"]) == ("d1", "door", None)
        assert alerts.alerts(db, open_only=True, device="d") == []
    watch.sample("d1", minutes(NOON + 7200.0, 5), **pipelines(door=0.5, hall=0.5))
    assert watch.found(NOON + 7500.0) == {("d1/door", text, False)}


def test_camera_of_a_device_that_was_away_is_not_blind(watch: Watch) -> None:
    """Samples of less than most of an hour say nothing; a pipeline that was removed ends its alert."""
    watch.rule("blind_camera", figure="detections_per_hour", below=20.0)
    watch.sample("d1", minutes(NOON, 30), **pipelines(door=0.0))
    assert watch.found(NOON + 1800.0) == set()
    watch.sample("d1", minutes(NOON + 1800.0, 30), **pipelines(door=0.0))
    assert {(subject, is_open) for subject, _, is_open in watch.found(NOON + 3599.0)} == {("d1/door", True)}
    watch.sample("d1", [NOON + 3600.0], **pipelines(hall=0.0))
    assert {(subject, is_open) for subject, _, is_open in watch.found(NOON + 3601.0)} == {("d1/door", False)}


def test_hours_of_cameras_are_bounded_and_deleted(watch: Watch) -> None:
    """Numbers and names that no device should send, hours that are over, and those of a removed device."""
    many = {f"p{number}": 1e308 for number in range(500)}
    watch.sample("d1", [NOON + 1.0], **{**pipelines(**many), "window_s": 1e300})
    watch.sample("d2", [NOON + 1.0], **pipelines(door=-5.0))
    with watch.database.write() as connection:
        db = raw(connection)
        rows = db.execute("SELECT device, max(seconds), max(detections), count(*) FROM camera_hour GROUP BY device").fetchall()
        assert sorted(rows) == [("d1", 3600.0, 1e9, camera_hours.PIPELINES_MAX), ("d2", 60.0, 0.0, 1)]
        removal.remove(db, "d1")
    assert camera_hours.trim(watch.database, NOON + 3600.0) == 0
    assert camera_hours.trim(watch.database, NOON + 3 * 3600.0) == 1


def test_coverage_of_one_pipeline(watch: Watch) -> None:
    """In percent; the rule is about the named one alone."""
    watch.rule("blind_camera", figure="coverage_percent", below=50.0, pipeline="door")
    seen = {"door": {"coverage": 0.25}, "hall": {"coverage": 0.0}}
    watch.sample("d1", [NOON], pipelines=seen)
    assert watch.found(NOON + 1.0) == {("d1/door", "coverage percent 25, below the limit of 50", True)}
    watch.sample("d1", [NOON + 2.0], pipelines={**seen, "door": {"coverage": 0.9}})
    assert {is_open for _, _, is_open in watch.found(NOON + 3.0)} == {False}


def test_memory_of_the_agent(watch: Watch) -> None:
    """Both processes count, in a unit that people read; a device that reports none has no reading."""
    watch.rule("threshold", figure="memory_bytes", above=600.0 * MIB)
    watch.sample("d1", [NOON], supervisor_rss_bytes=100 * MIB, worker_rss_bytes=668 * MIB)
    watch.sample("d2", [NOON])
    assert watch.found(NOON + 1.0) == {("d1", "memory 768 MiB, above the limit of 600 MiB", True)}


def test_a_worker_over_its_memory_ceiling(watch: Watch) -> None:
    """The device's own sentence; the alert ends with it, and devices that say nothing have none."""
    watch.rule("memory")
    watch.sample("d1", [NOON], memory_fault="the worker was restarted for its memory: 812 MB")
    watch.sample("d2", [NOON])
    assert watch.found(NOON + 1.0) == {("d1", "the worker was restarted for its memory: 812 MB", True)}
    watch.sample("d1", [NOON + 2.0])
    assert {is_open for _, _, is_open in watch.found(NOON + 3.0)} == {False}


def test_memory_that_grows_from_day_to_day(watch: Watch) -> None:
    """The last whole hour against the same hour of the day before."""
    watch.rule("threshold", figure="memory_growth_percent", above=50.0)
    for day, size in enumerate((200, 320)):
        watch.sample("d1", minutes(NOON + day * 86_400.0, 60), worker_rss_bytes=size * MIB)
        watch.sample("d2", minutes(NOON + day * 86_400.0, 60), worker_rss_bytes=200 * MIB)
    rollup_closing.close_hours(watch.database, NOON + 86_400.0 + 4000.0)
    assert watch.found(NOON + 86_400.0 + 4300.0) == {("d1", "memory growth percent 60, above the limit of 50", True)}


def test_too_few_events_of_a_rule(watch: Watch) -> None:
    """Of one label and rule; the events of a device that was away meanwhile are unknown."""
    watch.rule("rate", below=5.0, window_s=600.0, event_label="person", event_rule="gate")
    with watch.database.write() as connection:
        raw(connection).execute("UPDATE device_last SET presence = 'online', presence_at = ?", (NOON - 900.0,))
    for device in ("d1", "d2"):
        watch.events(device, 9, NOON, "person", "other")
        watch.events(device, 9, NOON, "cat", "gate")
    watch.events("d1", 6, NOON, "person", "gate")
    watch.events("d2", 4, NOON, "person", "gate")
    text = "4 person events of rule gate in 10 min, below the limit of 5"
    assert watch.found(NOON + 1.0) == {("d2", text, True)}
    with watch.database.write() as connection:
        raw(connection).execute("UPDATE device_last SET presence_at = ? WHERE device = 'd1'", (NOON + 500.0,))
    assert watch.found(NOON + 700.0) == {("d2", text, True)}
    watch.events("d2", 6, NOON + 700.0, "person", "gate")
    assert watch.found(NOON + 701.0) == {("d2", text, False)}
