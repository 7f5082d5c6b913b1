"""NaN and infinity in JSON: outside of its standard, but Triton, TensorFlow Serving, JavaScript and Python write them as words.

msgspec refuses the words and writes `null`. A text that has them is decoded with marks in their place, objects of one key that no
request has: where a number is expected, `constant_of` gives its value; anywhere else the mark is refused as any object is.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec
import numpy as np

from edgefleet_agent.serving.protocol.tensors import Array

T = TypeVar("T")

CONSTANTS_BYTES_MAX = 4 * 1024 * 1024
"""Longer texts may not have the constants: the search for them holds up other threads."""

_KEY = "\0"
_CONSTANT = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|(-?Inf(?:inity)?|NaN)(?![A-Za-z0-9_])', re.DOTALL)
"""A text, or one of the constants outside of texts."""
_VALUES = {"NaN": math.nan, "Inf": math.inf, "-Inf": -math.inf}
_MARKS = {name.encode(): msgspec.json.encode({_KEY: name}) for name in _VALUES}
_MARK_START = msgspec.json.encode({_KEY: ""})[:-3]
_encoder = msgspec.json.Encoder()


def decode_with_constants(text: bytes | memoryview | msgspec.Raw, decode: Callable[[Any], T]) -> T:
    """Decode JSON; where it has the constants, with marks in their place.

    Raises:
        what `decode` raises, for the text as it was sent.
    """
    try:
        return decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        marked = _mark(text)
        if marked is None:
            raise
        try:
            return decode(marked)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass  # the first error is about the text as it was sent
        raise


def constant_of(value: Any) -> Any:
    """The number of a mark; any other value unchanged."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(name := value.get(_KEY), str):
        return _VALUES.get(name, value)
    return value


def is_marked(data: bytes) -> bool:
    """Whether encoded JSON is a mark."""
    return data.startswith(_MARK_START)


def encode_with_constants(value: Any, arrays: Iterable[Array]) -> bytes:
    """Encode an answer, which has the elements of `arrays`, as JSON."""
    if all(array.dtype.kind != "f" or np.isfinite(array).all() for array in arrays):
        return _encoder.encode(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _mark(data: bytes | memoryview | msgspec.Raw) -> bytes | None:
    if len(data) > CONSTANTS_BYTES_MAX:
        return None
    text = bytes(data)
    if b"NaN" not in text and b"Inf" not in text:
        return None
    return _CONSTANT.sub(lambda found: found[0] if found[1] is None else _MARKS[found[1].replace(b"inity", b"")], text)
