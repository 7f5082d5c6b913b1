"""Places that a backup is written to, and restored to: links, devices, pipes, and the root of a disk."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from edgefleet_contract.core.atomic_files import move_file, write_atomic
from edgefleet_server.__main__ import main
from edgefleet_server.cli.admin import restore as restore_command
from edgefleet_server.cli.admin.backup import FOLDERS, back_up
from edgefleet_server.cli.admin.restore import restore
from edgefleet_server.core.errors import ConflictError, StoreError
from tests.fleet_server.cli.admin.test_damaged_backups import make
from tests.small_disk import SmallDisk, mounted


@pytest.fixture
def data(tmp_path: Path) -> Path:
    make(tmp_path / "fleet")
    return tmp_path / "fleet"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    (tmp_path / "disk").mkdir()
    with mounted(tmp_path / "disk", "64m") as found:
        yield found


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_pipe_is_refused_and_stays(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert main(["backup", str(pipe), "--data", str(data)]) == StoreError.exit_code
    assert capsys.readouterr().err == f"edgefleet: {pipe} is a device, pipe or socket; specify a file\n"
    assert pipe.is_fifo()


def test_stdout_is_refused(data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(data.parent)
    assert main(["backup", "-", "--data", str(data)]) == 2
    assert "is written to a file, not to stdout" in capsys.readouterr().err
    assert sorted(path.name for path in data.parent.iterdir()) == ["fleet"]


def test_a_link_stays_a_link(data: Path, tmp_path: Path) -> None:
    (tmp_path / "latest.tar").symlink_to("monday.tar")
    assert main(["backup", str(tmp_path / "latest.tar"), "--data", str(data)]) == 0
    assert (tmp_path / "latest.tar").is_symlink()
    assert restore(tmp_path / "monday.tar", tmp_path / "new")["files"] > 0


@pytest.mark.parametrize("kind", ["pipe", "link to a pipe", "folder"])
def test_nothing_but_a_file_is_replaced(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "target"
    (target.mkdir if kind == "folder" else lambda: os.mkfifo(target))()
    if kind == "link to a pipe":
        target = target.rename(tmp_path / "pipe").parent / "link"
        target.symlink_to("pipe")
    (tmp_path / "new").write_bytes(b"new")
    before = target.lstat().st_mode
    for change in (lambda: write_atomic(target, b"data"), lambda: move_file(tmp_path / "new", target)):
        with pytest.raises(StoreError, match="specify a file"):
            change()
    assert target.lstat().st_mode == before
    assert (tmp_path / "new").read_bytes() == b"new"


def test_a_disk_is_restored_to(data: Path, disk: SmallDisk, tmp_path: Path) -> None:
    """A volume of a container is one: it cannot be renamed, and a new one may have a folder of its own."""
    back_up(data, tmp_path / "kept.tar", FOLDERS, time.time())
    (disk.folder / "lost+found").mkdir()
    restore(tmp_path / "kept.tar", disk.folder)
    restore(tmp_path / "kept.tar", tmp_path / "beside")
    assert names(disk.folder) == names(tmp_path / "beside")
    assert sorted(path.name for path in disk.folder.iterdir() if path.name.startswith(".")) == []
    with closing(sqlite3.connect(disk.folder / "fleet.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with pytest.raises(ConflictError, match="is not empty"):
        restore(tmp_path / "kept.tar", disk.folder)


@pytest.mark.parametrize("moved", range(4))
def test_an_interrupted_restore_to_a_disk_is_run_again(
    moved: int, data: Path, disk: SmallDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(data, tmp_path / "kept.tar", FOLDERS, time.time())
    moves = []

    def move(part: Path, target: Path) -> None:
        if len(moves) == moved:
            raise OSError(errno.EIO, "Input/output error")
        moves.append(target)
        part.rename(target)

    with monkeypatch.context() as broken:
        broken.setattr(restore_command, "move_folder", move)
        broken.setattr(restore_command, "move_file", move)
        with pytest.raises(StoreError, match="Input/output error"):
            restore(tmp_path / "kept.tar", disk.folder)
    assert not (disk.folder / "fleet.db").exists()
    restore(tmp_path / "kept.tar", disk.folder)
    restore(tmp_path / "kept.tar", tmp_path / "beside")
    assert names(disk.folder) == names(tmp_path / "beside")


def test_a_complete_folder_is_never_emptied(data: Path, disk: SmallDisk, tmp_path: Path) -> None:
    """The power went after the last part was moved, and before the remains were removed."""
    back_up(data, tmp_path / "kept.tar", FOLDERS, time.time())
    restore(tmp_path / "kept.tar", disk.folder)
    (disk.folder / ".restoring").mkdir()
    (disk.folder / ".restoring/moving").touch()
    before = names(disk.folder)
    with pytest.raises(ConflictError, match="is not empty"):
        restore(tmp_path / "kept.tar", disk.folder)
    assert names(disk.folder) == before


def test_a_replaced_backup_is_named(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A timer replaces the file of the night before; a person may have meant another name."""
    for expected in (False, True):
        assert main(["backup", str(tmp_path / "kept.tar"), "--data", str(data)]) == 0
        assert ("; it replaced the file of 20" in capsys.readouterr().out) is expected
