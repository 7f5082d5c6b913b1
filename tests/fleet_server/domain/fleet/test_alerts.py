"""Start and end of alerts, and signatures of notices."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.fleet.alerts import AlertRuleTerms, Changes, Reading, evaluate, spread_of
from edgefleet_server.domain.fleet.webhook_signing import PAUSE_S_MAX, TRIES_MAX, pause_s, signature, verify

HOT = AlertRuleTerms(1, "threshold", "temperature_c", above=80.0, for_s=30.0)


def run(rule: AlertRuleTerms, values: list[float], step_s: float = 10.0) -> list[str]:
    """One device, a reading every `step_s`: what happens at each."""
    active: frozenset[str] = frozenset()
    waiting: dict[str, float] = {}
    story = []
    for index, value in enumerate(values):
        changes = evaluate(rule, {"d": Reading(value)}, active, waiting, 1000.0 + index * step_s)
        waiting = changes.waiting
        if changes.started:
            active = frozenset({"d"})
        if changes.ended:
            active = frozenset()
        story.append("started" if changes.started else "ended" if changes.ended else "on" if active else "-")
    return story


def test_condition_has_to_hold() -> None:
    """A short peak makes no alert."""
    assert run(HOT, [85, 85, 70, 85, 85, 85, 85]) == ["-", "-", "-", "-", "-", "-", "started"]


def test_value_that_dances_on_the_limit_makes_one_alert() -> None:
    """It is over 5 % behind the limit, not on it."""
    assert run(HOT, [85] * 4 + [79, 81, 79, 81, 75, 79])[3:] == ["started", "on", "on", "on", "on", "ended", "-"]
    own = AlertRuleTerms(1, "threshold", "fps", below=10.0, clear=20.0, for_s=0.0)
    assert run(own, [9, 11, 19, 20]) == ["started", "on", "on", "ended"]


def test_absence_counts_from_when_it_went() -> None:
    """Away for as long as the rule says; back at all is over."""
    rule = AlertRuleTerms(2, "absence", for_s=60.0)
    assert run(rule, [0, 30, 61, 71, 0]) == ["-", "-", "started", "on", "ended"]


def test_rate_of_events() -> None:
    """More than so many in the window."""
    assert run(AlertRuleTerms(3, "rate", above=5.0, for_s=0.0), [5, 6, 6, 4]) == ["-", "started", "on", "ended"]


def test_anomaly_is_measured_against_the_device_itself() -> None:
    """A value that is normal for one device is an anomaly for another; too few past readings give no anomaly."""
    rule = AlertRuleTerms(4, "anomaly", "latency_p95_ms", deviations=4.0)

    def started(reading: Reading) -> Changes:
        return evaluate(rule, {"d": reading}, frozenset(), {}, 0.0)

    waited = AlertRuleTerms(4, "anomaly", "latency_p95_ms", deviations=4.0, for_s=0.0)
    assert (
        evaluate(waited, {"d": Reading(20.0, 12.0, 1.0, 500)}, frozenset(), {}, 0.0)
        .started[0]
        .text.startswith("latency p95 ms 20")
    )
    assert not started(Reading(20.0, 18.0, 3.0, 500)).started
    assert not started(Reading(90.0, 12.0, 1.0, 5)).started
    assert not started(Reading(12.1, 12.0, 0.0, 500)).started


def test_device_that_fell_silent_keeps_its_alert() -> None:
    """No reading is no sign of health."""
    changes = evaluate(HOT, {}, frozenset({"d"}), {}, 0.0)
    assert changes.ended == []


@given(values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50))
def test_alerts_begin_and_end_in_turn(values: list[float]) -> None:
    """An alert never starts twice, and never ends before its start."""
    story = [word for word in run(AlertRuleTerms(1, "threshold", "x", above=10.0), values) if word in ("started", "ended")]
    assert story == (["started", "ended"] * len(story))[: len(story)]


def test_spread() -> None:
    """Mean and standard deviation from sums."""
    assert spread_of(30.0, 500.0, 2) == (15.0, 5.0)


def test_signature_is_checked_with_its_time() -> None:
    """Another body, another secret, or an old message does not pass."""
    header = signature("s3cret", 1000, b"{}")
    assert verify("s3cret", header, b"{}", 1100.0)
    assert not verify("s3cret", header, b"{ }", 1100.0)
    assert not verify("other", header, b"{}", 1100.0)
    assert not verify("s3cret", header, b"{}", 2000.0)
    assert not verify("s3cret", "nonsense", b"{}", 1000.0)


def test_pauses_grow_and_are_bounded() -> None:
    """About three hours in all."""
    pauses = [pause_s(tries) for tries in range(1, TRIES_MAX)]
    assert pauses == sorted(pauses)
    assert max(pauses) <= PAUSE_S_MAX
    assert 1.0 < sum(pauses) / 3600.0 < 4.0
