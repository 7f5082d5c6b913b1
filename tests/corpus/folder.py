"""Folders of the corpus: one for each version, with the list of the SHA-256 of its files."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from edgefleet_contract.encoding import toml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SUMS = "SHA256SUMS"
RECORD = "python -m tests.corpus.record --server"
"""The command that records the working tree's formats."""
VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")


def version_today() -> str:
    """The version of the working tree."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return str(toml.parse(text, "pyproject.toml")["project"]["version"])


def folders() -> list[Path]:
    """The recorded versions, oldest first."""
    found = [path for path in HERE.iterdir() if path.is_dir() and VERSION.fullmatch(path.name)]
    return sorted(found, key=lambda path: [int(part) for part in path.name.split(".")])


def newest() -> Path:
    """The folder of the newest recorded version."""
    return folders()[-1]


def files_of(folder: Path) -> Iterator[Path]:
    """Every recorded file of a version but the list of sums, in order."""
    yield from (path for path in sorted(folder.rglob("*")) if path.is_file() and path != folder / SUMS)


def sums_of(folder: Path) -> str:
    """The list of sums, in the format of `sha256sum`."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}" for path in files_of(folder)]
    return "\n".join(lines) + "\n"


def write_json(path: Path, value: Any) -> None:
    """Write `value` so that the same value gives the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path: Path) -> Any:
    """The value of a recorded JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))
