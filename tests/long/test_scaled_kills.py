"""kill -9 of leader, ingest, API, broker and database at random, again and again, during a campaign over a thousand devices.

    python -m pytest -m long tests/long/test_scaled_kills.py -s

`EDGEFLEET_KILLS` (default 25) and `EDGEFLEET_SEED` choose another run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet_server.fakes.scaled_server import Campaign, GrownServer, seconds_until_led, victims
from tests.services.postgres import Postgres

pytestmark = [pytest.mark.long(minutes=20), pytest.mark.timeout(3600)]

MEMBERS = {"api": "api", "ingest-1": "ingest", "ingest-2": "ingest", "engine-1": "engine", "engine-2": "engine"}
TARGETS = ("leader", "ingest-1", "ingest-2", "api", "broker", "database")
KILLS = int(os.environ.get("EDGEFLEET_KILLS", "25"))
SEED = int(os.environ.get("EDGEFLEET_SEED", "1"))
DEVICES = int(os.environ.get("EDGEFLEET_DEVICES", "1000"))


@pytest.fixture
def scaled_server(tmp_path: Path) -> Iterator[GrownServer]:
    cluster = Postgres(durable=True)
    server: GrownServer | None = None
    try:
        server = GrownServer(tmp_path, cluster.start(), cluster.url("fleet"), MEMBERS)
        yield server.start()
    finally:
        if server is not None:
            server.stop()
        cluster.remove()


def test_random_kills(scaled_server: GrownServer) -> None:
    """The campaign completes with every device in one state; a record acknowledged to a device is stored once."""
    campaign = Campaign(scaled_server, devices=DEVICES, commands=100, model_bytes=1_000_000)
    campaign.disturb(victims(KILLS, TARGETS, SEED), SEED, pause_s=(1.0, 8.0))
    print(campaign.check(timeout_s=1800.0))


def test_killed_leader_is_followed(scaled_server: GrownServer) -> None:
    """Five times; the times are printed, the slowest is what an operator waits."""
    took = sorted(seconds_until_led(scaled_server) for _ in range(5))
    print(f"another process led after {took[0]:.1f} to {took[-1]:.1f} s")
