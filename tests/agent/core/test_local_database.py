"""A database file that is removed, moved, replaced or numbered anew under the store that has it open."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from edgefleet_agent.core import local_database
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.file_watch import FileWatch, Presence
from edgefleet_agent.core.local_database import STEADY_S, Layout, LocalDatabase
from tests.power_loss.recording_filesystem import recording, why_not

SCHEMA = "CREATE TABLE IF NOT EXISTS numbers (number INTEGER PRIMARY KEY)"


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _merge(memory: sqlite3.Connection, file: sqlite3.Connection) -> None:
    file.executemany("INSERT OR IGNORE INTO numbers VALUES (?)", memory.execute("SELECT number FROM numbers").fetchall())


def _database(path: Path, clock: Clock) -> LocalDatabase:
    return LocalDatabase(path, "numbers", Layout(SCHEMA, _merge), DiskFaults(), clock)


def _add(database: LocalDatabase, number: int) -> None:
    database.run(lambda connection: connection.execute("INSERT INTO numbers VALUES (?)", (number,)))


def _numbers(database: LocalDatabase) -> list[int]:
    return [number for (number,) in database.rows("SELECT number FROM numbers ORDER BY number")]


def test_a_file_with_changing_inode_numbers_is_opened_again_now_and_then_and_loses_nothing(tmp_path: Path) -> None:
    if why_not():
        pytest.skip(why_not())
    clock = Clock()
    with recording(tmp_path / "fuse", renumbered=True) as disk:
        path = disk.mount / "numbers.db"
        path.touch()
        assert len({path.stat().st_ino for _ in range(4)}) == 4
        database = _database(path, clock)
        for number in range(50):
            _add(database, number)
        assert database.generation <= 1
        clock.now += STEADY_S + 1
        for number in range(50, 100):
            _add(database, number)
        assert database.generation <= 2
        assert _numbers(database) == list(range(100))
        path.unlink()
        assert _numbers(database) == list(range(100)), "a removed file is written again"
        database.close()
        reopened = _database(path, clock)
        assert _numbers(reopened) == list(range(100))
        reopened.close()


@pytest.mark.parametrize("change", ["file removed", "journal removed", "both removed", "file replaced", "file moved", "moved in"])
def test_what_was_written_survives_a_change_of_the_files(tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_database, "HEAL_MIN_S", 0.0)
    clock, path = Clock(), tmp_path / "numbers.db"
    database = _database(path, clock)
    _add(database, 1)
    wal = path.with_name("numbers.db-wal")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as made:
        made.execute(SCHEMA)
    made.close()
    if change in ("file removed", "both removed"):
        path.unlink()
    if change in ("journal removed", "both removed"):
        wal.unlink()
    if change == "file replaced":
        other.replace(path)
    if change in ("file moved", "moved in"):
        path.rename(tmp_path / "moved.db")
    if change == "moved in":
        other.rename(path)
    _add(database, 2)
    clock.now += 1.0
    database.turn()
    assert database.on_disk
    database.close()
    reopened = _database(path, clock)
    expected = [2] if change == "moved in" else [1, 2]  # who moves a file away and another one to its place wants that one
    assert _numbers(reopened) == expected
    reopened.close()


def test_a_watch_keeps_the_locks_of_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "numbers.db"
    with sqlite3.connect(path) as database:
        database.execute(SCHEMA)
    database.execute("BEGIN EXCLUSIVE")
    watch = FileWatch(path)
    assert watch.presence() is Presence.SAME
    watch.close()
    held = Path("/proc/locks").read_text()
    assert f":{path.stat().st_ino} " in held, "closing a descriptor of the file would have released them"
    database.close()
