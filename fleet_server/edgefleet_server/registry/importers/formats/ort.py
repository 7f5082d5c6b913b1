"""Reads ONNX Runtime's own format: FlatBuffer tables with the numbers of its ort.fbs."""

from __future__ import annotations

import math
import struct
from collections import Counter
from mmap import mmap
from pathlib import Path

from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.formats.base import weights_of
from edgefleet_server.registry.importers.formats.flatbuffers_reader import FlatTable, root
from edgefleet_server.registry.importers.formats.input_quantization import TensorOperator, is_relevant, with_quantization
from edgefleet_server.registry.importers.formats.onnx import DTYPES, operator_name

_MODEL, _GRAPH, _OPSETS = 1, 7, 1
_INITIALIZERS, _VALUES, _NODES, _INPUTS, _OUTPUTS = 0, 1, 2, 5, 6
_SIZE_KNOWN = 1
_SCALARS = {1: "<f", 2: "<B", 3: "<b"}


def read_ort(path: Path, data: bytes | mmap) -> ModelFile:
    """The graph's inputs without those that are weights, its outputs and its operators.

    Raises:
        ManifestError: not such a file, or a damaged one.
    """
    try:
        if data[4:8] != b"ORTM":
            raise ValueError("no ORTM")
        model = _table(root(data), _MODEL)
        graph = _table(model, _GRAPH)
        weights = {each.text(0): each for each in graph.tables(_INITIALIZERS)}
        values = {each.text(0): each for each in graph.tables(_VALUES)}
        nodes = [
            TensorOperator(node.text(5), tuple(node.texts(8)), tuple(node.texts(9)))
            for node in graph.tables(_NODES)
            if is_relevant(node.text(5))
        ]
        inputs = tuple(
            with_quantization(_tensor(values[name]), nodes, lambda weight: _scalar(weights.get(weight)))
            for name in graph.texts(_INPUTS)
            if name not in weights
        )
        outputs = tuple(_tensor(values[name]) for name in graph.texts(_OUTPUTS))
        operators = frozenset(operator_name(node.text(2), node.text(5)) for node in graph.tables(_NODES))
        counts: Counter[str] = Counter()
        for each in weights.values():
            counts[DTYPES.get(each.number(3, "i"), "")] += math.prod(int(side) for side in each.numbers(2, "q"))
        opsets = [each.number(1, "q") for each in model.tables(_OPSETS) if each.text(0) in ("", "ai.onnx")]
    except (struct.error, IndexError, KeyError, ValueError) as cause:
        raise ManifestError(f"{path}: not a whole file of ONNX Runtime's format; convert it again") from cause
    opset = max(opsets, default=0)
    return ModelFile(path, "onnx", inputs, outputs, operators, files=(path,), opset=opset, weights=weights_of(counts))


def _tensor(value: FlatTable) -> Tensor:
    """The tensor in a ValueInfo: a union has two fields, its type and its value."""
    kind = _table(_table(value, 2), 2)
    shape = kind.table(1)
    dimensions = [_table(each, 0) for each in shape.tables(0)] if shape is not None else []
    sides = tuple(each.number(1, "q") if each.number(0, "b") == _SIZE_KNOWN else -1 for each in dimensions)
    number = kind.number(0, "i")
    return Tensor(value.text(0), sides, DTYPES.get(number, f"type {number}"))


def _scalar(tensor: FlatTable | None) -> float | None:
    """The value of a stored tensor of one element."""
    layout = _SCALARS.get(tensor.number(3, "i")) if tensor is not None else None
    if tensor is None or layout is None or tensor.length(4) != struct.calcsize(layout):
        return None
    return float(struct.unpack(layout, bytes(int(each) for each in tensor.numbers(4, "B")))[0])


def _table(parent: FlatTable, field: int) -> FlatTable:
    found = parent.table(field)
    if found is None:
        raise ValueError("a part is missing")
    return found
