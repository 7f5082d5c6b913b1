"""The gate's arithmetic, row by row."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.outcomes import Outcome
from edgefleet_server.domain.rollout.gates import (
    PROOF,
    Evidence,
    GateVerdict,
    RolloutGate,
    Tally,
    is_over_limit,
    judge,
    judge_sequential,
    rules,
    sequential_strength,
    step,
    tally,
)
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
    seen = tally({Outcome.SUCCEEDED: 3, Outcome.FAILED: 1, Outcome.SUPERSEDED: 50, Outcome.TRIAL: 2, Outcome.FAULTED: 4})
    assert (seen.candidates, seen.reported, seen.failed, seen.unjudged) == (10, 4, 1, 4)


@pytest.mark.parametrize("test", ["threshold", "sequential", "both"])
def test_faults_of_devices_are_shown_and_not_counted(test: Any) -> None:
    """Four of five full disks stop no version; five of five are no proof of one."""
    gate = RolloutGate(10.0, 3, test=test)
    one = judge(gate, tally({Outcome.SUCCEEDED: 1, Outcome.FAULTED: 4}))
    assert (one.verdict, one.failed, one.reported) == (GateVerdict.HOLDING, 0, 1)
    assert "4 ended without a result" in one.text
    none = judge(gate, tally({Outcome.FAULTED: 5}))
    assert none.verdict is GateVerdict.WAITING
    assert "5 ended without a result" in none.text


@given(
    limit=st.floats(0, 100),
    minimum=st.integers(1, 20),
    reported=st.integers(0, 30),
    failed=st.integers(0, 30),
    waiting=st.integers(0, 30),
)
def test_a_breach_is_never_taken_back_by_successes_to_come(
    limit: float, minimum: int, reported: int, failed: int, waiting: int
) -> None:
    """`can no longer pass` is correct: even if the other devices succeed, the gate is breached in the end."""
    failed = min(failed, reported)
    candidates = reported + waiting
    gate = RolloutGate(limit, minimum, test="threshold")
    now = judge(gate, Tally(candidates, reported, failed))
    end = judge(gate, Tally(candidates, candidates, failed))
    if "even if the other" in now.text:
        assert end.verdict is GateVerdict.BREACHED
    if end.verdict is not GateVerdict.BREACHED and now.verdict is GateVerdict.BREACHED:
        assert reported >= min(minimum, candidates)


def one(failed: int, tried: int, devices: int = 1000, in_progress: int = 0) -> Evidence:
    """A rollout of one profile."""
    return Evidence([{"cpu": TrialCounts(failed, tried)}], devices, in_progress, tried - in_progress)


def test_evidence_stops_where_the_limit_does_not() -> None:
    """One bad profile in a good fleet is named; a gate that only has a limit does not look."""
    seen = Evidence([{"cpu": TrialCounts(0, 900), "jetson": TrialCounts(12, 60)}], 2000)
    assert "profile 'jetson': 12 of 60" in judge_sequential(RolloutGate(tolerated_percent=1.0), seen)
    assert judge_sequential(RolloutGate(test="threshold", tolerated_percent=1.0), seen) == ""
    assert judge_sequential(RolloutGate(test="sequential"), one(9, 90)) == ""  # within the limit of 10 %
    assert "tolerated failure rate of 1 %" in judge_sequential(RolloutGate(), one(9, 90))


def test_failures_that_show_late_are_those_of_the_first_waves() -> None:
    """Three of ten canaries fail after the other 940 devices have begun: of all together that would be nothing."""
    late = Evidence([{"cpu": TrialCounts(3, 10)}, {"cpu": TrialCounts(0, 100)}, {"cpu": TrialCounts(0, 840)}], 950)
    gate = RolloutGate(5.0, tolerated_percent=1.0)
    assert judge_sequential(gate, late).startswith("over the first waves, 3 of 10 started devices failed")
    assert judge_sequential(gate, one(3, 950, 950)) == ""
    strength = sequential_strength(gate, late)
    assert strength is not None
    assert (strength.finding.tried, strength.failures_to_stop, strength.enough) == (10, 0, True)


def test_a_rollout_without_a_device_has_no_evidence() -> None:
    assert sequential_strength(RolloutGate(), Evidence([], 0)) is None
    assert judge_sequential(RolloutGate(), Evidence([{}, {}], 5)) == ""


@pytest.mark.parametrize("test", ["sequential", "both"])
def test_with_the_sequential_test_no_wave_stops_by_its_own_limit(test: Literal["sequential", "both"]) -> None:
    """It waits for reports like any other, and leaves stopping to the test over the whole rollout."""
    gate = RolloutGate(10, 3, test=test)
    assert judge(gate, Tally(100, 3, 3)).verdict is GateVerdict.HOLDING
    assert judge(gate, Tally(100, 2, 2)).verdict is GateVerdict.WAITING
    assert judge(gate, Tally(100, 3, 3), ended="passed").verdict is GateVerdict.PASSED
    assert judge(gate, Tally(100, 3, 3), ended="stopped").verdict is GateVerdict.BREACHED
    assert judge(gate, Tally(1, 1, 1)).verdict is GateVerdict.HOLDING
    assert ("small steps" in judge(gate, Tally(100, 3, 3)).text) == (test == "both")


@pytest.mark.parametrize(
    ("failed", "tried", "devices", "tolerated", "stops"),
    [
        (1, 1, 20, 1.0, False),  # one good canary in a hundred: not rare enough among all that may stop a rollout
        (1, 1, 20, 0.1, True),  # one in a thousand
        (2, 2, 20, 1.0, True),
        (1, 3, 50, 1.0, False),
        (2, 6, 101, 1.0, True),  # a third of a canary
        (2, 6, 100, 1.0, True),  # the same with one device less
        (2, 10, 1000, 1.0, False),
        (3, 10, 1000, 1.0, True),
        (2, 60, 60, 1.0, False),
        (600, 900, 100_000, 1.0, True),
        (1100, 2000, 100_000, 1.0, True),
    ],
)
def test_one_rule_for_rollouts_of_every_size(failed: int, tried: int, devices: int, tolerated: float, stops: bool) -> None:
    assert bool(judge_sequential(RolloutGate(5.0, tolerated_percent=tolerated), one(failed, tried, devices))) is stops


def test_nothing_tolerated_means_nothing_is_luck() -> None:
    assert judge_sequential(RolloutGate(0.0, 1, tolerated_percent=0.0), one(1, 1000, 10_000))
    assert not judge_sequential(RolloutGate(0.0, 1, tolerated_percent=0.0), one(0, 1000, 10_000))
    assert not judge_sequential(RolloutGate(0.0, 1, tolerated_percent=100.0), one(1, 1, 1000))


def test_over_the_limit_as_many_start_as_decide() -> None:
    """One of five failed: a second failure at once would stop, so one device starts. Two of fifty: the limit holds nothing."""
    gate = RolloutGate(5.0, tolerated_percent=1.0)
    assert step(gate, one(1, 5, 100), first=False) == 1
    assert judge_sequential(gate, one(2, 6, 100))
    assert step(gate, one(2, 50, 1000), first=False) is None
    assert step(gate, one(0, 50, 1000), first=False) is None
    assert step(RolloutGate(5.0, test="sequential", tolerated_percent=1.0), one(1, 5), first=False) is None
    assert step(RolloutGate(5.0, test="threshold", tolerated_percent=1.0), one(1, 5), first=False) is None


def test_devices_in_progress_do_not_end_a_hold() -> None:
    """They are no successes yet for the share over the limit, though the test counts them as such."""
    gate = RolloutGate(5.0, tolerated_percent=1.0)
    assert is_over_limit(gate, one(1, 40, 100, in_progress=35))
    assert not is_over_limit(gate, one(1, 40, 100))


def test_waves_after_the_first_begin_with_what_is_proven() -> None:
    gate = RolloutGate(5.0, tolerated_percent=1.0)
    assert step(gate, one(0, 0, 100), first=True) is None
    assert [step(gate, one(0, n, 100), first=False) for n in (1, 5, PROOF - 1, PROOF)] == [1, 5, PROOF - 1, None]
    assert step(gate, one(0, 0, 100), first=False) == 1


@given(st.integers(1, 60), st.integers(1, 300), st.sampled_from([0.0, 0.1, 1.0, 3.0, 100.0]), st.sampled_from([0.0, 5.0, 50.0]))
def test_a_step_is_enough_for_a_decision(failed: int, worked: int, tolerated: float, limit: float) -> None:
    """If all devices of a step over the limit fail, the rollout stops; and no step is empty."""
    gate = RolloutGate(limit, tolerated_percent=tolerated)
    seen = one(failed, failed + worked, 2000)
    size = step(gate, seen, first=False)
    if size is None or not is_over_limit(gate, seen):
        return
    assert size >= 1
    if tolerated < 100.0:
        assert judge_sequential(gate, one(failed + size, failed + worked + size, 2000))


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        (Tally(10, 10, 0), "All devices of the wave have reported."),
        (Tally(10, 0, 0), "3 more results needed for a decision. The next failure stops the rollout."),
        (Tally(100, 2, 0), "1 more result needed for a decision. The next failure stops the rollout."),
        (Tally(100, 3, 0), "Every new result is evaluated. The next failure stops the rollout."),
        (Tally(100, 50, 0), "Every new result is evaluated. 3 more consecutive failures stop the rollout."),
        (Tally(100, 99, 0), "Every new result is evaluated. Even if all remaining devices fail, the rate stays within 5 %."),
        (Tally(24, 10, 0, unjudged=14), "All devices of the wave have reported."),
    ],
)
def test_the_next_decision(seen: Tally, text: str) -> None:
    assert judge(RolloutGate(5.0, 3, test="threshold"), seen).following == text


def test_the_next_decision_after_the_last() -> None:
    gate = RolloutGate(5.0, 3, test="threshold")
    assert judge(gate, Tally(10, 10, 0), ended="passed").following == "The wave passed its gate."
    assert "until an operator resumes" in judge(gate, Tally(10, 5, 5)).following
    assert judge(RolloutGate(test="sequential"), Tally(10, 5, 0)).following == "The sequential test over all waves decides."


@given(limit=st.floats(0, 100), minimum=st.integers(1, 20), reported=st.integers(0, 30), waiting=st.integers(1, 30))
def test_the_announced_number_of_failures_stops(limit: float, minimum: int, reported: int, waiting: int) -> None:
    """The sentence has the smallest number of failures that stops the rollout."""
    gate = RolloutGate(limit, minimum, test="threshold")
    stops = [
        more
        for more in range(1, waiting + 1)
        if judge(gate, Tally(reported + waiting, reported + more, more)).verdict is GateVerdict.BREACHED
    ]
    text = judge(gate, Tally(reported + waiting, reported, 0)).following
    expected = "Even if all" if not stops else "The next failure stops" if stops[0] == 1 else f" {stops[0]} more consecutive"
    assert expected in text


def test_the_rule_is_that_of_the_gate() -> None:
    """The sentences have the numbers that the gate uses, also where the request left them out."""
    both, threshold = " ".join(rules(RolloutGate())), " ".join(rules(RolloutGate(20.0, 7, test="threshold")))
    assert "more than 1 % of devices fail" in both
    assert "fewer than 1 of 100 versions" in both
    assert f"until the version works on {PROOF} devices" in both
    assert "more than 20 % of its reported devices failed, from 7 results on" in threshold
    assert "sequential test" not in threshold
    assert "more than 20 % of devices" in rules(RolloutGate(20.0, test="sequential"))[0]
    assert not any("every device that tried" in rule for rule in rules(RolloutGate(100.0)))


def test_accepted_devices_that_fail_later_count_again() -> None:
    """An operator resumed with five good devices; then all of them regressed."""
    found = judge(RolloutGate(test="threshold"), Tally(5, 5, 5, excused_reported=5))
    assert (found.failed, found.reported, found.verdict) == (5, 5, GateVerdict.BREACHED)
    assert judge(RolloutGate(), Tally(2, 2, 0, excused_reported=2), ended="passed").text.startswith(
        "no further devices, not counting 2"
    )
