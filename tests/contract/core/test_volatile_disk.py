"""Folders in memory are found, also through links and where they do not exist yet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import main
from edgefleet_contract.core.volatile_disk import volatile_warning
from tests.small_disk import mounted


def test_a_folder_in_memory(tmp_path: Path) -> None:
    with mounted(tmp_path / "memory", "1m") as disk:
        (tmp_path / "link").symlink_to(disk.folder)
        for folder in (disk.folder, disk.folder / "not" / "yet", tmp_path / "link" / "state"):
            assert volatile_warning("state folder", folder) == (
                f"state folder {folder} is in memory (tmpfs): nothing in it survives a power cut; move it to a disk"
            )
    assert "tmpfs" in volatile_warning("data folder", Path("/dev/shm/x"))
    assert volatile_warning("state folder", Path("/proc/none")) == ""
    assert volatile_warning("state folder", Path(__file__)) == ""


def test_doctor_names_it_without_failing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with mounted(tmp_path / "memory", "1m") as disk:
        found = {}
        for state in (disk.folder, tmp_path):
            main(["doctor", "--profile", "cpu-x86", "--runtime", "lite_rt", "--state", str(state), "--json"])
            checks = json.loads(capsys.readouterr().out)["checks"]
            found[state] = [check for check in checks if check["what"] == "state folder"]
    assert found[tmp_path] == []
    (check,) = found[disk.folder]
    assert (check["ok"], check["needed"]) == (False, False)
