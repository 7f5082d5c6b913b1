"""Hours and days have every sample once, whatever comes late or in between; the history shows them with gaps."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.api.schemas.fleet.history import FigureName
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry import device_history, ingest, rollup_closing, rollups
from edgefleet_server.domain.statistics.history_spans import choose_span, starts
from edgefleet_server.domain.statistics.summaries import DAY_S, HOUR_S, MINUTE_S, NAMES, SPANS_S

MIDNIGHT = 1_700_000_000 // DAY_S * DAY_S
AFTER_S = rollup_closing.CLOSE_AFTER_S
Stored = dict[int, tuple[int, float, float]]
"""Number, smallest and largest value by start."""


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    opened = Database(where)
    opened.migrate()
    with opened.write() as connection:
        for device in ("d1", "d2"):
            ingest.add_device(raw(connection), device, 1.0)
    yield opened
    opened.close()


def store(database: Database, device: str, values: dict[float, float]) -> None:
    rows = [(device, at, at, json.dumps({"at": at, "cpu_percent": value})) for at, value in values.items()]
    with database.write() as connection:
        ingest.add_samples(raw(connection), rows)
    while rollups.turn(database):
        pass


def close(database: Database, now: float) -> None:
    while rollup_closing.close_hours(database, now) or rollup_closing.close_days(database):
        pass


def stored(database: Database, device: str, span_s: int) -> Stored:
    with database.read() as connection:
        found = rollups.series(raw(connection), device, span_s, 0, 2**40, 10_000)
    return {at: (each.count, each.low, each.high) for at, figures in found for each in [figures["cpu_percent"]]}


def shown(database: Database, device: str, span_s: int, since: int, until: int) -> Stored:
    with database.read() as connection:
        found = device_history.figures_by_start(raw(connection), device, span_s, since, until)
    return {at: (each.count, each.low, each.high) for at, figures in found.items() for each in [figures["cpu_percent"]]}


def test_hours_make_days(database: Database) -> None:
    """A day is computed when its last hour is; what comes later, even when its minutes have been deleted, is added to both."""
    store(database, "d1", {MIDNIGHT + 10: 1.0, MIDNIGHT + 5 * HOUR_S: 9.0, MIDNIGHT + DAY_S - 1: 5.0})
    close(database, MIDNIGHT + DAY_S + AFTER_S - 1)
    assert stored(database, "d1", DAY_S) == {}
    store(database, "d2", {MIDNIGHT + DAY_S + 10: 2.0})
    close(database, MIDNIGHT + DAY_S + AFTER_S)
    assert stored(database, "d1", DAY_S) == {MIDNIGHT: (3, 1.0, 9.0)}
    oldest_by_span = {MINUTE_S: MIDNIGHT + DAY_S, HOUR_S: 0.0, DAY_S: 0.0}
    assert rollup_closing.trim(database, oldest_by_span) == 3
    store(database, "d1", {MIDNIGHT + 20: 0.5})
    store(database, "d2", {MIDNIGHT + 3 * HOUR_S: 7.0})
    assert stored(database, "d1", HOUR_S)[MIDNIGHT] == (2, 0.5, 1.0)
    assert stored(database, "d1", DAY_S) == {MIDNIGHT: (4, 0.5, 9.0)}
    assert stored(database, "d2", DAY_S) == {MIDNIGHT: (1, 7.0, 7.0)}


def test_a_server_that_was_stopped_for_weeks_computes_all_hours(database: Database) -> None:
    """Devices send what they stored meanwhile. Its minutes stay until hours and days have them."""
    store(database, "d1", {MIDNIGHT + 10: 1.0})
    close(database, MIDNIGHT + HOUR_S + AFTER_S)
    late = {MIDNIGHT + day * DAY_S + HOUR_S + 5.0: float(day) for day in range(21)}
    store(database, "d1", late)
    assert rollup_closing.trim(database, dict.fromkeys(SPANS_S, MIDNIGHT + 20.0 * DAY_S)) == 1, "the hour that is computed"
    close(database, MIDNIGHT + 21 * DAY_S + AFTER_S)
    assert [count for count, _, _ in stored(database, "d1", HOUR_S).values()] == [1] * 22
    days = [MIDNIGHT + day * DAY_S for day in range(20)]
    assert list(stored(database, "d1", DAY_S)) == days, "the last one has no later sample that shows it to be over"


def test_one_run_is_bounded(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scheduler's other jobs wait for it; the next runs go on."""
    store(database, "d1", {MIDNIGHT + hour * HOUR_S + 1.0: 1.0 for hour in range(10)})
    monkeypatch.setattr(rollup_closing, "ROWS_PER_RUN", 4)
    now = MIDNIGHT + 10 * HOUR_S + AFTER_S
    assert [rollup_closing.close_hours(database, now) for _ in range(4)] == [4, 4, 2, 0]


