"""Real writers on the recording file system: a right one, a wrong one, and SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from tests.power_loss.disk import Survivors
from tests.power_loss.recording_filesystem import Recording, recording
from tests.power_loss.states import Cut, replay

SEEDS = 30


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Recording]:
    with recording(tmp_path) as found:
        yield found


def careless(path: Path, data: bytes) -> None:
    """Write beside and rename, as is often done."""
    beside = path.with_suffix(".new")
    beside.write_bytes(data)
    beside.replace(path)


def lost(disk: Recording, write: Callable[[Path, bytes], None], folder: Path) -> int:
    """States after the writer has returned twice in which not all bytes of the last time are there."""
    path = disk.mount / "folder" / "state"
    make_folder(path.parent)
    for data in (b"old" * 1000, b"new" * 2000):
        write(path, data)
    promised = disk.count
    disk.close()
    cuts = [Cut(promised, survivors) for survivors in (Survivors("none"), *(Survivors("some", seed) for seed in range(SEEDS)))]
    wrong = 0
    for _ in replay(disk.operations(), cuts, folder):
        state = folder / "folder" / "state"
        wrong += not state.is_file() or state.read_bytes() != b"new" * 2000
    return wrong


def test_atomic_file_is_there_once_written(disk: Recording, tmp_path: Path) -> None:
    assert lost(disk, write_atomic, tmp_path / "after") == 0


def test_careless_writer_is_caught(disk: Recording, tmp_path: Path) -> None:
    assert lost(disk, careless, tmp_path / "after") > SEEDS // 2


@pytest.mark.parametrize(("synchronous", "keeps"), [("FULL", True), ("NORMAL", False)])
def test_commits_of_sqlite(disk: Recording, tmp_path: Path, synchronous: str, keeps: bool) -> None:
    """In WAL mode, NORMAL flushes at checkpoints only: its commits are lost."""
    promised: list[int] = []
    with closing(sqlite3.connect(disk.mount / "fleet.db", isolation_level=None)) as database:
        for pragma in ("journal_mode = WAL", f"synchronous = {synchronous}", "wal_autocheckpoint = 20"):
            database.execute(f"PRAGMA {pragma}")
        database.execute("CREATE TABLE record (value BLOB)")
        for _ in range(60):
            database.execute("INSERT INTO record VALUES (randomblob(3000))")
            promised.append(disk.count)
    disk.close()
    cuts = [Cut(index, Survivors(which, index)) for index in promised[::4] for which in ("none", "some")]
    counts: list[bool] = []
    for cut in replay(disk.operations(), cuts, tmp_path / "after"):
        with closing(sqlite3.connect(tmp_path / "after" / "fleet.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            there = database.execute("SELECT count(*) FROM record").fetchone()[0] if tables else 0
        counts.append(there >= sum(index <= cut.index for index in promised))
    assert all(counts) is keeps
