"""The gate's arithmetic, row by row."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_server.domain.evidence import Evidence
from fleet_server.domain.gates import IN_REACH_SHARE, Gate, Tally, Test, Verdict, judge, judge_evidence, tally
from fleet_server.domain.states import AttemptState


@pytest.mark.parametrize(
    ("limit", "minimum", "candidates", "reported", "failed", "unreachable", "verdict"),
    [
        (10, 3, 100, 0, 0, 0, Verdict.WAITING),
        (10, 3, 100, 2, 0, 0, Verdict.WAITING),
        (10, 3, 100, 3, 0, 0, Verdict.HOLDING),
        (10, 3, 100, 2, 2, 0, Verdict.WAITING),  # two of two, but the sample is too small
        (10, 3, 100, 3, 1, 0, Verdict.BREACHED),
        (10, 10, 100, 9, 9, 0, Verdict.WAITING),  # nine failures are still within 10 % of the hundred
        (10, 50, 100, 11, 11, 0, Verdict.BREACHED),  # can no longer pass, whatever the other 89 do
        (10, 3, 2, 1, 1, 0, Verdict.BREACHED),  # a canary of two has no failure to spare
        (0, 3, 100, 1, 1, 0, Verdict.BREACHED),
        (100, 1, 4, 4, 4, 0, Verdict.HOLDING),  # no limit at all
        (10, 3, 3, 2, 0, 1, Verdict.HOLDING),  # the third is away: two reports are all there can be
        (10, 3, 3, 0, 0, 3, Verdict.WAITING),  # all are away: nothing is proven
        (10, 3, 0, 0, 0, 0, Verdict.HOLDING),  # nobody to try
        (33.4, 3, 3, 3, 1, 0, Verdict.HOLDING),
    ],
)
def test_verdicts(
    limit: float, minimum: int, candidates: int, reported: int, failed: int, unreachable: int, verdict: Verdict
) -> None:
    """Failures over reported devices, with a minimum sample."""
    judgement = judge(Gate(limit, minimum, test="threshold"), Tally(candidates, reported, failed, unreachable))
    assert judgement.verdict is verdict, judgement.text


def test_accepted_failures_do_not_count_again() -> None:
    """After an operator resumed, only what comes later is judged."""
    gate = Gate(error_percent_max=10, reported_min=1, test="threshold")
    assert judge(gate, Tally(10, 2, 2)).verdict is Verdict.BREACHED
    assert judge(gate, Tally(10, 2, 2, excused_reported=2, excused_failed=2)).verdict is Verdict.WAITING
    assert judge(gate, Tally(10, 5, 2, excused_reported=2, excused_failed=2)).verdict is Verdict.HOLDING
    assert judge(gate, Tally(10, 5, 3, excused_reported=2, excused_failed=2)).verdict is Verdict.BREACHED


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
    """`can no longer pass` is true: if everybody else succeeds, the gate is breached in the end."""
    failed = min(failed, reported)
    candidates = reported + waiting
    gate = Gate(limit, minimum, test=test)
    now = judge(gate, Tally(candidates, reported, failed))
    end = judge(gate, Tally(candidates, candidates, failed))
    if "even if all other" in now.text:
        assert end.verdict is Verdict.BREACHED
    if end.verdict is not Verdict.BREACHED and now.verdict is Verdict.BREACHED:
        assert reported >= min(minimum, candidates)


def test_evidence_stops_where_the_limit_does_not() -> None:
    """One bad profile in a good fleet is named; a gate that only has a limit does not look."""
    streams = {"cpu": Evidence(0, 900), "jetson": Evidence(12, 60)}
    assert "profile 'jetson': 12 of 60" in judge_evidence(Gate(tolerated_percent=1.0), streams)
    assert judge_evidence(Gate(test="threshold", tolerated_percent=1.0), streams) == ""
    assert judge_evidence(Gate(test="sequential"), {"cpu": Evidence(9, 90)}) == ""  # within the limit of 10 %
    assert "at most 1 %" in judge_evidence(Gate(), {"cpu": Evidence(9, 90)})


def test_a_sequential_gate_has_no_limit() -> None:
    """It waits for reports like any other, and leaves stopping to the evidence."""
    gate = Gate(10, 3, test="sequential")
    assert judge(gate, Tally(100, 3, 3)).verdict is Verdict.HOLDING
    assert judge(gate, Tally(100, 2, 2)).verdict is Verdict.WAITING
    assert judge(gate, Tally(100, 3, 3), passed=True).verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("candidates", "reported", "failed", "unreachable", "verdict"),
    [
        (1, 1, 1, 0, Verdict.BREACHED),  # a canary's only device
        (5, 1, 1, 0, Verdict.BREACHED),  # cannot pass any more
        (10, 10, 1, 0, Verdict.HOLDING),  # a version that fails on 1 % shows one failure in every tenth such wave
        (10, 2, 2, 0, Verdict.BREACHED),
        (1000, 20, 5, 0, Verdict.HOLDING),  # the quick failures of a large wave: the rest has not reported, the evidence watches
        (1000, 20, 5, 980, Verdict.BREACHED),  # all that can be reached
        (1000, 900, 51, 0, Verdict.BREACHED),
        (100_000, 99_000, 60_000, 0, Verdict.BREACHED),  # no overflow in the tail
    ],
)
def test_with_the_evidence_the_limit_judges_whole_waves(
    candidates: int, reported: int, failed: int, unreachable: int, verdict: Verdict
) -> None:
    gate = Gate(5.0, 3, test="both", tolerated_percent=1.0)
    assert judge(gate, Tally(candidates, reported, failed, unreachable)).verdict is verdict


@pytest.mark.parametrize(
    ("candidates", "reported", "failed", "unreachable", "wave", "verdict"),
    [
        (10, 10, 1, 0, 0, Verdict.HOLDING),  # every twentieth canary of a version that fails on 0.5 % looks so
        (10, 10, 2, 0, 0, Verdict.BREACHED),
        (10, 10, 2, 0, 1, Verdict.HOLDING),  # a later wave has less to spend, and the evidence behind it
        (30, 4, 3, 0, 1, Verdict.BREACHED),  # cannot pass any more
        (1, 1, 1, 0, 0, Verdict.BREACHED),  # all of it has failed
        (100, 1, 1, 99, 2, Verdict.BREACHED),  # all that is there
        (100, 10, 1, 90, 0, Verdict.HOLDING),
        (100, 10, 3, 90, 0, Verdict.BREACHED),
        (100, 12, 3, 88, 0, Verdict.BREACHED),
        (100, 60, 3, 40, 0, Verdict.HOLDING),  # those that come back are asked anew each time: only what may be, is
    ],
)
def test_the_limit_of_a_large_rollout_spends_its_share(
    candidates: int, reported: int, failed: int, unreachable: int, wave: int, verdict: Verdict
) -> None:
    gate = Gate(4.0, 3, test="both", tolerated_percent=0.5)
    assert judge(gate, Tally(candidates, reported, failed, unreachable, wave=wave, rollout=1000)).verdict is verdict


@pytest.mark.parametrize("tolerated", [0.5, 1.0, 2.0])
def test_all_that_may_stop_a_good_version_adds_up_to_the_promise(tolerated: float) -> None:
    """The worst size of every wave, the evidence, and who is away: less than 1 %."""
    gate = Gate(0.0, 1, test="both", tolerated_percent=tolerated)

    def first_stop(devices: int, wave: int) -> int:
        told = (Tally(devices, n, n, wave=wave, rollout=1000) for n in range(1, devices))
        return next((seen.failed for seen in told if judge(gate, seen).verdict is Verdict.BREACHED), devices)

    def tail(devices: int, failed: int) -> float:
        share = tolerated / 100.0
        return 1.0 - sum(math.comb(devices, n) * share**n * (1 - share) ** (devices - n) for n in range(failed))

    spent = [max(tail(devices, first_stop(devices, wave)) for devices in (5, 10, 30, 100, 300)) for wave in range(12)]
    assert spent[0] > 0.001
    assert sum(spent) + gate.evidence_alpha + gate.alpha * IN_REACH_SHARE <= gate.alpha + 1e-9


def test_nothing_tolerated_means_nothing_is_luck() -> None:
    assert judge(Gate(0.0, 1, tolerated_percent=0.0), Tally(1000, 1, 1)).verdict is Verdict.BREACHED
    assert judge(Gate(0.0, 1, tolerated_percent=100.0), Tally(1000, 1, 1)).verdict is Verdict.HOLDING
