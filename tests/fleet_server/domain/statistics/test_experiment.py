"""Assignment of devices to versions, and comparison of their figures."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.statistics.experiment import ArmPlan, Field, compare, split_by_hash, split_by_label

ARMS = (ArmPlan("a"), ArmPlan("b"))


@given(st.lists(st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True), unique=True, max_size=40), st.data())
def test_an_arm_does_not_depend_on_who_else_takes_part(devices: list[str], data: st.DataObject) -> None:
    whole = split_by_hash(devices, ARMS, "night")
    some = data.draw(st.lists(st.sampled_from(devices), unique=True)) if devices else []
    assert split_by_hash(some, ARMS, "night") == {device: whole[device] for device in some}


def test_shares_hold_and_seeds_draw_anew() -> None:
    devices = [f"cam-{number}" for number in range(4000)]
    found = split_by_hash(devices, (ArmPlan("a", 3.0), ArmPlan("b", 1.0)), "one")
    assert 2850 < Counter(found.values())["a"] < 3150
    other = split_by_hash(devices, (ArmPlan("a", 3.0), ArmPlan("b", 1.0)), "two")
    assert sum(found[device] != other[device] for device in devices) > 1000


def test_fewer_measures_give_narrower_intervals() -> None:
    """One figure alone has a narrower interval than among five."""
    fields = [Field("a", {"confidence": noisy(1, 60.0)}), Field("b", {"confidence": noisy(2, 61.0)})]
    alone = compare(fields, ["confidence"])
    among = next(found for found in compare(fields) if found.measure.name == "confidence")
    assert [found.measure.name for found in alone] == ["confidence"]
    widths = [found.differences[0].interval for found in (*alone, among)]
    assert all(each.low is not None and each.high is not None for each in widths)
    assert (widths[0].high or 0) - (widths[0].low or 0) < (widths[1].high or 0) - (widths[1].low or 0)


def test_label_decides_and_others_take_no_part() -> None:
    arms = (ArmPlan("a", value="day"), ArmPlan("b", value="night"))
    labels = {"x": {"shift": "day"}, "y": {"shift": "night"}, "z": {"shift": "dawn"}, "w": {}}
    assert split_by_label(labels, "shift", arms) == {"x": "a", "y": "b"}


def noisy(seed: int, mean: float, count: int = 40) -> list[float]:
    chance = random.Random(seed)
    return [chance.gauss(mean, 2.0) for _ in range(count)]


def test_a_slower_version_is_worse_and_a_faster_one_better() -> None:
    first = Field("a", {"latency_p95_ms": noisy(1, 12.0)}, 0, 40)
    for mean, expected in ((18.0, "worse"), (8.0, "better"), (12.0, "no_difference_seen")):
        found = compare([first, Field("b", {"latency_p95_ms": noisy(2, mean)}, 0, 40)])
        latency = next(one for one in found if one.measure.name == "latency_p95_ms")
        assert [each.verdict for each in latency.differences] == [expected]


def test_more_confidence_is_different_and_not_better() -> None:
    """A model that is surer may be surer of nonsense."""
    found = compare([Field("a", {"confidence": noisy(1, 60.0)}), Field("b", {"confidence": noisy(2, 80.0)})])
    sure = next(one for one in found if one.measure.name == "confidence")
    assert [each.verdict for each in sure.differences] == ["different"]


def test_failures_are_counted_of_those_that_tried() -> None:
    found = compare([Field("a", {}, 1, 60), Field("b", {}, 20, 60), Field("c", {}, 0, 0)])
    failures = found[-1]
    assert failures.arms["b"].value == pytest.approx(100.0 * 20 / 60)
    assert [(each.arm, each.verdict) for each in failures.differences] == [("b", "worse")]


def test_equal_versions_rarely_differ_in_one_comparison() -> None:
    """Four figures at once, 300 times: all intervals together hold in at least 93 of 100."""
    chance = random.Random(3)
    wrong = 0
    names = ("latency_p95_ms", "dropped_percent", "confidence", "events_per_hour")
    for _ in range(300):
        fields = [Field(arm, {name: [chance.gauss(10.0, 2.0) for _ in range(15)] for name in names}, 0, 0) for arm in "ab"]
        wrong += any(each.verdict != "no_difference_seen" for one in compare(fields) for each in one.differences)
    assert wrong <= 21
