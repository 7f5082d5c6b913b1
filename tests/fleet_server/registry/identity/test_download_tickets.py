"""Passes: who gets one, for what, and what it is worth in other hands."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.manifest import read_descriptor
from edgefleet_contract.wire.messages import Desired, SlotTarget
from edgefleet_server.core.errors import DeniedError
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import identities
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.deltas import Deltas
from edgefleet_server.registry.identity.download_tickets import LIFE_S, DownloadTickets
from edgefleet_server.registry.identity.entitlements import Entitlements
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.packages import files, tar

NOW = time.time()


class TicketHarness:
    """Three devices, each to run a package of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = Database(migrated_file(folder / "fleet.db"))
        self.database.migrate()
        self.blobs = BlobStore(folder / "blobs")
        registry = PackageRegistry(self.blobs, self.database, TufRepository(folder / "trust"), 10_000_000)
        registry.open()
        self.of: dict[str, list[str]] = {}
        for device, name in (("press", "spotter"), ("lathe", "looker"), ("saw", "finder")):
            registry.push(io.BytesIO(tar(files(name, size=700_000))), NOW)
            with self.database.write() as connection:
                digest, length = (
                    raw(connection).execute("SELECT digest, descriptor_bytes FROM package WHERE name = ?", (name,)).fetchone()
                )
                target = SlotTarget(package=name, version="1.0.0", digest=digest, length=length, attempt="a")
                document = encode(Desired(device=device, generation=1, slots={"detector": target})).decode()
                ingest.add_device(raw(connection), device, NOW)
                raw(connection).execute("INSERT INTO desired VALUES (?, 1, ?, 0)", (device, document))
            descriptor = read_descriptor(self.blobs.path(digest).read_bytes())
            self.of[device] = [digest, *(entry.sha256 for entry in descriptor.files)]
        self.tickets = self.make()

    def make(self) -> DownloadTickets:
        return DownloadTickets(
            self.database, Entitlements(self.database, self.blobs, Deltas(self.blobs)), self.folder / "ticket.key"
        )


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TicketHarness]:
    made = TicketHarness(tmp_path_factory.mktemp("tickets"))
    yield made
    made.database.close()


def test_for_everything_that_it_is_to_run(harness: TicketHarness) -> None:
    for blob in harness.of["press"]:
        granted = harness.tickets.grant("press", blob, NOW)
        assert harness.tickets.check(granted.token, blob, NOW + 1) == "press"
        assert harness.make().check(granted.token, blob, NOW + 1) == "press", "a restart of the server takes no rights away"
    assert (harness.folder / "ticket.key").stat().st_mode & 0o777 == 0o600


def test_for_nothing_else(harness: TicketHarness) -> None:
    for device, blob in (("press", harness.of["lathe"][0]), ("press", "0" * 64), ("stranger", harness.of["press"][0])):
        with pytest.raises(DeniedError, match="is not part of a package"):
            harness.tickets.grant(device, blob, NOW)


def test_in_other_hands_and_for_other_blobs(harness: TicketHarness) -> None:
    blob, other = harness.of["press"][:2]
    token = harness.tickets.grant("press", blob, NOW).token
    device, ends, mac = token.split(".")
    with pytest.raises(DeniedError, match="for another blob"):
        harness.tickets.check(token, other, NOW)
    for forged in (f"lathe.{ends}.{mac}", f"{device}.{int(ends) + 1}.{mac}"):
        with pytest.raises(DeniedError, match="for another blob"):
            harness.tickets.check(forged, blob, NOW)
    with pytest.raises(DeniedError, match="has expired"):
        harness.tickets.check(token, blob, NOW + LIFE_S + 1)


@given(token=st.text(max_size=600))
def test_garbage(harness: TicketHarness, token: str) -> None:
    with pytest.raises(DeniedError):
        harness.tickets.check(token, harness.of["press"][0], NOW)


def test_a_device_that_is_blocked_has_no_right_left(harness: TicketHarness) -> None:
    blob = harness.of["lathe"][0]
    token = harness.tickets.grant("lathe", blob, NOW).token
    with harness.database.write() as connection:
        identities.block(connection, "lathe", "stolen", NOW)
    for refused in (lambda: harness.tickets.check(token, blob, NOW), lambda: harness.tickets.grant("lathe", blob, NOW)):
        with pytest.raises(DeniedError, match="blocked"):
            refused()
    with harness.database.write() as connection:
        identities.unblock(connection, "lathe")


def test_a_device_whose_certificates_were_taken_back(harness: TicketHarness) -> None:
    blob, times = harness.of["saw"][0], {"issued_at": NOW, "expires_at": NOW + 1000}
    with harness.database.write() as connection:
        identities.add_certificate(connection, {"serial": "ab", "device": "saw", **times, "revoked_at": None})
    token = harness.tickets.grant("saw", blob, NOW + 1).token
    with harness.database.write() as connection:
        identities.revoke_certificates(connection, "saw", NOW + 2)
    with pytest.raises(DeniedError, match="no valid certificate"):
        harness.tickets.check(token, blob, NOW + 3)
