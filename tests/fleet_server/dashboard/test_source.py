"""The dashboard's source: typed from the API's own document, no host of a registry in it, small files."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from hatch_build import find_node
from tests.fleet_server.dashboard import fake_events, fake_whole, screenshots
from tests.fleet_server.dashboard.conftest import DASHBOARD, ROOT
from tests.fleet_server.dashboard.fake_routes import routes

LINES_MAX = 400


def source_files() -> list[Path]:
    """The dashboard's source files, without generated ones."""
    return [path for path in sorted((DASHBOARD.source / "src").rglob("*.ts*")) if path.name != "schema.d.ts"]


def imports_of(path: Path) -> Iterator[Path]:
    """Source files that `path` names in an import, of types too."""
    root = DASHBOARD.source / "src"
    for found in re.findall(r'(?:\bfrom|\bimport\(|\bimport) ?"((?:~|\.{1,2})/[^"]+)"', path.read_text("utf-8")):
        base = root / found[2:] if found.startswith("~/") else (path.parent / found).resolve()
        yield next(file for end in ("", ".ts", ".tsx", ".d.ts") if (file := base.with_name(base.name + end)).is_file())


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Nodes of one circle in `graph`, in order; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def types_in(path: Path) -> str:
    """A declaration file without its comments."""
    return re.sub(r"/\*\*.*?\*/\s*", "", path.read_text("utf-8"), flags=re.DOTALL)


def test_types_are_those_of_the_rest_api(tmp_path: Path) -> None:
    generator = DASHBOARD.modules / "openapi-typescript" / "bin" / "cli.js"
    node = find_node(ROOT / ".cache" / "node")
    if node is None or not generator.is_file():
        pytest.skip("openapi-typescript is a developer's tool: run `python fleet_server/hatch_build.py --dev`")
    fresh = tmp_path / "schema.d.ts"
    command = [str(node.node), str(generator), str(ROOT / "docs" / "openapi.json"), "-o", str(fresh)]
    subprocess.run(command, cwd=DASHBOARD.source, check=True, capture_output=True)
    committed = DASHBOARD.source / "src" / "api" / "schema.d.ts"
    assert types_in(committed) == types_in(fresh), "run `npm run types` in fleet_server/dashboard"


def test_the_fake_server_has_the_real_ones_routes(openapi: dict[str, Any]) -> None:
    def shape(path: str) -> str:
        return re.sub(r"\{[^}]*\}", "{}", path)

    real = {(method.upper(), shape(path)) for path, methods in openapi["paths"].items() for method in methods}
    faked = {
        (method, shape(route.path))
        for route in (*routes.routes, *fake_whole.routes.routes, *fake_events.routes.routes)
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    steps = {
        (method, path.replace("/{}/{}", f"/{{}}/{step}"))
        for method, path in faked
        for step in ("start", "pause", "resume", "abort")
    }
    assert {pair for pair in faked if not pair[1].endswith("rollouts/{}/{}")} <= real
    assert {pair for pair in steps if "/rollouts/{}/" in pair[1]} <= real


def test_the_lock_file_names_no_registry() -> None:
    lock = DASHBOARD.lock.read_text("utf-8")
    assert '"resolved"' not in lock
    assert '"integrity"' in lock
    settings = (DASHBOARD.source / ".npmrc").read_text("utf-8")
    assert "registry=" not in settings.replace("omit-lockfile-registry-resolved=", "")


def test_files_are_small_and_typed() -> None:
    for path in source_files():
        text = path.read_text("utf-8")
        assert text.count("\n") <= LINES_MAX, path
        assert not re.search(r":\s*any\b|\bas any\b|<any>|@ts-ignore|@ts-nocheck", text), path


def test_imports_make_no_circle() -> None:
    """Neither of files nor of folders: `router.tsx` imports the pages, the pages share what lies below them."""
    root = DASHBOARD.source / "src"
    files: dict[str, set[str]] = {}
    folders: dict[str, set[str]] = {}
    for path in source_files():
        name, folder = path.relative_to(root).as_posix(), path.parent.relative_to(root).as_posix()
        imported = [each.relative_to(root) for each in imports_of(path)]
        files[name] = {each.as_posix() for each in imported}
        if folder != ".":  # the files beside the folders compose them
            folders.setdefault(folder, set()).update({each.parent.as_posix() for each in imported} - {folder, "."})
    assert circle(files) == []
    assert circle(folders) == []


def test_every_part_that_is_fetched_later_has_a_way_back() -> None:
    imports = [found for path in source_files() for found in re.findall(r"\S*\(\(\) => import\(", path.read_text("utf-8"))]
    assert len(imports) == sum(path.read_text("utf-8").count("import(") for path in source_files())
    assert {found.partition("(() =>")[0].rpartition("(")[2] for found in imports} == {"lazyPage", "part"}


def test_nothing_is_fetched_from_elsewhere(built_ui: Path) -> None:
    for path in [built_ui / "index.html", *built_ui.glob("assets/*.css")]:
        assert not re.search(r"(?:src|href)=\"https?:|url\(['\"]?(?:https?:)?//", path.read_text("utf-8")), path


def test_every_page_has_its_pictures() -> None:
    router = (DASHBOARD.source / "src" / "router.tsx").read_text("utf-8")
    pages = {re.sub(r"\$\w+", "[^/]+", path) for path in re.findall(r'path: "([^"]+)"', router)}
    shown = {each.path.partition("?")[0] for each in screenshots.EVERY}
    assert [page for page in sorted(pages) if not any(re.fullmatch(page, path) for path in shown)] == []
    assert screenshots.GALLERY.read_text("utf-8") == screenshots.gallery(), "run tests.fleet_server.dashboard.screenshots"
    expected = {f"{each.name}-{scheme}.webp" for each in screenshots.EVERY for scheme in screenshots.SCHEMES}
    assert expected == {file.name for file in screenshots.IMAGES.glob("*.webp")}
