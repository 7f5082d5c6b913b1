"""Reads ONNX files: protobuf fields with the numbers of onnx.proto3."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_server.core.errors import ManifestError

DTYPES = {1: "float32", 2: "uint8", 3: "int8", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16", 11: "float64"}
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_STANDARD_DOMAINS = ("", "ai.onnx", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc")
_HALF, _FLOAT = 10, 1


def read_onnx(path: Path, data: bytes) -> ModelFile:
    """The graph's inputs without those that are weights, its outputs and its operators.

    Raises:
        ManifestError: not an ONNX file, or a damaged one.
    """
    try:
        graphs = [value for number, value in _fields(memoryview(data)) if number == 7 and isinstance(value, memoryview)]
        inputs, outputs, weights, operators = [], [], set(), set()
        kinds: Counter[int] = Counter()
        opsets = [_opset(value) for number, value in _fields(memoryview(data)) if number == 8 and isinstance(value, memoryview)]
        for number, value in _fields(graphs[0]):
            if not isinstance(value, memoryview):
                continue
            if number == 11:
                inputs.append(_tensor(value))
            elif number == 12:
                outputs.append(_tensor(value))
            elif number == 5:
                weights.add(_text(value, 8))
                kinds[_number(value, 2)] += math.prod(
                    number for field, number in _fields(value) if field == 1 and isinstance(number, int)
                )
            elif number == 1:
                operators.add(operator_name(_text(value, 7), _text(value, 4)))
    except (IndexError, ValueError) as cause:
        raise ManifestError(f"{path}: not a whole ONNX file; export it again") from cause
    if not outputs:
        raise ManifestError(f"{path}: an ONNX file without outputs; export it again")
    real = tuple(tensor for tensor in inputs if tensor.name not in weights)
    half = kinds[_HALF] > kinds[_FLOAT]
    opset = max(opsets, default=0)
    return ModelFile(path, "onnx", real, tuple(outputs), frozenset(operators), files=(path,), opset=opset, half=half)


def operator_name(domain: str, kind: str) -> str:
    """An operator as `ModelFile` names it."""
    return kind if domain in _STANDARD_DOMAINS else f"custom:{domain}.{kind}"


def _number(value: memoryview, number: int) -> int:
    return next((each for field, each in _fields(value) if field == number and isinstance(each, int)), 0)


def _opset(value: memoryview) -> int:
    """The version in an OperatorSetIdProto, if its domain is that of ONNX itself."""
    if _text(value, 1) not in ("", "ai.onnx"):
        return 0
    return _number(value, 2)


def _tensor(value: memoryview) -> Tensor:
    """ValueInfoProto."""
    kind = _part(_part(value, 2), 1)
    dtype = next((int(number) for field, number in _fields(kind) if field == 1 and isinstance(number, int)), 0)
    shape = []
    for field, dimension in _fields(_part(kind, 2)):
        if field == 1 and isinstance(dimension, memoryview):
            sizes = [size for number, size in _fields(dimension) if number == 1 and isinstance(size, int)]
            shape.append(sizes[0] if sizes and 0 < sizes[0] <= 1_000_000 else -1)
    return Tensor(_text(value, 1), tuple(shape), DTYPES.get(dtype, f"type {dtype}"))


def _part(value: memoryview, number: int) -> memoryview:
    return next((each for field, each in _fields(value) if field == number and isinstance(each, memoryview)), memoryview(b""))


def _text(value: memoryview, number: int) -> str:
    return bytes(_part(value, number)).decode()


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """(number, value) of a message: whole numbers and byte ranges; other numbers are skipped.

    Raises:
        ValueError, IndexError: not protobuf.
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            number, at = _varint(data, at)
            yield key >> 3, number
        elif kind == _BYTES:
            length, at = _varint(data, at)
            if at + length > len(data):
                raise ValueError("cut off")
            yield key >> 3, data[at : at + length]
            at += length
        elif kind in (_FIXED64, _FIXED32):
            at += 8 if kind == _FIXED64 else 4
        else:
            raise ValueError("not protobuf")


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value, shift = 0, 0
    while shift < 64:
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        if byte < 128:
            return value, at
        shift += 7
    raise ValueError("not protobuf")
