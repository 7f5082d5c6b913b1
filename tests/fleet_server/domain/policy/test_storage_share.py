"""Shares of a table."""

from __future__ import annotations

import random

from edgefleet_server.domain.policy.storage_share import share, surplus


def test_the_largest_gives_way() -> None:
    counts = {"flood": 10_000, "a": 50, "b": 60}
    assert surplus(counts, 1_000) == {"flood": 9_110}
    assert surplus(counts, 20_000) == {}
    assert surplus({}, 10) == {}


def test_equal_devices_share_equally() -> None:
    assert surplus({"a": 100, "b": 100}, 100) == {"a": 50, "b": 50}


def test_what_remains_fits_and_nothing_is_wasted() -> None:
    dice = random.Random(3)
    for _ in range(300):
        counts = {f"d{number}": dice.choice([0, 1, 10, 1_000, 50_000]) for number in range(dice.randrange(1, 30))}
        rows_max = dice.randrange(1, 100_000)
        removed = surplus(counts, rows_max)
        left = sum(counts.values()) - sum(removed.values())
        assert left <= max(rows_max, 0)
        if removed:
            assert rows_max - left < len(counts), "less than one row each is left over"
            level = share(counts, rows_max)
            assert all(counts[device] > level for device in removed)
