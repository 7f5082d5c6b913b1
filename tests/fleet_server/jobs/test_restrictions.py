"""Restrictions of devices: stored, shown, enforced, lifted, and continued after a restart."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import device_filters, devices, identities, restrictions
from edgefleet_server.db.people import audit
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.domain.policy.device_conduct import Offence, Restriction, RestrictionState
from edgefleet_server.domain.policy.device_quota import DeviceQuota
from edgefleet_server.jobs.restrictions import RestrictionKeeper
from edgefleet_server.link.device_guard import DeviceGuard
from tests.fleet_server.fakes.server_process import eventually


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    opened = Database(where)
    opened.migrate()
    now = time.time()
    with opened.write() as connection:
        for device in ("plain", "good"):
            ingest.add_device(raw(connection), device, now)
        for device in ("flood", "good"):
            record = {"serial": f"{device}-1", "device": device, "issued_at": now, "expires_at": now + 1e6, "revoked_at": None}
            identities.add_certificate(connection, record)
    yield opened
    opened.close()


class Enforcement:
    """A keeper, and what it enforced."""

    def __init__(self, database: Database) -> None:
        self.enforced: list[list[str]] = []
        self.suspended: list[set[str]] = []
        self.ended: list[str] = []
        self.guard = DeviceGuard(DeviceQuota())
        self._database = database
        self.keeper = RestrictionKeeper(database, self.guard, self._enforce, self.ended.append)
        self.keeper.start()

    def _enforce(self, sent_away: Sequence[str]) -> None:
        with self._database.read() as connection:
            self.suspended.append({serial for serial, _ in identities.revoked(connection, time.time())})
        self.enforced.append(list(sent_away))


def attention(database: Database) -> dict[str, list[str]]:
    with database.read() as connection:
        found, total = devices.page(connection, device_filters.Filter(status="attention"), "id", 0, 50)
        assert devices.counts(connection)["attention"] == total
    return {record["id"]: record["attention"] for record in found}


def test_a_flood_is_disconnected_and_shown_and_still_so_after_a_restart(database: Database) -> None:
    made = Enforcement(database)
    made.guard.offend("flood", Offence.OVER_QUOTA, 1_000)
    assert made.ended == ["flood"], "before it is stored"
    made.guard.admit("flood", "telemetry", 1)
    assert made.ended == ["flood", "flood"], "it sends again"
    eventually("enforced", lambda: made.enforced)
    assert made.enforced == [["flood"]]
    assert made.suspended == [{"flood-1"}]
    texts = attention(database)
    assert list(texts) == ["flood"], "also though no valid message came from it"
    assert texts["flood"][0].startswith("disconnected until 20")
    assert texts["flood"][0].endswith(": sends more than its quota")
    with database.read() as connection:
        entry = audit.newest(connection)[0]
        assert restrictions.count(connection) == {"throttled": 0, "disconnected": 1}
    assert (entry["actor"], entry["action"], entry["target"]) == ("edgefleet", "restrict_device", "flood disconnected")
    made.keeper.close()
    again = Enforcement(database)
    assert not again.guard.admit("flood", "telemetry", 1)
    assert again.guard.admit("good", "telemetry", 1)
    again.keeper.close()


def test_what_has_ended_is_lifted(database: Database) -> None:
    now = time.time()
    with database.write() as connection:
        for device, state, times in (
            ("flood", RestrictionState.DISCONNECTED, 1),
            ("good", RestrictionState.THROTTLED, 0),
        ):
            restrictions.store(connection, [Restriction(device, state, Offence.INVALID, now - 60.0, now + 1.0, times)])
    made = Enforcement(database)
    assert set(attention(database)) == {"good"}, "a device without a row is not listed"
    eventually("lifted", lambda: made.enforced)
    assert made.enforced == [[]]
    assert made.suspended == [set()]
    assert attention(database) == {}
    with database.read() as connection:
        assert [(each.device, each.state) for each in restrictions.stored(connection)] == [("flood", RestrictionState.WATCHED)]
    made.keeper.close()


def test_a_name_without_a_certificate_is_throttled_at_most(database: Database) -> None:
    """Others may use its name: it is not shut out for them, and a name that never said anything valid is not stored."""
    made = Enforcement(database)
    made.guard.offend("plain", Offence.INVALID, 1_000)
    made.guard.offend("invented", Offence.INVALID, 1_000)
    eventually("shown", lambda: attention(database))
    assert attention(database) == {"plain": ["throttled: sends invalid messages"]}
    assert made.enforced == []
    eventually("admitted", lambda: made.guard.admit("plain", "telemetry", 1))
    made.keeper.close()
