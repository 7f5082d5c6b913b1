"""Plain data as TOML: tables and arrays of tables at the first level, everything below them inline."""

from __future__ import annotations

import json
import re
from typing import Any


def toml_text(plain: dict[str, Any]) -> str:
    """A TOML document of `plain`."""
    tables = {key: value for key, value in plain.items() if isinstance(value, dict)}
    arrays = {key: value for key, value in plain.items() if _is_tables(value)}
    lines = [f"{_key(key)} = {_inline(value)}" for key, value in plain.items() if key not in tables and key not in arrays]
    for key, table in tables.items():
        lines += ["", f"[{_key(key)}]", *(f"{_key(name)} = {_inline(value)}" for name, value in table.items())]
    for key, items in arrays.items():
        for item in items:
            lines += ["", f"[[{_key(key)}]]", *(f"{_key(name)} = {_inline(value)}" for name, value in item.items())]
    return "\n".join(lines).lstrip("\n") + "\n"


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(item)}" for key, item in value.items()) + " }" if value else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    assert isinstance(value, (int, float)), f"TOML has no value {value!r}"
    return repr(value)
