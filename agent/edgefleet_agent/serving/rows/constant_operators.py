"""Operators on tensors that no row changes: constants, and the numbers that a graph computes of the shapes of its tensors."""

from __future__ import annotations

from edgefleet_agent.backends.onnx_runtime.onnx_graph import Node
from edgefleet_agent.serving.rows.operators import BROADCAST, SAME, Inputs, numbers, plain
from edgefleet_agent.serving.rows.row_values import OTHER, Fixed, Item, Times, UnknownRowsError


def arithmetic(node: Node, inputs: Inputs) -> Fixed:
    """An operator on tensors that no row changes: the sides of shapes, and constants."""
    there = [each for each in inputs if isinstance(each, Fixed)]
    lists = [each.items for each in there if each.items is not None]
    if len(there) == 1 and node.kind in ("Cast", "Identity"):
        return there[0]
    if len(lists) == len(inputs) == 2 and (1 in (len(lists[0]), len(lists[1])) or len(lists[0]) == len(lists[1])):
        length = max(len(each) for each in lists)
        wide = [each * length if len(each) == 1 else each for each in lists]
        items = tuple(_computed(node.kind, one, other) for one, other in zip(*wide, strict=True))
        return Fixed(_broadcast_dims(there), items)
    plain(node, there)
    if node.kind in (*SAME, "QuantizeLinear", "DequantizeLinear") and there:
        return Fixed(there[0].dims)
    if node.kind == "Transpose" and there[0].dims is not None:
        sides = there[0].dims
        return Fixed(tuple(sides[axis] for axis in numbers(node, "perm") or tuple(reversed(range(len(sides))))))
    return Fixed(_broadcast_dims(there) if node.kind in BROADCAST else None)


def _broadcast_dims(values: list[Fixed]) -> tuple[int | None, ...] | None:
    """The shape of several tensors together, element by element; None if it is not known."""
    known = [each.dims for each in values if each.dims is not None]
    if len(known) < len(values) or not known:
        return None
    sides: list[int | None] = []
    for from_end in range(-max(len(dims) for dims in known), 0):
        column = {dims[from_end] for dims in known if -from_end <= len(dims)} - {1}
        sides.append(1 if not column else column.pop() if len(column) == 1 else None)
    return tuple(sides)


def _computed(kind: str, one: Item, other: Item) -> Item:
    if isinstance(one, Times) or isinstance(other, Times):
        times, factor = (one, other) if isinstance(one, Times) else (other, one)
        if kind == "Mul" and not isinstance(factor, Times | float):
            assert isinstance(times, Times)
            return Times(times.factor * factor if isinstance(factor, int) else 0)
        if kind == "Equal" and isinstance(factor, int) and factor < 0:
            return 0  # N times something is never negative
        raise UnknownRowsError(f"{kind} of the number of rows")
    if isinstance(one, int) and isinstance(other, int) and kind in ("Add", "Sub", "Mul", "Equal"):
        results = {"Add": one + other, "Sub": one - other, "Mul": one * other, "Equal": int(one == other)}
        return results[kind]
    return OTHER


def where(inputs: Inputs) -> Fixed | None:
    """The operator `Where` on lists of numbers that no row changes; None if it cannot be followed."""
    there = [each for each in inputs if isinstance(each, Fixed)]
    lists = [each.items for each in there if each.items is not None]
    dims = _broadcast_dims(there)
    if len(lists) != 3 or dims is None or len(dims) > 1:
        return None
    length = max(len(each) for each in lists)
    wide = [each * length if len(each) == 1 else each for each in lists]
    if any(len(each) != length for each in wide) or not all(isinstance(each, int) for each in wide[0]):
        return None
    return Fixed(dims, tuple(yes if condition else no for condition, yes, no in zip(*wide, strict=True)))
