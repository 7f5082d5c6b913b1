"""Delays are spread over a whole interval, which doubles up to a limit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.wire.backoff import full_jitter


@given(tries=st.integers(0, 10_000), chance=st.floats(0, 1, exclude_max=True))
def test_jitter_is_spread_over_the_whole_interval(tries: int, chance: float) -> None:
    delay_s = full_jitter(tries, 1.0, 120.0, chance)
    assert 0 <= delay_s <= min(120.0, 2.0 ** min(tries, 10))


def test_the_interval_doubles_up_to_its_end() -> None:
    assert [round(full_jitter(tries, 0.2, 15.0, 1.0), 1) for tries in (0, 1, 2, 3, 50)] == [0.2, 0.4, 0.8, 1.6, 15.0]
    assert full_jitter(9, 0.2, 15.0, 0.0) == 0.0
