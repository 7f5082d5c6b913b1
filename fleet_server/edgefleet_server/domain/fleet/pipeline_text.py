"""Writes a pipeline, given as plain data from a form, as readable TOML text. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from edgefleet_server.core.errors import InputError

DEPTH_MAX: Final = 8
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ORDER: Final = ("name", "source", "stages", "zones", "lines", "masks", "plane", "rules", "schedule", "evidence", "for")


def write_pipeline(plain: Mapping[str, Any]) -> str:
    """TOML of a pipeline: single values first, then a table or an array of tables for each part, in the usual order.

    Raises:
        InputError: a value cannot be written as TOML; the text names its place.
    """
    known = [key for key in _ORDER if key in plain]
    lines: list[str] = []
    later: list[tuple[str, Any]] = []
    for key in [*known, *(key for key in plain if key not in _ORDER)]:
        value = plain[key]
        if isinstance(value, Mapping) or _tables(value):
            later.append((key, value))
        elif value is not None:
            lines.append(f"{_key(key)} = {_value(value, key)}")
    for key, value in later:
        lines += _part(key, value)
    return "\n".join(lines).strip() + "\n"


def _part(key: str, value: Any) -> Iterator[str]:
    many = not isinstance(value, Mapping)
    for table in value if many else [value]:
        yield ""
        yield f"[[{_key(key)}]]" if many else f"[{_key(key)}]"
        inner = [(name, item) for name, item in table.items() if isinstance(item, Mapping) and item and key != "for"]
        for name, item in table.items():
            if item is not None and (name, item) not in inner:
                yield f"{_key(name)} = {_value(item, f'{key}.{name}')}"
        for name, item in inner:
            yield ""
            yield f"[{_key(key)}.{_key(name)}]"
            for each, content in item.items():
                if content is not None:
                    yield f"{_key(each)} = {_value(content, f'{key}.{name}.{each}')}"


def _tables(value: Any) -> bool:
    return isinstance(value, Sequence) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _value(value: Any, where: str, depth: int = 0) -> str:
    if depth > DEPTH_MAX:
        raise InputError(f"{where} is nested too deep")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    if isinstance(value, Mapping):
        parts = [f"{_key(key)} = {_value(item, where, depth + 1)}" for key, item in value.items() if item is not None]
        return f"{{ {', '.join(parts)} }}" if parts else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(_value(item, where, depth + 1) for item in value)}]"
    raise InputError(f"{where}: {str(value)[:40]!r} is not a valid value in a pipeline")


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    """A string in JSON's notation, except for one character that TOML requires to be escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
