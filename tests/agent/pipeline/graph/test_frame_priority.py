"""Sharing one model among cameras: minimum rates, priorities, uncertainty; and the frame rate of a pipeline."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.pipeline.camera.frame_rate import FrameRate
from edgefleet_agent.pipeline.graph.frame_priority import FrameClaim, choose


def shares(cameras: dict[str, tuple[float, float, float]], rounds: int = 2000, round_s: float = 0.02) -> Counter[str]:
    """Counts the chosen frames of each camera (priority, min_fps, uncertainty) if every camera always has a waiting frame."""
    served: dict[str, float] = dict.fromkeys(cameras, 0.0)
    taken: Counter[str] = Counter()
    for turn in range(1, rounds + 1):
        now_s = turn * round_s
        claims = [(FrameClaim(now_s, now_s - served[name], *claim), name) for name, claim in cameras.items()]
        chosen = choose(claims)
        assert chosen is not None
        taken[chosen], served[chosen] = taken[chosen] + 1, now_s
    return taken


def test_equal_claims_take_turns() -> None:
    taken = shares(dict.fromkeys("abcd", (1.0, 0.0, 0.0)))
    assert set(taken.values()) == {500}


def test_priorities_share_and_none_starves() -> None:
    taken = shares({"gate": (4.0, 0.5, 0.0), "yard": (1.0, 0.5, 0.0), "hall": (1.0, 0.5, 0.0)})
    assert taken["gate"] > 1.7 * taken["yard"]
    assert taken["yard"] == pytest.approx(taken["hall"], rel=0.05)


def test_the_minimum_rate_holds_against_any_priority() -> None:
    """50 inferences a second; eight cameras of high priority, one with a minimum rate of five."""
    greedy = {f"greedy{number}": (100.0, 0.0, 1.0) for number in range(8)}
    taken = shares({**greedy, "promised": (0.1, 5.0, 0.0)})
    assert taken["promised"] >= 5 * 40 * 0.9


def test_uncertain_cameras_get_more_frames() -> None:
    taken = shares({"busy": (1.0, 0.0, 1.0), "calm": (1.0, 0.0, 0.0)})
    assert taken["busy"] >= taken["calm"]
    assert shares({"busy": (1.0, 0.0, 1.0), "one": (1.0, 0.0, 0.0), "two": (1.0, 0.0, 0.0)})["busy"] > 700


def test_what_is_under_way_comes_first() -> None:
    waiting = [
        (FrameClaim(1.0, 99.0, 100.0, 10.0), "new"),
        (FrameClaim.of_started(3.0), "later"),
        (FrameClaim.of_started(2.0), "started"),
    ]
    assert choose(waiting) == "started"
    assert choose([]) is None


@settings(max_examples=20)
@given(st.lists(st.tuples(st.floats(1, 100), st.just(0.0), st.floats(0, 1)), min_size=2, max_size=8))
def test_no_camera_is_forgotten(requested: list[tuple[float, float, float]]) -> None:
    """With any priorities, every camera is served within the sum of all shares."""
    taken = shares({str(number): claim for number, claim in enumerate(requested)}, rounds=3000)
    assert len(taken) == len(requested)


@pytest.mark.parametrize(
    ("fps", "base", "rate", "rounds"), [(25, 0, 0, 250), (25, 5, 0, 50), (25, 5, 10, 100), (30, 2, 0, 20), (10, 25, 0, 100)]
)
def test_analyzed_frames_per_second(fps: int, base: float, rate: float, rounds: int) -> None:
    pace = FrameRate(base)
    assert sum(pace.due(frame / fps, rate) for frame in range(fps * 10)) == pytest.approx(rounds, rel=0.1)


def test_an_occupied_zone_is_analyzed_at_once() -> None:
    pace = FrameRate(1.0)
    assert [pace.due(at / 10, 10.0 if 12 <= at < 15 else 0.0) for at in range(24)].count(True) == 2 + 3 + 1
