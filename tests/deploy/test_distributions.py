"""Source distributions: each builds the wheel that the checkout builds, with its licence."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from deploy.build_deb import DEPLOY

ROOT = DEPLOY.parent
SDIST_FILES_MAX = 10
BUILD = "import sys; from hatchling import build; print(getattr(build, 'build_' + sys.argv[1])(sys.argv[2]))"


def built(folder: Path, kind: str, into: Path) -> Path:
    """The sdist or wheel of the project in `folder`."""
    into.mkdir()
    run = subprocess.run([sys.executable, "-c", BUILD, kind, str(into)], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return into / run.stdout.splitlines()[-1]


def files(wheel: Path) -> dict[str, int]:
    """Checksum of each file of a wheel; without the record, which has the order of files."""
    with zipfile.ZipFile(wheel) as archive:
        return {one.filename: one.CRC for one in archive.infolist() if not one.filename.endswith("RECORD")}


@pytest.mark.parametrize("folder", [".", "contract", "client", "agent", "fleet_server"])
def test_a_source_distribution_builds_the_wheel_of_the_checkout(folder: str, tmp_path: Path) -> None:
    sdist = built(ROOT / folder, "sdist", tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
        assert all(one.isfile() or one.isdir() for one in members), "no links: they lead out of the archive"
        archive.extractall(tmp_path / "unpacked", filter="data")
    if folder == ".":
        assert len(members) <= SDIST_FILES_MAX, "it has no files of its own"
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    ours = files(built(ROOT / folder, "wheel", tmp_path / "ours"))
    assert files(built(unpacked, "wheel", tmp_path / "theirs")) == ours
    assert any(name.endswith("licenses/LICENSE") for name in ours)
    assert (ROOT / folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_a_device_is_installed_without_node(tmp_path: Path) -> None:
    """`pip install ./agent ./contract` calls neither Node nor npm, and the commands that need no model start."""
    programs, called = tmp_path / "programs", tmp_path / "called"
    programs.mkdir()
    for name in ("node", "npm", "npx"):
        stub = programs / name
        stub.write_text(f"#!/bin/sh\necho {name} >> {called}\nexit 1\n", encoding="utf-8")
        stub.chmod(0o755)
    installed = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    home = {"HOME": str(tmp_path), "PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [*pip, "--target", str(installed), str(ROOT / "contract"), str(ROOT / "agent")], env=home, capture_output=True, text=True
    )
    if "No module named pip" in run.stderr:
        pytest.skip("this environment has no pip")
    assert run.returncode == 0, run.stderr[-2000:]
    assert not called.exists()
    libraries = os.pathsep.join([str(installed), *(each for each in sys.path if each.endswith("site-packages"))])
    started = subprocess.run(
        [
            sys.executable,
            "-c",
            "from edgefleet_agent import __main__ as it; print(it.__file__); it.main(['try', '-h'])",
        ],
        env={**home, "PYTHONPATH": libraries},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert started.stdout.startswith(str(installed)), started.stderr
    assert "Try a detector on a video or camera" in started.stdout
