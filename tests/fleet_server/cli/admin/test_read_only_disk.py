"""A data folder on a disk that has become read-only can be backed up and looked into; what refuses says why."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from edgefleet_server.app.resources import open_resources
from edgefleet_server.cli.admin.backup import FOLDERS, back_up
from edgefleet_server.cli.admin.restore import restore
from edgefleet_server.cli.admin.table_output import open_database, readable_database
from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.people import audit
from tests.fleet_server.fakes.populated_database import fill
from tests.small_disk import mounted


def test_folder_on_a_read_only_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed server left it: its last rows are in the log beside the database only."""
    monkeypatch.delenv("EDGEFLEET_DATABASE", raising=False)
    with mounted(tmp_path / "disk", "64m") as disk:
        data = disk.folder / "fleet"
        with ExitStack() as undo:
            resources = open_resources(Settings(data=tmp_path / "fleet"), time.time(), undo)
            fill(resources.database, resources.registry, 1e9, time.time())
            shutil.copytree(tmp_path / "fleet", data)
        assert (data / "fleet.db-wal").stat().st_size > 0
        disk.remount("ro")
        back_up(data, tmp_path / "ro.tar", FOLDERS, time.time())
        with readable_database(data) as database, database.read() as connection:
            verdict = audit.check(connection)
        assert (verdict.fault, verdict.entries) == ("", 2)
        with ExitStack() as undo, pytest.raises(StoreError) as error:
            undo.enter_context(open_database(data))
        assert "read-only" in str(error.value)
        assert "restore a backup" not in str(error.value)
        with pytest.raises(StoreError, match="folder that exists and can be written"):
            back_up(data, Path("/proc/x.tar"), FOLDERS, time.time())
        disk.remount("rw")
    restore(tmp_path / "ro.tar", tmp_path / "restored")
    with closing(sqlite3.connect(tmp_path / "restored" / "fleet.db")) as db:
        assert db.execute("SELECT count(*) FROM audit").fetchone() == (2,)
