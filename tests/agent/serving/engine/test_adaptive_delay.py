"""The learned delay: it waits only if that saves time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.serving.engine.adaptive_delay import LEARNED_MIN, AdaptiveDelay

US = 1000
LIMIT_NS = 5000 * US


def learned(fixed_us: float, row_us: float, gap_us: int, requests: int = 200) -> tuple[AdaptiveDelay, int]:
    """The delay of a model with these costs, called at this interval, and the time of the last request."""
    delay = AdaptiveDelay(LIMIT_NS)
    at_ns = 1_000_000_000
    for number in range(requests):
        at_ns += gap_us * US
        delay.arrived(at_ns)
        rows = 1 + number % 4
        delay.executed(rows, int((fixed_us + row_us * rows) * US))
    return delay, at_ns


def test_it_learns_what_an_execution_costs_beside_its_rows() -> None:
    delay, _ = learned(800, 150, 100)
    assert abs(delay.fixed_ns - 800 * US) < 10 * US


def test_it_waits_where_requests_come_fast_and_executions_have_much_in_common() -> None:
    delay, now_ns = learned(800, 50, 100)
    assert delay.waits_until_ns(1, now_ns, now_ns) > now_ns
    assert delay.waits_until_ns(20, now_ns, now_ns) == now_ns  # twenty requests would wait for one


def test_no_wait_when_rows_are_all_the_cost_or_no_request_is_due() -> None:
    delay, now_ns = learned(0, 800, 100)
    assert delay.waits_until_ns(2, now_ns, now_ns) == now_ns
    delay, now_ns = learned(800, 50, 20_000)
    assert delay.waits_until_ns(1, now_ns, now_ns) == now_ns


def test_it_gives_up_on_a_request_that_does_not_come() -> None:
    delay, now_ns = learned(800, 50, 100)
    assert delay.waits_until_ns(1, now_ns, now_ns + 300 * US) == now_ns + 300 * US


def test_it_knows_nothing_at_first() -> None:
    delay = AdaptiveDelay(LIMIT_NS)
    for number in range(LEARNED_MIN - 1):
        delay.arrived(number * 100 * US + 1)
        delay.executed(1, 1000 * US)
    assert delay.waits_until_ns(1, 10_000_000, 10_000_000) == 10_000_000


events = st.lists(st.tuples(st.integers(0, 10**7), st.integers(1, 16), st.integers(0, 10**9)), max_size=60)


@given(events, st.integers(1, 64), st.integers(0, 10**7))
def test_nothing_waits_beyond_the_limit(script: list[tuple[int, int, int]], requests: int, age_ns: int) -> None:
    delay = AdaptiveDelay(LIMIT_NS)
    now_ns = 10**9
    for gap_ns, rows, took_ns in script:
        now_ns += gap_ns
        delay.arrived(now_ns)
        delay.executed(rows, took_ns)
    assert delay.waits_until_ns(requests, now_ns - age_ns, now_ns) <= max(now_ns, now_ns - age_ns + LIMIT_NS)
