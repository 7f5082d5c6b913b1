"""docs/troubleshooting.md against the code: each error that it quotes is a text of the product, and each command is taken."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_advices import PACKAGES, ROOT, TABLES, refusal

PAGE = ROOT / "docs" / "troubleshooting.md"
LIBRARIES = ("database or disk is full",)
"""Quoted texts of SQLite, which the product passes on."""
_QUOTED = re.compile(r"`([^`]+)`")
_ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_COMMAND = re.compile(r"((?:edgefleet-agent|edgefleet) [a-z-]+[^`#\n|;\"]*)")
_INSERTED = "\x00"
_RUN_ENDS = re.compile(r"…|\S*[/.]\S+|\b\d{3}\b|^done,")
"""Parts of a quote that the code inserts."""


@functools.cache
def texts() -> tuple[str, ...]:
    """Every text in the code, with a mark for each inserted value; those beside each other in a call or tuple, too."""
    return tuple(text for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")) for text in _texts_of(path))


def _texts_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else _INSERTED for part in node.values)


def quoted() -> list[str]:
    """The errors in the first column of the table of errors."""
    rows = _ROW.findall(PAGE.read_text(encoding="utf-8").partition("## What losing a key costs")[0])
    return [text for row in rows[2:] for text in _QUOTED.findall(row[0]) if " " in text and not text.startswith(("/", "GET "))]


def is_text(quote: str) -> bool:
    """Whether one text of the code has all words of the quote but inserted ones: those for `…`, and names of files, addresses and
    statuses, which the code inserts."""
    runs = [run.strip(" :,") for run in _RUN_ENDS.split(quote)]
    required = [run for run in runs if run and run not in LIBRARIES]
    return bool(required) and any(all(run in text for run in required) for text in texts())


@pytest.mark.parametrize("quote", quoted())
def test_each_quoted_error_is_one_of_the_product(quote: str) -> None:
    assert is_text(quote), quote


def test_an_error_that_does_not_exist_is_found() -> None:
    assert len(quoted()) >= 10
    assert not is_text("fleet.db has gone away")
    assert not is_text("signing key … : … is sad")


def commands() -> list[str]:
    return sorted({found.strip() for found in _COMMAND.findall(PAGE.read_text(encoding="utf-8")) if found.split()[0] in TABLES})


@pytest.mark.parametrize("line", commands())
def test_each_command_is_taken(line: str) -> None:
    assert not refusal(line)
