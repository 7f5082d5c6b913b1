"""Package folders are written by one command at a time, and appear complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_server.registry.importers.package_folder import StagedPackage

MANIFEST = "model.toml"


def test_a_second_command_is_refused_while_the_first_writes(tmp_path: Path) -> None:
    folder = tmp_path / "gate" / "1.0.0"
    (tmp_path / "weights").write_bytes(b"first")
    with StagedPackage(folder) as staged:
        staged.write("", {"parts/weights": tmp_path / "weights"})
        with pytest.raises(EdgefleetError, match=r"another command writes .*1\.0\.0 at this moment; wait"), StagedPackage(folder):
            pass
        with StagedPackage(tmp_path / "gate" / "2.0.0") as other:
            other.write("", {})
            other.settle()
        staged.settle()
    assert sorted(path.name for path in folder.parent.iterdir()) == ["1.0.0", "2.0.0"]
    assert (folder / "parts" / "weights").read_bytes() == b"first"


def test_a_package_that_exists_stays_unless_it_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "gate" / "1.0.0"
    for text in ("before", "after"):
        with StagedPackage(folder, replaces=True) as staged:
            staged.write(text, {})
            staged.settle()
    with pytest.raises(EdgefleetError, match="already exists; specify another --version"), StagedPackage(folder):
        pass
    assert (folder / MANIFEST).read_text() == "after"
    assert [path.name for path in folder.parent.iterdir()] == ["1.0.0"]


def test_what_a_killed_command_left_is_taken_over(tmp_path: Path) -> None:
    left = tmp_path / "gate" / ".1.0.0.new"
    (left / "golden").mkdir(parents=True)
    (left / "half").write_bytes(b"x")
    with StagedPackage(tmp_path / "gate" / "1.0.0") as staged:
        staged.write("whole", {})
        staged.settle()
    assert [path.name for path in (tmp_path / "gate" / "1.0.0").iterdir()] == [MANIFEST]


def test_nothing_is_left_of_a_command_that_fails(tmp_path: Path) -> None:
    with pytest.raises(EdgefleetError, match="cannot be written"), StagedPackage(tmp_path / "gate" / "1.0.0") as staged:
        staged.write("", {"weights": tmp_path / "missing"})
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_refuses_is_reported(tmp_path: Path) -> None:
    (tmp_path / "gate").write_bytes(b"a file")
    with pytest.raises(EdgefleetError, match="cannot be written: Not a directory"), StagedPackage(tmp_path / "gate" / "1.0.0"):
        pass
