"""When a call of the inference API may begin, from the rhythm of the cameras."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.pipeline.scheduling.idle_time import FRAMES, STARVED_FRAMES, IdleTime


def watched(period_s: float, *late_s: float) -> IdleTime:
    """A camera whose frames at 100 s, 100 s + period, ... came late by so much. A call takes 10 ms."""
    slack = IdleTime()
    for number, lateness_s in enumerate(late_s):
        slack.frame("camera", 100 + number * period_s + lateness_s)
    slack.guest("calls", 0.010)
    return slack


def test_without_cameras_every_call_may_begin() -> None:
    slack = IdleTime()
    slack.guest("calls", 5.0)
    assert slack.wait_s("calls", 1.0) == 0


def test_a_call_begins_only_if_it_is_over_before_the_next_frame() -> None:
    slack = watched(0.1, *[0.0] * 5)  # the next frame is due at 100.5
    assert slack.wait_s("calls", 100.450) == 0
    assert slack.wait_s("calls", 100.485) == 0
    assert slack.wait_s("calls", 100.492) > 0
    assert slack.wait_s("calls", 100.520) > 0  # late: it may come at any moment


def test_a_camera_that_has_gone_is_not_waited_for() -> None:
    slack = watched(0.1, *[0.0] * 5)
    assert 0 < slack.wait_s("calls", 100.520) <= 0.081
    assert slack.wait_s("calls", 100.601) == 0


def test_lateness_does_not_move_the_clock() -> None:
    slack = watched(0.1, 0.0, 0.0, 0.0, 0.0, 0.030)  # the last one came 30 ms late: the next one is still due at 100.5
    assert slack.wait_s("calls", 100.480) == 0
    assert slack.wait_s("calls", 100.492) > 0


def test_frames_that_were_left_out_do_not_change_the_period() -> None:
    slack = IdleTime()
    for at_s in (100.0, 100.1, 100.2, 100.4, 100.5, 100.8, 100.9):
        slack.frame("camera", at_s)
    slack.guest("calls", 0.010)
    assert slack.wait_s("calls", 100.980) == 0
    assert slack.wait_s("calls", 100.992) > 0


def test_the_camera_that_is_due_first_decides_and_one_that_was_removed_does_not() -> None:
    slack = watched(0.1, *[0.0] * 5)
    for number in range(5):
        slack.frame("other", 100.05 + number * 0.1)
    assert slack.wait_s("calls", 100.492) > 0
    assert slack.wait_s("calls", 100.460) == 0
    slack.keep({"other"})
    assert slack.wait_s("calls", 100.492) == 0


def test_a_call_that_never_fits_has_one_frame_in_fifty() -> None:
    slack = watched(0.02, *[0.0] * 5)
    slack.guest("calls", 5.0)
    begun, frames, at_s = 0, 0, 100.1
    for _ in range(10 * STARVED_FRAMES):
        at_s += 0.02
        frames += 1
        slack.frame("camera", at_s)
        if slack.wait_s("calls", at_s + 0.001) == 0:
            begun += 1
            slack.guest("calls", 5.0)
    assert begun == frames // STARVED_FRAMES


def test_a_long_call_is_tried_again_some_time() -> None:
    slack = watched(0.1, *[0.0] * 5)
    slack.guest("calls", 10.0)
    at_s = 100.4
    while slack.wait_s("calls", at_s + 0.001) > 0:
        at_s += 0.1
        slack.frame("camera", at_s)
        assert at_s < 200


@given(
    period_s=st.floats(0.02, 1.0),
    late=st.lists(st.floats(0, 0.3), min_size=4, max_size=FRAMES),
    steps=st.data(),
)
def test_a_frame_that_is_not_early_never_meets_a_call(period_s: float, late: list[float], steps: st.DataObject) -> None:
    """Where most frames came later and later the clock itself seems slower, and nobody can know better."""
    slack = IdleTime()
    times_s = [100 + (number + part) * period_s for number, part in enumerate([*late, 0.0])]
    for time_s in times_s:
        slack.frame("camera", time_s)
    slack.guest("calls", 0.010)
    now_s = 100 + (len(late) + steps.draw(st.floats(0.0, 0.999))) * period_s
    usual_s = sorted(later - earlier for earlier, later in itertools.pairwise(times_s))[len(late) // 2]
    if late[0] == 0.0 and usual_s <= period_s and slack.wait_s("calls", now_s) == 0:
        assert now_s + 0.010 <= 100 + (len(late) + 1) * period_s
