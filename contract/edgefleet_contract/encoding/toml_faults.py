"""All faults of a parsed TOML file at once, each with its line: `toml.read` ends at the first one.

Pure: the caller reads and parses the file.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_contract.encoding.codec import Wire, from_plain
from edgefleet_contract.encoding.field_faults import field_fault
from edgefleet_contract.encoding.toml_lines import line_of, path_steps

FAULTS_MAX = 100
KNOWN_MAX = 60
"""Keys that a text about an unknown one names."""
_INTERNAL = frozenset({"unknown_fields"})

Path = tuple[str, ...]


def faults_of(
    plain: Mapping[str, Any], kind: type[Wire], lines: Mapping[str, int], where: str, internal: Collection[str] = ()
) -> list[str]:
    """Faults of a whole file that is decoded to `kind`: missing, unknown and wrong keys, `where:LINE: key: reason`, by line.

    lines: of every table and key, see `toml_lines`. internal: fields of `kind` that files do not have.
    """
    found: list[tuple[int, str]] = []
    for path, text in islice(_faults(plain, kind, (), frozenset(internal)), FAULTS_MAX):
        line, key = line_of(dict(lines), *path), ".".join(path)
        at = where if line is None else f"{where}:{line}"
        found.append((line or 0, f"{at}: {key}: {text}" if key else f"{at}: {text}"))
    return [text for _, text in sorted(found, key=lambda fault: fault[0])]


def _faults(plain: Any, kind: type[Wire], path: Path, internal: frozenset[str] = frozenset()) -> Iterator[tuple[Path, str]]:
    """Faults of one table. A rule between keys is checked only where every key is right by itself."""
    if not isinstance(plain, Mapping):
        yield path, f"must be a table, like [{'.'.join(path)}]"
        return
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind) if field.name not in _INTERNAL | internal}
    faulty = False
    for name in plain:
        if name not in fields:
            faulty = True
            known = ", ".join(list(fields)[:KNOWN_MAX])
            yield (*path, str(name)), f"no such key; known are {known}"
    for name, field in fields.items():
        if name not in plain:
            if field.required:
                faulty = True
                yield path, f"the key {name!r} is missing; set it"
            continue
        for fault in _value_faults(plain[name], hints[field.name], (*path, name)):
            faulty = True
            yield fault
    if not faulty:
        try:
            from_plain(dict(plain), kind)
        except MessageError as cause:
            yield _split(path, str(cause), fields)


def _value_faults(value: Any, hint: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Faults of one key. Tables, and lists and dicts of tables, are looked into; every other value is decoded as a whole."""
    table = _table_of(hint)
    origin, parameters = typing.get_origin(_bare(hint)), typing.get_args(_bare(hint))
    if table is not None and (value is not None or _bare(hint) is table):
        yield from _faults(value, table, path)
    elif origin is list and _table_of(parameters[0]) is not None and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _value_faults(item, parameters[0], (*path, str(number)))
    elif origin is dict and _table_of(parameters[1]) is not None and isinstance(value, Mapping):
        for key, item in value.items():
            yield from _converted(key, parameters[0], (*path, str(key)))
            yield from _value_faults(item, parameters[1], (*path, str(key)))
    else:
        yield from _converted(value, hint, path)


def _converted(value: Any, hint: Any, path: Path) -> Iterator[tuple[Path, str]]:
    try:
        msgspec.convert(value, ensure_decoder(hint))
    except (msgspec.ValidationError, RecursionError) as cause:
        fault = field_fault(cause, hint, value=value)
        yield (*path, *path_steps(fault.path)), fault.text


def _split(path: Path, text: str, fields: Collection[str]) -> tuple[Path, str]:
    """A fault of a rule between keys: its text begins with a key of the table, or is about the whole table."""
    key, separator, reason = text.partition(": ")
    parts = tuple(key.split("."))
    return ((*path, *parts), reason) if separator and parts[0] in fields else (path, text)


def _bare(hint: Any) -> Any:
    """The type without its limits."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint


def _table_of(hint: Any) -> type[Wire] | None:
    """The struct of a type that is one, or one or nothing; None for other types."""
    bare = _bare(hint)
    choices = typing.get_args(bare) if typing.get_origin(bare) in (typing.Union, types.UnionType) else (bare,)
    found = [each for each in choices if isinstance(each, type) and issubclass(each, Wire)]
    return found[0] if len(found) == 1 and all(each in (found[0], types.NoneType) for each in choices) else None
