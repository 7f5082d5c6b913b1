"""The gate's arithmetic, row by row."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.rollout.gates import (
    IN_REACH_SHARE,
    GateVerdict,
    RolloutGate,
    Tally,
    Test,
    judge,
    judge_sequential,
    tally,
)
from edgefleet_server.domain.states import AttemptState
from edgefleet_server.domain.statistics.sequential_test import TrialCounts


@pytest.mark.parametrize(
    ("limit", "minimum", "candidates", "reported", "failed", "unreachable", "verdict"),
    [
        (10, 3, 100, 0, 0, 0, GateVerdict.WAITING),
        (10, 3, 100, 2, 0, 0, GateVerdict.WAITING),
        (10, 3, 100, 3, 0, 0, GateVerdict.HOLDING),
        (10, 3, 100, 2, 2, 0, GateVerdict.WAITING),  # two of two, but the sample is too small
        (10, 3, 100, 3, 1, 0, GateVerdict.BREACHED),
        (10, 10, 100, 9, 9, 0, GateVerdict.WAITING),  # nine failures are still within 10 % of the hundred
        (10, 50, 100, 11, 11, 0, GateVerdict.BREACHED),  # can no longer pass, whatever the other 89 do
        (10, 3, 2, 1, 1, 0, GateVerdict.BREACHED),  # a canary of two has no failure to spare
        (0, 3, 100, 1, 1, 0, GateVerdict.BREACHED),
        (100, 1, 4, 4, 4, 0, GateVerdict.HOLDING),  # no limit at all
        (10, 3, 3, 2, 0, 1, GateVerdict.HOLDING),  # the third is away: two reports are all there can be
        (10, 3, 3, 0, 0, 3, GateVerdict.WAITING),  # all are away: nothing is proven
        (10, 3, 0, 0, 0, 0, GateVerdict.HOLDING),  # no device to try
        (33.4, 3, 3, 3, 1, 0, GateVerdict.HOLDING),
    ],
)
def test_verdicts(
    limit: float, minimum: int, candidates: int, reported: int, failed: int, unreachable: int, verdict: GateVerdict
) -> None:
    """Failures over reported devices, with a minimum sample."""
    judgement = judge(RolloutGate(limit, minimum, test="threshold"), Tally(candidates, reported, failed, unreachable))
    assert judgement.verdict is verdict, judgement.text


def test_accepted_failures_do_not_count_again() -> None:
    """After an operator resumed, only what comes later is judged."""
    gate = RolloutGate(error_percent_max=10, reported_min=1, test="threshold")
    assert judge(gate, Tally(10, 2, 2)).verdict is GateVerdict.BREACHED
    assert judge(gate, Tally(10, 2, 2, excused_reported=2, excused_failed=2)).verdict is GateVerdict.WAITING
    assert judge(gate, Tally(10, 5, 2, excused_reported=2, excused_failed=2)).verdict is GateVerdict.HOLDING
    assert judge(gate, Tally(10, 5, 3, excused_reported=2, excused_failed=2)).verdict is GateVerdict.BREACHED


def test_devices_that_did_not_try_say_nothing() -> None:
    """Superseded, cancelled, incompatible and already installed are in neither number."""
    seen = tally({AttemptState.COMMITTED: 3, AttemptState.ROLLED_BACK: 1, AttemptState.SUPERSEDED: 50, AttemptState.TRIAL: 2})
    assert (seen.candidates, seen.reported, seen.failed) == (6, 4, 1)


@given(
    limit=st.floats(0, 100),
    minimum=st.integers(1, 20),
    reported=st.integers(0, 30),
    failed=st.integers(0, 30),
    waiting=st.integers(0, 30),
    test=st.sampled_from(("threshold", "both")),
)
def test_a_breach_is_never_taken_back_by_successes_to_come(
    limit: float, minimum: int, reported: int, failed: int, waiting: int, test: Test
) -> None:
    """`can no longer pass` is correct: even if the other devices succeed, the gate is breached in the end."""
    failed = min(failed, reported)
    candidates = reported + waiting
    gate = RolloutGate(limit, minimum, test=test)
    now = judge(gate, Tally(candidates, reported, failed))
    end = judge(gate, Tally(candidates, candidates, failed))
    if "even if the other" in now.text:
        assert end.verdict is GateVerdict.BREACHED
    if end.verdict is not GateVerdict.BREACHED and now.verdict is GateVerdict.BREACHED:
        assert reported >= min(minimum, candidates)


def test_evidence_stops_where_the_limit_does_not() -> None:
    """One bad profile in a good fleet is named; a gate that only has a limit does not look."""
    streams = {"cpu": TrialCounts(0, 900), "jetson": TrialCounts(12, 60)}
    assert "profile 'jetson': 12 of 60" in judge_sequential(RolloutGate(tolerated_percent=1.0), streams)
    assert judge_sequential(RolloutGate(test="threshold", tolerated_percent=1.0), streams) == ""
    assert judge_sequential(RolloutGate(test="sequential"), {"cpu": TrialCounts(9, 90)}) == ""  # within the limit of 10 %
    assert "tolerated failure rate of 1 %" in judge_sequential(RolloutGate(), {"cpu": TrialCounts(9, 90)})


def test_a_sequential_gate_has_no_limit() -> None:
    """It waits for reports like any other, and leaves stopping to the sequential test."""
    gate = RolloutGate(10, 3, test="sequential")
    assert judge(gate, Tally(100, 3, 3)).verdict is GateVerdict.HOLDING
    assert judge(gate, Tally(100, 2, 2)).verdict is GateVerdict.WAITING
    assert judge(gate, Tally(100, 3, 3), passed=True).verdict is GateVerdict.PASSED


@pytest.mark.parametrize(
    ("candidates", "reported", "failed", "unreachable", "verdict"),
    [
        (1, 1, 1, 0, GateVerdict.BREACHED),  # a canary's only device
        (5, 1, 1, 0, GateVerdict.BREACHED),  # cannot pass any more
        (10, 10, 1, 0, GateVerdict.HOLDING),  # a version that fails on 1 % shows one failure in every tenth such wave
        (10, 2, 2, 0, GateVerdict.BREACHED),
        (
            1000,
            20,
            5,
            0,
            GateVerdict.HOLDING,
        ),  # the quick failures of a large wave: the rest has not reported, the sequential test runs
        (1000, 20, 5, 980, GateVerdict.BREACHED),  # all that can be reached
        (1000, 900, 51, 0, GateVerdict.BREACHED),
        (100_000, 99_000, 60_000, 0, GateVerdict.BREACHED),  # no overflow in the tail
    ],
)
def test_with_the_evidence_the_limit_judges_whole_waves(
    candidates: int, reported: int, failed: int, unreachable: int, verdict: GateVerdict
) -> None:
    gate = RolloutGate(5.0, 3, test="both", tolerated_percent=1.0)
    assert judge(gate, Tally(candidates, reported, failed, unreachable)).verdict is verdict


@pytest.mark.parametrize(
    ("candidates", "reported", "failed", "unreachable", "wave", "verdict"),
    [
        (10, 10, 1, 0, 0, GateVerdict.HOLDING),  # every twentieth canary of a version that fails on 0.5 % looks so
        (10, 10, 2, 0, 0, GateVerdict.BREACHED),
        (10, 10, 2, 0, 1, GateVerdict.HOLDING),  # a later wave has less to spend, and the sequential test runs behind it
        (30, 4, 3, 0, 1, GateVerdict.BREACHED),  # cannot pass any more
        (1, 1, 1, 0, 0, GateVerdict.BREACHED),  # all of it has failed
        (100, 1, 1, 99, 2, GateVerdict.BREACHED),  # all that is there
        (100, 10, 1, 90, 0, GateVerdict.HOLDING),
        (100, 10, 3, 90, 0, GateVerdict.BREACHED),
        (100, 12, 3, 88, 0, GateVerdict.BREACHED),
        (
            100,
            60,
            3,
            40,
            0,
            GateVerdict.HOLDING,
        ),  # returning devices make each evaluation a new test
    ],
)
def test_the_limit_of_a_large_rollout_spends_its_share(
    candidates: int, reported: int, failed: int, unreachable: int, wave: int, verdict: GateVerdict
) -> None:
    gate = RolloutGate(4.0, 3, test="both", tolerated_percent=0.5)
    assert judge(gate, Tally(candidates, reported, failed, unreachable, wave=wave, rollout=1000)).verdict is verdict


@pytest.mark.parametrize("tolerated", [0.5, 1.0, 2.0])
def test_all_that_may_stop_a_good_version_adds_up_to_the_promise(tolerated: float) -> None:
    """The worst size of every wave, the sequential test, and who is away: less than 1 %."""
    gate = RolloutGate(0.0, 1, test="both", tolerated_percent=tolerated)

    def first_stop(devices: int, wave: int) -> int:
        tallies = (Tally(devices, n, n, wave=wave, rollout=1000) for n in range(1, devices))
        return next((seen.failed for seen in tallies if judge(gate, seen).verdict is GateVerdict.BREACHED), devices)

    def tail(devices: int, failed: int) -> float:
        share = tolerated / 100.0
        return 1.0 - sum(math.comb(devices, n) * share**n * (1 - share) ** (devices - n) for n in range(failed))

    spent = [max(tail(devices, first_stop(devices, wave)) for devices in (5, 10, 30, 100, 300)) for wave in range(12)]
    assert spent[0] > 0.001
    assert sum(spent) + gate.sequential_alpha + gate.alpha * IN_REACH_SHARE <= gate.alpha + 1e-9


def test_nothing_tolerated_means_nothing_is_luck() -> None:
    assert judge(RolloutGate(0.0, 1, tolerated_percent=0.0), Tally(1000, 1, 1)).verdict is GateVerdict.BREACHED
    assert judge(RolloutGate(0.0, 1, tolerated_percent=100.0), Tally(1000, 1, 1)).verdict is GateVerdict.HOLDING
