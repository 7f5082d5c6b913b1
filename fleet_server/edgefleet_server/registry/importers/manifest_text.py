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


def with_table(text: str, heading: str, entry: dict[str, Any], key: str) -> str:
    """The text of a manifest with this entry of a list of tables, and without any other that has the same value of `key`; the
    rest is unchanged."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip().startswith("["):
            blocks.append([])
        blocks[-1].append(line)
    same = f"{_key(key)}={_value(entry[key])}".replace(" ", "")
    updated = [_after(block) if _is_entry(block, heading, same) else block for block in blocks]
    lines = [line for block in updated for line in block]
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join([*lines, "", *table_lines(heading, entry)]) + "\n"


def _after(block: list[str]) -> list[str]:
    """Comments behind the values of a table, which belong to the next one."""
    last = max(index for index, line in enumerate(block) if line.strip() and not line.strip().startswith("#"))
    return [line for line in block[last + 1 :] if line.strip()]


def _is_entry(block: list[str], heading: str, same: str) -> bool:
    return (
        block[:1] != []
        and block[0].partition("#")[0].strip() == heading
        and any(line.replace(" ", "").startswith(same) for line in block)
    )


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
