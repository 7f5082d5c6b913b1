"""Commits on PostgreSQL wait for the disk, whatever the role or the database sets; what the server sets is reported."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from edgefleet_server.app.resources import open_resources
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import Database
from tests.services.postgres import Postgres


@pytest.fixture(scope="module")
def safe() -> Iterator[Postgres]:
    """A PostgreSQL with its own defaults."""
    cluster = Postgres(durable=True).start()
    yield cluster
    cluster.remove()


def in_force(url: str, name: str) -> str:
    """The setting in a writing transaction, on a new connection and on one of the pool."""
    with closing(Database(url)) as database:
        found = set()
        for _ in range(2):
            with database.write() as connection:
                found.add(str(connection.exec_driver_sql(f"SHOW {name}").scalar_one()))
    assert len(found) == 1
    return found.pop()


@pytest.mark.parametrize(
    ("configured", "becomes"),
    [("off", "on"), ("local", "local"), ("remote_write", "remote_write"), ("on", "on"), ("remote_apply", "remote_apply")],
)
def test_commits_wait_for_the_disk(safe: Postgres, configured: str, becomes: str) -> None:
    """`local` and the stronger ones wait for the disk of this server at least."""
    url = safe.url()
    name = url.rpartition("/")[2]
    safe.sql(f"ALTER DATABASE {name} SET synchronous_commit = {configured}")
    assert in_force(url, "synchronous_commit") == becomes


def test_role_that_does_not_wait_is_overruled(safe: Postgres) -> None:
    safe.sql("CREATE ROLE hasty LOGIN SUPERUSER; ALTER ROLE hasty SET synchronous_commit = off")
    assert in_force(safe.url().replace("postgres@", "hasty@"), "synchronous_commit") == "on"


def test_unsafe_server_is_named(postgres: Postgres, safe: Postgres, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The PostgreSQL of the other tests runs without fsync."""
    url = postgres.url()
    with caplog.at_level(logging.ERROR), ExitStack() as closing_all:
        database = open_resources(Settings(data=tmp_path, database_url=url), 1.0, closing_all).database
        with database.read() as connection:
            warnings = database.storage_warnings(connection)
    assert [line.partition(":")[0] for line in warnings] == [
        "PostgreSQL runs with fsync = off",
        "PostgreSQL runs with full_page_writes = off",
    ]
    assert [record.message for record in caplog.records] == warnings
    with closing(Database(safe.url())) as other, other.read() as connection:
        assert other.storage_warnings(connection) == []
    with closing(Database(tmp_path / "fleet.db")) as sqlite:
        sqlite.migrate()
        with sqlite.read() as connection:
            assert sqlite.storage_warnings(connection) == []
