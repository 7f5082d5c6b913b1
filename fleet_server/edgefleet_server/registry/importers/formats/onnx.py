"""Reads ONNX files: protobuf fields with the numbers of onnx.proto3."""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Iterator
from mmap import mmap
from pathlib import Path

from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.formats.export_metadata import TEXT_MAX, with_metadata
from edgefleet_server.registry.importers.formats.input_quantization import TensorOperator, is_relevant, with_quantization

DTYPES = {1: "float32", 2: "uint8", 3: "int8", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16", 11: "float64"}
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_STANDARD_DOMAINS = ("", "ai.onnx", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc")
_HALF, _FLOAT = 10, 1
_PROPERTIES_MAX = 100
_FIELDS_MAX = 1_000_000
"""Fields of one message: repeated numbers are packed into one field."""
_SCALARS = {1: "<f", 2: "<B", 3: "<b", 10: "<e"}


def read_onnx(path: Path, data: bytes | mmap) -> ModelFile:
    """The graph's inputs without those that are weights, its outputs and its operators.

    Raises:
        ManifestError: not an ONNX file, or a damaged one.
    """
    try:
        graphs = [value for number, value in _fields(memoryview(data)) if number == 7 and isinstance(value, memoryview)]
        inputs, outputs, operators = [], [], set()
        weights: dict[str, memoryview] = {}
        nodes: list[TensorOperator] = []
        kinds: Counter[int] = Counter()
        opsets = [_opset(value) for number, value in _fields(memoryview(data)) if number == 8 and isinstance(value, memoryview)]
        properties = _properties(memoryview(data))
        for number, value in _fields(graphs[0]):
            if not isinstance(value, memoryview):
                continue
            if number == 11:
                inputs.append(_tensor(value))
            elif number == 12:
                outputs.append(_tensor(value))
            elif number == 5:
                weights[_text(value, 8)] = value
                kinds[_number(value, 2)] += math.prod(
                    number for field, number in _fields(value) if field == 1 and isinstance(number, int)
                )
            elif number == 1:
                kind = _text(value, 4)
                operators.add(operator_name(_text(value, 7), kind))
                if is_relevant(kind):
                    nodes.append(TensorOperator(kind, _texts(value, 1), _texts(value, 2)))
                elif kind == "Constant":
                    weights.update((name, _part(_part(value, 5), 5)) for name in _texts(value, 2))
        given = [tensor for tensor in inputs if tensor.name not in weights]
        real = tuple(with_quantization(tensor, nodes, lambda name: _scalar(weights.get(name))) for tensor in given)
    except (IndexError, ValueError, struct.error) as cause:
        raise ManifestError(f"{path}: not a whole ONNX file; export it again") from cause
    if not outputs:
        raise ManifestError(f"{path}: an ONNX file without outputs; export it again")
    half = kinds[_HALF] > kinds[_FLOAT]
    opset = max(opsets, default=0)
    model = ModelFile(path, "onnx", real, tuple(outputs), frozenset(operators), files=(path,), opset=opset, half=half)
    return with_metadata(model, properties)


def operator_name(domain: str, kind: str) -> str:
    """An operator as `ModelFile` names it."""
    return kind if domain in _STANDARD_DOMAINS else f"custom:{domain}.{kind}"


def _scalar(tensor: memoryview | None) -> float | None:
    """The value of a TensorProto of one element."""
    if tensor is None:
        return None
    layout = _SCALARS.get(_number(tensor, 2))
    if layout is None or math.prod(number for field, number in _fields(tensor) if field == 1 and isinstance(number, int)) != 1:
        return None
    raw = _part(tensor, 9) or (_part(tensor, 4) if layout == "<f" else memoryview(b""))
    if len(raw) == struct.calcsize(layout):
        return float(struct.unpack(layout, raw)[0])
    packed = _part(tensor, 5)
    if layout == "<f" or not (packed or _number(tensor, 5)):
        return None
    number = _varint(packed, 0)[0] if packed else _number(tensor, 5)
    return float(number - (1 << 64) if number >= 1 << 63 else number)


def _number(value: memoryview, number: int) -> int:
    return next((each for field, each in _fields(value) if field == number and isinstance(each, int)), 0)


def _properties(model: memoryview) -> dict[str, str]:
    """The `metadata_props` of a ModelProto, without long ones."""
    entries = [value for number, value in _fields(model) if number == 14 and isinstance(value, memoryview)]
    return {_text(entry, 1): _text(entry, 2) for entry in entries[:_PROPERTIES_MAX] if len(entry) <= TEXT_MAX}


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


def _texts(value: memoryview, number: int) -> tuple[str, ...]:
    return tuple(bytes(each).decode() for field, each in _fields(value) if field == number and isinstance(each, memoryview))


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """(number, value) of a message: whole numbers and byte ranges; other numbers are skipped.

    Raises:
        ValueError, IndexError: not protobuf.
    """
    at, count = 0, 0
    while at < len(data):
        count += 1
        if count > _FIELDS_MAX:
            raise ValueError("too many fields")
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
