"""`make demo ARGS="--headless --until-complete"`: its rollout, and its end when it cannot run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]


def _demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "edgefleet_server", "demo", *arguments], text=True, capture_output=True, timeout=500
    )


def test_the_demo_performs_its_rollout_on_real_agents(tmp_path: Path) -> None:
    ended = _demo("--headless", "--until-complete", "--agents", "2", "--port", "0", "--data", str(tmp_path / "demo"))
    assert ended.returncode == 0, ended.stderr
    assert "every device committed conveyor_inspector 1.1.0" in ended.stderr


def test_the_demo_empties_only_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("three years of work", encoding="utf-8")
    ended = _demo("--headless", "--until-complete", "--data", str(tmp_path))
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "choose another with --data" in ended.stderr
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "three years of work"
