"""A backup of a server with PostgreSQL, restored into another database."""

from __future__ import annotations

import io
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from edgefleet_server.app.resources import open_resources
from edgefleet_server.cli.admin.backup import FOLDERS, back_up
from edgefleet_server.cli.admin.restore import restore
from edgefleet_server.core.errors import ConflictError, InputError
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
