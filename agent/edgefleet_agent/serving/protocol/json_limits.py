"""Limits of JSON texts, checked before they are parsed: one call of the parser holds up all other threads until it ends."""

from __future__ import annotations

import msgspec

from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid

VALUES_MAX = 2**21
"""Values of one JSON text: numbers, texts, lists and objects, together; also elements of the typed contents of gRPC. Reading
so many takes about 0.1 s."""
FIELDS_MAX = 2**18
"""Fields of one object, and lists and objects in a tensor of texts: each is an object of Python."""
SHAPE_BYTES_MAX = 4096
PARAMETERS_BYTES_MAX = 64 * 1024
_PIECE_BYTES = 1024 * 1024


def check_values(text: memoryview | bytes, values_max: int = VALUES_MAX) -> None:
    """Check that a text has at most `values_max` values. Counts commas and brackets, in texts, too, piece by piece.

    Raises:
        CallError: it may have more.
    """
    if len(text) <= values_max:
        return
    values = 1
    for at in range(0, len(text), _PIECE_BYTES):
        piece = bytes(text[at : at + _PIECE_BYTES])
        values += piece.count(b",") + piece.count(b"[") + piece.count(b"{")
        if values > values_max:
            raise CallError(
                Code.TOO_LARGE,
                f"the JSON has more than {values_max} values; send large tensors as binary data, or raise --json-values",
            )


def check_fields(data: memoryview | bytes | msgspec.Raw, what: str) -> None:
    """Check that an object has at most `FIELDS_MAX` fields, before it is parsed.

    Raises:
        CallError: it may have more.
    """
    if len(data) > FIELDS_MAX and bytes(data).count(b":") > FIELDS_MAX:
        raise invalid(f"{what} has more than {FIELDS_MAX} fields")


def check_nesting(data: msgspec.Raw, name: str) -> None:
    """Check that a tensor has at most `FIELDS_MAX` lists and objects, before it is parsed.

    Raises:
        CallError: it has more.
    """
    if len(data) > FIELDS_MAX:
        text = bytes(data)
        if text.count(b"[") + text.count(b"{") > FIELDS_MAX:
            raise invalid(f"input '{name}': 'data' has more than {FIELDS_MAX} lists; send it flat, or as binary data")


def small(data: msgspec.Raw, what: str, bytes_max: int) -> msgspec.Raw:
    """A part of a request that is no tensor.

    Raises:
        CallError: it is longer than `bytes_max`.
    """
    if len(data) > bytes_max:
        raise invalid(f"{what} is longer than {bytes_max} bytes")
    return data
