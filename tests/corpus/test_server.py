"""A server of today on the data folder and on the databases that the recorded version left."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.tables.all_tables import METADATA
from tests.corpus import server_data
from tests.corpus.folder import RECORD, newest
from tests.corpus.test_complete import require
from tests.corpus.trees import unpack_tree
from tests.services.postgres import Postgres

pytestmark = pytest.mark.system


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL, for all tests of this folder."""
    cluster = Postgres().start()
    yield cluster
    cluster.remove()


@pytest.fixture
def arguments(request: pytest.FixtureRequest, recorded: Path) -> list[str]:
    """Place of the database: the data folder, or a PostgreSQL."""
    if request.param == "sqlite":
        return []
    return ["--database", server_data.load_postgresql(request.getfixturevalue("postgres"), recorded)]


@pytest.mark.parametrize("arguments", ["sqlite", "postgresql"], indirect=True)
def test_a_server_of_today_serves_what_was_recorded(recorded: Path, tmp_path: Path, arguments: list[str]) -> None:
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    meant = server_data.reads(recorded)
    with server_data.started(recorded, tmp_path / "fleet", *arguments) as server:
        today = server_data.read(server, meant["token"], meant["paths"])
    faults = [fault for name, response in meant["responses"].items() for fault in differences(today[name], response, name)]
    assert faults == [], "\n".join(faults)


def test_every_table_and_column_is_recorded(tmp_path: Path) -> None:
    """Of both databases, each table with a row at least."""
    unpack_tree(newest() / server_data.DATA, tmp_path / "fleet")
    with closing(Database(tmp_path / "fleet" / server_data.DATABASE)) as database:
        with database.read() as connection:
            columns = {
                f"{table}.{row[1]}"
                for table in METADATA.tables
                for row in connection.exec_driver_sql(f'PRAGMA table_info("{table}")')
            }
        require(
            "column", [f"{table}.{column.name}" for table, each in METADATA.tables.items() for column in each.columns], columns
        )
        require("row of table", server_data.empty_tables(database), [])
    dump = (newest() / server_data.POSTGRESQL).read_text(encoding="utf-8")
    missing = [
        name
        for name in METADATA.tables
        if f"INSERT INTO public.{name} " not in dump and f"INSERT INTO public.{name}_" not in dump
    ]
    require(f"row in PostgreSQL (see `{RECORD}`) of", missing, [])


SENTENCES = {"explanation", "text", "title"}
"""Fields with sentences for people, composed when the response is made: their words are no part of the contract."""


def differences(today: Any, recorded: Any, where: str) -> Iterator[str]:
    """Parts of a recorded response that are missing or differ. Numbers and sentences count by their type: ages and rates change
    with time."""
    if isinstance(recorded, dict) and isinstance(today, dict):
        for name, value in recorded.items():
            if name not in today or (name in SENTENCES and type(value) is not type(today[name])):
                yield f"{where}.{name} is gone"
            elif name not in SENTENCES:
                yield from differences(today[name], value, f"{where}.{name}")
    elif isinstance(recorded, list) and isinstance(today, list) and len(recorded) == len(today):
        for number, (one, other) in enumerate(zip(today, recorded, strict=True)):
            yield from differences(one, other, f"{where}[{number}]")
    elif str(today).startswith(str(recorded).rpartition("/")[0] + "/(hidden-"):
        return  # addresses of webhooks had their secrets in 0.2.0
    elif today != recorded and not (_is_number(recorded) and _is_number(today)):
        yield f"{where}: {str(today)[:100]}, recorded was {str(recorded)[:100]}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
