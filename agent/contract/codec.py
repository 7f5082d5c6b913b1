"""Bytes to messages and back.

Rules: JSON; strict types; a limit on size; fields this version does not know are kept and written back, so that an old server
between two newer ends loses nothing. Golden messages of each version stand in `tests/golden/` and are never edited.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from agent.errors import MessageError

MESSAGE_BYTES_MAX = 256 * 1024
"""Largest JSON message either side accepts. Blocks are binary and have a limit of their own."""

_UNKNOWN = "unknown_fields"


class Wire(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Base of every struct of the contract. `unknown_fields` holds what the sender knew and we do not."""

    unknown_fields: dict[str, Any] = msgspec.field(default_factory=dict)


W = TypeVar("W", bound=Wire)


def encode(message: Wire) -> bytes:
    """The message as JSON, unknown fields included, fields in declaration order."""
    return msgspec.json.encode(to_plain(message))


def to_plain(value: Any) -> Any:
    """Structs to plain dicts and lists, unknown fields merged back where they were."""
    if isinstance(value, Wire):
        config = value.__struct_config__
        plain: dict[str, Any] = {config.tag_field: config.tag} if config.tag_field else {}
        for field in msgspec.structs.fields(value):
            item = getattr(value, field.name)
            if field.name == _UNKNOWN or _is_default(field, item):
                continue
            plain[field.encode_name] = to_plain(item)
        return {**value.unknown_fields, **plain}
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    return msgspec.to_builtins(value)


def decode(data: bytes | bytearray | memoryview, kind: type[W], *, bytes_max: int = MESSAGE_BYTES_MAX) -> W:
    """Read one message.

    Raises:
        MessageError: too large, not JSON, or not of this type; the text names the field.
    """
    if len(data) > bytes_max:
        raise MessageError(f"{kind.__name__}: {len(data)} bytes is over the limit of {bytes_max}")
    try:
        plain = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(f"{kind.__name__}: not JSON: {error}") from error
    return from_plain(plain, kind)


def from_plain(plain: Any, kind: type[W]) -> W:
    """A message from dicts and lists (JSON or TOML already parsed).

    Raises:
        MessageError: a field is missing, of the wrong type or out of range; the text names it.
    """
    if isinstance(plain, dict) and _UNKNOWN in plain:
        raise MessageError(f"{kind.__name__}: field {_UNKNOWN!r} is reserved")
    try:
        message = msgspec.convert(plain, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise MessageError(f"{kind.__name__}: {error}") from error
    _keep_unknown(message, plain)
    return message


def _is_default(field: msgspec.structs.FieldInfo, item: Any) -> bool:
    if field.default is not msgspec.NODEFAULT:
        return bool(item == field.default)
    if field.default_factory is not msgspec.NODEFAULT:
        return bool(item == field.default_factory())
    return False


def _keep_unknown(value: Any, plain: Any) -> None:
    if isinstance(value, Wire) and isinstance(plain, dict):
        known = {field.encode_name: field.name for field in msgspec.structs.fields(value)}
        tag = value.__struct_config__.tag_field
        for key, item in plain.items():
            if key in known:
                _keep_unknown(getattr(value, known[key]), item)
            elif key != tag:
                value.unknown_fields[key] = item
    elif isinstance(value, dict) and isinstance(plain, dict):
        for key, item in value.items():
            _keep_unknown(item, plain.get(key))
    elif isinstance(value, (list, tuple)) and isinstance(plain, (list, tuple)):
        for item, plain_item in zip(value, plain, strict=False):
            _keep_unknown(item, plain_item)
