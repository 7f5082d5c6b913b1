"""Rules on simulated scenes, and laws that hold in every scene."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase
from tests.agent.vision.walks import Walk, events

SPEC = read_pipeline(
    """
name = "scene"
[source]
kind = "file"
[[stages]]
name = "find"
kind = "detect"
[[zones]]
name = "left"
polygon = [[0, 0], [0.5, 0], [0.5, 1], [0, 1]]
[[lines]]
name = "middle"
points = [[0.5, 0], [0.5, 1]]
forward = "west"
backward = "east"
[[rules]]
name = "visits"
kind = "visit"
gap_s = 2.0
[[rules]]
name = "left"
kind = "zone"
zone = "left"
[[rules]]
name = "middle"
kind = "line"
line = "middle"
[[rules]]
name = "people"
kind = "count"
labels = ["person"]
every_s = 2.0
gap_s = 2.0
""",
    "test",
)
ACROSS = Walk(start=(120, 240), speed=(100, 0), begin_s=1.0, stay_s=4.0)  # is over x = 320 two seconds after it began


def events_of(rule: str, walks: list[Walk], fps: float = 10.0, until_s: float = 8.0, spec: PipelineSpec = SPEC) -> list[Event]:
    return [event for event in events(spec, walks, fps, until_s) if event.rule == rule]


def test_a_visit_starts_and_ends_as_one_event() -> None:
    begin, end = events_of("visits", [ACROSS])
    assert (begin.phase, end.phase) == (EventPhase.NEW, EventPhase.END)
    assert begin.id == end.id
    assert (end.start_frame, end.end_frame, end.start_s, end.end_s) == (10, 50, 1.0, 5.0)
    assert (end.label, end.track_id, end.count, end.coverage, end.pipeline) == ("person", 1, 1, 1.0, "scene")


def test_a_zone_reports_entry_exit_and_the_time_between() -> None:
    begin, end = events_of("left", [ACROSS])
    assert (begin.start_frame, end.start_frame) == (10, 10)
    assert end.end_frame == pytest.approx(30, abs=1)
    assert end.data["dwell_s"] == pytest.approx(2.0, abs=0.11)


def test_a_line_reports_the_direction() -> None:
    there, back = ACROSS, Walk((520, 240), (-100, 0), begin_s=1.0, stay_s=4.0, size=(60, 110))
    assert [(event.direction, event.count) for event in events_of("middle", [there])] == [("east", 1)]
    assert [event.direction for event in events_of("middle", [back])] == ["west"]
    assert events_of("middle", [there])[0].end_frame == pytest.approx(30, abs=1)


def test_a_count_is_reported_periodically_and_at_the_end() -> None:
    counts = events_of("people", [ACROSS, replace(ACROSS, start=(120, 100), class_id=1)])
    assert [(event.start_s, event.count, event.data["present"]) for event in counts] == [
        (0.0, 1, 1), (2.0, 1, 1), (4.0, 1, 1), (6.0, 1, 0)
    ]  # fmt: skip
    assert counts[-1].phase is EventPhase.END


def test_short_stays_are_no_events() -> None:
    assert events_of("visits", [replace(ACROSS, stay_s=0.5)]) == []


@pytest.mark.parametrize(("gap_s", "visits"), [(0.5, 2), (1.5, 1)])
def test_gaps_shorter_than_gap_s_are_closed(gap_s: float, visits: int) -> None:
    spec = read_pipeline(
        f'name="g"\n[source]\nkind="file"\n[[stages]]\nname="f"\nkind="detect"\n[[rules]]\nname="v"\nkind="visit"\ngap_s={gap_s}',
        "test",
    )
    again = Walk((420, 240), (100, 0), begin_s=4.0, stay_s=1.5)
    ended = [event for event in events_of("v", [replace(ACROSS, stay_s=2.0), again], spec=spec) if event.phase is EventPhase.END]
    assert len(ended) == visits
    assert {event.track_id for event in ended} == {1}


def test_the_end_of_the_source_ends_everything() -> None:
    begin, end = events_of("visits", [ACROSS], until_s=3.0)
    assert (begin.phase, end.phase, end.end_frame) == (EventPhase.NEW, EventPhase.END, 29)


walks = st.lists(
    st.builds(
        Walk,
        start=st.tuples(st.floats(60, 580), st.floats(60, 400)),
        speed=st.tuples(st.floats(-120, 120), st.floats(-40, 40)),
        begin_s=st.floats(0, 3),
        stay_s=st.floats(0, 4),
        score=st.floats(0.3, 1),
        class_id=st.integers(0, 1),
    ),
    max_size=4,
)


def summary(found: list[Event]) -> Counter[tuple[str, str, str]]:
    return Counter((event.rule, event.phase.value, event.direction) for event in found)


@settings(deadline=None, max_examples=60)
@given(walks)
def test_laws(scene: list[Walk]) -> None:
    """Each start has one end, after it; there are no events of tracks that were not seen; intervals lie in the source."""
    found = events(SPEC, scene, 10.0, 8.0)
    started: dict[str, Event] = {}
    ended: set[str] = set()
    for event in found:
        if event.rule not in ("visits", "left"):
            continue
        if event.phase is EventPhase.NEW:
            assert event.id not in started
            started[event.id] = event
        else:
            assert event.id in started
            assert event.id not in ended
            ended.add(event.id)
            assert event.start_frame is not None
            assert event.end_frame is not None
            assert 0 <= event.start_frame <= event.end_frame <= 79
            assert event.coverage == 1.0
    assert set(started) == ended
    people = [event for event in found if event.rule == "people"]
    inside = 0
    for event in people:  # in = out + inside, at every report
        assert event.count is not None
        inside = event.data["present"]
        assert 0 <= inside <= event.count
    visits = {event.id for event in found if event.rule == "visits" and event.label == "person"}
    assert not people or people[-1].count == len(visits)
    totals = Counter(event.direction for event in found if event.rule == "middle")
    assert all(event.count is not None and event.count <= totals[event.direction] for event in found if event.rule == "middle")


def test_no_event_without_a_track() -> None:
    assert [event for event in events(SPEC, [], 10.0, 8.0) if event.kind != "count" or event.count] == []


@settings(deadline=None, max_examples=30)
@given(walks, st.integers(1, 100_000).map(float))
def test_the_clock_may_begin_anywhere(scene: list[Walk], shift_s: float) -> None:
    plain, shifted = events(SPEC, scene, 10.0, 8.0), events(SPEC, scene, 10.0, 8.0, shift_s)
    assert summary(plain) == summary(shifted)
    for first, second in zip(plain, shifted, strict=True):
        assert (first.start_frame, first.end_frame) == (second.start_frame, second.end_frame)
        assert second.start_s == pytest.approx((first.start_s or 0.0) + shift_s, abs=1e-3)


lanes = st.lists(st.sampled_from([-1, 0, 1]), min_size=3, max_size=3).map(
    lambda ways: [
        Walk((320 - 200 * way, 100 + 140 * lane), (100.0 * way, 0), begin_s=0.5 * lane, stay_s=4.0, size=(60, 90))
        for lane, way in enumerate(ways)
        if way
    ]
)


@settings(deadline=None, max_examples=30)
@given(lanes, st.sampled_from([5.0, 10.0, 15.0]))
def test_half_the_frame_rate_counts_the_same(scene: list[Walk], fps: float) -> None:
    """Three separate lanes with at most one walker each."""
    full, half = events(SPEC, scene, 2 * fps, 8.0), events(SPEC, scene, fps, 8.0)
    for rule in ("visits", "middle"):
        assert summary([e for e in full if e.rule == rule]) == summary([e for e in half if e.rule == rule])
