"""A device never exceeds its budget for models, including over restarts."""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent.link.bandwidth_budget import DAY_S, SAVE_BYTES, BandwidthBudget

DAY = 20_000 * DAY_S


def test_no_limit(tmp_path: Path) -> None:
    budget = BandwidthBudget(tmp_path)
    budget.spend(10**12, DAY)
    assert budget.room_bytes(0.0, DAY) == float("inf")
    assert not list(tmp_path.iterdir())


def test_bytes_a_second(tmp_path: Path) -> None:
    budget = BandwidthBudget(tmp_path, bytes_per_s=1000.0)
    assert budget.room_bytes(0.0, DAY) == 1000.0
    budget.spend(5000, DAY)
    assert budget.room_bytes(1.0, DAY) < 0
    assert 900 <= budget.room_bytes(5.0, DAY) <= 1000
    assert budget.room_bytes(1000.0, DAY) == 1000.0, "what was not used yesterday is not owed today"


def test_bytes_a_day_survive_a_restart(tmp_path: Path) -> None:
    limit = 3 * SAVE_BYTES
    budget = BandwidthBudget(tmp_path, bytes_per_day=limit)
    budget.spend(2 * SAVE_BYTES, DAY)
    again = BandwidthBudget(tmp_path, bytes_per_day=limit)
    assert again.room_bytes(0.0, DAY) == SAVE_BYTES
    again.spend(SAVE_BYTES, DAY)
    assert again.spent_out(DAY + 100)
    assert BandwidthBudget(tmp_path, bytes_per_day=limit).spent_out(DAY + 200)
    assert again.room_bytes(0.0, DAY + DAY_S) == limit, "a new day"
    (tmp_path / "budget.json").write_bytes(b"\xff")
    assert BandwidthBudget(tmp_path, bytes_per_day=limit).room_bytes(0.0, DAY) == limit
