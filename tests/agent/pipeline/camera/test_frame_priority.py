"""Shares of one model among cameras: promises, priorities, uncertainty; and how often a pipeline looks at all."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.pipeline.camera.frame_priority import FrameClaim, choose
from edgefleet_agent.pipeline.camera.frame_rate import FrameRate


def shares(cameras: dict[str, tuple[float, float, float]], looks: int = 2000, look_s: float = 0.02) -> Counter[str]:
    """How often each camera (priority, min_fps, uncertainty) is looked at, where every one always waits."""
    served: dict[str, float] = dict.fromkeys(cameras, 0.0)
    taken: Counter[str] = Counter()
    for turn in range(1, looks + 1):
        now_s = turn * look_s
        claims = [(FrameClaim(now_s, now_s - served[name], *wish), name) for name, wish in cameras.items()]
        chosen = choose(claims)
        assert chosen is not None
        taken[chosen], served[chosen] = taken[chosen] + 1, now_s
    return taken


def test_equal_wishes_take_turns() -> None:
    taken = shares(dict.fromkeys("abcd", (1.0, 0.0, 0.0)))
    assert set(taken.values()) == {500}


def test_priorities_share_and_nobody_starves() -> None:
    taken = shares({"gate": (4.0, 0.5, 0.0), "yard": (1.0, 0.5, 0.0), "hall": (1.0, 0.5, 0.0)})
    assert taken["gate"] > 1.7 * taken["yard"]
    assert taken["yard"] == pytest.approx(taken["hall"], rel=0.05)


def test_the_promised_minimum_is_kept_against_any_priority() -> None:
    """50 looks a second; eight greedy cameras, one that was promised five."""
    greedy = {f"greedy{number}": (100.0, 0.0, 1.0) for number in range(8)}
    taken = shares({**greedy, "promised": (0.1, 5.0, 0.0)})
    assert taken["promised"] >= 5 * 40 * 0.9


def test_who_is_uncertain_is_looked_at_more() -> None:
    taken = shares({"busy": (1.0, 0.0, 1.0), "calm": (1.0, 0.0, 0.0)})
    assert taken["busy"] >= taken["calm"]
    assert shares({"busy": (1.0, 0.0, 1.0), "one": (1.0, 0.0, 0.0), "two": (1.0, 0.0, 0.0)})["busy"] > 700


def test_what_is_under_way_comes_first() -> None:
    waiting = [
        (FrameClaim(1.0, 99.0, 100.0, 10.0), "new"),
        (FrameClaim.under_way(3.0), "later"),
        (FrameClaim.under_way(2.0), "begun"),
    ]
    assert choose(waiting) == "begun"
    assert choose([]) is None


@settings(max_examples=20)
@given(st.lists(st.tuples(st.floats(0.1, 100), st.just(0.0), st.floats(0, 1)), min_size=2, max_size=8))
def test_nobody_is_forgotten(wishes: list[tuple[float, float, float]]) -> None:
    """Whatever the priorities, everybody has his turn within the sum of all shares."""
    taken = shares({str(number): wish for number, wish in enumerate(wishes)}, looks=3000)
    assert len(taken) == len(wishes)


@pytest.mark.parametrize(
    ("fps", "base", "rate", "looks"), [(25, 0, 0, 250), (25, 5, 0, 50), (25, 5, 10, 100), (30, 2, 0, 20), (10, 25, 0, 100)]
)
def test_looks_a_second(fps: int, base: float, rate: float, looks: int) -> None:
    pace = FrameRate(base)
    assert sum(pace.due(frame / fps, rate) for frame in range(fps * 10)) == pytest.approx(looks, rel=0.1)


def test_a_zone_with_somebody_in_it_is_looked_at_at_once() -> None:
    pace = FrameRate(1.0)
    assert [pace.due(at / 10, 10.0 if 12 <= at < 15 else 0.0) for at in range(24)].count(True) == 2 + 3 + 1
