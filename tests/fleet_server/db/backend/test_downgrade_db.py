"""The database of today's server goes back to a released version, and forward again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect

from edgefleet_server.__main__ import main
from edgefleet_server.cli.admin.downgrade_db import REVISIONS, downgrade
from edgefleet_server.cli.admin.stopped_server import stopped_server
from edgefleet_server.core.errors import InputError, UnavailableError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.people import audit
from tests.corpus import server_data
from tests.corpus.folder import HERE, folders, version_today
from tests.corpus.trees import unpack_tree
from tests.services.postgres import Postgres

RELEASED = [folder.name for folder in folders() if folder.name != version_today()]


def _schema(database: Database) -> dict[str, set[str]]:
    with database.read() as connection:
        found = inspect(connection)
        return {table: {column["name"] for column in found.get_columns(table)} for table in found.get_table_names()}


def test_every_released_version_can_be_named() -> None:
    assert list(REVISIONS) == RELEASED


@pytest.mark.parametrize("version", RELEASED)
def test_a_database_returns_to_an_older_schema(version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "fleet"
    unpack_tree(HERE / version / server_data.DATA, data)
    with closing(Database(data / server_data.DATABASE)) as database:
        recorded = _schema(database)
        database.migrate()
        today = _schema(database)
    assert main(["downgrade-db", version, "--data", str(data)]) == 0
    assert f"schema of {version}" in capsys.readouterr().out
    with closing(Database(data / server_data.DATABASE)) as database:
        assert _schema(database) == recorded != today
        with database.read() as connection:
            newest = audit.newest(connection)[0]
            assert (newest["action"], audit.check(connection).fault) == ("downgrade_db", "")
        database.migrate()
        assert _schema(database) == today


@pytest.mark.parametrize("version", RELEASED)
def test_a_postgresql_returns_to_an_older_schema(version: str, postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.url()
    with closing(Database(url)) as database:
        database.migrate()
        today = _schema(database)
        assert downgrade(tmp_path, url, version)["version"] == version
        assert set(today) - set(_schema(database)) == {
            "alert_recipient", "alert_snooze", "bill_component", "camera_hour", "configuration", "device_bill",
            "enrolled_labels", "enrolment_request", "environment_bill", "event_review", "proposal", "request_key",
            "restricted_device", "rollout_key", "user_grant",
        }  # fmt: skip
        database.migrate()
        assert _schema(database) == today


def test_it_refuses_other_versions_other_folders_and_a_running_server(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"0\.1\.1: must be one of"):
        downgrade(tmp_path, "", "0.1.1")
    with pytest.raises(InputError, match="not the data folder"):
        downgrade(tmp_path, "", "0.2.0")
    with closing(Database(tmp_path / server_data.DATABASE)) as database:
        database.migrate()
    with stopped_server(tmp_path, "x"), pytest.raises(UnavailableError, match="stop it first"):
        downgrade(tmp_path, "", "0.2.0")
