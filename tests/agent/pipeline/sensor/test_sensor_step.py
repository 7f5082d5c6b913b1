"""Sensor pipelines: refusals, events, and a sensor beside a camera in one runner."""

from __future__ import annotations

import math
import os
import threading
import time
from queue import Queue

import pytest

from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.pipeline.sensor.sensor_step import SensorGraphState, compile_sensing
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase

WAIT_S = 30.0
PRESS = """
name = "press"
[source]
kind = "serial"
uri = "/dev/ttyUSB0"
[[stages]]
name = "seconds"
kind = "window"
options = {period_s = 1, length_s = 4, step_s = 2, features = ["mean", "std"]}
[[stages]]
name = "unusual"
kind = "score"
options = {baseline_s = 40, threshold = 6}
[[rules]]
name = "odd"
kind = "anomaly"
min_s = 3
gap_s = 6
"""


def spec(before: str = "", after: str = "") -> PipelineSpec:
    assert before in PRESS
    return read_pipeline(PRESS.replace(before, after) if before else PRESS, "test")


def events_of(values: list[float], least_s: int = 3) -> list[Event]:
    press = spec("min_s = 3", f"min_s = {least_s}")
    sensing = SensorGraphState(press, compile_sensing(press), ["force"])
    events = [event for second, value in enumerate(values) for event in sensing.take(1000.0 + second, (value,))]
    return events + sensing.finish()


def usual(count: int) -> list[float]:
    return [10 + math.sin(1.7 * second) for second in range(count)]


def test_an_episode_starts_ends_and_bridges_a_gap() -> None:
    events = events_of([*usual(100), *[30.0] * 10, *usual(4), *[30.0] * 10, *usual(40)])
    assert [event.phase for event in events] == [EventPhase.NEW, EventPhase.END]
    started, ended = events
    assert started.id == ended.id
    assert started.start_s == pytest.approx(99.0, abs=2.0)
    assert ended.end_s == pytest.approx(126.0, abs=2.0)
    assert ended.data["feature"] in ("force.mean", "force.std")
    assert ended.data["from"].startswith("1970-01-01T00:18:")
    assert ended.coverage == 1.0


