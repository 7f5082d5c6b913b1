"""Samples of any struct of the contract, made from its types: no field is named here, so that none is forgotten."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

import msgspec
from msgspec import inspect

from edgefleet_contract.encoding.codec import Wire, to_plain

FUTURE = "from_a_later_version"
"""The field that a later version may add."""
FUTURE_VALUE = {"list": [1, 2.5, "text", None, {"deep": True}]}
UNKNOWN = "unknown_fields"
_TEXTS = (
    "press-07", "1.2.3", "ab" * 32, "folder/file.bin", "2.root.json", "22:00-05:00", "front", "site", "edgefleet/infer",
    "head:yolo", "cd" * 16, 'video/mp4; codecs="avc1.64001f"', "text",
)  # fmt: skip


def fields_of(kind: type[Wire]) -> list[msgspec.structs.FieldInfo]:
    """The fields of a struct without that for unknown ones."""
    return [field for field in msgspec.structs.fields(kind) if field.name != UNKNOWN]


def minimal(kind: type[Wire]) -> Wire:
    """Only the fields without a default."""
    return kind(**{field.name: _value(_type(field)) for field in fields_of(kind) if _is_required(field)})


def full(kind: type[Wire]) -> Wire:
    """Every field, none with its default."""
    return kind(**{field.name: _other(_value(_type(field)), field) for field in fields_of(kind)})


def with_future(value: Any) -> Any:
    """The same value with an unknown field in each struct of it."""
    if isinstance(value, Wire):
        items = {field.name: with_future(getattr(value, field.name)) for field in fields_of(type(value))}
        return type(value)(**items, unknown_fields={FUTURE: FUTURE_VALUE})
    if isinstance(value, dict):
        return {key: with_future(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(with_future(item) for item in value)
    return value


def values_of(kind: type[Wire]) -> dict[str, list[Any]]:
    """The values of each field that has a closed set of them, by the field's name in the encoding."""
    found = {field.encode_name: _choices(_type(field)) for field in fields_of(kind)}
    return {name: choices for name, choices in found.items() if choices}


def complete(value: Any) -> Any:
    """Plain data with every field, also those that have their default: what a decoded struct means."""
    if isinstance(value, Wire):
        items = {field.encode_name: complete(getattr(value, field.name)) for field in fields_of(type(value))}
        config = type(value).__struct_config__
        tag = {str(config.tag_field): config.tag} if config.tag_field else {}
        return {**value.unknown_fields, **tag, **items}
    if isinstance(value, dict):
        return {key: complete(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [complete(item) for item in value]
    return to_plain(value)


def contains(today: Any, recorded: Any) -> bool:
    """Whether `today` has everything that was recorded: fields may be added, none removed or changed."""
    if isinstance(recorded, dict):
        return isinstance(today, dict) and all(key in today and contains(today[key], item) for key, item in recorded.items())
    if isinstance(recorded, list):
        same = isinstance(today, list) and len(today) == len(recorded)
        return same and all(contains(one, other) for one, other in zip(today, recorded, strict=True))
    return bool(today == recorded) and isinstance(today, bool) is isinstance(recorded, bool)


def _is_required(field: msgspec.structs.FieldInfo) -> bool:
    return field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT


def _type(field: msgspec.structs.FieldInfo) -> inspect.Type:
    return inspect.type_info(field.type)


def _other(value: Any, field: msgspec.structs.FieldInfo) -> Any:
    """`value`, or another valid one where it is the default, which is not written."""
    if _is_required(field):
        return value
    default = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    if value != default:
        return value
    kind = _type(field)
    candidates = _choices(kind) or ([not value] if isinstance(value, bool) else [])
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        candidates = [value + 1, value - 1, value / 2]
    valid = [candidate for candidate in candidates if candidate != default and _is_valid(candidate, field)]
    assert valid, f"{field.name}: no value but its default {default!r} is known; add one to samples.py"
    return msgspec.convert(valid[0], field.type)


def _is_valid(value: Any, field: msgspec.structs.FieldInfo) -> bool:
    try:
        msgspec.convert(value, field.type)
    except msgspec.ValidationError:
        return False
    return True


def _choices(kind: inspect.Type) -> list[Any]:
    """The closed set of values of a type, or of what its list, dict or option has."""
    if isinstance(kind, inspect.EnumType):
        return [member.value for member in kind.cls]
    if isinstance(kind, inspect.LiteralType):
        return list(kind.values)
    if isinstance(kind, inspect.Metadata):
        return _choices(kind.type)
    if isinstance(kind, inspect.UnionType):
        return [choice for part in kind.types for choice in _choices(part)]
    return []


def _value(kind: inspect.Type) -> Any:
    """A value of the type, within its limits."""
    if isinstance(kind, inspect.Metadata):
        return _value(kind.type)
    if isinstance(kind, inspect.StructType):
        return full(kind.cls)
    if isinstance(kind, inspect.UnionType):
        return _value(next(part for part in kind.types if not isinstance(part, inspect.NoneType)))
    if isinstance(kind, (inspect.EnumType, inspect.LiteralType)):
        return _first(kind)
    if isinstance(kind, inspect.DictType):
        return {_value(kind.key_type): _value(kind.value_type)}
    if isinstance(kind, (inspect.ListType, inspect.VarTupleType)):
        items = [_value(kind.item_type)] * max(1, kind.min_length or 0)
        return items if isinstance(kind, inspect.ListType) else tuple(items)
    if isinstance(kind, inspect.TupleType):
        return tuple(_value(part) for part in kind.item_types)
    return _scalar(kind)


def _first(kind: inspect.EnumType | inspect.LiteralType) -> Any:
    if isinstance(kind, inspect.EnumType):
        member: Enum = next(iter(kind.cls))
        return member
    return kind.values[0]


def _scalar(kind: inspect.Type) -> Any:
    if isinstance(kind, inspect.BoolType):
        return True
    if isinstance(kind, inspect.AnyType):
        return {"key": ["text", 1, 2.5, True]}
    if isinstance(kind, (inspect.IntType, inspect.FloatType)):
        return _number(kind)
    assert isinstance(kind, inspect.StrType), f"samples.py has no value of {kind}"
    return next(
        text
        for text in _TEXTS
        if (kind.pattern is None or re.search(kind.pattern, text))
        and (kind.min_length or 0) <= len(text) <= (kind.max_length or 1_000_000)
    )


def _number(kind: inspect.IntType | inspect.FloatType) -> int | float:
    low = kind.ge if kind.ge is not None else kind.gt
    high = kind.le if kind.le is not None else kind.lt
    usual = 12 if isinstance(kind, inspect.IntType) else 12.5
    if low is not None and usual <= low:
        return low + 1
    if high is not None and usual >= high:
        return (low or 0) + 1 if isinstance(kind, inspect.IntType) else (low or 0.0) + (high - (low or 0.0)) / 4
    return usual
