"""The dashboard's own tests and rules: each can be run alone with `npm test` and `npm run lint` in fleet_server/dashboard."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fleet_server.dashboard.conftest import DASHBOARD, ROOT
from tools import check_dashboard

pytestmark = pytest.mark.system

TESTS_MIN = 300


@pytest.fixture(autouse=True)
def _installed() -> None:
    if check_dashboard.missing() or check_dashboard.node() is None:
        pytest.skip("Biome and Vitest are developers' tools: run `python fleet_server/hatch_build.py --dev`")


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the tool as `make lint` does."""
    command = [sys.executable, "tools/check_dashboard.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_unit_tests_pass() -> None:
    done = check("--test")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    passed = re.search(r"Tests +(\d+) passed \((\d+)\)", done.stdout)
    assert passed is not None
    assert int(passed[1]) == int(passed[2]) >= TESTS_MIN


FAULTS = {
    "format": "export const sum = (a: number, b: number): number => a  +  b;\n",
    "noDoubleEquals": "export const sum = (a: number): number | undefined => (a == 1 ? a : undefined);\n",
    "noExplicitAny": "export const sum = (a: any): number => a;\n",
    "useExhaustiveDependencies": """\
import { useEffect } from "react";

export function Title({ text }: { text: string }) {
  useEffect(() => {
    document.title = text;
  }, []);
  return text;
}
""",
    "noFloatingPromises": """\
import { read } from "~/api/client";

export function load(): void {
  read(Promise.resolve({ response: new Response() }));
}
""",
}
"""Faults, by the word that their finding has."""


def test_faults_are_found(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """In a copy: other tests read the source meanwhile."""
    for name in ("package.json", "biome.jsonc", "tsconfig.json"):
        shutil.copyfile(DASHBOARD.source / name, tmp_path / name)
    shutil.copytree(DASHBOARD.source / "src" / "api", tmp_path / "src" / "api")
    (tmp_path / "node_modules").symlink_to(DASHBOARD.modules)
    assert check_dashboard.run(check_dashboard.LINT[0], folder=tmp_path) == 0
    for word, text in FAULTS.items():
        (tmp_path / f"src/fault_{word}.tsx").write_text(text, encoding="utf-8")
    capfd.readouterr()
    assert check_dashboard.run(*check_dashboard.LINT, folder=tmp_path) != 0
    printed = "".join(capfd.readouterr())
    for word in FAULTS:
        assert re.search(rf"fault_{word}\.tsx.*{word}", printed), printed


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    assert "biome is missing" in check_dashboard.missing(tmp_path)
    for each in ("@biomejs/biome/bin/biome", "typescript/bin/tsc"):
        (tmp_path / each).parent.mkdir(parents=True)
        shutil.copyfile(DASHBOARD.modules / each, tmp_path / each)
    assert "vitest.mjs is missing" in check_dashboard.missing(tmp_path)
