"""The oldest Python that the distributions promise: `make lint` checks for it, and its own library has each name that is used."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.encoding import toml

ROOT = Path(__file__).resolve().parent.parent
DISTRIBUTIONS = ("contract", "client", "agent", "fleet_server")

NAMES = '''
"""Prints what the sources named on stdin require that this Python lacks, as JSON."""
import ast, importlib, json, sys

def guarded(tree):
    """Nodes below `if sys.version_info ...`, which are for one Python only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "version_info" in ast.dump(node.test):
            yield from ast.walk(node)

def has(module, name):
    if not hasattr(module, name):
        try:
            importlib.import_module(module.__name__ + "." + name)
        except ImportError:
            return False
    return True

def missing(tree):
    skipped, modules = set(guarded(tree)), {}
    for node in ast.walk(tree):
        if node in skipped or not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        for name in names:
            if node.__dict__.get("level") or name.partition(".")[0] not in sys.stdlib_module_names | {"tomllib"}:
                continue
            try:
                module = importlib.import_module(name)
            except ImportError:
                yield node.lineno, name
                continue
            if isinstance(node, ast.ImportFrom):
                yield from ((node.lineno, f"{name}.{each.name}") for each in node.names if not has(module, each.name))
            elif "." not in name:
                modules[node.names[0].asname or name] = module
    for node in ast.walk(tree):
        if node not in skipped and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id)
            if module is not None and node.attr[0] != "_" and not has(module, node.attr):  # private: annotations only
                yield node.lineno, f"{module.__name__}.{node.attr}"

found = []
for path in json.load(sys.stdin):
    with open(path, encoding="utf-8") as file:
        source = file.read()
    try:
        found += [f"{path}:{line}: {what}" for line, what in missing(ast.parse(source))]
        compile(source, path, "exec")
    except SyntaxError as error:
        found.append(f"{path}:{error.lineno}: {error.msg}")
print(json.dumps(found))
'''


def _table(folder: str, name: str) -> dict[str, Any]:
    path = ROOT / folder / "pyproject.toml"
    found: dict[str, Any] = toml.parse(path.read_text(encoding="utf-8"), str(path))[name]
    return found


def _oldest() -> str:
    needs = {str(_table(each, "project")["requires-python"]) for each in (*DISTRIBUTIONS, ".")}
    assert len(needs) == 1
    return needs.pop().removeprefix(">=")


def _interpreter() -> str:
    name = f"python{_oldest()}"
    installed = map(str, Path.home().glob(f".pyenv/versions/{_oldest()}.*/bin/{name}"))
    for found in (shutil.which(name), *installed):
        if found and not subprocess.run([found, "-c", ""], capture_output=True).returncode:  # one of pyenv's shims may fail
            return found
    pytest.skip(f"{name} is not installed here; mypy checks its names, too")


def _missing(files: list[Path]) -> list[str]:
    answer = subprocess.run(
        [_interpreter(), "-c", NAMES], input=json.dumps([str(file) for file in files]), capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(answer.stdout)
    return found


def test_linter_and_type_checker_check_for_the_oldest_python() -> None:
    """Both take a newer Python's names for granted otherwise: `enum.StrEnum` was one."""
    tools = _table(".", "tool")
    assert tools["mypy"]["python_version"] == _oldest()
    assert tools["ruff"]["target-version"] == f"py{_oldest().replace('.', '')}"


def test_the_oldest_python_compiles_every_module_and_its_library_has_every_name() -> None:
    sources = [file for each in DISTRIBUTIONS for file in sorted((ROOT / each).rglob(f"edgefleet_{each.split('_')[-1]}/**/*.py"))]
    sources += sorted((ROOT / "docs" / "examples").rglob("*.py"))
    assert len(sources) > 1_000
    assert _missing(sources) == []


def test_names_of_newer_pythons_are_found(tmp_path: Path) -> None:
    source = tmp_path / "newer.py"
    source.write_text(
        "import asyncio, datetime\nimport os.path\nfrom enum import StrEnum\nimport tomllib\nfrom concurrent import futures\n"
        "if sys.version_info >= (3, 11):\n    from typing import Self\n"
        "print(datetime.UTC, os.path.join, asyncio.timeout)\n",
        encoding="utf-8",
    )
    broken = tmp_path / "broken.py"
    broken.write_text("try:\n    pass\nexcept* OSError:\n    pass\n", encoding="utf-8")
    names = [each.removeprefix(f"{tmp_path}/") for each in _missing([source, broken])]
    assert names[:2] == ["newer.py:3: enum.StrEnum", "newer.py:4: tomllib"]
    assert sorted(names[2:4]) == ["newer.py:8: asyncio.timeout", "newer.py:8: datetime.UTC"]
    assert len(names) == 5
    assert names[4].startswith("broken.py:")
