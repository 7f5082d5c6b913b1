"""Loitering, occupancy, crowds, speed, modes of lines, attributes and stationary objects, on simulated scenes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.rules.rule_set import RuleSet, Scene
from edgefleet_agent.vision.tracking.track_attributes import TrackAttributes
from edgefleet_agent.vision.tracking.tracker import Sighting, Tracker, TrackResult
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from edgefleet_contract.pipeline.stage_options import TrackerOptions
from edgefleet_contract.wire.messages import Event, EventPhase
from tests.agent.vision.walks import HEIGHT, WIDTH, Walk, events, seen

HEAD = """
name = "scene"
[source]
kind = "file"
[[stages]]
name = "find"
kind = "detect"
[[stages]]
name = "colour"
kind = "crops"
[[zones]]
name = "left"
polygon = [[0, 0], [0.5, 0], [0.5, 1], [0, 1]]
[[lines]]
name = "middle"
points = [[0.5, 0.25], [0.5, 0.75]]
[plane]                 # ten pixels are a metre
points = [[0, 0], [1, 0], [1, 1], [0, 1]]
metres = [[0, 0], [64, 0], [64, 48], [0, 48]]
[[rules]]
name = "it"
"""
STANDS = Walk(start=(200, 240), speed=(0, 0), begin_s=1.0, stay_s=20.0)


def rule(text: str) -> PipelineSpec:
    return read_pipeline(HEAD + text, "test")


def events_of(text: str, walks: list[Walk], until_s: float = 30.0, fps: float = 10.0) -> list[Event]:
    return events(rule(text), walks, fps, until_s)


@pytest.mark.parametrize("fps", [2, 10, 25])
def test_loitering_is_reported_after_its_seconds_at_any_rate(fps: float) -> None:
    text = 'kind = "loiter"\nzone = "left"\nafter_s = 12'
    begin, end = events_of(text, [STANDS], fps=fps)
    assert (begin.phase, end.phase) == (EventPhase.NEW, EventPhase.END)
    assert begin.start_s == pytest.approx(1.0, abs=0.01)
    assert end.data["dwell_s"] == pytest.approx(20.0, abs=0.6)
    assert events_of(text, [replace(STANDS, stay_s=11.0)], fps=fps) == []
    assert events_of(text, [replace(STANDS, start=(400, 240))], fps=fps) == []


def test_occupancy_is_reported_when_it_changes() -> None:
    second = replace(STANDS, start=(100, 240), begin_s=5.0, stay_s=5.0)
    found = events_of('kind = "occupancy"\nzone = "left"\nmin_s = 1\ngap_s = 1', [STANDS, second])
    assert [(event.count, round(event.start_s or 0)) for event in found[:-1]] == [(0, 0), (1, 2), (2, 6), (1, 11), (0, 22)]
    assert found[2].data == {"before": 1}
    assert found[-1].phase is EventPhase.END


def test_a_crowd_starts_ends_and_has_its_maximum() -> None:
    three = [replace(STANDS, start=(60 + 80 * number, 240), begin_s=2.0 * number, stay_s=10.0) for number in range(4)]
    begin, end = events_of('kind = "crowd"\nlimit = 2\nmin_s = 0.5\ngap_s = 1', three)
    assert (begin.phase, end.phase, begin.id) == (EventPhase.NEW, EventPhase.END, end.id)
    assert begin.start_s == pytest.approx(4.5, abs=0.2)
    assert end.count == 4
    assert end.end_s == pytest.approx(12.5, abs=1.0)
    assert events_of('kind = "crowd"\nlimit = 4', three) == []


def test_speed_over_the_plane() -> None:
    """100 pixels a second are 10 m/s, 36 km/h."""
    runner = Walk(start=(60, 240), speed=(100, 0), begin_s=1.0, stay_s=5.0)
    begin, end = events_of('kind = "speed"\nlimit_kmh = 30', [runner])
    assert begin.id == end.id
    assert end.data["top_kmh"] == pytest.approx(36.0, rel=0.1)
    assert events_of('kind = "speed"\nlimit_kmh = 45', [runner]) == []
    (crossing,) = events_of('kind = "line"\nline = "middle"', [runner])
    assert crossing.data["speed_kmh"] == pytest.approx(36.0, rel=0.1)


def crossings(mode: str, *ways: Walk) -> int:
    return len(events_of(f'kind = "line"\nline = "middle"\nanchor = "center"\nmode = "{mode}"', list(ways)))


def test_lines_strict_balanced_and_loose() -> None:
    over = Walk(start=(120, 240), speed=(100, 0), stay_s=4.0)
    past_the_end = replace(over, start=(120, 400))  # the line ends at 360; half its length more is 480
    hesitates = Walk(start=(120, 240), speed=(100, 0), stay_s=2.12, size=(60, 120))  # 12 pixels past it
    slanted = Walk(start=(300, 330), speed=(20, 30), stay_s=3.0)  # goes over at 360, and on past the end
    assert [crossings(mode, over) for mode in ("strict", "balanced", "loose")] == [1, 1, 1]
    assert [crossings(mode, past_the_end) for mode in ("strict", "balanced", "loose")] == [0, 0, 1]
    assert [crossings(mode, hesitates) for mode in ("strict", "balanced", "loose")] == [0, 1, 1]
    assert [crossings(mode, slanted) for mode in ("strict", "balanced", "loose")] == [0, 1, 1]


def test_a_rule_about_an_attribute() -> None:
    """Two persons walk; one wears red, which is known from the second run of the stage on."""
    spec = rule('kind = "visit"\nwhere = {colour = ["red"]}')
    traits = TrackAttributes()
    rules, tracker = RuleSet(spec, Scene(WIDTH, HEIGHT, 0.1, ["person"]), "", traits), Tracker(TrackerOptions())
    walks = [Walk((100, 200), (60, 0)), Walk((100, 350), (60, 0))]
    found: list[Event] = []
    for frame in range(60):
        step = tracker.update(seen(walks, frame / 10), frame, frame / 10)
        for sighting in step.sightings:
            colour = "red" if sighting.box[3] < 300 else "blue"
            traits.take(sighting.track_id, "colour", [ModelOutput(label=colour, class_id=0, score=0.8)], frame / 10)
        found += rules.step(step)
    found += rules.finish(60, 6.0)
    assert [event.phase for event in found] == [EventPhase.NEW, EventPhase.END]
    assert found[1].data["attributes"]["colour"]["label"] == "red"
    assert found[1].data["attributes"]["colour"]["score"] == pytest.approx(0.8)


def test_most_runs_decide_and_ended_tracks_are_forgotten() -> None:
    traits = TrackAttributes()
    for label, score in (("red", 0.9), ("blue", 0.6), ("blue", 0.6)):
        traits.take(7, "colour", [ModelOutput(label=label, class_id=0, score=score, box=(1, 2, 3, 4))], 1.0)
    traits.take(7, "colour", [], 2.0)
    assert traits.label(7, "colour") == "blue"
    assert traits.runs(7, "colour") == (4, 2.0)
    assert traits.of(7)["colour"] == {"label": "blue", "score": 0.3, "runs": 4, "box": [1, 2, 3, 4]}
    traits.forget([7])
    assert traits.of(7) == {}


def stationary_step(frame: int, *, known: bool) -> TrackResult:
    sighting = Sighting(1, 0, frame, frame / 10, (100, 100, 160, 200), 0.9, stationary=True, known=known)
    return TrackResult(frame, frame / 10, (sighting,))


@pytest.mark.parametrize(
    ("text", "known", "count"),
    [
        ('kind = "visit"', False, 2),
        ('kind = "visit"', True, 0),
        ('kind = "zone"\nzone = "left"\nstationary = "ignore"', False, 0),
        ('kind = "occupancy"', True, 3),
        ('kind = "occupancy"\nstationary = "ignore"', True, 2),
    ],
)
def test_what_stands_there(text: str, known: bool, count: int) -> None:
    """An object known from before starts no event, but counts as present."""
    rules = RuleSet(rule(text), Scene(WIDTH, HEIGHT, 0.1, ["car"]))
    found = [event for frame in range(30) for event in rules.step(stationary_step(frame, known=known))]
    assert len(found + rules.finish(30, 3.0)) == count
