"""Texts of the fields of a struct: the string literal under each."""

from __future__ import annotations

import ast
import inspect
import textwrap

import msgspec

HIDDEN = frozenset({"unknown_fields", "file", "places"})
"""Fields of structs that are no keys of a file."""


def field_texts(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Key in the file to the text under its field, also of inherited ones; without the fields that have none."""
    texts: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, msgspec.Struct) and base.__module__ != msgspec.Struct.__module__:
            texts |= _own_texts(base)
    return texts


def _own_texts(kind: type[msgspec.Struct]) -> dict[str, str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    definition = tree.body[0]
    assert isinstance(definition, ast.ClassDef)
    keys = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    texts: dict[str, str] = {}
    for statement, following in zip(definition.body, definition.body[1:], strict=False):
        if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)):
            continue
        is_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
        if is_text and isinstance(following.value.value, str):
            texts[keys[statement.target.id]] = " ".join(following.value.value.split())
    return texts


def struct_text(kind: type[msgspec.Struct]) -> str:
    """Docstring of a struct in one line."""
    return " ".join((inspect.getdoc(kind) or "").split())
