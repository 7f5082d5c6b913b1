"""Installed distributions by their folders: what `importlib.metadata` says, without its import."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from edgefleet_agent.service.version import agent_version
from edgefleet_contract.core.distributions import declares, version_of

START = """
import sys
import edgefleet_agent.cli.serve
from edgefleet_agent.backends.installed import installed_runtimes
from edgefleet_agent.service.version import agent_version
assert installed_runtimes() and agent_version()
print(" ".join(sys.modules))
"""
HEAVY = (
    "importlib.metadata", "email", "zipfile", "csv", "google.protobuf", "cv2", "av", "onnxruntime", "openvino", "http.client",
    "urllib.request", "edgefleet_agent.pipeline",
)  # fmt: skip
"""What the start of `serve` does without; a runtime is imported with the first model that needs it."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "none")])
    return tmp_path


def test_the_version_is_that_of_the_metadata() -> None:
    assert agent_version() == importlib.metadata.version("edgefleet-agent")
    assert version_of("no-such-thing") == ""


def test_entry_points_are_found_by_their_group(place: Path) -> None:
    assert not declares("edgefleet.")
    (place / "other-1.dist-info").mkdir()
    (place / "other-1.dist-info/entry_points.txt").write_text("[console_scripts]\nx = edgefleet.y:z\n")
    assert not declares("edgefleet.")
    (place / "plugin.egg-info").mkdir()
    (place / "plugin.egg-info/entry_points.txt").write_text("[edgefleet.backends]\nx = y:z\n")
    assert declares("edgefleet.")


def test_an_archive_on_the_path_may_hold_some(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(place / "plugins.zip", "w") as archive:
        archive.writestr("x.py", "")
    monkeypatch.setattr(sys, "path", [str(place / "plugins.zip")])
    assert declares("edgefleet.")


def test_the_start_of_serve_imports_nothing_heavy() -> None:
    if declares("edgefleet."):
        pytest.skip("a plug-in is installed here, and is looked up")
    ended = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True, timeout=120)
    loaded = set(ended.stdout.split())
    assert [name for name in HEAVY if name in loaded] == []
