"""Schema, transactions, retention."""

from __future__ import annotations

import errno
import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

from edgefleet_server.core.errors import StatementError, StoreError, UnavailableError
from edgefleet_server.db.backend import file_owner
from edgefleet_server.db.backend.engine import Database, raw, read_seconds_max
from edgefleet_server.db.telemetry import ingest, retention
from edgefleet_server.domain.delivery.stream_cursor import Cursor

FULL = 2
"""`PRAGMA synchronous`: flushed at each commit; 1 = only now and then."""

PARTITION = re.compile(r"_d(\d+|efault)$")


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    opened = Database(where)
    opened.migrate()
    yield opened
    opened.close()


def test_migrations_make_exactly_the_tables(database: Database) -> None:
    """From an empty file to what `tables.py` says: nothing missing, nothing left over, and a second start changes nothing."""
    database.migrate()
    with database.read() as connection:
        ours = {"compare_type": True, "include_name": lambda name, kind, _: kind != "table" or not PARTITION.search(name)}
        context = MigrationContext.configure(connection, opts=ours)
        assert compare_metadata(context, SQLModel.metadata) == []


def test_what_was_committed_survives_a_power_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind of transaction of SQLite is flushed at its commit, and so are the names that lead to a new file."""
    flushed: list[Path] = []
    fsync = os.fsync

    def note(descriptor: int) -> None:
        flushed.append(Path(f"/proc/self/fd/{descriptor}").readlink())
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    folder = tmp_path / "new" / "data"
    folder.mkdir(parents=True)
    opened = Database(folder / "fleet.db")
    opened.migrate()
    assert flushed[:3] == [folder, folder.parent, tmp_path]
    for begin in (opened.write, opened.ingest_transaction, opened.read):
        with begin() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == FULL
    opened.close()


def test_file_that_is_no_database(tmp_path: Path) -> None:
    """One line that says what to do."""
    (tmp_path / "fleet.db").write_bytes(b"not a database, but long enough to be taken for one" * 100)
    database = Database(tmp_path / "fleet.db")
    with pytest.raises(StoreError, match="restore the last backup"):
        database.migrate()
    database.close()


def test_a_file_that_root_makes_belongs_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    """The case of `edgefleet user add --data` before the first start of a server that runs as another user."""
    user = 65534 if os.geteuid() == 0 else os.geteuid()
    os.chown(tmp_path, user, -1)
    database = Database(tmp_path / "fleet.db")
    database.migrate()
    with database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE more (id INTEGER)")
        files = {path.name: (path.stat().st_uid, path.stat().st_mode & 0o777) for path in tmp_path.iterdir()}
    database.close()
    assert files == dict.fromkeys(("fleet.db", "fleet.db-wal", "fleet.db-shm"), (user, 0o600))


def test_file_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The advice is to change the owner, not to restore a backup."""
    (tmp_path / "fleet.db").touch()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 4711)

    def refuse(_path: Path, _mode: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    database = Database(tmp_path / "fleet.db")
    with pytest.raises(StoreError) as raised:
        database.migrate()
    database.close()
    user = os.getuid() + 4711
    assert str(raised.value).endswith(f"and this runs as {user}: chown {user} {tmp_path / 'fleet.db'}*")
    assert "backup" not in str(raised.value)


def test_folder_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = os.getuid() + 4711
    assert file_owner.folder_advice(tmp_path) == ""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert file_owner.folder_advice(tmp_path) == "", "the group may write"
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert file_owner.folder_advice(tmp_path).endswith(f"and this runs as {user}: chown -R {user} {tmp_path}")
    assert file_owner.folder_advice(tmp_path / "missing") == ""


def test_database_of_a_newer_version(database: Database) -> None:
    """Never downgraded silently."""
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="9999"):
        database.migrate()


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    """All or nothing, raw statements included."""

    def fail() -> None:
        with database.write() as connection:
            ingest.add_device(raw(connection), "d1", 1.0)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with database.read() as connection:
        assert ingest.count_devices(raw(connection)) == 0


def test_writers_queue_and_readers_do_not(database: Database) -> None:
    """Many writers at once, each row there in the end; a reader in the middle of a transaction sees its own moment."""

    def write(name: str) -> None:
        for number in range(20):
            with database.write() as connection:
                ingest.add_device(raw(connection), f"{name}-{number}", 1.0)

    with database.read() as reader:
        before = ingest.count_devices(raw(reader))
        threads = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert ingest.count_devices(raw(reader)) == before == 0
    with database.read() as connection:
        assert ingest.count_devices(raw(connection)) == 120