def test_blips_are_dropped_and_open_episodes_end_with_the_series() -> None:
    blip = [*usual(100), 30.0, *usual(60)]
    assert events_of(blip, least_s=6) == []
    assert len(events_of(blip, least_s=1)) == 2
    last = events_of([*usual(100), *[30.0] * 20])[-1]
    assert last.phase is EventPhase.END
    assert last.end_s == pytest.approx(119.0, abs=2.0)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('kind = "window"', 'kind = "detect"', "one of kind 'window', then one of kind 'score'"),
        ('kind = "anomaly"', 'kind = "visit"', "is for cameras"),
        ('"std"]', '"mood"]', "'mood': unknown feature"),
        ('"std"]', '"band:0-9"]', "half the sampling rate"),
        ("length_s = 4", "length_s = 1", "must have 2 to"),
        ("length_s = 4", 'length_s = "4"', "give a value like 60.0"),
        ("length_s = 4", "size = 4", "known are channels, features, fft, hop, length_s"),
        ("baseline_s = 40", "baseline_s = 4", "is 2 windows; must be 10 to"),
        ("threshold = 6", 'method = "guess"', "known are components, distance, ewma, robust_z, discord, reconstruction"),
        ("threshold = 6", 'method = "discord", course_s = 60', "course of 30 windows requires a baseline of 90 to"),
        ("threshold = 6", 'method = "discord", course_s = 8, sliding = true', "remove `sliding`"),
    ],
)
def test_refused(before: str, after: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        compile_sensing(spec(before, after))


def test_a_channel_that_the_sensor_does_not_have() -> None:
    chosen = spec('["mean", "std"]', '["mean"], channels = ["torque"]')
    with pytest.raises(PipelineError, match="no channel 'torque'; it has force"):
        SensorGraphState(chosen, compile_sensing(chosen), ["force"])

    with pytest.raises(PipelineError, match="no channel 'torque'; the column 'torque' has no numbers"):
        SensorGraphState(chosen, compile_sensing(chosen), ["force"], texts=["torque"])


@pytest.mark.parametrize(
    ("missing", "gap", "expected"),
    [
        (range(0), range(0), 1.0),
        (range(100, 130), range(0), 1 - 31 / 599),  # no numbers, which are not bridged
        (range(60), range(0), 1 - 60 / 599),
        (range(570, 600), range(0), 1 - 30 / 599),
        (range(0), range(220, 400), 1 - 181 / 599),
        (range(0), range(3, 300), 1 - 298 / 599),  # before the usual interval is known
        (range(600), range(0), 0.0),
    ],
)
def test_coverage_is_the_time_that_was_observed(missing: range, gap: range, expected: float) -> None:
    press = spec()
    sensing = SensorGraphState(press, compile_sensing(press), ["force"])
    assert sensing.coverage() is None
    for second in range(600):
        if second not in gap:
            sensing.take(1000.0 + second, (math.nan if second in missing else 10.0,))
    assert sensing.coverage() == pytest.approx(expected)
    assert sensing.coverage() is None  # nothing since
    sensing.take(1600.0, (10.0,))
    sensing.take(1601.0, (10.0,))
    assert sensing.coverage() == pytest.approx(1.0 if 599 not in missing else 0.5)


class RecordingListener:
    def __init__(self) -> None:
        self.events: Queue[Event] = Queue()
        self.faults: Queue[tuple[str, str, bool]] = Queue()

    def on_event(self, event: Event) -> None:
        self.events.put(event)

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        self.faults.put((pipeline, text, over))


def test_a_sensor_lives_in_the_runner_and_comes_back() -> None:
    """A serial sensor at 200 lines a second: an anomaly after its baseline, then it is unplugged, and both are reported."""
    ours, theirs = os.openpty()
    listener = RecordingListener()
    runner = Runner(listener)
    quick = 'uri = "/dev/ttyUSB0"\noptions = {silence_s = 0.5, channels = "force"}'
    live = read_pipeline(
        PRESS.replace('uri = "/dev/ttyUSB0"', quick)
        .replace("/dev/ttyUSB0", os.ttyname(theirs))
        .replace("period_s = 1, length_s = 4, step_s = 2", "period_s = 0.01, length_s = 0.1, step_s = 0.05")
        .replace("baseline_s = 40", "baseline_s = 1")
        .replace("min_s = 3", "min_s = 0.1")
        .replace("gap_s = 6", "gap_s = 0"),
        "test",
    )
    runner.set_pipelines([live])
    talking = threading.Event()
    talking.set()

    def talk() -> None:
        number = 0
        while talking.is_set():
            number += 1
            os.write(ours, f"{10 + math.sin(number) if number < 500 else 50:.4f}\n".encode())
            time.sleep(0.005)

    speaker = threading.Thread(target=talk)
    speaker.start()
    event = listener.events.get(timeout=WAIT_S)
    assert (event.kind, event.phase, event.pipeline) == ("anomaly", EventPhase.NEW, "press")
    assert event.at > 1.6e9
    assert runner.gauges(1.0)["press"].state == "running"
    talking.clear()
    speaker.join()
    name, text, over = listener.faults.get(timeout=WAIT_S)
    assert (name, over) == ("press", False)
    assert "silent" in text
    assert listener.events.get(timeout=WAIT_S).phase is EventPhase.END, "not only at the next reading, or the stop"
    runner.close()
    os.close(theirs)
    os.close(ours)


LEVEL = """
name = "press"
[source]
kind = "serial"
uri = "/dev/ttyUSB0"
[[rules]]
name = "cycle"
kind = "level"
channel = "force"
above = 5
hysteresis = 1
min_s = 1
gap_s = 0
"""


def levels(text: str, values: list[float]) -> list[Event]:
    press = read_pipeline(text, "test")
    sensing = SensorGraphState(press, compile_sensing(press), ["force"])
    events = [event for tick, value in enumerate(values) for event in sensing.take(1000.0 + tick / 10, (value,))]
    return events + sensing.finish()


def test_a_level_without_any_window() -> None:
    """The event starts above the limit, lasts until the value is `hysteresis` below it, and records the extreme."""
    values = [*[0.0] * 10, *[6.0] * 10, *[4.5] * 10, 9.0, *[3.9] * 10]
    begin, end = levels(LEVEL, values)
    assert (begin.phase, end.phase, end.label) == (EventPhase.NEW, EventPhase.END, "force")
    assert (end.start_s, end.end_s) == (pytest.approx(1.0), pytest.approx(3.0))
    assert end.data["extreme"] == 9.0
    assert end.data["limit"] == 5
    assert levels(LEVEL, [*[0.0] * 10, *[6.0] * 5, *[0.0] * 10]) == []
    low = LEVEL.replace("above = 5", "below = 2")
    assert [event.start_s for event in levels(low, [*[5.0] * 10, *[1.0] * 20])] == [1.0, 1.0]


def test_a_level_of_a_feature() -> None:
    window = """
[[stages]]
name = "seconds"
kind = "window"
options = {period_s = 0.1, length_s = 1.0, step_s = 0.5, features = ["max", "std"]}
"""
    text = LEVEL.replace('channel = "force"', 'channel = "force.max"') + window
    (begin, end) = levels(text, [*[0.0] * 30, *[8.0] * 30, *[0.0] * 40])
    assert begin.start_s == pytest.approx(3.0, abs=0.5)
    assert end.end_s == pytest.approx(6.0, abs=1.0)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("above = 5\n", "", "needs a `channel` and one of `above` and `below`"),
        ("above = 5", "above = 5\nbelow = 1", "one of `above` and `below`"),
        ('kind = "level"', 'kind = "anomaly"', "needs a stage of kind 'score' or 'classify'"),
        ('"force"', '"torque"', "unknown channel 'torque'; known are force"),
    ],
)
def test_levels_refused(before: str, after: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        levels(LEVEL.replace(before, after), [0.0])
