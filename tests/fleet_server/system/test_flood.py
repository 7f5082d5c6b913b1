"""Hostile devices beside well-behaved ones, for some seconds: `tests/long/test_hostile_fleet.py` has more of both."""

from __future__ import annotations

import shutil
from typing import Final

import pytest

from benchmarks.fleet import hostile

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None,
        reason="mosquitto is not installed: apt-get install mosquitto",
    ),
]

FLOOD_MS: Final = 5_000
"""What a flood may cost until its device is disconnected; without that, others waited for a minute."""


def test_a_flood_costs_others_seconds_at_most_and_is_named() -> None:
    found = hostile.run(40, 4, 6.0, telemetry_s=0.5, after_s=1.0, kinds=("flood", "small_flood", "malformed", "retained"))
    assert found["unnamed"] == [], found
    assert found["wrongly_named"] == [], found
    assert found["others_disconnected"] == 0, found
    assert found["beside"]["max_ms"] <= found["alone"]["max_ms"] + FLOOD_MS, found
    assert found["beside"]["acknowledged"] > found["alone"]["acknowledged"] / 2, found
    assert found["dropped"] > 0, found
    assert found["hostile_rows"] < 60_000, found
    growth = {name: found["memory_mb"]["largest"][name] - mb for name, mb in found["memory_mb"]["before"].items()}
    assert growth["server"] < 150, found
    assert growth["broker"] < 300, found