def test_foreign_keys_hold(database: Database) -> None:
    """No assignment for an unknown device."""
    with pytest.raises(database.unstorable, match=r"(?i)foreign key"), database.write() as connection:
        raw(connection).execute(
            "INSERT INTO assignment (device, slot, package, attempt, rollout, trial_s, trial_frames_min)"
            " VALUES ('x', 'y', 'z', '', 0, 0, 0)"
        )


def test_retention_by_age_and_by_number(database: Database) -> None:
    """Oldest first, chunk by chunk, until only what may stay is left; less a little room, so that rows are rarely counted."""
    rows = [("d", float(n), float(n), "{}") for n in range(retention.CHUNK_ROWS + 1_000)]
    with database.write() as connection:
        ingest.add_samples(raw(connection), rows)
    assert retention.trim(database, "telemetry", older_than=5_500.0, budget=retention.RowBudget(10**9)) == 5_500
    assert retention.trim(database, "telemetry", older_than=5_500.0, budget=retention.RowBudget(10**9)) == 0
    assert retention.trim(database, "telemetry", older_than=0.0, budget=retention.RowBudget(100)) == 402
    assert retention.trim(database, "event", older_than=9e9, budget=retention.RowBudget(1)) == 0
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*), min(at) FROM telemetry").one() == (98, 5_902.0)


def test_old_outboxes_are_forgotten(database: Database) -> None:
    """A device that makes up a new epoch with every batch cannot fill the table."""
    with database.write() as connection:
        for number in range(30):
            ingest.set_cursors(raw(connection), {("d", "events", f"e{number}"): (Cursor(seq=number), 0)}, float(number))
    retention.trim_small(database, finished_before=0.0)
    with database.read() as connection:
        epochs = connection.exec_driver_sql("SELECT epoch FROM cursor ORDER BY updated_at").scalars().all()
    assert epochs == [f"e{number}" for number in range(30 - retention.EPOCHS_MAX, 30)]


def test_expensive_query_ends(where: Path | str) -> None:
    """With a line that says what to change; the connection serves the next caller, and no limit stays on it."""
    database = Database(where)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) SELECT count(*) FROM n"
    limited = read_seconds_max.set(0.2)
    began = time.monotonic()
    with pytest.raises(UnavailableError, match="narrow the period"), database.read() as connection:
        connection.exec_driver_sql(endless.format(10**9))
    assert time.monotonic() - began < 20.0
    read_seconds_max.reset(limited)
    with database.read() as connection:
        assert connection.exec_driver_sql(endless.format(10**6)).scalar_one() == 10**6
    database.close()


@pytest.mark.parametrize(("suffix", "advice"), [("-wal", "stop the server: it then saves"), ("", "copy /proc/")])
@pytest.mark.parametrize("change", ["deleted", "replaced"])
def test_a_file_that_is_deleted_while_it_is_open_ends_the_writing(suffix: str, advice: str, change: str, tmp_path: Path) -> None:
    """Its later content would be acknowledged, and gone after a kill."""
    path = tmp_path / "fleet.db"
    database = Database(path)
    database.migrate()
    with database.write() as connection:
        connection.exec_driver_sql("INSERT INTO retention (kind, at, removed, took_s, problem) VALUES ('a', 1, 1, 1, '')")
    database.check_files()
    file = tmp_path / f"fleet.db{suffix}"
    content = file.read_bytes()
    file.unlink()
    if change == "replaced":
        file.write_bytes(content)
    database.check_files()
    with pytest.raises(StoreError, match="was deleted") as refused, database.write():
        pass
    assert advice in str(refused.value)
    assert database.damage == str(refused.value)
    database.close()


def test_a_statement_over_bad_data_is_no_full_disk(tmp_path: Path) -> None:
    """The writes of others go on, and nothing asks for space."""
    database = Database(tmp_path / "fleet.db")
    database.migrate()
    with pytest.raises(StatementError, match=r"refused a statement .*malformed JSON") as caught, database.write() as connection:
        raw(connection).execute("SELECT json_extract('{\"above\": NaN}', '$.above')").fetchall()
    assert "space" not in str(caught.value)
    assert database.refused_writes is None
    database.close()
