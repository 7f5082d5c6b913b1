"""Fifty hostile devices among a thousand: others are served as if alone, memory is bounded, and every hostile one is named."""

from __future__ import annotations

import json

import pytest

from benchmarks.fleet import hostile

pytestmark = [pytest.mark.alone, pytest.mark.long(minutes=8), pytest.mark.system, pytest.mark.timeout(1800)]


def test_fifty_hostile_devices_among_a_thousand() -> None:
    found = hostile.run(1_000, 50, 180.0)
    print(json.dumps(found, indent=1))
    assert found["unnamed"] == [], found
    assert found["wrongly_named"] == [], found
    assert found["others_disconnected"] == 0, found
    assert found["ratio_p99"] <= 2.0, found
    assert found["beside"]["records_lost"] == 0, found
    growth = {name: found["memory_mb"]["largest"][name] - mb for name, mb in found["memory_mb"]["before"].items()}
    assert growth["server"] < 250, found
    assert growth["broker"] < 400, found
    assert found["memory_mb"]["after"]["server"] < found["memory_mb"]["before"]["server"] + 100, found
    assert found["broker_database_bytes"] < 50_000_000, found
