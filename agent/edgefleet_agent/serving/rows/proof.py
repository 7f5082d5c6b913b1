"""Whether a model file shows that its rows are independent: its operators are followed from the inputs to the outputs."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from edgefleet_agent.backends.onnx_runtime.onnx_graph import Node, OnnxGraph, read_graph
from edgefleet_agent.serving.rows.constant_operators import arithmetic, where
from edgefleet_agent.serving.rows.operators import COMPUTING, MICROSOFT, Inputs
from edgefleet_agent.serving.rows.row_values import Fixed, MixedRowsError, Rows, UnknownRowsError, Value, fixed
from edgefleet_agent.serving.rows.shape_operators import MOVING, OF_CONSTANTS
from edgefleet_contract.core.fault_text import fault_text

OPSET_MIN = 7
"""Older operators broadcast otherwise."""
_UNNAMED = re.compile(r"|unk__\d+|unknown_\d+")
"""Names of open sides that an exporter made up."""
_RANDOM = ("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial", "Bernoulli")


@dataclass(frozen=True, slots=True)
class RowVerdict:
    """independent: every row of the outputs follows from the same row of the inputs; mixed: it does not, or the first axis is not
    the batch axis; unknown: neither can be said. why: the reason, as in "requests are not batched: WHY"."""

    rows: Literal["independent", "mixed", "unknown"]
    why: str = ""


def judge(runtime: str, file: Path) -> RowVerdict:
    """Follow the rows of a model through its operators. Only ONNX files can be read."""
    if runtime != "onnx_runtime" or file.suffix != ".onnx":
        return RowVerdict("unknown", "only the operators of ONNX files are checked")
    try:
        _follow(read_graph(file))
    except MixedRowsError as cause:
        return RowVerdict("mixed", str(cause))
    except UnknownRowsError as cause:
        return RowVerdict("unknown", str(cause))
    except (ValueError, ArithmeticError, LookupError, TypeError, OSError, struct.error) as cause:
        # The runtime has accepted the file, so it is this reader that does not understand it.
        return RowVerdict("unknown", f"its operators cannot be read ({fault_text(cause)})")
    return RowVerdict("independent")


def _follow(graph: OnnxGraph) -> None:
    if graph.opset < OPSET_MIN or graph.functions:
        raise UnknownRowsError("operators of an old version, or of the file's own")
    known: dict[str, Value] = {name: fixed(each.dims, each.values) for name, each in graph.constants.items()}
    names = set()
    for name, sides in graph.inputs.items():
        if name in graph.constants:
            continue
        if not sides:
            raise UnknownRowsError(f"input '{name}' has no batch axis")
        if isinstance(sides[0], str) and not _UNNAMED.fullmatch(sides[0]):
            names.add(sides[0])
        known[name] = Rows(0, len(sides), 1)
    if len(names) > 1:
        raise MixedRowsError(f"the first axes of the inputs have different names: {', '.join(sorted(names))}")
    for node in graph.nodes:
        node.opset = graph.opset
        found = _outputs(node, [known.get(name) if name else None for name in node.inputs])
        known.update(zip(node.outputs, found, strict=False))
    for name in graph.outputs:
        value = known.get(name)
        if value is None:
            raise UnknownRowsError(f"output '{name}' is not followed")
        if not isinstance(value, Rows):
            raise MixedRowsError(f"output '{name}' has no row for each of the inputs")
        if value.axis:
            raise MixedRowsError(f"output '{name}' has the batch at axis {value.axis}")


def _outputs(node: Node, inputs: Inputs) -> list[Value]:
    if node.subgraphs:
        raise UnknownRowsError(f"{node.kind}, whose branches are not followed")
    if any(name and value is None for name, value in zip(node.inputs, inputs, strict=True)):
        raise UnknownRowsError(f"{node.kind} of a tensor that is not followed")
    rule = None
    if node.domain == "":
        rule = COMPUTING.get(node.kind) or MOVING.get(node.kind)
    elif node.domain == "com.microsoft":
        rule = MICROSOFT.get(node.kind)
    there = [each for each in inputs if each is not None]
    if all(isinstance(each, Fixed) for each in there):
        return _constant_outputs(node, inputs)
    if rule is None:
        raise UnknownRowsError(f"{node.kind} is not known")
    return rule(node, inputs)


def _constant_outputs(node: Node, inputs: Inputs) -> list[Value]:
    """The outputs of an operator whose inputs no row changes."""
    if node.kind in _RANDOM or node.domain not in ("", "com.microsoft"):
        raise UnknownRowsError(f"{node.kind} is not known")
    if node.domain == "" and node.kind in OF_CONSTANTS:
        return MOVING[node.kind](node, inputs)
    if node.kind == "Where":
        chosen = where(inputs)
        if chosen is not None:
            return [chosen]
    return [arithmetic(node, inputs)] * max(len(node.outputs), 1)
