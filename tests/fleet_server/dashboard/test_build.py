"""The build of the dashboard: only when its source changed, with a recent Node, and with an explanation if it fails."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import hatch_build
from hatch_build import Folder, Node

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def source(tmp_path: Path) -> Folder:
    """A tiny dashboard whose bundler is a script of ours."""
    folder = hatch_build.dashboard(tmp_path)
    (folder.source / "src").mkdir(parents=True)
    (folder.source / "src" / "main.tsx").write_text("export {};")
    folder.lock.write_text("{}")
    return folder


@pytest.fixture
def node(tmp_path: Path) -> Node:
    """Stands for Node: `npm ci` makes a folder, `vite build` a page; both are written down beside it."""
    script = tmp_path / "node"
    script.write_text(
        f"""#!/bin/sh
echo "$*" >> {tmp_path}/ran.log
case "$1" in
  *npm-cli.js) mkdir -p node_modules ;;
  *vite.js) mkdir -p ../edgefleet_server/ui && echo page > ../edgefleet_server/ui/index.html ;;
esac
"""
    )
    script.chmod(0o755)
    return Node(script, tmp_path / "npm-cli.js")


def runs(node: Node) -> list[str]:
    """Commands that the fake Node was run with."""
    return (node.node.parent / "ran.log").read_text().splitlines()


def test_built_once_and_again_only_after_a_change(source: Folder, node: Node) -> None:
    assert not hatch_build.is_built(source)
    hatch_build.build(source, node)
    assert hatch_build.is_built(source)
    (source.source / "src" / "main.tsx").write_text("export const changed = true;")
    assert not hatch_build.is_built(source)


def test_packages_are_fetched_once_per_lock_file(source: Folder, node: Node) -> None:
    hatch_build.build(source, node)
    hatch_build.build(source, node)
    assert sum("npm-cli.js ci" in line for line in runs(node)) == 1
    source.lock.write_text('{"changed": true}')
    hatch_build.build(source, node)
    installs = [line for line in runs(node) if "npm-cli.js ci" in line]
    assert len(installs) == 2
    assert all("--omit=dev" in line and "--ignore-scripts" in line for line in installs)


def test_a_failing_npm_is_reported_with_workarounds(source: Folder, tmp_path: Path) -> None:
    broken = tmp_path / "node"
    broken.write_text("#!/bin/sh\necho 'npm error ECONNREFUSED' >&2\nexit 1\n")
    broken.chmod(0o755)
    with pytest.raises(SystemExit) as raised:
        hatch_build.build(source, Node(broken, tmp_path / "npm-cli.js"))
    text = str(raised.value)
    assert "ECONNREFUSED" in text
    assert "npm_config_registry" in text
    assert "EDGEFLEET_UI=skip" in text


@pytest.mark.parametrize(
    ("version", "is_found"), [("v20.20.2", False), ("v22.11.0", False), ("v22.12.0", True), ("v24.1.0", True)]
)
def test_an_old_node_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, is_found: bool) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "npm-cli.js").touch(mode=0o755)
    (tmp_path / "npm").symlink_to(tmp_path / "lib" / "npm-cli.js")
    script = tmp_path / "node"
    script.write_text(f"#!/bin/sh\necho {version}\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    found = hatch_build.find_node()
    assert (found is not None and found.node == script) is is_found


def test_skip_needs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EDGEFLEET_UI", "skip")
    assert hatch_build.needed_to_build(tmp_path) == []
    hatch_build.ensure_built(tmp_path)


def test_a_wheel_carries_the_dashboard_and_none_of_its_source(built_ui: Path, tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT / "fleet_server", check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        inside = [
            name
            for name in wheel.namelist()
            if not name.startswith("edgefleet_server/") or name.startswith("edgefleet_server/ui/")
        ]
    assert "edgefleet_server/ui/index.html" in inside
    assert [name for name in inside if not name.startswith(("edgefleet_server/ui/", "edgefleet_server-"))] == []
