"""Encodes and decodes messages.

Rules: JSON; strict types; a size limit; fields that this version does not know are preserved and written back, so that an old
server between two newer ends loses nothing. Golden messages of each version are in `tests/golden/` and are never edited.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_contract.encoding.field_faults import FieldFault, field_fault
from edgefleet_contract.encoding.json_faults import json_fault

MESSAGE_BYTES_MAX = 256 * 1024
"""Largest JSON message either side accepts. Blocks are binary and have a separate limit."""

_UNKNOWN = "unknown_fields"


class Wire(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Base of every struct of the contract. `unknown_fields` holds fields that this version does not know."""

    unknown_fields: dict[str, Any] = msgspec.field(default_factory=dict)


W = TypeVar("W", bound=Wire)


class FieldError(MessageError):
    """A field is missing, of the wrong type or out of range. `path`: of the field, like `stages[0].name`."""

    def __init__(self, fault: FieldFault) -> None:
        super().__init__(str(fault))
        self.path = fault.path


def encode(message: Wire) -> bytes:
    """The message as JSON, unknown fields included, fields in declaration order. A number that is NaN or infinity, and a list of
    numbers with one, is missing: its field is left out, and in plain data it is null."""
    return msgspec.json.encode(_for_json(message))


def _for_json(value: Any) -> Any:
    """Applies `to_plain` if needed: values without structs are left to msgspec, which encodes them many times faster."""
    if isinstance(value, Wire):
        layout = _layout(type(value))
        plain: dict[str, Any] = dict(layout.tag)
        for field in layout.fields:
            item = getattr(value, field.attribute)
            if not field.is_default(item) and not field.is_missing(item):
                plain[field.name] = _for_json(item) if field.holds_structs else item
        return {**value.unknown_fields, **plain} if value.unknown_fields else plain
    if isinstance(value, dict):
        return {key: _for_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_for_json(item) for item in value]
    return value


def to_plain(value: Any) -> Any:
    """Converts structs to plain dicts and lists; unknown fields are merged back at their place. NaN and infinity are None."""
    if isinstance(value, Wire):
        layout = _layout(type(value))
        plain: dict[str, Any] = dict(layout.tag)
        for field in layout.fields:
            item = getattr(value, field.attribute)
            if not field.is_default(item) and not field.is_missing(item):
                plain[field.name] = to_plain(item)
        return {**value.unknown_fields, **plain} if value.unknown_fields else plain
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, _SCALARS) else msgspec.to_builtins(value)


def decode(data: bytes | bytearray | memoryview, kind: type[W], *, bytes_max: int = MESSAGE_BYTES_MAX) -> W:
    """Read one message.

    Raises:
        MessageError: too large, not JSON, or not of this type; the text names the field.
    """
    if len(data) > bytes_max:
        raise MessageError(f"{len(data)} bytes is over the limit of {bytes_max}")
    try:
        plain = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(f"not JSON: {json_fault(data, error)}") from error
    return from_plain(plain, kind)


def from_plain(plain: Any, kind: type[W]) -> W:
    """A message from dicts and lists (JSON or TOML already parsed).

    Raises:
        FieldError: a field is missing, of the wrong type or out of range; the text names it.
    """
    if isinstance(plain, dict) and _UNKNOWN in plain:
        raise FieldError(FieldFault(_UNKNOWN, "this name is reserved"))
    try:
        message = msgspec.convert(plain, ensure_decoder(kind))
    except (msgspec.ValidationError, RecursionError) as error:
        raise FieldError(field_fault(error, kind, value=plain)) from error
    _keep_unknown(message, plain)
    return message


_SCALARS = (int, float, bool, type(None))
"""Types of plain values. Not `str`: string enums are instances of it, and are written by value."""


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a struct, looked up once: msgspec's own introspection costs more than decoding."""

    attribute: str
    name: str
    default: Any
    required: bool
    holds_structs: bool
    holds_floats: bool

    def is_missing(self, item: Any) -> bool:
        """Whether it is no number, or a list with one that is none."""
        if not self.holds_floats or self.required:
            return False
        if isinstance(item, float):
            return not math.isfinite(item)
        return isinstance(item, (list, tuple)) and not all(not isinstance(each, float) or math.isfinite(each) for each in item)

    def is_default(self, item: Any) -> bool:
        return not self.required and bool(item == self.default)


@dataclass(frozen=True, slots=True)
class _Layout:
    tag: dict[str, Any]
    fields: tuple[_Field, ...]
    names: frozenset[str]


@lru_cache(maxsize=256)
def _layout(kind: type[Wire]) -> _Layout:
    config = kind.__struct_config__
    fields = []
    for field in msgspec.structs.fields(kind):
        if field.name == _UNKNOWN:
            continue
        required = field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
        has_factory = field.default_factory is not msgspec.NODEFAULT
        default = field.default_factory() if has_factory else field.default
        holds = _holds_structs(field.type), _holds_floats(field.type)
        fields.append(_Field(field.name, field.encode_name, default, required, *holds))
    tag = {config.tag_field: config.tag} if config.tag_field else {}
    return _Layout(tag, tuple(fields), frozenset([*tag, *(field.name for field in fields)]))


def _holds_structs(kind: Any) -> bool:
    """Whether a value of this type can contain a struct. `Any` holds plain data only."""
    if isinstance(kind, type) and issubclass(kind, Wire):
        return True
    return any(_holds_structs(part) for part in get_args(kind))


def _holds_floats(kind: Any) -> bool:
    """Whether a value of this type can be a float, or a list of them."""
    return kind is float or (get_origin(kind) is not dict and any(_holds_floats(part) for part in get_args(kind)))


def _keep_unknown(value: Any, plain: Any) -> None:
    if isinstance(value, Wire):
        layout = _layout(type(value))
        if not layout.names.issuperset(plain):
            value.unknown_fields.update({key: item for key, item in plain.items() if key not in layout.names})
        for field in layout.fields:
            if field.holds_structs and field.name in plain:
                _keep_unknown(getattr(value, field.attribute), plain[field.name])
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, (Wire, dict, list)):
                _keep_unknown(item, plain[key])
    elif isinstance(value, (list, tuple)):
        for item, plain_item in zip(value, plain, strict=False):
            if isinstance(item, (Wire, dict, list)):
                _keep_unknown(item, plain_item)
