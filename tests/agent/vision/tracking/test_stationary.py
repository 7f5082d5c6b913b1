"""Stationary objects are not reported repeatedly."""

from __future__ import annotations

from edgefleet_agent.vision.tracking.stationary import FORGET_S, StationaryObject, StationaryWatch
from edgefleet_agent.vision.tracking.tracker import Sighting, TrackResult

BOX = (100.0, 100.0, 200.0, 160.0)


def step(
    second: float, box: tuple[float, float, float, float] | None, track: int = 1, ended: tuple[int, ...] = ()
) -> TrackResult:
    seen = () if box is None else (Sighting(track, 0, round(second * 10), second, box, 0.9),)
    return TrackResult(round(second * 10), second, seen, ended)


def flags(watch: StationaryWatch, result: TrackResult) -> tuple[bool, bool]:
    (sighting,) = watch.mark(result).sightings
    return sighting.stationary, sighting.known


def test_it_stands_after_a_while_and_no_more_once_it_moves() -> None:
    watch = StationaryWatch(10.0, ["car"])
    assert flags(watch, step(0, BOX)) == (False, False)
    assert flags(watch, step(9, BOX)) == (False, False)
    assert flags(watch, step(10, (102, 101, 202, 161))) == (True, False)
    assert [one.label for one in watch.standing] == ["car"]
    assert flags(watch, step(11, (180, 100, 280, 160))) == (False, False)
    assert watch.standing == []


def test_found_again_it_is_known_also_by_the_next_run() -> None:
    watch = StationaryWatch(10.0, ["car"])
    for second in range(12):
        watch.mark(step(second, BOX))
    watch.mark(step(20, None, ended=(1,)))
    assert flags(watch, step(21, (103, 100, 203, 160), track=2)) == (True, True)
    later = StationaryWatch(10.0, ["car"], watch.standing)
    assert flags(later, step(0, BOX, track=1)) == (True, True)
    assert flags(later, step(1, (300, 100, 400, 160), track=1)) == (False, False)


def test_another_label_or_place_is_news_and_two_cannot_be_one() -> None:
    remembered = [StationaryObject("car", BOX)]
    assert flags(StationaryWatch(10.0, ["bus"], remembered), step(0, BOX)) == (False, False)
    assert flags(StationaryWatch(10.0, ["car"], remembered), step(0, (300, 100, 400, 160))) == (False, False)
    watch = StationaryWatch(10.0, ["car"], [StationaryObject("car", BOX)])
    assert flags(watch, step(0, BOX, track=1)) == (True, True)
    assert flags(watch, step(0, BOX, track=2)) == (False, False)


def test_missing_objects_are_forgotten() -> None:
    watch = StationaryWatch(10.0, ["car"], [StationaryObject("car", BOX)])
    for second in range(0, int(FORGET_S) + 20, 10):
        watch.mark(step(second, None))
    assert watch.standing == []
