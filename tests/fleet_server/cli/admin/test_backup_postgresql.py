"""A backup of a server with PostgreSQL, restored into another database."""

from __future__ import annotations

import io
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from edgefleet_server.app.resources import open_resources
from edgefleet_server.cli.admin import restore as restore_command
from edgefleet_server.cli.admin.backup import FOLDERS, back_up
from edgefleet_server.cli.admin.restore import restore
from edgefleet_server.core.errors import ConflictError, InputError, StoreError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.people import audit
from edgefleet_server.db.registry import packages
from tests.fleet_server.fakes.packages import files, tar
from tests.services.postgres import Postgres


def _make(data: Path, url: str) -> str:
    """A server's folder and database with a model and a few entries in the audit log; the model's digest."""
    with ExitStack() as undo:
        resources = open_resources(Settings(data=data, database_url=url), time.time(), undo)
        digest = resources.registry.push(io.BytesIO(tar(files())), time.time()).digest
        for number in range(3):
            with resources.database.write() as connection:
                audit.append(
                    connection, at=1.0, actor="ada", role="admin", via="session", source="", action=f"a{number}", target="",
                    status=200, detail="{}",
                )  # fmt: skip
    return digest


def test_what_was_there_is_there_again(tmp_path: Path, postgres: Postgres) -> None:
    """Rows, keys and blobs; the audit chain holds, and a second restore into the same database does nothing."""
    url, archive = postgres.url(), tmp_path / "kept.tar"
    digest = _make(tmp_path / "one", url)
    back_up(tmp_path / "one", archive, FOLDERS, time.time(), url)
    other = postgres.url()
    restore(archive, tmp_path / "two", other)
    with ExitStack() as undo:
        resources = open_resources(Settings(data=tmp_path / "two", database_url=other), time.time(), undo)
        with resources.database.read() as connection:
            record = packages.by_digest(connection, digest)
            verdict = audit.check(connection)
        assert resources.registry.push(io.BytesIO(tar(files())), time.time()).new is False
        assert resources.blobs.read_block(digest, 0)
        assert resources.trust.signed_paths() == [f"{record['name']}/{record['version']}"]
    assert (verdict.fault, verdict.entries) == ("", 3)
    with pytest.raises(ConflictError, match="not empty"):
        restore(archive, tmp_path / "three", other)
    assert not (tmp_path / "three").exists()


def test_each_backup_is_restored_to_its_own_database(tmp_path: Path, postgres: Postgres) -> None:
    """One line that says what to give, and nothing is made."""
    with ExitStack() as undo:
        open_resources(Settings(data=tmp_path / "plain"), time.time(), undo)
    back_up(tmp_path / "plain", tmp_path / "plain.tar", FOLDERS, time.time())
    with pytest.raises(InputError, match="SQLite"):
        restore(tmp_path / "plain.tar", tmp_path / "two", "postgresql://127.0.0.1/x")
    url = postgres.url()
    _make(tmp_path / "grown", url)
    back_up(tmp_path / "grown", tmp_path / "grown.tar", FOLDERS, time.time(), url)
    with pytest.raises(InputError, match="--database"):
        restore(tmp_path / "grown.tar", tmp_path / "two")
    assert not (tmp_path / "two").exists()


def test_interrupted_restore_is_run_again(tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a power cut between the load of the database and the end; a database with other tables is refused."""
    url, archive = postgres.url(), tmp_path / "kept.tar"
    _make(tmp_path / "one", url)
    back_up(tmp_path / "one", archive, FOLDERS, time.time(), url)
    other = postgres.url()

    class PowerCutError(BaseException):
        """Ends the restore."""

    def cut(_folder: Path, _data: Path) -> None:
        raise PowerCutError

    with monkeypatch.context() as power:
        power.setattr(restore_command, "move_folder", cut)
        with pytest.raises(PowerCutError):
            restore(archive, tmp_path / "two", other)
    assert not (tmp_path / "two").exists()
    with pytest.raises(ConflictError, match="not empty"):
        restore(archive, tmp_path / "three", other)
    restore(archive, tmp_path / "two", other)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.tar", "one", "two"]
    database = Database(other)
    with database.read() as connection:
        assert (audit.check(connection).fault, audit.check(connection).entries) == ("", 3)
    database.close()


def test_backup_of_a_damaged_database_names_the_index(tmp_path: Path, postgres: Postgres) -> None:
    """With amcheck. Without it the dump reads the tables, and an index is not missed: a restore makes it anew."""
    url = postgres.url()
    _make(tmp_path / "one", url)
    name = url.rpartition("/")[2]
    postgres.sql("CREATE EXTENSION amcheck; CHECKPOINT", name)
    back_up(tmp_path / "one", tmp_path / "sound.tar", FOLDERS, time.time(), url)
    place = postgres.sql("SELECT pg_relation_filepath('device_pkey')", name)
    (postgres.folder / place).write_bytes(b"\xff" * 16384)
    postgres.stop()
    postgres.start()
    with pytest.raises(StoreError, match=r"pg_amcheck.*REINDEX") as refused:
        back_up(tmp_path / "one", tmp_path / "damaged.tar", FOLDERS, time.time(), url)
    assert "device_pkey" in str(refused.value)
    assert not (tmp_path / "damaged.tar").exists()


def test_two_processes_sign_one_after_the_other(tmp_path: Path, postgres: Postgres) -> None:
    """Two API processes over one folder: each sees what the other signed, and neither undoes it."""
    url = postgres.url()
    with ExitStack() as undo:
        one = open_resources(Settings(data=tmp_path / "fleet", database_url=url), time.time(), undo)
        two = open_resources(Settings(data=tmp_path / "fleet", database_url=url), time.time(), undo)
        for number, resources in enumerate((one, two, one, two)):
            resources.registry.push(io.BytesIO(tar(files(version=f"1.0.{number}"))), time.time())
        expected = [f"spotter/1.0.{number}" for number in range(4)]
        assert one.trust.signed_paths() == two.trust.signed_paths() == expected
        names = [{file.digest for file in resources.trust.offer(time.time()).files} for resources in (one, two)]
        assert names[0] == names[1]
    database = Database(url)
    database.close()
