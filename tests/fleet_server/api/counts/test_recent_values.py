"""Values of a large fleet are shared; those of a small one are always current."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from edgefleet_server.api.counts.recent_values import FRESH_S, STALE_TIMES, VALUES_MAX, RecentValues
from edgefleet_server.core.errors import StoreError


class Counting:
    """Computes 1, 2, 3, each of which takes `cost_s` of a clock that the test turns."""

    def __init__(self, cost_s: float = 0.0) -> None:
        self.now_s = 0.0
        self.done = 0
        self.cost_s = cost_s
        self.computed = threading.Event()

    def __call__(self) -> int:
        self.done += 1
        self.now_s += self.cost_s
        self.computed.set()
        return self.done


@pytest.fixture
def counting() -> Counting:
    return Counting()


@pytest.fixture
def values(counting: Counting) -> Iterator[RecentValues[str, int]]:
    opened: RecentValues[str, int] = RecentValues(lambda _value: True, lambda: counting.now_s)
    yield opened
    opened.close()


def test_a_value_is_computed_once_for_all_callers_of_a_second(values: RecentValues[str, int], counting: Counting) -> None:
    assert [values.get("a", counting) for _ in range(50)] == [1] * 50
    assert values.get("b", counting) == 2, "another key, another value"


def test_an_older_value_is_returned_at_once_and_renewed_beside(values: RecentValues[str, int], counting: Counting) -> None:
    values.get("a", counting)
    counting.computed.clear()
    counting.now_s = FRESH_S
    assert values.get("a", counting) == 1, "no caller waits"
    assert counting.computed.wait(120.0)
    values.close()
    assert values.get("a", counting) == 2


def test_a_value_without_recent_callers_is_computed_anew(values: RecentValues[str, int], counting: Counting) -> None:
    values.get("a", counting)
    counting.now_s = FRESH_S * STALE_TIMES
    assert values.get("a", counting) == 2


def test_what_takes_long_is_computed_less_often(values: RecentValues[str, int], counting: Counting) -> None:
    counting.cost_s = 0.5
    values.get("a", counting)
    counting.now_s = 9.9
    assert values.get("a", counting) == 1
    assert counting.done == 1, "a twentieth of the time at most"


def test_small_values_are_always_current() -> None:
    counting = Counting()
    values: RecentValues[str, int] = RecentValues(lambda _value: False, lambda: counting.now_s)
    assert [values.get("a", counting) for _ in range(3)] == [1, 2, 3]
    values.close()


def test_renewed_is_what_others_get(values: RecentValues[str, int], counting: Counting) -> None:
    values.get("a", counting)
    assert values.renew("a", counting) == 2
    assert values.get("a", counting) == 2


def test_a_failure_is_raised_and_not_stored(values: RecentValues[str, int], counting: Counting) -> None:
    def fail() -> int:
        raise StoreError("the disk is full")

    with pytest.raises(StoreError):
        values.get("a", fail)
    assert values.get("a", counting) == 1


def test_many_keys_do_not_grow_the_memory(values: RecentValues[str, int], counting: Counting) -> None:
    for number in range(2 * VALUES_MAX):
        values.get(str(number), counting)
    values.get("0", counting)
    assert counting.done == 2 * VALUES_MAX + 1, "the first was dropped"


def test_callers_at_the_same_moment_share_one_computation(values: RecentValues[str, int]) -> None:
    entered, done, count = threading.Event(), threading.Event(), [0]

    def slow() -> int:
        count[0] += 1
        entered.set()
        assert done.wait(120.0)
        return count[0]

    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(values.get("a", slow))) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert entered.wait(120.0)
    done.set()
    for thread in threads:
        thread.join(5.0)
    assert found == [1] * 8
