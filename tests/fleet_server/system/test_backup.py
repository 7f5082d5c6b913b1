"""Backup and restore: a backup of a running server restores a server that continues."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from edgefleet_server.cli.admin.backup import FOLDERS, back_up
from edgefleet_server.cli.admin.restore import restore
from edgefleet_server.core.errors import ConflictError, InputError
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually, order

pytestmark = pytest.mark.system


def edgefleet(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "edgefleet_server", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_server_resumes_from_its_backup(server: ServerProcess, device: MakeDevice, tmp_path: Path) -> None:
    """Models, devices, rollouts, keys, the audit log: all there, and a device that lived on meanwhile gets its desired state."""
    one = device("dev-1")
    eventually("online", lambda: server.get("/overview")["online"] == 1)
    digest = server.push(tar(files())).json()["digest"]
    rollout = server.post("/rollouts", order("spotter", "1.0.0", [{"name": "all"}]))["id"]
    eventually("done", lambda: server.get(f"/rollouts/{rollout}")["state"] == "completed")
    archive = tmp_path / "fleet.tar"
    made = edgefleet("backup", str(archive), "--data", str(server.data), "--json")
    assert made.returncode == 0, made.stderr
    assert archive.stat().st_mode & 0o077 == 0
    before = server.get("/audit/verification")
    server.stop()
    one.stop()

    folder = tmp_path / "again"
    back = edgefleet("restore", str(archive), "--data", str(folder), "--json")
    assert back.returncode == 0, back.stderr
    second = ServerProcess(folder).start()
    try:
        assert second.get("/models/spotter/1.0.0")["digest"] == digest
        assert second.get(f"/rollouts/{rollout}")["counts"] == {"committed": 1}
        assert second.get("/devices/dev-1")["slots"][0]["running"]["digest"] == digest
        after = second.get("/audit/verification", head=before["head"])
        assert after["valid"], after
    finally:
        second.stop()


def test_damaged_and_foreign_files_restore_nothing(tmp_path: Path) -> None:
    """Whatever is in the archive, nothing is there afterwards."""
    data = tmp_path / "data"
    data.mkdir()
    with pytest.raises(InputError, match="is not the data folder of a server"):
        back_up(data, tmp_path / "b.tar", FOLDERS, 1.0)
    (data / "something").write_text("x")
    with pytest.raises(ConflictError, match="is not empty"):
        restore(tmp_path / "b.tar", data)
    for name, content in (("../../escape", b"x"), ("fleet.db", b"nonsense"), ("/etc/passwd", b"x")):
        file = tmp_path / "evil.tar"
        table = json.dumps({"format": 1, "created_at": 1.0, "sha256": {}}).encode()
        with tarfile.open(file, "w") as archive:
            for member, data_bytes in ((name, content), ("backup.json", table)):
                info = tarfile.TarInfo(member)
                info.size = len(data_bytes)
                archive.addfile(info, io.BytesIO(data_bytes))
        with pytest.raises(InputError, match=r"invalid backup entry|is damaged"):
            restore(file, tmp_path / "new")
        assert not (tmp_path / "new").exists()
        assert not (tmp_path.parent / "escape").exists()
    (tmp_path / "text.tar").write_text("no archive")
    with pytest.raises(InputError, match="is not a backup"):
        restore(tmp_path / "text.tar", tmp_path / "new")
