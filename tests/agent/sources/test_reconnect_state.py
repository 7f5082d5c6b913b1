"""The states of a source: laws that hold for any history of a camera."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.sources.reconnect_state import (
    HANG_S,
    OPEN_S,
    PAUSE_S_FIRST,
    PAUSE_S_MAX,
    REMEMBERED_MAX,
    REPEAT_S,
    REPORTED_MAX,
    SENDS_NOTHING,
    STALL_S,
    STEADY_S,
    Edge,
    ReconnectMachine,
    ReconnectState,
)

LIVES = st.lists(st.tuples(st.sampled_from(["frames", "loss", "silence"]), st.floats(0.01, 30.0)), max_size=40)


@given(LIVES, st.floats(0.0, 1.0))
def test_faults_begin_and_end_in_turn_and_pauses_stay_short(life: list[tuple[str, float]], dice: float) -> None:
    machine, now_s = ReconnectMachine(lambda: dice), 100.0
    edges: list[Edge | None] = []
    machine.opening(now_s)
    machine.opened(now_s, 10.0)
    for what, duration_s in life:
        if what == "loss":
            edges.append(machine.lost("gone", now_s))
            assert machine.state(now_s) is ReconnectState.LOST
            assert 0.5 * PAUSE_S_FIRST <= machine.pause_s <= PAUSE_S_MAX
            now_s += machine.pause_s
            machine.opening(now_s)
            machine.opened(now_s, 10.0)
        elif what == "frames":
            for _ in range(min(100, int(duration_s * 10))):
                edges.append(machine.frame(now_s))
                assert machine.state(now_s) is ReconnectState.RUNNING
                now_s += 0.1
        else:
            now_s += duration_s
    overs = [edge.over for edge in edges if edge is not None]
    assert overs == [bool(number % 2) for number in range(len(overs))]


def test_pauses_double_until_the_limit_and_begin_again_after_steady_frames() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    pauses = []
    for _ in range(5):
        machine.lost("gone", 0.0)
        pauses.append(machine.pause_s)
    assert pauses == [0.25, 0.5, 1.0, 1.5, 1.5]
    machine.opening(0.0)
    assert machine.frame(0.0) is None  # one frame is no recovery
    machine.lost("gone", 1.0)
    assert machine.pause_s == PAUSE_S_MAX
    machine.opening(10.0)
    machine.frame(10.0)
    assert machine.frame(10.0 + STEADY_S) == Edge("the source delivers frames again", True)
    assert machine.lost("gone again", 12.0) == Edge("gone again", False)
    assert machine.pause_s == PAUSE_S_FIRST


def test_a_silent_source_stalls_and_then_hangs() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    machine.opening(0.0)
    assert not machine.hangs(OPEN_S)
    assert machine.hangs(OPEN_S + 0.1)
    machine.opened(5.0, 25.0)
    machine.frame(6.0)
    assert machine.state(6.0 + STALL_S) is ReconnectState.RUNNING
    assert machine.state(6.1 + STALL_S) is ReconnectState.STALLED
    assert not machine.hangs(6.0 + HANG_S)
    assert machine.hangs(6.1 + HANG_S)
    assert not machine.hangs(6.1 + HANG_S, alive_at_s=6.0 + HANG_S)  # it is active: its decoder is restarted
    assert machine.state(6.1 + HANG_S) is ReconnectState.STALLED


def test_rare_frames_are_no_stall() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    machine.opening(0.0)
    machine.opened(0.0, 0.1)
    machine.frame(0.0)
    assert machine.state(49.0) is ReconnectState.RUNNING
    assert machine.state(51.0) is ReconnectState.STALLED


def test_a_lost_source_stays_lost_until_a_frame_comes() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    machine.lost("gone", 0.0)
    machine.opening(1.0)
    machine.opened(2.0, 25.0)
    assert machine.state(2.0) is ReconnectState.LOST
    machine.frame(2.1)
    assert machine.state(2.1) is ReconnectState.RUNNING


def test_the_reason_is_the_present_one_and_each_cause_is_reported_once() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    machine.opened(0.0, 25.0)
    machine.frame(0.0)
    assert machine.reason(0.0) == ""
    assert machine.lost("ended the connection", 1.0) == Edge("ended the connection", False)
    assert machine.lost("ended the connection", 2.0) is None
    assert machine.lost("wrong password", 3.0) == Edge("wrong password", False)
    assert machine.reason(3.0) == "wrong password"
    for number in range(100):  # alternating causes are shown, and fill neither the log nor the memory
        assert machine.lost(("ended the connection", "wrong password")[number % 2], 4.0 + number) is None
        assert machine.reason(4.0) == ("ended the connection", "wrong password")[number % 2]
    assert [(fault.text, fault.since_s, fault.until_s, fault.times) for fault in machine.faults] == [
        ("ended the connection", 102.0, 103.0, 51),
        ("wrong password", 103.0, None, 51),
    ]
    assert machine.frame(200.0) is None
    assert machine.reason(200.0) == ""
    assert machine.faults[-1].until_s == 200.0
    assert machine.frame(200.0 + STEADY_S) == Edge("the source delivers frames again", True)
    assert machine.lost("wrong password", 300.0) == Edge("wrong password", False), "another row"


def test_a_source_that_flaps_is_reported_once_a_minute() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    edges: list[Edge] = []
    for cycle in range(100):  # two seconds of frames, and lost again
        began_s = cycle * 3.0
        reports = [machine.lost("gone", began_s), machine.frame(began_s + 0.5), machine.frame(began_s + 2.5)]
        edges += [edge for edge in reports if edge is not None]
    assert [edge.over for edge in edges] == [False, True] * 5
    assert machine.faults[-1].times == 100
    last_s = 300.0 - 300.0 % REPEAT_S
    attempts = [machine.lost("gone", last_s + after_s) for after_s in range(1, 200)]
    assert [edge.text for edge in attempts if edge is not None] == ["gone"], "one that lasts is reported, though late"


def test_causes_are_bounded() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    edges = [machine.lost(f"cause {number}", float(number)) for number in range(100)]
    assert sum(edge is not None for edge in edges) == REPORTED_MAX
    assert [fault.text for fault in machine.faults] == [f"cause {number}" for number in range(100 - REMEMBERED_MAX, 100)]


def test_silence_is_a_stall_with_a_reason_until_a_frame_comes() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    machine.opened(0.0, 25.0)
    machine.frame(0.0)
    assert machine.waiting(STALL_S) is None
    assert machine.reason(STALL_S + 0.1) == SENDS_NOTHING
    assert machine.waiting(STALL_S + 0.1) == Edge(SENDS_NOTHING, False)
    assert machine.waiting(STALL_S + 0.6) is None
    assert machine.lost("stopped sending", 5.0, silent=True) == Edge("stopped sending", False)
    machine.opening(6.0)
    assert machine.state(6.0) is ReconnectState.STALLED
    machine.lost("does not respond", 7.0)
    assert machine.state(7.0) is ReconnectState.LOST
    machine.frame(8.0)
    assert machine.frame(8.0 + STEADY_S) == Edge("the source delivers frames again", True)


def test_the_source_s_own_reason_for_no_frames_replaces_another() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    machine.lost("does not respond", 0.0)
    machine.opening(1.0)
    machine.opened(2.0, 25.0)
    assert machine.waiting(2.0 + STALL_S, "nothing can be decoded") is None
    assert machine.waiting(2.1 + STALL_S) is None
    assert machine.reason(2.1 + STALL_S) == "does not respond"
    assert machine.waiting(2.1 + STALL_S, "nothing can be decoded") == Edge("nothing can be decoded", False)
    assert (machine.state(7.0), machine.reason(7.0)) == (ReconnectState.STALLED, "nothing can be decoded")
    machine.frame(8.0)
    assert machine.reason(8.0) == ""


def test_a_stall_that_ends_by_itself_is_over_in_the_log_too() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    machine.opened(0.0, 25.0)
    for tick in range(50):
        assert machine.frame(tick / 25) is None
    assert machine.waiting(10.0) == Edge(SENDS_NOTHING, False)
    assert machine.frame(11.0) is None
    assert machine.frame(11.0 + STEADY_S) == Edge("the source delivers frames again", True)


def test_blindness_is_returned_once_for_each_time() -> None:
    machine = ReconnectMachine(lambda: 0.0)
    assert machine.blind_for(100.0) == 0.0, "nothing was seen yet, and no event is open"
    machine.opened(0.0, 25.0)
    machine.frame(0.0)
    assert machine.blind_for(STALL_S) == 0.0
    machine.lost("gone", 1.0)
    assert machine.blind_for(STALL_S + 0.5) == STALL_S + 0.5
    assert machine.blind_for(STALL_S + 1.0) == 0.0
    machine.frame(10.0)
    assert machine.blind_for(10.0 + 2 * STALL_S) == 2 * STALL_S
