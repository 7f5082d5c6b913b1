"""Start times of inference API calls, derived from the cameras' frame periods."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.pipeline.scheduling.idle_time import FRAMES, STARVED_FRAMES, IdleTime


def watched(period_s: float, *late_s: float) -> IdleTime:
    """A camera whose frames at 100 s, 100 s + period, ... arrive late by `late_s`. A call takes 10 ms."""
    idle_time = IdleTime()
    for number, lateness_s in enumerate(late_s):
        idle_time.frame("camera", 100 + number * period_s + lateness_s)
    idle_time.add_call("calls", 0.010)
    return idle_time


def test_without_cameras_every_call_may_begin() -> None:
    idle_time = IdleTime()
    idle_time.add_call("calls", 5.0)
    assert idle_time.wait_s("calls", 1.0) == 0


def test_a_call_starts_only_if_it_ends_before_the_next_frame() -> None:
    idle_time = watched(0.1, *[0.0] * 5)  # the next frame is due at 100.5
    assert idle_time.wait_s("calls", 100.450) == 0
    assert idle_time.wait_s("calls", 100.485) == 0
    assert idle_time.wait_s("calls", 100.492) > 0
    assert idle_time.wait_s("calls", 100.520) > 0  # late: it may come at any moment


def test_a_stalled_camera_is_not_waited_for() -> None:
    idle_time = watched(0.1, *[0.0] * 5)
    assert 0 < idle_time.wait_s("calls", 100.520) <= 0.081
    assert idle_time.wait_s("calls", 100.601) == 0


def test_lateness_does_not_move_the_clock() -> None:
    idle_time = watched(0.1, 0.0, 0.0, 0.0, 0.0, 0.030)  # the last one came 30 ms late: the next one is still due at 100.5
    assert idle_time.wait_s("calls", 100.480) == 0
    assert idle_time.wait_s("calls", 100.492) > 0


def test_frames_that_were_left_out_do_not_change_the_period() -> None:
    idle_time = IdleTime()
    for at_s in (100.0, 100.1, 100.2, 100.4, 100.5, 100.8, 100.9):
        idle_time.frame("camera", at_s)
    idle_time.add_call("calls", 0.010)
    assert idle_time.wait_s("calls", 100.980) == 0
    assert idle_time.wait_s("calls", 100.992) > 0


def test_the_camera_that_is_due_first_decides_and_one_that_was_removed_does_not() -> None:
    idle_time = watched(0.1, *[0.0] * 5)
    for number in range(5):
        idle_time.frame("other", 100.05 + number * 0.1)
    assert idle_time.wait_s("calls", 100.492) > 0
    assert idle_time.wait_s("calls", 100.460) == 0
    idle_time.retain({"other"})
    assert idle_time.wait_s("calls", 100.492) == 0


def test_a_call_that_never_fits_has_one_frame_in_fifty() -> None:
    idle_time = watched(0.02, *[0.0] * 5)
    idle_time.add_call("calls", 5.0)
    started, frames, at_s = 0, 0, 100.1
    for _ in range(10 * STARVED_FRAMES):
        at_s += 0.02
        frames += 1
        idle_time.frame("camera", at_s)
        if idle_time.wait_s("calls", at_s + 0.001) == 0:
            started += 1
            idle_time.add_call("calls", 5.0)
    assert started == frames // STARVED_FRAMES


def test_a_long_call_is_tried_again_some_time() -> None:
    idle_time = watched(0.1, *[0.0] * 5)
    idle_time.add_call("calls", 10.0)
    at_s = 100.4
    while idle_time.wait_s("calls", at_s + 0.001) > 0:
        at_s += 0.1
        idle_time.frame("camera", at_s)
        assert at_s < 200


@given(
    period_s=st.floats(0.02, 1.0),
    late=st.lists(st.floats(0, 0.3), min_size=4, max_size=FRAMES),
    steps=st.data(),
)
def test_a_frame_that_is_not_early_never_meets_a_call(period_s: float, late: list[float], steps: st.DataObject) -> None:
    """If the delay grows with most frames, the camera cannot be distinguished from one with a longer period."""
    idle_time = IdleTime()
    times_s = [100 + (number + part) * period_s for number, part in enumerate([*late, 0.0])]
    for time_s in times_s:
        idle_time.frame("camera", time_s)
    idle_time.add_call("calls", 0.010)
    now_s = 100 + (len(late) + steps.draw(st.floats(0.0, 0.999))) * period_s
    usual_s = sorted(later - earlier for earlier, later in itertools.pairwise(times_s))[len(late) // 2]
    if late[0] == 0.0 and usual_s <= period_s and idle_time.wait_s("calls", now_s) == 0:
        assert now_s + 0.010 <= 100 + (len(late) + 1) * period_s
