"""Readings of alert rules, by subject."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Final

import msgspec
from sqlalchemy import Connection, func, select
from sqlmodel import col

from edgefleet_server.db.alerting import rollout_readings
from edgefleet_server.db.backend.driver import Driver, json_field
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.tables.core import EventRecord
from edgefleet_server.db.telemetry import camera_hours
from edgefleet_server.db.telemetry.alerts import active
from edgefleet_server.domain.fleet.alerts import ROLLOUT_KINDS, AlertRuleTerms, Reading, camera_subject, device_of, spread_of
from edgefleet_server.domain.statistics.summaries import HOUR_S, MINUTE_S, unpack

RECENT_S: Final = 900.0
"""Older samples are not used as readings."""
HISTORY_HOURS: Final = 24
CLOSED_S: Final = 600.0
"""Time after its end at which an hour has surely been computed."""

_COLUMNS: Final = frozenset({"fps", "latency_p95_ms", "dropped_per_s", "temperature_c", "cpu_percent", "disk_free_bytes"})
"""Figures with a column of their own for the latest value."""


class _Camera(msgspec.Struct):
    coverage: float = 1.0


class _Latest(msgspec.Struct):
    """The fields of the latest sample that rules read."""

    pipelines: dict[str, _Camera] = {}
    supervisor_rss_bytes: int = 0
    worker_rss_bytes: int = 0
    memory_fault: str = ""


_decoder: Final = msgspec.json.Decoder(_Latest)


def readings(connection: Connection, rule: AlertRuleTerms, members: frozenset[str] | None, now: float) -> dict[str, Reading]:
    """The readings of a rule, by subject. `members`: the devices it applies to; None = all devices."""
    found = _rate(connection, rule, now) if rule.kind == "rate" else _READERS[rule.kind](raw(connection), rule, now)
    if members is None or rule.kind in ROLLOUT_KINDS:
        return found
    return {subject: reading for subject, reading in found.items() if device_of(subject) in members}


def _threshold(db: Driver, rule: AlertRuleTerms, now: float) -> dict[str, Reading]:
    if rule.figure == "memory_growth_percent":
        return _memory_growth(db, now)
    if rule.figure == "memory_bytes":
        sums = {device: one.supervisor_rss_bytes + one.worker_rss_bytes for device, one in _latest(db, now).items()}
        return {device: Reading(float(count)) for device, count in sums.items() if count}
    if rule.figure not in _COLUMNS:
        return {}
    rows = db.execute(
        f"SELECT device, {rule.figure} FROM device_last WHERE sample_at > ? AND {rule.figure} IS NOT NULL",  # noqa: S608 (fixed names)
        (now - RECENT_S,),
    )
    return {device: Reading(value) for device, value in rows}


def _latest(db: Driver, now: float) -> dict[str, _Latest]:
    """The latest samples of devices."""
    rows = db.execute("SELECT device, sample FROM device_last WHERE sample_at > ?", (now - RECENT_S,))
    return {device: _decoder.decode(sample) for device, sample in rows}


def _memory_growth(db: Driver, now: float) -> dict[str, Reading]:
    hour = int(now - CLOSED_S) // HOUR_S * HOUR_S - HOUR_S
    means: dict[int, dict[str, float]] = {hour: {}, hour - HISTORY_HOURS * HOUR_S: {}}
    for at, by_device in means.items():
        for device, data in db.execute("SELECT device, figures FROM rollup WHERE span_s = ? AND at = ?", (HOUR_S, at)):
            summary = unpack(data).get("memory_bytes")
            if summary is not None:
                by_device[device] = summary.mean
    last, before = means.values()
    return {device: Reading(100.0 * (last[device] / before[device] - 1.0)) for device in last.keys() & before.keys()}


def _blind_camera(db: Driver, rule: AlertRuleTerms, now: float) -> dict[str, Reading]:
    """A pipeline that its device does not run any more ends its alert."""
    latest = _latest(db, now)
    if rule.figure == "coverage_percent":
        values = {
            (device, name): 100.0 * camera.coverage for device, one in latest.items() for name, camera in one.pipelines.items()
        }
    else:
        values = camera_hours.last_hour(db, now)
    found = {
        camera_subject(device, name): Reading(value)
        for (device, name), value in values.items()
        if rule.pipeline in ("", name) and name in (latest[device].pipelines if device in latest else (name,))
    }
    running = {camera_subject(device, name) for device, one in latest.items() for name in one.pipelines}
    removed = {
        subject
        for subject in active(db, rule.id) - running
        if (device := device_of(subject)) in latest and latest[device].pipelines
    }
    return found | dict.fromkeys(removed, Reading(math.inf))


def _memory(db: Driver, _rule: AlertRuleTerms, now: float) -> dict[str, Reading]:
    faults = {device: one.memory_fault for device, one in _latest(db, now).items()}
    return {device: Reading(float(bool(text)), text=text) for device, text in faults.items()}


def _absence(db: Driver, _rule: AlertRuleTerms, now: float) -> dict[str, Reading]:
    rows = db.execute("SELECT device, presence, presence_at FROM device_last")
    return {device: Reading(0.0 if presence == "online" else now - since) for device, presence, since in rows}


def _rate(connection: Connection, rule: AlertRuleTerms, now: float) -> dict[str, Reading]:
    """Numbers of events. For a rule with `below`, devices without an event count, too, if they were online in the whole window:
    what others would have sent is unknown."""
    db = raw(connection)
    conditions = [col(EventRecord.received_at) > now - rule.window_s]
    for column, value in ((col(EventRecord.kind), rule.event_kind), (col(EventRecord.label), rule.event_label)):
        if value:
            conditions.append(column == value)
    for name, value in (("rule", rule.event_rule), ("pipeline", rule.pipeline)):
        if value:
            conditions.append(json_field(connection, col(EventRecord.record), name) == value)
    device = col(EventRecord.device)
    counted = connection.execute(select(device, func.count()).where(*conditions).group_by(device))
    found = {name: Reading(float(count)) for name, count in counted}
    if rule.below is None:
        return {**_quiet(db, rule), **found}
    rows = db.execute(
        "SELECT l.device FROM device_last l JOIN device d ON d.id = l.device"
        " WHERE l.presence = 'online' AND l.presence_at <= ? AND d.first_seen_at <= ?",
        (now - rule.window_s, now - rule.window_s),
    )
    steady = {row[0] for row in rows}
    found = {name: reading for name, reading in found.items() if name in steady or reading.value >= rule.below}
    return {**dict.fromkeys(steady, Reading(0.0)), **found}


def _quiet(db: Driver, rule: AlertRuleTerms) -> dict[str, Reading]:
    """Zero readings of the subjects with an open alert, for a rule whose query returns only the subjects it finds."""
    return dict.fromkeys(active(db, rule.id), Reading(0.0))


def _rollout_paused(db: Driver, rule: AlertRuleTerms, now: float) -> dict[str, Reading]:
    return {**_quiet(db, rule), **rollout_readings.paused(db, now)}


def _rollout_failed(db: Driver, rule: AlertRuleTerms, now: float) -> dict[str, Reading]:
    return {**_quiet(db, rule), **rollout_readings.failed(db, now)}


def _rollout_approval(db: Driver, rule: AlertRuleTerms, now: float) -> dict[str, Reading]:
    return {**_quiet(db, rule), **rollout_readings.waiting(db, now)}


def _anomaly(db: Driver, rule: AlertRuleTerms, now: float) -> dict[str, Reading]:
    """Readings of the latest whole minute, each with mean and spread of the last day's hours, which contain count, sum and
    extremes of the values."""
    minute = int(now) // MINUTE_S * MINUTE_S - MINUTE_S
    latest = {
        device: unpack(data)
        for device, data in db.execute("SELECT device, figures FROM rollup WHERE span_s = ? AND at = ?", (MINUTE_S, minute))
    }
    past: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    hours = db.execute(
        "SELECT device, figures FROM rollup WHERE span_s = ? AND at >= ? AND at < ?",
        (HOUR_S, now - HISTORY_HOURS * HOUR_S, int(now) // HOUR_S * HOUR_S),
    )
    for device, data in hours:
        summary = unpack(data).get(rule.figure)
        if summary is not None and device in latest:
            sums = past[device]
            sums[0] += summary.count
            sums[1] += summary.total
            low, middle, high = summary.quantile(0.16), summary.mean, summary.quantile(0.84)
            sums[2] += summary.count * (((high - low) / 2) ** 2 + middle * middle)
    found: dict[str, Reading] = {}
    for device, figures in latest.items():
        if rule.figure in figures and device in past:
            count, total, squares = past[device]
            mean, spread = spread_of(total, squares, int(count))
            found[device] = Reading(figures[rule.figure].mean, mean, spread, int(count))
    return found


_READERS: Final = {
    "threshold": _threshold,
    "absence": _absence,
    "anomaly": _anomaly,
    "blind_camera": _blind_camera,
    "memory": _memory,
    "rollout_paused": _rollout_paused,
    "rollout_failed": _rollout_failed,
    "rollout_approval": _rollout_approval,
}
