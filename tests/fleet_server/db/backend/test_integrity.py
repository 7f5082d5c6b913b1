"""A damaged page of every kind is reported with what to do, and the file is not written to."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from sqlalchemy import text

from edgefleet_server.app.resources import open_resources
from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend import integrity
from edgefleet_server.db.backend.engine import Database
from tests.fleet_server.fakes.damage import damage, grow

KINDS = {
    "header": ("header", "", "header or the schema"),
    "schema": ("schema", "", "header or the schema"),
    "table root": ("root", "telemetry", "table telemetry"),
    "table leaf": ("leaf", "telemetry", "table telemetry"),
    "index root": ("root", "telemetry_device_at", "index telemetry_device_at"),
    "index leaf": ("leaf", "telemetry_device_at", "index telemetry_device_at"),
    "freelist": ("freelist", "", "list of free pages"),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sound") / "fleet.db"
    database = Database(path)
    database.migrate()
    database.close()
    grow(path)
    assert integrity.full_check(path) is None
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_page_of_every_kind_stops_the_start(kind: str, sound: bytes, tmp_path: Path) -> None:
    """With one line that says what is damaged and what to do."""
    how, name, phrase = KINDS[kind]
    (tmp_path / "fleet.db").write_bytes(sound)
    damage(tmp_path / "fleet.db", how, name)
    before = (tmp_path / "fleet.db").read_bytes()
    with pytest.raises(StoreError) as refused, ExitStack() as undo:
        open_resources(Settings(data=tmp_path), time.time(), undo)
    line = str(refused.value)
    assert phrase in line
    assert "with the server stopped" in line
    assert "\n" not in line
    assert (tmp_path / "fleet.db").read_bytes() == before


@pytest.mark.parametrize("kind", ["index root", "index leaf", "freelist"])
def test_advice_repairs(kind: str, sound: bytes, tmp_path: Path) -> None:
    """The command in the line makes the file sound, and no row is lost."""
    path = tmp_path / "fleet.db"
    path.write_bytes(sound)
    damage(path, *KINDS[kind][:2])
    found = integrity.full_check(path)
    assert found is not None
    (order,) = re.findall("`(.*)`", found.text(path))
    if ".dump" in order:
        copy = path.with_name("fleet.db.new")
        with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(copy)) as new:
            new.executescript("\n".join(db.iterdump()))  # what the program sqlite3 does for .dump
        copy.replace(path)
    else:
        assert order == f"sqlite3 {path} VACUUM"
        with closing(sqlite3.connect(path)) as db:
            db.execute("VACUUM")
    assert integrity.full_check(path) is None
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM telemetry").fetchone() == (3000,)


@pytest.mark.parametrize("kind", ["header", "schema", "table leaf", "index leaf"])
def test_damage_found_at_work_ends_writing(kind: str, sound: bytes, tmp_path: Path) -> None:
    """The first read that meets it gets one line, every write after it is refused before it begins, and `damage` has the line."""
    path = tmp_path / "fleet.db"
    path.write_bytes(sound)
    damage(path, *KINDS[kind][:2])
    database = Database(path)
    everything = text(
        "SELECT (SELECT sum(at) FROM telemetry NOT INDEXED), (SELECT count(device || at) FROM telemetry WHERE device > '')"
    )
    with pytest.raises(StoreError, match="is damaged") as refused, database.read() as connection:
        connection.execute(everything)
    assert "edgefleet restore" in str(refused.value)
    assert "\n" not in str(refused.value)
    before = path.read_bytes()
    for opened in (database.write, database.ingest_transaction, database.checked(lambda _connection: None).write):
        with pytest.raises(StoreError, match="writes are refused"), opened() as connection:
            pytest.fail("a transaction began")
    assert "is damaged" in database.damage
    assert path.read_bytes() == before
    database.close()


def test_ingest_does_not_take_damage_for_a_bad_message(sound: bytes, tmp_path: Path) -> None:
    """Otherwise the message would be dropped and acknowledged, and its device would delete what is nowhere else."""
    path = tmp_path / "fleet.db"
    path.write_bytes(sound)
    damage(path, "root", "telemetry")
    database = Database(path)
    with pytest.raises(StoreError, match="is damaged"), database.ingest_transaction() as connection:
        connection.execute(text("INSERT INTO telemetry (device, at, received_at, record) VALUES ('d', 1, 1, '')"))
    database.close()


def test_quick_check_ends_in_time(sound: bytes, tmp_path: Path) -> None:
    """A database that is larger than the time allows is started; a damaged one that is small is not."""
    path = tmp_path / "fleet.db"
    path.write_bytes(sound)
    damage(path, "leaf", "telemetry")
    assert integrity.quick_check(path, bytes_max=len(sound) - 1) is None
    assert integrity.quick_check(path) is not None


def test_rows_that_refer_to_nothing_are_reported(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "fleet.db"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as db:
        (table, parent) = next(
            (name, row[2])
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for row in db.execute(f"PRAGMA foreign_key_list({name})").fetchall()
        )
        db.execute(f"CREATE TABLE orphan (id INTEGER REFERENCES {parent})")
        db.execute("INSERT INTO orphan VALUES (77777)")
        db.commit()
    found = integrity.full_check(path)
    assert found is not None
    assert found.orphans == ("orphan",)
    assert table
