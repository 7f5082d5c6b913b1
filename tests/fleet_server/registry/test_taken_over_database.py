"""Rows changed by hand in the database: what a device does with the documents that the server then publishes. The table in
docs/security.md is the result."""

from __future__ import annotations

import contextlib
import io
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.model_store.trust import TRUSTED, endorse
from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.wire.messages import Desired, SlotTarget
from edgefleet_contract.wire.sealed_block import key_of, seal, unseal
from edgefleet_server.db.assignment import assignments
from edgefleet_server.db.backend import shared_secrets
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import identities
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.deltas import Deltas
from edgefleet_server.registry.identity.broadcast_keys import KEY_SEED
from edgefleet_server.registry.identity.entitlements import Entitlements
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.registry.signing.test_tuf_repository import Device
from tests.taken_over import printed_rows

NOW = time.time()
FOREIGN = "f0" * 32


class TakenOverDatabase:
    """A server with three packages, one of them withdrawn, and a device that was assigned the newest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = Database(migrated_file(folder / "fleet.db"))
        self.open()
        for name in ("spotter", "looker", "finder"):
            self.registry.push(io.BytesIO(tar(files(name))), NOW)
        self.trust.withdraw("finder", "1.0.0", NOW)
        with self.database.write() as connection:
            ingest.add_device(raw(connection), "press", NOW)
        self.order("spotter")
        self.device = Device(folder / "device", self.trust)

    def open(self) -> None:
        """Start the server, or start it again."""
        self.blobs = BlobStore(self.folder / "blobs")
        self.trust = TufRepository(self.folder / "trust")
        self.registry = PackageRegistry(self.blobs, self.database, self.trust, 10_000_000)
        self.registry.open()

    def sql(self, statement: str, *values: object) -> None:
        """Change the file of the database, past the server and its rules."""
        with contextlib.closing(sqlite3.connect(self.folder / "fleet.db")) as connection, connection:
            connection.execute(statement, values)

    def order(self, name: str, digest: str = "", length: int = 0) -> None:
        """Write the document of the device."""
        with self.database.read() as connection:
            row = raw(connection).execute("SELECT digest, descriptor_bytes FROM package WHERE name = ?", (name,)).fetchone()
        target = SlotTarget(package=name, version="1.0.0", digest=digest or row[0], length=length or row[1])
        document = encode(Desired(device="press", generation=1, slots={"detector": target})).decode()
        self.sql("DELETE FROM desired")
        self.sql("INSERT INTO desired VALUES ('press', 1, ?, 0)", document)

    def outcome(self) -> str:
        """The device's answer to the document that is published now."""
        with self.database.read() as connection:
            published = assignments.documents(raw(connection), ["press"])[0][2]
        target = decode(published.encode(), Desired).slots["detector"]
        decision = endorse(target, self.device.refresh_trust(), 0, NOW)
        return "takes it" if decision == TRUSTED else f"refuses it: `{decision.reason.value}`"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TakenOverDatabase]:
    made = TakenOverDatabase(tmp_path)
    yield made
    made.database.close()


def test_what_a_taken_over_database_can_and_cannot_do(server: TakenOverDatabase) -> None:
    found: dict[str, str] = {}
    assert server.outcome() == "takes it"

    server.order("spotter", digest=FOREIGN)
    found["other content under a signed name"] = server.outcome()
    server.order("finder")
    found["orders a withdrawn version"] = server.outcome()
    server.sql("UPDATE package SET digest = ? WHERE name = 'finder'", FOREIGN)
    server.order("finder", digest=FOREIGN)
    server.open()
    found["a package of its own in the tables, before a start of the server with the targets key"] = server.outcome()
    server.order("looker")
    found["orders another signed version"] = server.outcome()

    rights = Entitlements(server.database, server.blobs, Deltas(server.blobs))
    with server.database.read() as connection:
        looker = raw(connection).execute("SELECT digest FROM package WHERE name = 'looker'").fetchone()[0]
    assert not rights.refusal("press", looker, 0.0, NOW)
    found["gives a device of its choice another package to read"] = "gets it"

    with server.database.write() as connection:
        identities.block(connection, "press", "stolen", NOW)
    assert Entitlements(server.database, server.blobs, Deltas(server.blobs)).refusal("press", looker, 0.0, NOW)
    server.sql("DELETE FROM blocked_device")
    rights.forget("press")
    assert not rights.refusal("press", looker, 0.0, NOW)
    found["ends the block of a device"] = "gets its blocks again"

    secret = shared_secrets.secret(server.database, KEY_SEED)
    sealed = seal(key_of(secret, looker), looker, 0, b"weights")
    with server.database.read() as connection:
        stolen = raw(connection).execute("SELECT value FROM secret WHERE name = ?", (KEY_SEED,)).fetchone()[0]
    assert unseal(key_of(stolen, looker), looker, 0, sealed) == b"weights"
    found["reads broadcast blocks that it hears at the broker"] = "can be read with the secret of the database"

    assert found == printed_rows("database")


def test_a_row_that_the_store_does_not_have_is_not_signed(server: TakenOverDatabase, caplog: pytest.LogCaptureFixture) -> None:
    """Neither with another digest, nor with a digest, name, version or epoch of another package."""
    with server.database.read() as connection:
        looker = raw(connection).execute("SELECT digest FROM package WHERE name = 'looker'").fetchone()[0]
    before = set(server.device.refresh_trust().targets)
    server.sql("UPDATE package SET version = '9.9.9' WHERE digest = ?", looker)
    server.open()
    assert set(server.device.refresh_trust().targets) == before
    assert "looker/9.9.9 of the database is not signed" in caplog.text


def test_a_package_that_lost_its_signature_in_a_power_cut_is_signed_at_the_next_start(server: TakenOverDatabase) -> None:
    (server.folder / "trust").rename(server.folder / "old-trust")
    server.open()
    assert {"spotter/1.0.0", "looker/1.0.0"} <= set(Device(server.folder / "new", server.trust).refresh_trust().targets)