def test_wrong_clocks_close_nothing_early(database: Database) -> None:
    """A server's clock that leaps, a device that is a day ahead, and one that lives in 1970."""
    store(database, "d1", {MIDNIGHT + 10: 1.0})
    store(database, "d2", {5.0: 3.0, MIDNIGHT + DAY_S + 10: 4.0})
    close(database, MIDNIGHT + 400 * DAY_S)
    assert stored(database, "d2", HOUR_S) == {0: (1, 3.0, 3.0), MIDNIGHT + DAY_S: (1, 4.0, 4.0)}
    store(database, "d1", {MIDNIGHT + 20: 2.0, MIDNIGHT + 2 * DAY_S: 6.0})
    close(database, MIDNIGHT + 2 * DAY_S + HOUR_S + AFTER_S)
    assert stored(database, "d1", HOUR_S) == {MIDNIGHT: (2, 1.0, 2.0), MIDNIGHT + 2 * DAY_S: (1, 6.0, 6.0)}
    assert stored(database, "d1", DAY_S) == {MIDNIGHT: (2, 1.0, 2.0)}


@pytest.mark.parametrize("first", ["samples", "hours"])
def test_two_leaders_for_a_moment_lose_nothing(database: Database, first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples are added while another process computes their hour, or the hour is computed while samples are added."""
    store(database, "d1", {MIDNIGHT + 10: 1.0})
    now = MIDNIGHT + HOUR_S + AFTER_S
    rows, summed = rollup_closing._rows, rollups._summed

    def between(*given: Any) -> Any:
        made = rows(*given) if first == "samples" else summed(*given)
        monkeypatch.undo()
        if first == "samples":
            store(database, "d1", {MIDNIGHT + 20: 2.0})
        else:
            rollup_closing.close_hours(database, now)
        return made

    if first == "samples":
        monkeypatch.setattr(rollup_closing, "_rows", between)
        assert rollup_closing.close_hours(database, now) == 0
    else:
        with database.write() as connection:
            ingest.add_samples(raw(connection), [("d1", MIDNIGHT + 20, 1.0, '{"cpu_percent": 2.0}')])
        monkeypatch.setattr(rollups, "_summed", between)
        assert rollups.turn(database) == 0
        assert rollups.turn(database) == 1
    close(database, now)
    assert stored(database, "d1", HOUR_S) == {MIDNIGHT: (2, 1.0, 2.0)}


def test_a_crash_between_devices_repeats_the_hour(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of the first devices are there, the checkpoint is not."""
    for device in ("d1", "d2"):
        store(database, device, {MIDNIGHT + 10: 1.0})
    monkeypatch.setattr(rollup_closing, "DEVICES_PER_QUERY", 1)
    write, calls = rollup_closing.write_rows, []

    def crash(*given: Any) -> None:
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        write(*given)

    monkeypatch.setattr(rollup_closing, "write_rows", crash)
    with pytest.raises(KeyboardInterrupt):
        close(database, MIDNIGHT + HOUR_S + AFTER_S)
    assert (len(stored(database, "d1", HOUR_S)), len(stored(database, "d2", HOUR_S))) == (1, 0)
    store(database, "d1", {MIDNIGHT + 30: 3.0})
    close(database, MIDNIGHT + HOUR_S + AFTER_S)
    assert stored(database, "d1", HOUR_S) == {MIDNIGHT: (2, 1.0, 3.0)}
    assert stored(database, "d2", HOUR_S) == {MIDNIGHT: (1, 1.0, 1.0)}


def test_spans_that_go_on_are_shown(database: Database) -> None:
    """The hour and the day of now come from minutes and hours; a span without samples is missing, not 0."""
    store(database, "d1", {MIDNIGHT + 10: 1.0, MIDNIGHT + DAY_S + 10: 2.0, MIDNIGHT + DAY_S + 2 * HOUR_S + 10: 3.0})
    close(database, MIDNIGHT + DAY_S + 2 * HOUR_S + 20)
    until = MIDNIGHT + 2 * DAY_S
    assert shown(database, "d1", DAY_S, MIDNIGHT, until) == {MIDNIGHT: (1, 1.0, 1.0), MIDNIGHT + DAY_S: (2, 2.0, 3.0)}
    hours = {MIDNIGHT + DAY_S: (1, 2.0, 2.0), MIDNIGHT + DAY_S + 2 * HOUR_S: (1, 3.0, 3.0)}
    assert shown(database, "d1", HOUR_S, MIDNIGHT + HOUR_S, until) == hours
    assert shown(database, "d1", MINUTE_S, MIDNIGHT, MIDNIGHT + HOUR_S) == {MIDNIGHT: (1, 1.0, 1.0)}
    assert shown(database, "d2", DAY_S, MIDNIGHT, until) == {}


@pytest.mark.parametrize(
    ("since_days", "points_max", "span_s"),
    [
        (1 / 24, 1500, MINUTE_S),
        (1, 1500, MINUTE_S),
        (1, 1000, HOUR_S),
        (8, 20_000, HOUR_S),
        (30, 1500, HOUR_S),
        (183, 1500, DAY_S),
    ],
)
def test_the_shortest_span_that_is_stored_and_fits(since_days: float, points_max: int, span_s: int) -> None:
    now = float(MIDNIGHT + 1234)
    oldest_by_span = {MINUTE_S: now - 7 * DAY_S, HOUR_S: now - 400 * DAY_S, DAY_S: now - 1826 * DAY_S}
    assert choose_span(now - since_days * DAY_S, now, oldest_by_span, points_max) == span_s
    assert len(starts(DAY_S, now - DAY_S, now)) == 2, "two days have a part of the last 24 hours"


def test_names_of_the_api_are_those_that_are_stored() -> None:
    assert typing.get_args(FigureName) == NAMES
