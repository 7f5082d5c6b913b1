"""Episodes of sensors end when their fault ends: with each method, and where readings stop, lose a channel or go back in time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.pipeline.sensor.sensor_step import SensorGraphState, compile_sensing
from edgefleet_contract.pipeline.spec import read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase

BASE_S = 1_000_000.0
EXAMPLES = Path(__file__).resolve().parents[4] / "docs/examples"
WINDOW = """
[[stages]]
name = "w"
kind = "window"
options = {period_s = 1, length_s = 4, step_s = 2, features = ["mean"], channels = ["force"]}
[[stages]]
name = "s"
kind = "score"
options = {SCORE}
[[rules]]
name = "odd"
kind = "anomaly"
gap_s = 6
"""
LEVEL = """
[[rules]]
name = "hot"
kind = "level"
channel = "heat"
above = 50.0
hysteresis = 10.0
gap_s = GAP
"""


def sensing(text: str, channels: tuple[str, ...] = ("force", "heat")) -> SensorGraphState:
    spec = read_pipeline(f'name = "press"\n[source]\nkind = "csv"\n{text}', "test")
    return SensorGraphState(spec, compile_sensing(spec), list(channels))


def scored(method: str, **options: float | str) -> SensorGraphState:
    shown = ", ".join(f"{name} = {value}" for name, value in {"method": f'"{method}"', "baseline_s": 80, **options}.items())
    return sensing(WINDOW.replace("{SCORE}", f"{{{shown}}}"))


def take(state: SensorGraphState, readings: Iterable[tuple[float, float, float]]) -> list[Event]:
    """The events of readings: seconds, force, heat."""
    return [event for second, *values in readings for event in state.take(BASE_S + second, tuple(values))]


def usual(first: int, last: int, heat: float = 20.0) -> list[tuple[float, float, float]]:
    return [(second, 10 + math.sin(1.7 * second), heat) for second in range(first, last)]


def faulty(first: int, last: int, force: float = 40.0, heat: float = 20.0) -> list[tuple[float, float, float]]:
    return [(second, force + math.sin(1.7 * second), heat) for second in range(first, last)]


def spans(events: list[Event]) -> list[tuple[float, float]]:
    """From and to of the ended events, in seconds of the series."""
    return [(event.start_s or 0.0, event.end_s or 0.0) for event in events if event.phase is EventPhase.END]


@pytest.mark.parametrize("force", [20.0, 40.0, 1e4, 1e7])
@pytest.mark.parametrize(("method", "late_s"), [("robust_z", 6), ("distance", 6), ("ewma", 18)])
def test_the_end_is_soon_after_that_of_the_fault_however_large_it_was(method: str, late_s: float, force: float) -> None:
    state = scored(method)
    events = take(state, [*usual(0, 200), *faulty(200, 240, force), *usual(240, 500)])
    ((_, end_s),) = spans(events)
    assert 238 <= end_s <= 240 + late_s
    assert state.finish() == []


@pytest.mark.parametrize("method", ["robust_z", "distance"])
def test_a_fault_that_lasts_longer_than_a_sliding_baseline_is_one_event_and_its_end_is_none(method: str) -> None:
    """The machine gets used to it, and is not unusual when it is over."""
    state = scored(method, sliding="true")
    events = take(state, [*usual(0, 200), *faulty(200, 600), *usual(600, 900)])
    ((begin_s, end_s),) = [span for span in spans(events) if span[1] - span[0] > 6]  # longer than the window of a jump
    assert begin_s == pytest.approx(200, abs=4)
    assert end_s <= 300


def test_a_machine_that_was_repaired_is_usual_again_after_half_a_baseline() -> None:
    state = scored("robust_z", sliding="true")
    take(state, [*usual(0, 200), *faulty(200, 600)])
    assert spans(take(state, [*faulty(600, 700), *faulty(700, 720, 90.0), *faulty(720, 800)])) != []


def test_the_end_of_a_discord_is_not_a_day_late() -> None:
    options = '{method = "discord", course_s = 48, baseline_s = 240}'
    state = sensing(WINDOW.replace("{SCORE}", options))
    noise = np.random.default_rng(3).normal(0, 0.3, 720)
    day = [10 * math.sin(2 * math.pi * second / 48) + noise[second] for second in range(720)]
    readings = [(second, value + 15.0 * (480 <= second < 516), 20.0) for second, value in enumerate(day)]
    found = [(begin, end) for begin, end in spans(take(state, readings) + state.finish()) if begin < 516]
    assert found[0] == pytest.approx((480, 519), abs=4), "the course contains the fault until 564"


@pytest.mark.parametrize("gap_s", [0, 30])
def test_a_channel_that_stops_ends_its_event_while_the_others_go_on(gap_s: int) -> None:
    state = sensing(LEVEL.replace("GAP", str(gap_s)))
    take(state, [*usual(0, 20), *usual(20, 40, heat=60.0)])
    ended = take(state, [(second, 10.0, math.nan) for second in range(40, 100)])
    assert spans(ended) == [(20.0, 39.0)]
    assert take(state, usual(100, 110, heat=45.0)) == [], "within the hysteresis, but no event is open"
    assert [event.phase for event in take(state, usual(110, 115, heat=55.0))] == [EventPhase.NEW]


def test_windows_without_a_channel_end_the_event() -> None:
    state = scored("robust_z")
    take(state, [*usual(0, 200), *faulty(200, 230)])
    ended = take(state, [(second, math.nan, 20.0) for second in range(230, 300)])
    ((_, end_s),) = spans(ended)
    assert end_s == pytest.approx(229, abs=2)


@pytest.mark.parametrize("gap_s", [0, 30])
def test_a_sensor_that_is_silent_ends_its_events(gap_s: int) -> None:
    state = sensing(LEVEL.replace("GAP", str(gap_s)))
    take(state, [*usual(0, 20), *usual(20, 40, heat=60.0)])
    assert state.silent(2.0) == []
    assert spans(state.silent(40.0)) == [(20.0, 39.0)]
    assert state.silent(80.0) == []


def test_a_slow_sensor_is_not_silent_between_its_readings() -> None:
    state = sensing(LEVEL.replace("GAP", "0"))
    hours = [(3600.0 * hour, 1.0, 60.0 if hour > 20 else 20.0) for hour in range(40)]
    assert spans(take(state, hours)) == []
    assert spans(take(state, [(3600.0 * 40, 1.0, 20.0)])) == [(3600.0 * 21, 3600.0 * 39)]


def test_the_series_is_a_new_one_after_a_clock_was_set_back() -> None:
    """The device began with a clock of the future: without this it would be blind until that time."""
    state = sensing(WINDOW.replace("{SCORE}", '{method = "robust_z", baseline_s = 80}') + LEVEL.replace("GAP", "0"))
    take(state, [*usual(0, 200), *faulty(200, 230, heat=60.0)])
    back = take(state, faulty(-50_000, -49_950, heat=60.0))
    assert sorted(event.rule for event in back if event.phase is EventPhase.END) == ["hot", "odd"]
    assert sorted(event.rule for event in back if event.phase is EventPhase.NEW) == ["hot", "odd"], "and it is observed"
    assert state.left_out == 5


def test_single_readings_of_the_past_change_nothing() -> None:
    state = sensing(LEVEL.replace("GAP", "0"))
    take(state, [*usual(0, 20), *usual(20, 40, heat=60.0)])
    assert take(state, [(5.0, 1.0, 20.0), (40.0, 1.0, 60.0), (6.0, 1.0, 20.0), (41.0, 1.0, 60.0)]) == []


def test_values_beyond_what_can_be_computed_are_not_observed() -> None:
    state = scored("robust_z")
    take(state, [*usual(0, 40), *[(second, 1.7e308, 20.0) for second in range(40, 44)], *usual(44, 300)])
    assert next(event.phase for event in take(state, faulty(300, 330))) is EventPhase.NEW


def hall(seed: int, hours: int = 24 * 7 * 14) -> np.ndarray:
    """A hall's temperature in degrees Fahrenheit, an hour apart: warmer from morning to evening of working days, cooler over
    weekends, seasons, weather of some days, and noise of the sensor."""
    random = np.random.default_rng(seed)
    hour = np.arange(hours)
    day = hour // 24 % 7
    work = (day < 5) * np.clip(np.sin(2 * np.pi * (hour % 24 - 9) / 24), -0.6, 1.0)
    weather = np.zeros(hours)
    for at in range(1, hours):
        weather[at] = weather[at - 1] * 0.99 + random.normal(0, 0.12)
    weekend = np.convolve(day >= 5, np.ones(24) / 24)[:hours]
    return np.asarray(
        70 + 3 * np.sin(2 * np.pi * hour / 8760) + 2.5 * work - 4.0 * weekend + weather + random.normal(0, 0.6, hours)
    )


def test_days_unlike_any_other_of_an_hourly_series_are_found_without_labels() -> None:
    """Two series of fourteen weeks; the settings are those of the example, which were chosen without them."""
    spec = read_pipeline((EXAMPLES / "ambient-temperature.toml").read_text(), "test")
    others = 0
    for seed in (11, 12):
        values = hall(seed)
        faults = [(24 * 7 * 7 + 30, 40, 9.0), (24 * 7 * 11 + 10, 36, -9.0)]
        for first, length, shift in faults:
            values[first : first + length] += shift
        state = SensorGraphState(spec, compile_sensing(spec), ["value"])
        events = [event for hour, value in enumerate(values) for event in state.take(BASE_S + 3600 * hour, (float(value),))]
        found = spans(events + state.finish())
        for first, length, _ in faults:
            assert any(begin <= 3600 * (first + length) and end >= 3600 * first for begin, end in found), found
        others += len(found) - 2
    assert others <= 8, "fewer than one in three weeks"


def test_hourly_readings_are_judged_on_a_grid_of_minutes() -> None:
    """Neighbours further apart than five periods of the grid were never joined: no window was judged, and nothing said so."""
    spec = read_pipeline((EXAMPLES / "machine-temperature.toml").read_text(), "test")
    state = SensorGraphState(spec, compile_sensing(spec), ["value"])
    days = [math.sin(2 * math.pi * hour / 24) + 0.05 * math.sin(hour * 12.9) for hour in range(24 * 20)]
    days[24 * 15 : 24 * 15 + 20] = [5.0] * 20
    events = [event for hour, value in enumerate(days) for event in state.take(BASE_S + 3600 * hour, (value,))]
    ((begin_s, _),) = spans(events + state.finish())
    assert begin_s / 86400 == pytest.approx(15.3, abs=0.5)
