"""A backup is made of sound data only, and a damaged backup restores nothing: always one line, never a traceback."""

from __future__ import annotations

import errno
import os
import random
import sqlite3
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from edgefleet_server.app.resources import open_resources
from edgefleet_server.cli.admin import restore as restore_command
from edgefleet_server.cli.admin.backup import FOLDERS, back_up
from edgefleet_server.cli.admin.restore import restore
from edgefleet_server.core.errors import ConflictError, InputError, StoreError
from edgefleet_server.core.settings import Settings
from tests.fleet_server.fakes.damage import damage, grow
from tests.fleet_server.fakes.populated_database import fill


def make(data: Path) -> None:
    """The folder of a stopped server with something of every kind."""
    with ExitStack() as undo:
        resources = open_resources(Settings(data=data), time.time(), undo)
        fill(resources.database, resources.registry, 1e9, time.time())
    grow(data / "fleet.db")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    make(tmp_path / "fleet")
    return tmp_path / "fleet"


def refused(data: Path, file: Path) -> str:
    with pytest.raises(StoreError) as error:
        back_up(data, file, FOLDERS, time.time())
    assert not file.exists()
    assert [path.name for path in file.parent.iterdir()] == [data.name]
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("kind", "name", "phrase"),
    [
        ("header", "", "fleet.db: file is not a database; with the server stopped, restore"),
        ("leaf", "telemetry", "table telemetry"),
        ("root", "telemetry_device_at", "index telemetry_device_at"),
        ("freelist", "", "list of free pages"),
    ],
)
def test_backup_of_a_damaged_database_is_refused(data: Path, tmp_path: Path, kind: str, name: str, phrase: str) -> None:
    damage(data / "fleet.db", kind, name)
    assert phrase in refused(data, tmp_path / "kept.tar")


def test_backup_of_damaged_blobs_and_metadata_is_refused(data: Path, tmp_path: Path) -> None:
    """A blob is compared with its name, metadata with what the timestamp names."""
    blob = next((data / "blobs").glob("[0-9a-f][0-9a-f]/*"))
    sound = blob.read_bytes()
    blob.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
    assert f"blobs are damaged, for example {blob}" in refused(data, tmp_path / "kept.tar")
    blob.unlink()
    assert "missing" in refused(data, tmp_path / "kept.tar")
    blob.write_bytes(sound)
    newest = max((data / "trust" / "metadata").glob("*.targets.json"), key=lambda path: int(path.name.split(".")[0]))
    for path in (newest, data / "trust" / "metadata" / "timestamp.json", data / "trust" / "metadata" / "1.root.json"):
        sound = path.read_bytes()
        for wrong in (sound[: len(sound) // 2], sound.replace(b'"expires"', b'"exqires"', 1)):
            path.write_bytes(wrong)
            assert f"signed metadata {path} is damaged" in refused(data, tmp_path / "kept.tar")
        path.write_bytes(sound)
    back_up(data, tmp_path / "kept.tar", FOLDERS, time.time())


def outcome(file: Path, target: Path) -> str:
    """The refusal of `restore`; "" if it restored."""
    try:
        restore(file, target)
    except InputError as error:
        return str(error)
    return ""


def test_any_damage_to_the_archive_restores_nothing(data: Path, tmp_path: Path) -> None:
    """Cut off anywhere, or with any byte changed: refused in one line, or (in tar's padding) restored as it was."""
    archive = tmp_path / "kept.tar"
    back_up(data, archive, FOLDERS, time.time())
    sound = archive.read_bytes()
    draw = random.Random(16)
    spots = [draw.randrange(len(sound)) for _ in range(16)] + [0, 100, 124, 148, 156, 257, 345]
    cuts = [draw.randrange(len(sound)) for _ in range(10)] + [0, 1, 511, 512, 513, len(sound) // 512 // 2 * 512]
    damaged = tmp_path / "damaged.tar"
    outcomes = {"refused": 0, "restored": 0}
    for number, spot in enumerate(spots + cuts):
        changed = bytearray(sound) if number < len(spots) else bytearray(sound[:spot])
        if number < len(spots):
            changed[spot] ^= 1 << draw.randrange(8)
        damaged.write_bytes(changed)
        target = tmp_path / f"to-{number}"
        line = outcome(damaged, target)
        outcomes["refused" if line else "restored"] += 1
        assert target.exists() == (not line)
        assert "\n" not in line
        assert not line or str(damaged) in line or "backup" in line
        assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    assert outcomes["refused"] >= len(cuts)


def test_archive_of_damaged_data_is_refused(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if its SHA-256 is right: an earlier version made it without these checks."""
    damage(data / "fleet.db", "leaf", "telemetry")
    with monkeypatch.context() as older:
        older.setattr("edgefleet_server.cli.admin.backup.integrity.full_check", lambda _path: None)
        back_up(data, tmp_path / "kept.tar", FOLDERS, time.time())
    with pytest.raises(InputError, match="database in the backup is damaged"):
        restore(tmp_path / "kept.tar", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_failed_restore_leaves_what_was_there(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with data is never touched; a full disk leaves no folder and no parts; what a power cut leaves is no obstacle."""
    archive = tmp_path / "kept.tar"
    back_up(data, archive, FOLDERS, time.time())
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    with pytest.raises(ConflictError, match="is not empty"):
        restore(archive, data)
    assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == before
    (tmp_path / "new").mkdir()
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with monkeypatch.context() as disk:
        disk.setattr(restore_command, "move_folder", lambda _folder, _data: (_ for _ in ()).throw(full))
        with pytest.raises(StoreError, match="No space left"):
            restore(archive, tmp_path / "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fleet", "kept.tar", "new"]
    (tmp_path / ".new.restoring" / "data" / "blobs").mkdir(parents=True)
    (tmp_path / ".new.restoring" / "data" / "fleet.db").write_bytes(b"half of")
    restore(archive, tmp_path / "new")
    assert not (tmp_path / ".new.restoring").exists()
    with closing(sqlite3.connect(tmp_path / "new" / "fleet.db")) as db:
        assert db.execute("SELECT count(*) FROM audit").fetchone() == (2,)
