"""Reads ONNX files: protobuf fields with the numbers of onnx.proto3."""

from __future__ import annotations

import math
import struct
from collections import Counter
from dataclasses import replace
from mmap import mmap
from pathlib import Path

from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.formats.base import weights_of
from edgefleet_server.registry.importers.formats.export_metadata import TEXT_MAX, with_metadata
from edgefleet_server.registry.importers.formats.input_quantization import TensorOperator, is_relevant, with_quantization
from edgefleet_server.registry.importers.formats.onnx_weights import weight_files
from edgefleet_server.registry.importers.formats.protobuf_reader import fields, part, text, texts, varint, whole

DTYPES = {1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 8: "string", 9: "bool"}
DTYPES |= {10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 16: "bfloat16"}
_STANDARD_DOMAINS = ("", "ai.onnx", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc")
_PROPERTIES_MAX = 100
_SCALARS = {1: "<f", 2: "<B", 3: "<b", 10: "<e"}


def read_onnx(path: Path, data: bytes | mmap) -> ModelFile:
    """The graph's inputs without those that are weights, its outputs and its operators.

    Raises:
        ManifestError: not an ONNX file, or a damaged one.
    """
    try:
        graphs = [value for number, value in fields(memoryview(data)) if number == 7 and isinstance(value, memoryview)]
        inputs, outputs, operators = [], [], set()
        weights: dict[str, memoryview] = {}
        nodes: list[TensorOperator] = []
        counts: Counter[str] = Counter()
        opsets = [_opset(value) for number, value in fields(memoryview(data)) if number == 8 and isinstance(value, memoryview)]
        properties = _properties(memoryview(data))
        for number, value in fields(graphs[0]):
            if not isinstance(value, memoryview):
                continue
            if number == 11:
                inputs.append(_tensor(value))
            elif number == 12:
                outputs.append(_tensor(value))
            elif number == 5:
                weights[text(value, 8)] = value
            elif number == 1:
                kind = text(value, 4)
                operators.add(operator_name(text(value, 7), kind))
                if is_relevant(kind):
                    nodes.append(TensorOperator(kind, texts(value, 1), texts(value, 2)))
                elif kind == "Constant":
                    weights.update((name, part(part(value, 5), 5)) for name in texts(value, 2))
        for weight in weights.values():
            counts[DTYPES.get(whole(weight, 2), "")] += _length(weight)
        given = [tensor for tensor in inputs if tensor.name not in weights]
        real = tuple(with_quantization(tensor, nodes, lambda name: _scalar(weights.get(name))) for tensor in given)
    except (IndexError, ValueError, struct.error) as cause:
        raise ManifestError(f"{path}: not a whole ONNX file; export it again") from cause
    if not outputs:
        raise ManifestError(f"{path}: an ONNX file without outputs; export it again")
    opset = max(opsets, default=0)
    files = (path, *weight_files(path, graphs[0]))
    model = ModelFile(path, "onnx", real, tuple(outputs), frozenset(operators), files=files, opset=opset)
    return with_metadata(replace(model, weights=weights_of(counts)), properties)


def operator_name(domain: str, kind: str) -> str:
    """An operator as `ModelFile` names it."""
    return kind if domain in _STANDARD_DOMAINS else f"custom:{domain}.{kind}"


def _scalar(tensor: memoryview | None) -> float | None:
    """The value of a TensorProto of one element."""
    if tensor is None:
        return None
    layout = _SCALARS.get(whole(tensor, 2))
    if layout is None or _length(tensor) != 1:
        return None
    raw = part(tensor, 9) or (part(tensor, 4) if layout == "<f" else memoryview(b""))
    if len(raw) == struct.calcsize(layout):
        return float(struct.unpack(layout, raw)[0])
    packed = part(tensor, 5)
    if layout == "<f" or not (packed or whole(tensor, 5)):
        return None
    number = varint(packed, 0)[0] if packed else whole(tensor, 5)
    return float(number - (1 << 64) if number >= 1 << 63 else number)


def _length(tensor: memoryview) -> int:
    """The count of numbers in a TensorProto, by its shape."""
    return math.prod(number for field, number in fields(tensor) if field == 1 and isinstance(number, int))


def _properties(model: memoryview) -> dict[str, str]:
    """The `metadata_props` of a ModelProto, without long ones."""
    entries = [value for number, value in fields(model) if number == 14 and isinstance(value, memoryview)]
    return {text(entry, 1): text(entry, 2) for entry in entries[:_PROPERTIES_MAX] if len(entry) <= TEXT_MAX}


def _opset(value: memoryview) -> int:
    """The version in an OperatorSetIdProto, if its domain is that of ONNX itself."""
    if text(value, 1) not in ("", "ai.onnx"):
        return 0
    return whole(value, 2)


def _tensor(value: memoryview) -> Tensor:
    """ValueInfoProto."""
    kind = part(part(value, 2), 1)
    dtype = next((int(number) for field, number in fields(kind) if field == 1 and isinstance(number, int)), 0)
    shape = []
    for field, dimension in fields(part(kind, 2)):
        if field == 1 and isinstance(dimension, memoryview):
            sizes = [size for number, size in fields(dimension) if number == 1 and isinstance(size, int)]
            shape.append(sizes[0] if sizes and 0 < sizes[0] <= 1_000_000 else -1)
    return Tensor(text(value, 1), tuple(shape), DTYPES.get(dtype, f"type {dtype}"))
