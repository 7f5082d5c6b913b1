"""Tensors on the wire: names of data types, raw bytes, lengths. Every declared size is checked against the data.

Data types are those of the Open Inference Protocol. Raw tensors are little-endian and row-major; an element of BYTES is a 4-byte
length and that many bytes, and becomes a Python `bytes` in an array of objects.
"""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_agent.backends.base import BFLOAT16
from edgefleet_agent.serving.protocol.errors import invalid

Array = npt.NDArray[Any]

RANK_MAX = 16
"""More dimensions than any model has; protects against lists of a million ones."""
ELEMENTS_MAX = 2**31
"""Elements of one tensor."""
TEXTS_MAX = 2**20
"""Elements of one tensor of BYTES: each is an object of Python."""

DTYPES: dict[str, np.dtype[Any]] = {
    "BOOL": np.dtype(np.bool_),
    "UINT8": np.dtype(np.uint8),
    "UINT16": np.dtype("<u2"),
    "UINT32": np.dtype("<u4"),
    "UINT64": np.dtype("<u8"),
    "INT8": np.dtype(np.int8),
    "INT16": np.dtype("<i2"),
    "INT32": np.dtype("<i4"),
    "INT64": np.dtype("<i8"),
    "FP16": np.dtype("<f2"),
    "FP32": np.dtype("<f4"),
    "FP64": np.dtype("<f8"),
    "BF16": BFLOAT16,
    "BYTES": np.dtype(np.object_),
}
"""Data type of the protocol to that of an array."""

_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_LENGTH = struct.Struct("<I")


def datatype_of(dtype: np.dtype[Any]) -> str:
    """The protocol's name of an array type."""
    return _NAMES[dtype]


def checked_shape(name: str, shape: object) -> tuple[int, ...]:
    """Check the shape of a request.

    Raises:
        CallError: not a list of whole numbers >= 0, too many of them, or a product beyond `ELEMENTS_MAX`.
    """
    if not isinstance(shape, (list, tuple)) or len(shape) > RANK_MAX:
        raise invalid(f"input '{name}': shape must be a list of at most {RANK_MAX} whole numbers")
    if any(type(side) is not int or side < 0 for side in shape):
        raise invalid(f"input '{name}': every dimension of a shape must be a whole number of 0 or more")
    # Python integers do not overflow. Zeros count as one: otherwise a zero would hide a huge dimension next to it.
    if math.prod(max(side, 1) for side in shape) > ELEMENTS_MAX:
        raise invalid(f"input '{name}': a shape of more than {ELEMENTS_MAX} elements")
    return tuple(shape)


def checked_dtype(name: str, datatype: object) -> np.dtype[Any]:
    """The array type of a data type of a request.

    Raises:
        CallError: the data type is unknown.
    """
    dtype = DTYPES.get(datatype) if isinstance(datatype, str) else None
    if dtype is None:
        raise invalid(f"input '{name}': unknown datatype {str(datatype)[:40]!r}; known are {', '.join(DTYPES)}")
    return dtype


def from_raw(name: str, datatype: object, shape: object, data: memoryview) -> Array:
    """Make a tensor from raw bytes, without a copy if they are aligned.

    Raises:
        CallError: the length does not fit type and shape.
    """
    dtype, sides = checked_dtype(name, datatype), checked_shape(name, shape)
    count = math.prod(sides)
    if dtype.kind == "O":
        return _unpack_bytes(name, data, count).reshape(sides)
    if len(data) != count * dtype.itemsize:
        raise invalid(f"input '{name}': {datatype} {list(sides)} requires {count * dtype.itemsize} bytes, got {len(data)}")
    array: Array = np.frombuffer(data, dtype).reshape(sides)
    # Runtimes use aligned instructions.
    return array if array.flags.aligned else array.copy()


def to_raw(array: Array) -> bytes:
    """A tensor as raw bytes."""
    if array.dtype.kind == "O":
        return b"".join(_packed(element) for element in array.ravel())
    return array.tobytes()


def text_of(element: object) -> bytes:
    """An element of a BYTES tensor as bytes; runtimes give text as `str`."""
    return element if isinstance(element, bytes) else str(element).encode()


def objects(elements: list[Any], shape: tuple[int, ...]) -> Array:
    """An array of Python objects; `np.array` would split the elements."""
    array = np.empty(len(elements), np.object_)
    array[:] = elements
    return array.reshape(shape)


def check_texts(name: str, count: int) -> None:
    """Check the size of a tensor of BYTES.

    Raises:
        CallError: it has more than `TEXTS_MAX` elements.
    """
    if count > TEXTS_MAX:
        raise invalid(f"input '{name}': {count} elements of BYTES; send at most {TEXTS_MAX} in a request")


def _packed(element: object) -> bytes:
    data = text_of(element)
    return _LENGTH.pack(len(data)) + data


def _unpack_bytes(name: str, data: memoryview, count: int) -> Array:
    check_texts(name, count)
    if count * _LENGTH.size > len(data):
        raise invalid(f"input '{name}': {count} elements of BYTES require at least {count * _LENGTH.size} bytes, got {len(data)}")
    elements: list[bytes] = []
    at = 0
    while at < len(data) and len(elements) < count:
        if at + _LENGTH.size > len(data):
            raise invalid(f"input '{name}': the length of element {len(elements)} is cut off")
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        if length > len(data) - at:
            raise invalid(f"input '{name}': element {len(elements)} has length {length}, {len(data) - at} bytes are left")
        elements.append(bytes(data[at : at + length]))
        at += length
    if len(elements) != count or at != len(data):
        raise invalid(f"input '{name}': {len(elements)} elements and {len(data) - at} extra bytes, the shape requires {count}")
    return objects(elements, (count,))
