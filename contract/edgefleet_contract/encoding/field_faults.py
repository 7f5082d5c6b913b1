"""Describes the fault of a field of a message or settings file in plain words. msgspec's texts name types of the code."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "bytes": "text in base64",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
_BOUNDS: Final = {"<=": "up to", "<": "below", ">=": "from", ">": "above"}
_VALUES_MAX: Final = 30
"""Most values of a choice that a text lists."""


class FieldFault(NamedTuple):
    """path: of the field, like `stages[0].min_score`; empty for the whole. text: continues it, like `must be text`. unknown: the
    field does not exist."""

    path: str
    text: str
    unknown: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text


def field_fault(error: Exception, kind: Any = None, table: str = _KINDS["object"], value: Any = None) -> FieldFault:
    """Describe an error that msgspec raised when it decoded a `kind`, the type that knows the values of a choice. table: the word
    for a set of fields in this notation. value: what was decoded, of which a text that is too long is named with its length."""
    if isinstance(error, RecursionError):
        return FieldFault("", "nested too deeply")
    fault, _, place = str(error).partition(" - at ")
    path = _path(place)
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", fault):
        return FieldFault(f"{path}{'.' if path else ''}{unknown[1]}", "unknown field; check the spelling", unknown=True)
    if place.startswith("`key`"):
        return FieldFault(path, "one of its names is not valid")
    if limit := re.fullmatch(r"Expected `str(?: \| null)?` of length <= (\d+)", fault):
        for found, text in _texts_at(value, path):
            if len(text) > int(limit[1]):
                return FieldFault(found.removeprefix("."), f"must have at most {limit[1]} characters, has {len(text)}")
    if pattern := re.fullmatch(r"Expected `str` matching regex '(.*)'", fault):
        too_long = _too_long(pattern[1], value, path)
        if too_long is not None:
            return too_long
    return FieldFault(path, _plain(fault, place, kind, {**_KINDS, "object": table}))


def _too_long(pattern: str, value: Any, path: str) -> FieldFault | None:
    """The fault of a text that only is longer than its pattern allows; None for another one."""
    limit = re.fullmatch(r"(.*)\{(\d+),(\d+)\}\$", pattern)
    if limit is None:
        return None
    for found, text in _texts_at(value, path):
        if re.search(pattern, text) is None and re.search(rf"{limit[1]}{{{limit[2]},}}$", text):
            most = len(text) - next(cut for cut in range(1, len(text) + 1) if re.search(pattern, text[:-cut]))
            return FieldFault(found.removeprefix("."), f"must have at most {most} characters, has {len(text)}")
    return None


def _texts_at(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """The texts at a path, with the names or numbers of its open steps: of `labels[]` those of all entries."""
    step = re.match(r"\.?([^.\[\]]+)|\[(\d*)\]", path)
    if step is None:
        yield from [("", value)] if isinstance(value, str) else []
        return
    given = step[1] or step[2]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if given in ("", str(key)):
            for rest, text in _texts_at(item, path[step.end() :]):
                yield f"{f'[{key}]' if isinstance(key, int) else f'.{key}'}{rest}", text


def _path(place: str) -> str:
    """`` `$.stages[...].name` `` → `stages[].name`."""
    found = re.search(r"`\$\.?([^`]*)`\s*$", place)
    return found[1].replace("[...]", "[]") if found else ""


def _plain(fault: str, place: str, kind: Any, kinds: dict[str, str]) -> str:
    if fault.startswith("Expected `str` matching regex"):
        return "contains characters that are not allowed, or has not the required form"
    if limit := re.fullmatch(r"Expected `([^`]+)` (of length )?([<>]=?) (\S+)", fault):
        names = [name for name in limit[1].split(" | ") if name != "null"]
        if limit[2]:
            unit = "characters" if names == ["str"] else "entries"
            return f"must have {'at least' if '>' in limit[3] else 'at most'} {limit[4]} {unit}"
        return f"must be {_either(names, kinds)} {_BOUNDS[limit[3]]} {limit[4].removesuffix('.0')}"
    if length := re.fullmatch(r"Expected `[^`]+` of length (\d+)(?:, got (\d+))?", fault):
        return f"must have {length[1]} entries"
    if length := re.fullmatch(r"Expected `[^`]+` of length (\d+) to (\d+)(?:, got (\d+))?", fault):
        return f"must have {length[1]} to {length[2]} entries"
    if multiple := re.fullmatch(r"Expected `([^`]+)` that's a multiple of (\S+)", fault):
        return f"must be a multiple of {multiple[2]}"
    if types_of := re.fullmatch(r"Expected `([^`]+)`(?:, got `([^`]+)`)?", fault):
        found = f", not {kinds.get(types_of[2], types_of[2])}" if types_of[2] else ""
        return f"must be {_either([name for name in types_of[1].split(' | ') if name != 'null'], kinds)}{found}"
    if value := re.fullmatch(r"Invalid (?:enum )?value (?:'(.*)'|(.*))", fault):
        given = repr(value[1]) if value[1] is not None else value[2]
        known = _choices(kind, place)
        return (
            f"{given} is not one of {', '.join(known)}" if 0 < len(known) <= _VALUES_MAX else f"{given} is not one of its values"
        )
    if missing := re.fullmatch(r"Object missing required field `(.*)`", fault):
        return f"{missing[1]!r} is missing"
    return fault[:1].lower() + fault[1:].replace("`", "'")


def _either(names: list[str], kinds: dict[str, str]) -> str:
    return " or ".join(kinds.get(name, name) for name in names)


def _choices(kind: Any, place: str) -> list[str]:
    """The values that the choice at `place` of a type may have; empty if they cannot be found."""
    found = re.search(r"`\$\.?([^`]*)`\s*$", place)
    if kind is None or (place and found is None):
        return []
    at = [kind]
    for step in re.findall(r"\[[^\]]*\]|[^.\[]+", found[1] if found else ""):
        at = [child for each in at for member in _members(each) for child in _children(member, step)]
    values: list[Any] = []
    for each in at:
        for member in _members(each):
            if get_origin(member) is Literal:
                values.extend(get_args(member))
            elif isinstance(member, type) and issubclass(member, Enum):
                values.extend(one.value for one in member)
            elif isinstance(member, str):
                values.append(member)
    return [str(value) for value in dict.fromkeys(values)]


def _members(kind: Any) -> list[Any]:
    """The types of a union, without annotations."""
    if get_origin(kind) is Annotated:
        return _members(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return [member for part in get_args(kind) for member in _members(part)]
    return [kind]


def _children(member: Any, step: str) -> list[Any]:
    """The types in a step of a path: a field, or the items of a list or table. The tag of a struct is its value itself."""
    if step.startswith("["):
        return (
            [part for part in get_args(member) if part is not Ellipsis][-1:]
            if get_origin(member) is dict
            else [*get_args(member)]
        )
    if not (isinstance(member, type) and issubclass(member, msgspec.Struct)):
        return []
    if member.__struct_config__.tag_field == step:
        return [str(member.__struct_config__.tag)]
    return [field.type for field in msgspec.structs.fields(member) if field.encode_name == step]
