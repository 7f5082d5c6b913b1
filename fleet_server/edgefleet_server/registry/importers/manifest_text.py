"""Formats a manifest as readable TOML: defaults are left out."""

from __future__ import annotations

import json
from typing import Any

from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.package.manifest import Manifest


def manifest_text(manifest: Manifest, notes: tuple[str, ...] = ()) -> str:
    """The text of `model.toml`, with the notes as comments at its start."""
    plain: dict[str, Any] = to_plain(manifest)
    lines = [f"# {note}" for note in notes]
    tables = {
        key: plain.pop(key)
        for key in ("inputs", "head", "variants", "golden", "budgets", "tuned", "card", "provenance")
        if key in plain
    }
    lines += [f"{key} = {_value(value)}" for key, value in plain.items()]
    for name, content in tables.items():
        for entry in content if isinstance(content, list) else [content]:
            lines += ["", *table_lines(f"[[{name}]]" if isinstance(content, list) else f"[{name}]", entry)]
    return "\n".join(lines) + "\n"


def table_lines(heading: str, entry: dict[str, Any]) -> list[str]:
    """One table: its heading and a line for each key."""
    return [heading, *(f"{_key(key)} = {_value(value)}" for key, value in entry.items())]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    return repr(value)


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key, ensure_ascii=False)
