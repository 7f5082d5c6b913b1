"""The past of a rollout, from what is kept of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.outcomes import Outcome
from edgefleet_server.domain.statistics.rollout_replay import AttemptHistory, TimelineEvent, history_points, span

STORY = [
    TimelineEvent(0.0, "created", None),
    TimelineEvent(1.0, "running", None),
    TimelineEvent(1.0, "wave_running", 0),
    TimelineEvent(5.0, "wave_failed", 0),
    TimelineEvent(5.0, "paused", None),
    TimelineEvent(9.0, "resumed", None),
    TimelineEvent(12.0, "completed", None),
]


def test_states_follow_the_timeline() -> None:
    found = history_points([0.5, 1.0, 5.0, 9.5, 20.0], [0, 1], STORY, [])
    assert [point.state for point in found] == ["draft", "running", "paused", "running", "completed"]
    assert [point.waves[0].state for point in found] == ["pending", "running", "failed", "failed", "failed"]
    assert {point.waves[1].state for point in found} == {"pending"}


def test_devices_are_counted_where_they_were() -> None:
    tries = [
        AttemptHistory(0, Outcome.SUCCEEDED, 2.0, 4.0),
        AttemptHistory(0, Outcome.FAILED, 2.0, 3.0),
        AttemptHistory(0, Outcome.CANCELLED, None, 6.0),
        AttemptHistory(0, Outcome.TRIAL, 5.0, None),
    ]
    then = [point.waves[0] for point in history_points([1.0, 2.5, 3.0, 4.5, 7.0], [0], STORY, tries)]
    assert [(w.queued, w.in_progress, w.done, w.failed, w.skipped) for w in then] == [
        (4, 0, 0, 0, 0),
        (2, 2, 0, 0, 0),
        (2, 1, 0, 1, 0),
        (2, 0, 1, 1, 0),
        (0, 1, 1, 1, 1),
    ]


def test_there_is_something_to_see_from_its_creation_on() -> None:
    assert span(3.0, None, [], 8.0) == (3.0, 8.0)
    assert span(3.0, 6.0, [TimelineEvent(6.5, "rolled_back", None)], 8.0) == (3.0, 6.5)


ends = st.sampled_from(sorted(Outcome, key=lambda ended: ended.value))
OPEN = {Outcome.QUEUED, Outcome.FETCHING, Outcome.STAGED, Outcome.TRIAL}
times = st.floats(0.0, 100.0)


@given(st.lists(st.tuples(ends, times, times, st.booleans()), max_size=30), st.lists(times, min_size=1, max_size=10))
def test_no_device_is_lost_or_counted_twice(raw: list[tuple[Outcome, float, float, bool]], at: list[float]) -> None:
    """Whatever order things happened in, a wave has as many devices at every point."""
    tries = [
        AttemptHistory(0, ended, min(a, b) if offered else None, None if ended in OPEN else max(a, b))
        for ended, a, b, offered in raw
    ]
    for point in history_points(sorted(at), [0], [], tries):
        wave = point.waves[0]
        assert wave.queued + wave.in_progress + wave.done + wave.failed + wave.faulted + wave.skipped == len(tries)
        assert min(wave.queued, wave.in_progress, wave.done, wave.failed, wave.faulted, wave.skipped) >= 0
