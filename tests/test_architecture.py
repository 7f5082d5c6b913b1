"""ARCHITECTURE.md against the tree: its modules and names exist, its drawing is the import rules, every package is described."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from edgefleet_contract.encoding import toml

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PACKAGES = {
    "edgefleet_agent": ROOT / "agent" / "edgefleet_agent",
    "edgefleet_client": ROOT / "client" / "edgefleet_client",
    "edgefleet_contract": ROOT / "contract" / "edgefleet_contract",
    "edgefleet_server": ROOT / "fleet_server" / "edgefleet_server",
}
MODULE = re.compile(rf"\b(?:{'|'.join(PACKAGES)})(?:\.\w+)*")
NAME = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)?)`")
STEP = re.compile(r"^ *(?:\d+\.|-) .*(?:\n +(?![ \d]*\d\.|- ).*)*", re.MULTILINE)


def file_of(module: str) -> Path | None:
    """File of a module or package; None if there is none."""
    package, *rest = module.split(".")
    path = PACKAGES[package].joinpath(*rest)
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def top_level(package: str) -> set[str]:
    """Packages and modules directly in an import package."""
    folder = PACKAGES[package]
    modules = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    return modules | {file.parent.name for file in folder.glob("*/__init__.py")}


def defined_in(file: Path) -> set[str]:
    """Names of classes, functions and methods of a file, methods with and without their class; and names that it imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return names


def test_modules_exist() -> None:
    assert [name for name in sorted(set(MODULE.findall(TEXT))) if file_of(name) is None] == []


def test_paths_exist() -> None:
    paths = [*re.findall(r"\]\(([^)#:]+)\)", TEXT), *re.findall(r"`([a-z_]+/[\w./-]+)`", TEXT)]
    assert [path for path in paths if not path.startswith("d/") and not (ROOT / path).exists()] == []


def test_names_of_a_step_are_in_its_modules() -> None:
    """A step names the modules in which its classes and functions are."""
    wrong = []
    steps = STEP.findall(TEXT)
    assert len(steps) > 40
    for step in steps:
        files = [file for module in MODULE.findall(step) if (file := file_of(module)) is not None]
        known = {name for file in files for name in defined_in(file)}
        wrong += [
            f"{name}: {step[:60]}" for name in NAME.findall(step) if name.split(".")[0] not in PACKAGES and name not in known
        ]
    assert wrong == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_described(package: str) -> None:
    described = set(re.findall(rf"^\| `{package}\.(\w+)` \| \S", TEXT, re.MULTILINE))
    assert described == top_level(package)


def test_the_drawing_has_the_layers_of_the_import_rules() -> None:
    contracts = toml.parse((ROOT / "pyproject.toml").read_text(encoding="utf-8"), "pyproject.toml")["tool"]["importlinter"][
        "contracts"
    ]
    layers = {contract["containers"][0]: contract["layers"] for contract in contracts if contract["type"] == "layers"}
    drawn: dict[str, list[str]] = {}
    for line in TEXT.split("\n"):
        if line.startswith("┌─"):
            boxes = re.findall(r"edgefleet_\w+", line)
            drawn |= {box: [] for box in boxes}
        elif line.startswith("│"):
            for box, cell in zip(boxes, line.split("│")[1::2], strict=True):
                drawn[box] += [cell.strip()] if cell.strip() else []
    assert drawn == layers
