"""Checks the dashboard's source: its format and rules (Biome), its types (TypeScript), and the API's document (Redocly).

`--test` runs its unit tests (Vitest) instead.

python tools/check_dashboard.py [--test]

Node.js and the packages are those of `python fleet_server/hatch_build.py --dev`, which `make setup` runs.
Where EDGEFLEET_UI=skip left the dashboard out, nothing is checked.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DASHBOARD = ROOT / "fleet_server/dashboard"
LINT = (["@biomejs/biome/bin/biome", "ci", "--error-on-warnings", "--colors=off"], ["typescript/bin/tsc", "--pretty", "false"])
OPENAPI = ["../lint-openapi.mjs"]
TEST = ["vitest/vitest.mjs", "run"]


def missing(modules: Path = DASHBOARD / "node_modules") -> str:
    """Return a line about a program that is not installed; empty if all are."""
    programs = [modules / program for program, *_ in (*LINT, TEST)]
    without = next((each for each in programs if not each.is_file()), None)
    return f"the dashboard's tools are not installed ({without.name} is missing): run `make setup`" if without else ""


def node() -> Path | None:
    """The Node.js that builds the dashboard."""
    found = runpy.run_path(str(ROOT / "fleet_server/hatch_build.py"))["find_node"](ROOT / ".cache/node")
    return Path(found.node) if found else None


def run(*commands: list[str], folder: Path = DASHBOARD) -> int:
    """Run programs of the dashboard's packages in `folder` until one fails, and return its exit status."""
    program = node()
    fault = "there is no Node.js >= 22.12: run `make setup`" if program is None else missing(folder / "node_modules")
    if program is None or fault:
        print(f"check_dashboard: {fault}", file=sys.stderr)
        return 1
    env = {name: value for name, value in os.environ.items() if name not in ("NODE_ENV", "FORCE_COLOR")}
    path = f"{program.parent}{os.pathsep}{env.get('PATH', '')}"
    for script, *arguments in commands:
        command = [str(program), f"node_modules/{script}", *arguments]
        done = subprocess.run(command, cwd=folder, env={**env, "PATH": path, "NO_COLOR": "1"}, check=False)
        if done.returncode:
            return done.returncode
    return 0


def main(arguments: list[str]) -> int:
    """Check, or test."""
    if os.environ.get("EDGEFLEET_UI", "").lower() == "skip":
        print("check_dashboard: EDGEFLEET_UI=skip, so the dashboard is not checked", file=sys.stderr)
        return 0
    return run(TEST) if "--test" in arguments else run(*LINT, OPENAPI)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
