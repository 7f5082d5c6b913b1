"""Hostile devices beside well-behaved ones, for some seconds: `tests/long/test_hostile_fleet.py` has more of both."""

from __future__ import annotations

import shutil

import pytest

from benchmarks.fleet import hostile

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None,
        reason="mosquitto is not installed: apt-get install mosquitto",
    ),
]


def test_a_flood_costs_others_seconds_at_most_and_is_named() -> None:
    """Without quotas, others waited for a minute."""
    kinds = ("flood", "small_flood", "malformed", "retained")
    found = hostile.run(40, 4, 4.0, telemetry_s=0.5, after_s=0.0, settle_s=0.5, kinds=kinds)
    assert found["unnamed"] == [], found
    assert found["wrongly_named"] == [], found
    assert found["others_disconnected"] == 0, found
    assert found["beside"]["acknowledged"] > found["alone"]["acknowledged"] / 2, found
    assert found["dropped"] > 0, found
    assert found["hostile_rows"] < 30_000, found
    growth = {name: found["memory_mb"]["largest"][name] - mb for name, mb in found["memory_mb"]["before"].items()}
    assert growth["server"] < 150, found
    assert growth["broker"] < 300, found
