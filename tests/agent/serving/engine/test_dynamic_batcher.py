"""The batcher without threads: order, sizes, delays, time-outs, limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.serving.config.model_config import QUEUE_MAX, DynamicBatching, QueuePolicy
from edgefleet_agent.serving.engine.dynamic_batcher import DynamicBatcher, QueuedRequest
from edgefleet_agent.serving.protocol.errors import CallError, Code

MS = 1_000_000


class Named(QueuedRequest):
    """A queued request with a number."""

    __slots__ = ("number",)


def named(number: int, rows: int = 1, side: int = 2, at_ms: float = 0) -> Named:
    made = Named({"X": np.zeros((rows, side), np.float32)}, rows, lambda *_: None, int(at_ms * MS))
    made.number = number
    return made


def numbers(requests: list[QueuedRequest]) -> list[int]:
    return [each.number for each in requests if isinstance(each, Named)]


def filled(batch: int, batching: DynamicBatching | None, *requests: Named) -> DynamicBatcher:
    queue = DynamicBatcher(batch, batching)
    for each in requests:
        queue.put(each, 0, 0)
    return queue


def test_without_batching_one_after_the_other() -> None:
    queue = filled(8, None, named(1), named(2))
    assert [numbers(queue.take(MS)[0]) for _ in range(3)] == [[1], [2], []]


def test_a_batch_takes_as_many_as_wait_and_fit() -> None:
    queue = filled(4, DynamicBatching(), named(1), named(2, rows=2), named(3, rows=2), named(4))
    assert [numbers(queue.take(MS)[0]) for _ in range(2)] == [[1, 2], [3, 4]]


def test_other_shapes_are_not_merged_and_not_overtaken() -> None:
    queue = filled(8, DynamicBatching(), named(1), named(2, side=3), named(3))
    assert [numbers(queue.take(MS)[0]) for _ in range(3)] == [[1], [2], [3]]


def test_the_largest_preferred_size_is_taken() -> None:
    batching = DynamicBatching(preferred_batch_size=[2, 4])
    queue = filled(8, batching, *(named(number) for number in range(7)))
    assert [len(queue.take(MS)[0]) for _ in range(3)] == [4, 2, 1]


def test_a_delay_ends_when_the_oldest_has_waited_or_the_batch_is_preferred() -> None:
    batching = DynamicBatching(preferred_batch_size=[3], max_queue_delay_microseconds=10_000)
    queue = filled(8, batching, named(1, at_ms=100), named(2, at_ms=104))
    assert queue.take(105 * MS) == ([], [], pytest.approx(0.005))
    assert numbers(queue.take(110 * MS)[0]) == [1, 2]
    queue = filled(8, batching, *(named(number, at_ms=100) for number in range(3)))
    assert numbers(queue.take(100 * MS)[0]) == [0, 1, 2]


def test_priorities_go_first_and_the_default_holds() -> None:
    queue = DynamicBatcher(1, DynamicBatching(priority_levels=3, default_priority_level=2))
    for number, priority in enumerate((3, 0, 1, 1)):
        queue.put(named(number), priority, 0)
    assert [numbers(queue.take(MS)[0])[0] for _ in range(4)] == [2, 3, 1, 0]
    with pytest.raises(CallError, match="priority 4"):
        queue.put(named(9), 4, 0)


def test_time_outs_refuse_or_delay() -> None:
    policy = QueuePolicy(default_timeout_microseconds=5000)
    queue = filled(1, DynamicBatching(default_queue_policy=policy), named(1), named(2, at_ms=4))
    taken, refused, _ = queue.take(6 * MS)
    assert (numbers(taken), numbers(refused)) == ([2], [1])
    late = QueuePolicy(default_timeout_microseconds=5000, timeout_action="DELAY")
    queue = filled(1, DynamicBatching(default_queue_policy=late), named(1), named(2, at_ms=4))
    assert [numbers(queue.take(6 * MS)[0]) for _ in range(2)] == [[2], [1]]


def test_a_request_may_only_shorten_its_time_out_and_only_where_allowed() -> None:
    for allowed, requested_us, expired in ((False, 1000, False), (True, 1000, True), (True, 9_000_000, True)):
        policy = QueuePolicy(default_timeout_microseconds=8000, allow_timeout_override=allowed)
        queue = DynamicBatcher(1, DynamicBatching(default_queue_policy=policy))
        queue.put(named(1), 0, requested_us)
        at_ms = 5 if requested_us == 1000 else 9
        assert bool(queue.take(at_ms * MS)[1]) is expired


def test_every_queue_has_an_end() -> None:
    queue = filled(1, None, *(named(number) for number in range(QUEUE_MAX)))
    with pytest.raises(CallError) as refused:
        queue.put(named(0), 0, 0)
    assert (refused.value.code, refused.value.retry_s) == (Code.UNAVAILABLE, 1)
    assert len(queue.empty()) == QUEUE_MAX
    assert len(queue) == 0


policies = st.builds(
    DynamicBatching,
    preferred_batch_size=st.lists(st.integers(1, 8), max_size=3),
    max_queue_delay_microseconds=st.sampled_from([0, 3000]),
    priority_levels=st.integers(0, 3),
    default_queue_policy=st.builds(
        QueuePolicy, timeout_action=st.sampled_from(["REJECT", "DELAY"]), default_timeout_microseconds=st.sampled_from([0, 4000])
    ),
)
steps = st.lists(st.tuples(st.booleans(), st.integers(1, 4), st.integers(1, 2), st.integers(0, 3)), max_size=40)


@given(batching=st.none() | policies, batch=st.integers(4, 8), script=steps)
def test_every_request_leaves_exactly_once_in_batches_that_fit(batching: DynamicBatching | None, batch: int, script: Any) -> None:
    queue = DynamicBatcher(batch, batching)
    given_in: list[int] = []
    out: list[int] = []
    now_ms = 1

    def take() -> None:
        taken, refused, wait_s = queue.take(now_ms * MS)
        out.extend(numbers(taken) + numbers(refused))
        if batching is None:
            assert len(taken) <= 1
        else:
            assert sum(each.rows for each in taken) <= batch
        assert all(each.shapes == taken[0].shapes for each in taken)
        assert wait_s is None or (not taken and wait_s > 0)

    for number, (putting, rows, side, priority) in enumerate(script):
        now_ms += 1
        if putting:
            level = min(priority, batching.priority_levels) if batching else 0
            queue.put(named(number, rows, side, now_ms), level, 0)
            given_in.append(number)
        else:
            take()
        assert len(queue) == len(given_in) - len(out)
    now_ms += 100_000
    while len(queue):
        take()
    assert sorted(out) == given_in
