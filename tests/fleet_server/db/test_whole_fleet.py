"""Questions about the fleet as a whole: places, the spread of versions, how a version does, certificates."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update
from sqlmodel import col

from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import certificates, device_filters, device_labels, devices, identities, restrictions, sites
from edgefleet_server.db.tables.core import DeviceLast, DeviceSlot
from edgefleet_server.db.tables.version_shares import ShareRecord
from edgefleet_server.db.telemetry import field_report, ingest, version_shares
from edgefleet_server.domain.policy.device_conduct import Offence, Restriction, RestrictionState

NOON = 1_700_000_000 // 3600 * 3600


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    """Three devices: two run 1.0.0, one of them is slow and says so; the third is away."""
    opened = Database(where)
    opened.migrate()
    with opened.write() as connection:
        for number, device in enumerate(("d0", "d1", "d2")):
            ingest.add_device(raw(connection), device, 1.0)
            runs = {"running_package": "spotter", "running_version": "1.0.0", "running_digest": "a" * 64}
            connection.execute(insert(DeviceSlot), {"device": device, "slot": "detector", "phase": "committed", **runs})
            values = {"presence": "online" if number < 2 else "offline", "fps": 10.0, "latency_p95_ms": 20.0 + 30.0 * number}
            connection.execute(update(DeviceLast).where(col(DeviceLast.device) == device).values(values))
        device_labels.set_labels(connection, "d0", {"site": "lyon", "lat": "45.76", "lon": "4.84"})
        device_labels.set_labels(connection, "d1", {"site": "lyon"})
        changes = {"attention_sample": ["pipeline camera: stalled"], "attention_count": 1}
        connection.execute(update(DeviceLast).where(col(DeviceLast.device).in_(["d1", "d2"])).values(changes))
    yield opened
    opened.close()


def test_degraded_is_who_is_there_and_complains(database: Database) -> None:
    with database.read() as connection:
        assert devices.counts(connection)["degraded"] == 1
        assert devices.counts(connection)["attention"] == 2
        assert devices.ids(connection, device_filters.Filter(status="degraded"), 10) == ["d1"]
        assert devices.ids(connection, device_filters.Filter(), 2) == ["d0", "d1"]


def test_devices_stand_where_their_labels_say(database: Database) -> None:
    with database.read() as connection:
        found, nowhere = sites.list_sites(connection)
    assert [(place.name, place.devices, place.attention) for place in found] == [("lyon", 2, 1)]
    assert nowhere == 1


@pytest.mark.parametrize("why", ["restricted", "blocked", "flapping"])
def test_a_device_that_needs_attention_counts_everywhere(database: Database, why: str) -> None:
    """The counts, the filter, the map and the device's own view agree about each reason."""
    with database.write() as connection:
        if why == "restricted":
            restrictions.store(connection, [Restriction("d0", RestrictionState.THROTTLED, Offence.INVALID, NOON, NOON + 600)])
        elif why == "blocked":
            identities.block(connection, "d0", "stolen", NOON)
        else:
            values = {"births": 99.0, "births_at": time.time()}
            connection.execute(update(DeviceLast).where(col(DeviceLast.device) == "d0").values(values))
    with database.read() as connection:
        assert devices.detail(connection, "d0")["status"] == "attention"
        assert devices.counts(connection)["attention"] == 3
        assert devices.ids(connection, device_filters.Filter(status="attention"), 10) == ["d0", "d1", "d2"]
        ((lyon,), _) = sites.list_sites(connection)
        assert (lyon.devices, lyon.attention) == (2, 2)


def test_version_shares_are_stored_and_thinned(database: Database) -> None:
    with database.write() as connection:
        for at in range(NOON, NOON + 7200, 100):
            version_shares.note(connection, at)
        stored = list(connection.execute(select(col(ShareRecord.at))).scalars())
        assert sorted(stored) == list(range(NOON, NOON + 7200, version_shares.EVERY_S))
        series = version_shares.series(connection, NOON, NOON + 9999, 10)
        assert len(series) <= 10
        assert series[-1][0] == max(stored)
        assert series[0][1] == [{"slot": "detector", "package": "spotter", "version": "1.0.0", "count": 3}]
        version_shares.thin(connection, NOON + 3 * 86_400, NOON + 3600)
        assert list(connection.execute(select(col(ShareRecord.at))).scalars()) == [NOON + 3600]


def test_figures_of_the_field_are_of_those_that_are_there(database: Database) -> None:
    with database.read() as connection:
        (row,) = field_report.of_package(connection, "a" * 64)
        assert field_report.of_package(connection, "b" * 64) == []
    assert (row["devices"], row["online"], row["measured"]) == (3, 2, 2)
    assert (row["latency_p95_median_ms"], row["latency_p95_worst_ms"]) == (50.0, 50.0)
    assert row["temperature_mean_c"] is None


def test_certificates_that_end_first_come_first(database: Database) -> None:
    with database.write() as connection:
        for device, issued, expires in (("d0", 0.0, 300.0), ("d0", 100.0, 400.0), ("d1", 0.0, 310.0), ("d2", 0.0, 900.0)):
            record = {
                "serial": f"{device}-{issued:g}",
                "device": device,
                "issued_at": issued,
                "expires_at": expires,
                "revoked_at": None,
            }
            identities.add_certificate(connection, record)
        identities.revoke_certificates(connection, "d2", 50.0)
        identities.block(connection, "d2", "stolen", 50.0)
        rows = certificates.ending(connection, 290.0, 10)
        assert [(row["device"], row["serial"], row["online"]) for row in rows] == [("d1", "d1-0", True), ("d0", "d0-100", True)]
        assert certificates.counts(connection, 290.0) == {"total": 2, "due": 1, "revoked": 1, "blocked": 1}
