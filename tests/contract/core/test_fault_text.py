"""Texts of exceptions for users: one line, without names of classes."""

from __future__ import annotations

import ast
import errno
from pathlib import Path

import pytest

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.fault_text import FAULT_TEXT_MAX, fault_text

ROOT = Path(__file__).parents[3]
SOURCES = [
    path
    for part in ("agent", "contract", "fleet_server")
    for path in (ROOT / part / f"edgefleet_{part.removeprefix('fleet_')}").rglob("*.py")
]


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/var/x"), "No space left on device: /var/x"),
        (ValueError("first\nsecond"), "first"),
        (RuntimeError("\n  Inner.KindError: OtherError: bad shape"), "bad shape"),
        (KeyError("boxes"), "no entry 'boxes'"),
        (MemoryError(), "not enough memory"),
        (SystemExit(3), "it ended the process with status 3"),
        (ZeroDivisionError(), "unexpected fault"),
        (InputError("slot 'a' is unknown; known are b"), "slot 'a' is unknown; known are b"),
        (ValueError("x" * 10_000), "x" * FAULT_TEXT_MAX),
    ],
)
def test_texts(cause: BaseException, text: str) -> None:
    assert fault_text(cause) == text


def test_no_text_is_made_of_the_class_of_an_exception() -> None:
    """`type(error).__name__` is for logs of developers only; texts are made by `fault_text`."""
    assert len(SOURCES) > 500
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ExceptHandler) or node.name is None:
                continue
            for inner in ast.walk(node):
                names_class = isinstance(inner, ast.Attribute) and inner.attr == "__name__" and "type(" in ast.unparse(inner)
                shows_class = (
                    isinstance(inner, ast.FormattedValue)
                    and inner.conversion == ord("r")
                    and ast.unparse(inner.value) == node.name
                )
                if (names_class and f"type({node.name})" in ast.unparse(inner)) or shows_class:
                    found.append(f"{path.relative_to(ROOT)}:{inner.lineno}: {ast.unparse(inner)}")
    assert not found
