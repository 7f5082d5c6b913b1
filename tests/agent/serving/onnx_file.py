"""Tiny ONNX models, written byte by byte: no test needs the `onnx` package. Field numbers are those of onnx.proto."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

ELEMENTS = {
    "FP32": 1, "UINT8": 2, "INT8": 3, "UINT16": 4, "INT16": 5, "INT32": 6, "INT64": 7, "BYTES": 8, "BOOL": 9, "FP16": 10,
    "FP64": 11, "UINT32": 12, "UINT64": 13, "BF16": 16,
}  # fmt: skip
"""Data types of the inference protocol -> TensorProto.DataType."""

_DATATYPES = {"float32": "FP32", "int64": "INT64", "int8": "INT8", "uint8": "UINT8"}

Shape = Sequence[int | str] | None
"""None: the file does not say how many axes there are."""
Typed = tuple[str, Shape]


def one_node(op: str, datatype: str, inputs: dict[str, Shape], outputs: dict[str, Shape]) -> bytes:
    """A model with one node. Dimensions given as text are open."""
    return _model(_node(op, list(inputs), list(outputs)), datatype, inputs, outputs)


def _node(op: str, inputs: Sequence[str], outputs: Sequence[str]) -> bytes:
    return _bytes(1, b"".join([*(_text(1, name) for name in inputs), *(_text(2, name) for name in outputs), _text(4, op)]))


def _model(nodes: bytes, datatype: str, inputs: dict[str, Shape], outputs: dict[str, Shape]) -> bytes:
    values = [_bytes(11, _value(name, datatype, shape)) for name, shape in inputs.items()]
    values += [_bytes(12, _value(name, datatype, shape)) for name, shape in outputs.items()]
    graph = nodes + _text(2, "graph") + b"".join(values)
    return _number(1, 8) + _bytes(8, _text(1, "") + _number(2, 17)) + _bytes(7, graph)


def identity(datatype: str = "FP32", shape: Shape = ("n", 16)) -> bytes:
    """A model that copies INPUT to OUTPUT."""
    return one_node("Identity", datatype, {"INPUT": shape}, {"OUTPUT": shape})


def add(shape: Shape = ("n", 4)) -> bytes:
    """A model of SUM = A + B."""
    return one_node("Add", "FP32", {"A": shape, "B": shape}, {"SUM": shape})


def count() -> bytes:
    """A model of LAST of the numbers from START to LIMIT in steps of DELTA; LIMIT sets its run time."""
    nodes = _node("Range", ["START", "LIMIT", "DELTA"], ["numbers"]) + _node("ReduceMax", ["numbers"], ["LAST"])
    return _model(nodes, "FP32", {"START": (), "LIMIT": (), "DELTA": ()}, {"LAST": (1,)})


def matmul(side: int) -> bytes:
    """A model of A times B; `side` sets its run time."""
    return one_node("MatMul", "FP32", {"A": (side, side), "B": (side, side)}, {"PRODUCT": (side, side)})


def chain(
    steps: Sequence[tuple[str, list[str], str]],
    constants: Mapping[str, npt.NDArray[Any]],
    inputs: dict[str, Shape],
    outputs: dict[str, Shape],
) -> bytes:
    """A float model of several nodes (operator, inputs, output) with constant arrays of float32 or int64."""
    nodes = b"".join(_node(operator, names, [output]) for operator, names, output in steps)
    return _model(nodes + b"".join(_constant(name, array) for name, array in constants.items()), "FP32", inputs, outputs)


def _constant(name: str, array: npt.NDArray[Any]) -> bytes:
    """TensorProto."""
    kind = ELEMENTS[_DATATYPES[str(array.dtype)]]
    dims = b"".join(_number(1, side) for side in array.shape)
    return _bytes(5, dims + _number(2, kind) + _text(8, name) + _bytes(9, array.tobytes()))


def fixed(arrays: Mapping[str, npt.NDArray[Any]], picture: Shape, name: str = "images") -> bytes:
    """A model that returns these arrays, of float32, int64, int8 or uint8, for every picture."""
    body = b"".join(_node("Identity", [f"{output}:stored"], [output]) for output in arrays) + _text(2, "graph")
    body += b"".join(_constant(f"{output}:stored", array) for output, array in arrays.items())
    body += _bytes(11, _value(name, "FP32", picture))
    body += b"".join(_bytes(12, _value(output, _DATATYPES[str(array.dtype)], array.shape)) for output, array in arrays.items())
    return _number(1, 8) + _bytes(8, _text(1, "") + _number(2, 17)) + _bytes(7, body)


def graph(nodes: Sequence[tuple[str, list[str], list[str]]], inputs: dict[str, Typed], outputs: dict[str, Typed]) -> bytes:
    """A model of several nodes (operator, inputs, outputs) whose tensors have individual types."""
    body = b"".join(_node(op, ins, outs) for op, ins, outs in nodes) + _text(2, "graph")
    body += b"".join(_bytes(11, _value(name, *typed)) for name, typed in inputs.items())
    body += b"".join(_bytes(12, _value(name, *typed)) for name, typed in outputs.items())
    return _number(1, 8) + _bytes(8, _text(1, "") + _number(2, 17)) + _bytes(7, body)


def accumulator() -> bytes:
    """A model of OUTPUT = STATE + INPUT, which is also the next STATE; the controls are returned as START_WAS, END_WAS,
    READY_WAS, CORRID_WAS."""
    flag, number = ("INT32", ("n", 1)), ("UINT64", ("n", 1))
    value = ("FP32", ("n", 1))
    nodes = [("Add", ["STATE", "INPUT"], ["NEXT"]), ("Identity", ["NEXT"], ["OUTPUT"])]
    controls = {"START": flag, "END": flag, "READY": flag, "CORRID": number}
    nodes += [("Identity", [name], [f"{name}_WAS"]) for name in controls]
    previous = {f"{name}_WAS": typed for name, typed in controls.items()}
    return graph(nodes, {"INPUT": value, "STATE": value, **controls}, {"OUTPUT": value, "NEXT": value, **previous})


def _value(name: str, datatype: str, shape: Shape) -> bytes:
    dims = [_bytes(1, _number(1, side) if isinstance(side, int) else _text(2, side)) for side in shape or ()]
    sides = b"" if shape is None else _bytes(2, b"".join(dims))
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, ELEMENTS[datatype]) + sides))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())


def outside(location: str) -> bytes:
    """A model of OUTPUT = INPUT plus four numbers stored in another file."""
    place = _bytes(13, _text(1, "location") + _text(2, location))
    weights = _number(1, 4) + _number(2, ELEMENTS["FP32"]) + _text(8, "C") + place + _number(14, 1)
    nodes = _node("Add", ["INPUT", "C"], ["OUTPUT"]) + _bytes(5, weights)
    return _model(nodes, "FP32", {"INPUT": (4,)}, {"OUTPUT": (4,)})
