"""A SQLite server's database in a PostgreSQL: everything, or nothing."""

from __future__ import annotations

import fcntl
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from edgefleet_server.__main__ import main
from edgefleet_server.cli.admin.migrate_db import migrate_to_postgresql
from edgefleet_server.core.errors import ConflictError, InputError, StoreError, UnavailableError
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.people import audit
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.fleet_server.fakes.populated_database import fill
from tests.services.postgres import Postgres

TABLES = (
    "device",
    "device_last",
    "telemetry",
    "event",
    "rollup",
    "alert",
    "notice",
    "command",
    "package",
    "package_blob",
    "audit",
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a server that was stopped."""
    folder = tmp_path / "fleet"
    folder.mkdir()
    with closing(Database(folder / "fleet.db")) as database:
        database.migrate()
        registry = PackageRegistry(BlobStore(folder / "blobs"), database, TufRepository(folder / "trust"), 10_000_000)
        registry.open()
        fill(database, registry, time.time() - 3 * 86_400.0, time.time())
    return folder


def everything(database: Database) -> dict[str, list[str]]:
    """Rows as Python has them, in one order."""
    with database.read() as connection:
        return {
            name: sorted(str([bytes(v) if isinstance(v, memoryview) else v for v in row])
                         for row in raw(connection).execute(f"SELECT {columns(name)} FROM {name}"))
            for name in TABLES
        }  # fmt: skip


def columns(name: str) -> str:
    """Those that both databases have in one form: no JSON's spaces, no booleans."""
    return {
        "device": "id, first_seen_at", "device_last": "device, presence_at", "telemetry": "id, device, at, received_at, record",
        "event": "id, at, label, record", "rollup": "span_s, at, figures", "alert": "id, rule, subject, began_at, ended_at",
        "notice": "id, target, alert, due_at", "command": "id, op, created_at", "package": "digest, name, version, created_at",
        "package_blob": "package, sha256", "audit": "seq, at, digest",
    }[name]  # fmt: skip


def test_every_row_comes_along(data: Path, postgres: Postgres, capsys: pytest.CaptureFixture[str]) -> None:
    """The same rows, the chain with one entry more, days in their partitions, and numbers that go on."""
    url = postgres.url()
    with closing(Database(data / "fleet.db")) as source:
        before = everything(source)
    assert main(["migrate-db", "--data", str(data), "--database", url, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["of"]["telemetry"] == 3
    with closing(Database(url)) as target:
        after = everything(target)
        grown = after["audit"].pop()
        assert after == before
        with target.read() as connection:
            assert (audit.check(connection, printed["head"]).fault, audit.newest(connection)[0]["action"]) == ("", "migrate_db")
            days = connection.exec_driver_sql("SELECT count(DISTINCT tableoid) FROM telemetry").scalar_one()
            in_default = connection.exec_driver_sql("SELECT count(*) FROM telemetry_default").scalar_one()
        assert (days, in_default, len(grown) > 0) == (2, 0, True)
        with target.ingest_transaction() as connection:
            ingest.add_samples(raw(connection), [("d", 1.0, time.time(), "{}")])
        with target.read() as connection:
            assert connection.exec_driver_sql("SELECT max(id) FROM telemetry").scalar_one() == 4
    with pytest.raises(StoreError, match="its database is postgresql://"):
        migrate_to_postgresql(data, url)
    (data / "identity.json").unlink()
    with pytest.raises(ConflictError, match="not empty"):
        migrate_to_postgresql(data, url)


def test_what_was_cut_off_is_made_again(data: Path, postgres: Postgres) -> None:
    """A row that PostgreSQL cannot keep: nothing has arrived; without it everything does."""
    url = postgres.url()
    with closing(sqlite3.connect(data / "fleet.db")) as damaged, damaged:
        damaged.execute("UPDATE event SET at = 'yesterday' WHERE id = 2")
    with pytest.raises(StoreError, match="nothing was copied"):
        migrate_to_postgresql(data, url)
    with closing(Database(url)) as target, target.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM device").scalar_one() == 0
    with closing(sqlite3.connect(data / "fleet.db")) as repaired, repaired:
        repaired.execute("UPDATE event SET at = 5 WHERE id = 2")
    assert migrate_to_postgresql(data, url)["of"]["event"] == 2


def test_audit_log_that_does_not_hold_stays_where_it_is(data: Path, postgres: Postgres) -> None:
    with closing(sqlite3.connect(data / "fleet.db")) as forged, forged:
        forged.execute("DROP TRIGGER audit_no_update")
        forged.execute("UPDATE audit SET actor = 'eve' WHERE seq = 1")
    with pytest.raises(StoreError, match="audit log is broken"):
        migrate_to_postgresql(data, postgres.url())


def test_what_cannot_be_is_one_line(data: Path, tmp_path: Path) -> None:
    """No server, no database named, another kind of database, and a server that runs."""
    with pytest.raises(InputError, match="not the data folder of a server"):
        migrate_to_postgresql(tmp_path / "other", "postgresql://127.0.0.1/x")
    with pytest.raises(InputError, match="--database"):
        migrate_to_postgresql(data, "")
    with pytest.raises(InputError, match="postgresql://user:password"):
        migrate_to_postgresql(data, "mysql://127.0.0.1/x")
    with (data / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(UnavailableError, match="stop it first"):
            migrate_to_postgresql(data, "postgresql://127.0.0.1/x")
