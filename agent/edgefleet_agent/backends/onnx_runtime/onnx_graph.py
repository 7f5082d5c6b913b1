"""Reads the operators of an ONNX file without its weights, and without the `onnx` package.

Field numbers are those of onnx.proto.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from edgefleet_agent.core.protobuf_fields import fields, read_varint

NODES_MAX = 100_000
VALUES_MAX = 256
"""Largest constant whose numbers are read: shapes, axes and the like are smaller."""
_FORMATS = {1: "f", 2: "B", 3: "b", 6: "i", 7: "q", 9: "B", 11: "d"}
"""TensorProto.DataType -> `struct` format."""

Number = int | float


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A constant. values: None if they are many, or of a type that no shape has."""

    dims: tuple[int, ...]
    values: tuple[Number, ...] | None


@dataclass(slots=True)
class Node:
    """An operator. attributes: numbers, lists of numbers and tensors; of others the name only. subgraphs: If, Loop, Scan.
    opset: version of the standard operators in this file."""

    kind: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Number | tuple[Number, ...] | StoredTensor | None]
    subgraphs: bool
    opset: int = 0


@dataclass(slots=True)
class OnnxGraph:
    """inputs, outputs: name -> sides, a number, a name, or an empty name; None if the file does not say. opset: version."""

    opset: int = 0
    functions: bool = False
    nodes: list[Node] = field(default_factory=list)
    constants: dict[str, StoredTensor] = field(default_factory=dict)
    inputs: dict[str, tuple[int | str, ...] | None] = field(default_factory=dict)
    outputs: dict[str, tuple[int | str, ...] | None] = field(default_factory=dict)


def read_graph(file: Path) -> OnnxGraph:
    """Read the graph of a file.

    Raises:
        ValueError: it is not of this format, or has more than `NODES_MAX` operators. OSError: it cannot be read.
    """
    with file.open("rb") as opened:
        # Unmapped when the last view of it is gone: a traceback may hold one longer than this function runs.
        return _model(memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)))


def _model(data: memoryview) -> OnnxGraph:
    graph = OnnxGraph()
    bodies = []
    for number, value in fields(data):
        if number == 7:
            bodies.append(_block(value))
        elif number == 8:
            parts = dict(fields(_block(value)))
            if _name(parts.get(1)) in ("", "ai.onnx"):
                graph.opset = _integer(parts.get(2, 0))
        elif number == 25:
            graph.functions = True
    for body in bodies:
        _read_body(graph, body)
    return graph


def _read_body(graph: OnnxGraph, data: memoryview) -> None:
    for number, value in fields(data):
        if number == 1:
            if len(graph.nodes) >= NODES_MAX:
                raise ValueError("too many operators")
            graph.nodes.append(_node(_block(value)))
        elif number == 5:
            name, tensor = _tensor(_block(value))
            graph.constants[name] = tensor
        elif number in (11, 12):
            name, sides = _value_info(_block(value))
            (graph.inputs if number == 11 else graph.outputs)[name] = sides
        elif number == 15:
            raise ValueError("sparse constants")


def _node(data: memoryview) -> Node:
    inputs, outputs = [], []
    kind = domain = ""
    attributes: dict[str, Number | tuple[Number, ...] | StoredTensor | None] = {}
    subgraphs = False
    for number, value in fields(data):
        if number == 1:
            inputs.append(_name(value))
        elif number == 2:
            outputs.append(_name(value))
        elif number == 4:
            kind = _name(value)
        elif number == 7:
            domain = _name(value)
        elif number == 5:
            name, held, is_graph = _attribute(_block(value))
            attributes[name] = held
            subgraphs |= is_graph
    return Node(kind, "" if domain == "ai.onnx" else domain, tuple(inputs), tuple(outputs), attributes, subgraphs)


def _attribute(data: memoryview) -> tuple[str, Number | tuple[Number, ...] | StoredTensor | None, bool]:
    name = ""
    held: Number | tuple[Number, ...] | StoredTensor | None = None
    integers: list[Number] = []
    floats: list[Number] = []
    kind, is_graph = 0, False
    for number, value in fields(data):
        if number == 1:
            name = _name(value)
        elif number == 2:
            held = struct.unpack("<f", _block(value))[0]
        elif number == 3:
            held = _integer(value)
        elif number == 5:
            held = _tensor(_block(value))[1]
        elif number == 7:
            floats += _floats(value)
        elif number == 8:
            integers += _integers(value)
        elif number == 20:
            kind = _integer(value)
        is_graph |= number in (6, 11)
    if kind == 7 or integers:
        held = tuple(integers)
    elif kind == 6 or floats:
        held = tuple(floats)
    return name, held, is_graph


def _tensor(data: memoryview) -> tuple[str, StoredTensor]:
    name = ""
    dims: list[int] = []
    element = 0
    raw: memoryview | None = None
    typed: list[Number] = []
    for number, value in fields(data):
        if number == 1:
            dims += [int(side) for side in _integers(value)]
        elif number == 2:
            element = _integer(value)
        elif number == 8:
            name = _name(value)
        elif number == 9:
            raw = _block(value)
        elif number in (5, 7) and len(typed) <= VALUES_MAX:
            typed += _integers(value)
        elif number == 4 and len(typed) <= VALUES_MAX:
            typed += _floats(value)
    count = 1
    for side in dims:
        count *= side
    values: tuple[Number, ...] | None = None
    form = _FORMATS.get(element)
    if form and count <= VALUES_MAX:
        if raw is not None and len(raw) == count * struct.calcsize(f"<{form}"):
            values = struct.unpack(f"<{count}{form}", raw)
        elif raw is None and len(typed) == count:
            values = tuple(typed)
    return name, StoredTensor(tuple(dims), values)


def _value_info(data: memoryview) -> tuple[str, tuple[int | str, ...] | None]:
    name = ""
    sides: tuple[int | str, ...] | None = None
    for number, value in fields(data):
        if number == 1:
            name = _name(value)
        elif number == 2:
            for kind, body in fields(_block(value)):
                if kind == 1:
                    shapes = [each for at, each in fields(_block(body)) if at == 2]
                    sides = _sides(_block(shapes[0])) if shapes else None
    return name, sides


def _sides(data: memoryview) -> tuple[int | str, ...]:
    found: list[int | str] = []
    for number, value in fields(data):
        if number != 1:
            continue
        side: int | str = ""
        for kind, held in fields(_block(value)):
            if kind == 1:
                side = _integer(held)
            elif kind == 2:
                side = _name(held)
        found.append(side)
    return tuple(found)


def _block(value: int | memoryview | None) -> memoryview:
    if not isinstance(value, memoryview):
        raise ValueError("a number instead of bytes")
    return value


def _integer(value: int | memoryview | None) -> int:
    """A signed 64-bit number."""
    if not isinstance(value, int):
        raise ValueError("bytes instead of a number")
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def _name(value: int | memoryview | None) -> str:
    return "" if value is None else bytes(_block(value)).decode(errors="replace")


def _integers(value: int | memoryview) -> list[Number]:
    """A repeated number, packed or not."""
    if isinstance(value, int):
        return [_integer(value)]
    found: list[Number] = []
    at = 0
    while at < len(value) and len(found) <= VALUES_MAX:
        number, at = read_varint(value, at)
        found.append(_integer(number))
    return found


def _floats(value: int | memoryview) -> list[Number]:
    block = _block(value)[: 4 * (VALUES_MAX + 1)]
    return list(struct.unpack(f"<{len(block) // 4}f", block[: len(block) // 4 * 4]))
