"""Rate limiter: the order of runs that share resources, without starvation."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.serving.engine.rate_limiter import PASSED_MAX, RateLimiter, ResourceClaim
from edgefleet_contract.core.errors import InputError

WAIT_S = 30.0


def joined(limiter: RateLimiter, *claims: ResourceClaim) -> None:
    for claim in claims:
        limiter.join(claim)


def start_waiting(limiter: RateLimiter, claim: ResourceClaim) -> threading.Event:
    """Request a run on a new thread; the event is set once it may start."""
    event = threading.Event()

    def ask() -> None:
        limiter.acquire(claim)
        event.set()

    threading.Thread(target=ask, daemon=True).start()
    return event


def waiting(limiter: RateLimiter, count: int) -> None:
    """Block until `count` claims wait."""
    give_up_s = time.monotonic() + WAIT_S
    while len(limiter._waiting) < count:
        assert time.monotonic() < give_up_s
        time.sleep(0.001)


def test_one_copy_one_run_at_a_time() -> None:
    limiter = RateLimiter()
    first, second = ResourceClaim({"npu": 1}), ResourceClaim({"npu": 1})
    joined(limiter, first, second)
    limiter.acquire(first)
    later = start_waiting(limiter, second)
    waiting(limiter, 1)
    assert limiter.usage() == {"npu": (1, 1)}
    assert not later.is_set()
    limiter.release(first)
    assert later.wait(WAIT_S)


def test_there_are_as_many_copies_as_the_most_demanding_needs_or_as_configured() -> None:
    limiter = RateLimiter()
    joined(limiter, ResourceClaim({"r": 3}), ResourceClaim({"r": 1}))
    assert limiter.usage() == {"r": (0, 3)}
    limiter = RateLimiter({"r": 2})
    with pytest.raises(InputError, match="requires 3 of resource 'r', the server has 2"):
        limiter.join(ResourceClaim({"r": 3}))


def test_who_needs_something_else_overtakes_the_head_of_the_queue() -> None:
    limiter = RateLimiter()
    holder, head, other = ResourceClaim({"a": 1}), ResourceClaim({"a": 1}), ResourceClaim({"b": 1})
    joined(limiter, holder, head, other)
    limiter.acquire(holder)
    blocked = start_waiting(limiter, head)
    waiting(limiter, 1)
    assert start_waiting(limiter, other).wait(WAIT_S)
    assert not blocked.is_set()
    limiter.release(holder)
    assert blocked.wait(WAIT_S)


def test_a_large_one_is_not_starved_by_small_ones() -> None:
    limiter = RateLimiter({"r": 2})
    large, small = ResourceClaim({"r": 2}), [ResourceClaim({"r": 1}), ResourceClaim({"r": 1})]
    joined(limiter, large, *small)
    limiter.acquire(small[0])
    granted = start_waiting(limiter, large)
    waiting(limiter, 1)
    rounds = 0
    while not granted.is_set():
        held, other = small[rounds % 2], small[1 - rounds % 2]
        if rounds > PASSED_MAX:
            limiter.release(held)
            assert granted.wait(WAIT_S)
            break
        follow = start_waiting(limiter, other)
        if not follow.wait(0.05):  # reserved for the large one: it runs after a release
            limiter.release(held)
            assert granted.wait(WAIT_S)
            break
        limiter.release(held)
        rounds += 1
    assert granted.is_set()


def test_priority_two_has_half_the_turns() -> None:
    limiter = RateLimiter({"r": 1})
    usual, half, gate = ResourceClaim({"r": 1}, 1), ResourceClaim({"r": 1}, 2), ResourceClaim({"r": 1}, 1)
    joined(limiter, usual, half, gate)
    turns: list[ResourceClaim] = []

    def run(claim: ResourceClaim) -> None:
        for _ in range(40):
            limiter.acquire(claim)
            turns.append(claim)
            waiting_or_done.wait(0.002)
            limiter.release(claim)

    waiting_or_done = threading.Event()
    limiter.acquire(gate)
    runners = [threading.Thread(target=run, args=(claim,), daemon=True) for claim in (usual, half)]
    for runner in runners:
        runner.start()
    waiting(limiter, 2)
    limiter.release(gate)
    for runner in runners:
        runner.join(WAIT_S)
    first = turns[:30]
    assert first.count(usual) > first.count(half)


needs = st.dictionaries(st.sampled_from("abc"), st.integers(1, 3), max_size=3)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(needs, st.integers(1, 3)), min_size=1, max_size=5))
def test_every_run_comes_to_its_turn_and_no_copy_is_given_twice(
    specs: list[tuple[dict[str, int], int]],
) -> None:
    limiter = RateLimiter()
    claims = [ResourceClaim(need, priority) for need, priority in specs]
    joined(limiter, *claims)
    over: list[tuple[str, int, int]] = []

    def run(claim: ResourceClaim) -> None:
        for _ in range(20):
            limiter.acquire(claim)
            over.extend((name, used, there) for name, (used, there) in limiter.usage().items() if used > there)
            limiter.release(claim)

    runners = [threading.Thread(target=run, args=(claim,), daemon=True) for claim in claims]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join(WAIT_S)
        assert not runner.is_alive()
    assert not over
