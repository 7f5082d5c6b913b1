"""Operators that move, choose and count elements, and the batch axis of their outputs."""

from __future__ import annotations

from edgefleet_agent.backends.onnx_runtime.onnx_graph import Node, StoredTensor
from edgefleet_agent.serving.rows.operators import (
    Inputs,
    Rule,
    axes_of,
    known_integers,
    mixed,
    number,
    numbers,
    plain,
    rows_of,
)
from edgefleet_agent.serving.rows.row_values import (
    OTHER,
    Fixed,
    Item,
    MixedRowsError,
    Rows,
    Times,
    UnknownRowsError,
    Value,
    fixed,
    vector,
)

WHOLE_END = 2**31 - 1
"""The end of a slice that goes to the end of every axis."""


def reshape(node: Node, inputs: Inputs) -> list[Value]:
    """The batch stays where the first side of the new shape is N times something, or what is left when no other side has N."""
    value, target = inputs[0], inputs[1]
    if not isinstance(target, Fixed) or target.items is None:
        raise UnknownRowsError("Reshape to a shape that is computed")
    items = target.items
    if isinstance(value, Fixed):
        plain(node, inputs)
        dims = tuple(item if isinstance(item, int) and item > 0 else None for item in items)
        if value.items is not None and dims in ((), (None,)):
            dims = (len(value.items),) * len(dims)
        return [Fixed(dims, value.items)]
    rows = rows_of(node, [value])
    zero_copies = not number(node, "allowzero", 0)
    if not items or any(isinstance(item, Times | float) for item in items[1:]):
        raise UnknownRowsError("Reshape that moves the batch to another axis")
    if rows.axis and not (zero_copies and len(items) > rows.axis and all(item == 0 for item in items[: rows.axis + 1])):
        raise UnknownRowsError("Reshape that moves the batch to another axis")
    first = items[0]
    if rows.axis or (zero_copies and first == 0):
        return [Rows(rows.axis, len(items), rows.block)]
    if isinstance(first, Times) or first == -1:
        return [Rows(0, len(items), first.factor if isinstance(first, Times) else 0)]
    raise UnknownRowsError("Reshape to a fixed number of rows")


def flatten(node: Node, inputs: Inputs) -> list[Value]:
    """To a matrix; the batch must stay its first axis."""
    rows = rows_of(node, inputs)
    axis = number(node, "axis", 1)
    if rows.axis or (axis + rows.rank if axis < 0 else axis) < 1:
        raise UnknownRowsError("Flatten that moves the batch")
    return [Rows(0, 2, rows.block if axis == 1 else 0)]


def transpose(node: Node, inputs: Inputs) -> list[Value]:
    """Axes in another order."""
    rows = rows_of(node, inputs)
    order = numbers(node, "perm") or tuple(reversed(range(rows.rank)))
    return [Rows(order.index(rows.axis), rows.rank, rows.block)]


def squeeze(node: Node, inputs: Inputs) -> list[Value]:
    """Without axes of one element. Without `axes`, a batch of one row would lose its axis."""
    value = inputs[0]
    if isinstance(value, Fixed):
        return [_scalar_or_vector(node, value, (1,), ())]
    rows = rows_of(node, inputs)
    axes = axes_of(node, inputs, 1, rows.rank)
    if not axes or rows.axis in axes:
        raise mixed(node)
    return [Rows(rows.axis - sum(axis < rows.axis for axis in axes), rows.rank - len(axes), rows.block)]


def _scalar_or_vector(node: Node, value: Fixed, before: tuple[int, ...], after: tuple[int, ...]) -> Fixed:
    """One number with another number of axes; anything else is not followed."""
    if value.dims == before:
        return Fixed(after, value.items)
    plain(node, [value])
    return Fixed()


def unsqueeze(node: Node, inputs: Inputs) -> list[Value]:
    """With more axes of one element."""
    value = inputs[0]
    if isinstance(value, Fixed):
        return [_scalar_or_vector(node, value, (), (1,))]
    rows = rows_of(node, inputs)
    axes = numbers(node, "axes") or known_integers(node, inputs[1] if len(inputs) > 1 else None)
    rank = rows.rank + len(axes)
    fresh = {axis % rank for axis in axes}
    return [Rows([axis for axis in range(rank) if axis not in fresh][rows.axis], rank, rows.block)]


def shape(node: Node, inputs: Inputs) -> list[Value]:
    """The sides of a tensor, or some of them."""
    value = inputs[0]
    items: list[Item]
    if isinstance(value, Rows):
        items = [Times(value.block) if axis == value.axis else OTHER for axis in range(value.rank)]
    elif isinstance(value, Fixed) and value.dims is not None:
        items = [OTHER if side is None else side for side in value.dims]
    else:
        raise UnknownRowsError("Shape of a tensor whose number of axes is computed")
    start, end = number(node, "start", 0), number(node, "end", len(items))
    return [vector(tuple(items[start:end]))]


def gather(node: Node, inputs: Inputs) -> list[Value]:
    """Elements at some places of an axis, or rows of a table."""
    data, places = inputs[0], inputs[1]
    if isinstance(data, Fixed) and isinstance(places, Fixed):
        return [_gathered(data, places)]
    if isinstance(data, Rows) and isinstance(places, Rows):
        raise MixedRowsError("Gather from rows at places of other rows")
    if isinstance(data, Rows):
        rows = rows_of(node, inputs)
        axis = number(node, "axis", 0) % rows.rank
        if axis == rows.axis:
            raise mixed(node)
        if not isinstance(places, Fixed) or places.dims is None:
            raise UnknownRowsError("Gather at places that are computed")
        more = len(places.dims) - 1
        return [Rows(rows.axis + (more if axis < rows.axis else 0), rows.rank + more, rows.block)]
    rows = rows_of(node, inputs, 1)
    if not isinstance(data, Fixed) or data.dims is None:
        raise UnknownRowsError("Gather from a table that is computed")
    axis = number(node, "axis", 0) % max(len(data.dims), 1)
    return [Rows(rows.axis + axis, rows.rank + len(data.dims) - 1, rows.block)]


def _gathered(data: Fixed, places: Fixed) -> Fixed:
    if data.items is None or places.items is None or data.dims is None or len(data.dims) != 1:
        if data.counts_rows or places.counts_rows:
            raise UnknownRowsError("Gather by the number of rows")
        return Fixed()
    found = []
    for place in places.items:
        if not isinstance(place, int) or not -len(data.items) <= place < len(data.items):
            raise UnknownRowsError("Gather at places that are computed")
        found.append(data.items[place])
    return Fixed(places.dims, tuple(found))


def gather_elements(node: Node, inputs: Inputs) -> list[Value]:
    """Elements at places of one axis, which differ from row to row."""
    data, places = inputs[0], inputs[1]
    if not isinstance(data, Rows) or data != places:
        raise UnknownRowsError("GatherElements of tensors with the batch at different axes")
    if number(node, "axis", 0) % data.rank == data.axis:
        raise mixed(node)
    return [data]


def concat(node: Node, inputs: Inputs) -> list[Value]:
    """Tensors behind each other along an axis."""
    first = inputs[0]
    if all(isinstance(each, Fixed) for each in inputs):
        joined: list[Item] = []
        for each in inputs:
            if not isinstance(each, Fixed) or each.items is None or each.dims is None or len(each.dims) != 1:
                plain(node, inputs)
                return [Fixed()]
            joined += each.items
        return [vector(tuple(joined))]
    if not isinstance(first, Rows) or any(each != first for each in inputs):
        raise UnknownRowsError("Concat of tensors with the batch at different axes")
    if number(node, "axis", 0) % first.rank == first.axis:
        raise mixed(node)
    return [first]


def split(node: Node, inputs: Inputs) -> list[Value]:
    """Parts along an axis."""
    rows = rows_of(node, inputs)
    if number(node, "axis", 0) % rows.rank == rows.axis:
        raise mixed(node)
    return [rows] * len(node.outputs)


def slice_of(node: Node, inputs: Inputs) -> list[Value]:
    """A part along some axes; of the batch axis only the whole."""
    value = inputs[0]
    attributes = "starts" in node.attributes
    starts = numbers(node, "starts") if attributes else _sides(inputs, 1)
    ends = numbers(node, "ends") if attributes else _sides(inputs, 2)
    if starts is None or ends is None:
        raise UnknownRowsError("Slice between places that are computed")
    rank = value.rank if isinstance(value, Rows) else 1
    axes = axes_of(node, inputs, 3, rank) or tuple(range(len(starts)))
    steps = _sides(inputs, 4) or (1,) * len(starts)
    if isinstance(value, Fixed):
        return [_sliced(value, starts, ends, axes, steps)]
    rows = rows_of(node, [value])
    if len({len(starts), len(ends), len(axes), len(steps)}) != 1:
        raise UnknownRowsError("Slice with lists of different lengths")
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        if axis == rows.axis:
            whole = start == 0 and step == 1 and isinstance(end, int) and end >= WHOLE_END
            if not whole:
                raise mixed(node)
        elif any(isinstance(each, Times) for each in (start, end, step)):
            raise UnknownRowsError("Slice by the number of rows")
    return [rows]


def _sides(inputs: Inputs, at: int) -> tuple[Item, ...] | None:
    value = inputs[at] if at < len(inputs) else None
    return value.items if isinstance(value, Fixed) else None


def _sliced(
    value: Fixed, starts: tuple[Item, ...], ends: tuple[Item, ...], axes: tuple[int, ...], steps: tuple[Item, ...]
) -> Fixed:
    given = (*starts, *ends, *steps)
    if any(isinstance(each, Times) for each in given):
        raise UnknownRowsError("Slice by the number of rows")
    simple = value.items is not None and value.dims is not None and len(value.dims) == 1 and axes == (0,)
    if not simple or not all(isinstance(each, int) for each in given):
        if value.counts_rows:
            raise UnknownRowsError("Slice between places that are computed")
        return Fixed()
    assert value.items is not None
    start, end, step = (each[0] for each in (starts, ends, steps))
    assert isinstance(start, int)
    assert isinstance(end, int)
    assert isinstance(step, int)
    if step < 1:
        raise UnknownRowsError("Slice backwards")
    return vector(value.items[start:end:step])


def expand(node: Node, inputs: Inputs) -> list[Value]:
    """A tensor repeated to a shape."""
    value, target = inputs[0], inputs[1]
    if not isinstance(target, Fixed) or target.items is None:
        raise UnknownRowsError("Expand to a shape that is computed")
    counted = [index - len(target.items) for index, item in enumerate(target.items) if isinstance(item, Times)]
    if isinstance(value, Fixed):
        if not counted:
            return [Fixed()]
        if len(counted) > 1 or value.counts_rows or value.dims is None or value.side(counted[0]) != 1:
            raise UnknownRowsError("Expand of a constant that may differ from row to row")
        rank = max(len(target.items), len(value.dims))
        times = target.items[counted[0]]
        return [Rows(rank + counted[0], rank, times.factor if isinstance(times, Times) else 0)]
    rows = rows_of(node, [value])
    rank = max(len(target.items), rows.rank)
    side = target.items[rows.from_end] if -rows.from_end <= len(target.items) else 1
    if (side != 1 and side != Times(rows.block)) or not rows.block or any(each != rows.from_end for each in counted):
        raise UnknownRowsError("Expand along the first axis")
    return [Rows(rank + rows.from_end, rank, rows.block)]


def constant_of_shape(node: Node, inputs: Inputs) -> list[Value]:
    """A tensor of one number; of a batch where its shape has N."""
    target = inputs[0]
    if not isinstance(target, Fixed) or target.items is None:
        raise UnknownRowsError("ConstantOfShape of a shape that is computed")
    counted = [index for index, item in enumerate(target.items) if isinstance(item, Times)]
    if len(counted) > 1:
        raise UnknownRowsError("ConstantOfShape with two batch axes")
    if counted:
        times = target.items[counted[0]]
        return [Rows(counted[0], len(target.items), times.factor if isinstance(times, Times) else 0)]
    dims = tuple(item if isinstance(item, int) else None for item in target.items)
    held = node.attributes.get("value")
    item: Item = held.values[0] if isinstance(held, StoredTensor) and held.values else 0
    if len(dims) == 1 and isinstance(dims[0], int) and 0 <= dims[0] <= 16:
        return [vector((item,) * dims[0])]
    return [Fixed(dims)]


def constant(node: Node, _inputs: Inputs) -> list[Value]:
    """Numbers in the file."""
    for held in node.attributes.values():
        if isinstance(held, StoredTensor):
            return [fixed(held.dims, held.values)]
        if isinstance(held, tuple):
            return [vector(held)]
        if isinstance(held, int | float):
            return [fixed((), (held,))]
    return [Fixed()]


def pad(node: Node, inputs: Inputs) -> list[Value]:
    """More elements before and after; none along the batch axis."""
    rows = rows_of(node, inputs)
    pads = numbers(node, "pads") or known_integers(node, inputs[1] if len(inputs) > 1 else None)
    if (len(inputs) > 3 and inputs[3] is not None) or len(pads) != 2 * rows.rank:
        raise UnknownRowsError("Pad along chosen axes")
    if pads[rows.axis] or pads[rows.axis + rows.rank]:
        raise mixed(node)
    return [rows]


def tile(node: Node, inputs: Inputs) -> list[Value]:
    """A tensor several times; once along the batch axis."""
    value, repeats = inputs[0], inputs[1]
    rows = rows_of(node, [value])
    if not isinstance(repeats, Fixed) or repeats.items is None or repeats.counts_rows or repeats.items[rows.axis] != 1:
        raise UnknownRowsError("Tile along the first axis")
    return [rows]


def resize(node: Node, inputs: Inputs) -> list[Value]:
    """A picture in another size: factor 1, or N, along the batch axis."""
    rows = rows_of(node, [inputs[0]])
    if rows.axis:
        raise mixed(node)
    if node.attributes.get("axes") is not None:
        axes = axes_of(node, [], 0, rows.rank) or ()
        if rows.axis in axes:
            raise UnknownRowsError("Resize along the first axis")
        plain(node, inputs[1:])
        return [rows]
    old = node.kind == "Upsample" or node.opset < 11
    if not old and _sides(inputs, 1):
        raise UnknownRowsError("Resize of a region")
    scales, sizes = _sides(inputs, 1 if old else 2), _sides(inputs, 3)
    same_side = bool(rows.block) and bool(sizes) and sizes is not None and sizes[0] == Times(rows.block)
    if not same_side and not (scales and scales[0] == 1.0):
        raise UnknownRowsError("Resize along the first axis")
    return [rows]


MOVING: dict[str, Rule] = {
    "Reshape": reshape,
    "Flatten": flatten,
    "Transpose": transpose,
    "Squeeze": squeeze,
    "Unsqueeze": unsqueeze,
    "Shape": shape,
    "Gather": gather,
    "GatherElements": gather_elements,
    "Concat": concat,
    "Split": split,
    "Slice": slice_of,
    "Expand": expand,
    "ConstantOfShape": constant_of_shape,
    "Constant": constant,
    "Pad": pad,
    "Tile": tile,
    "Resize": resize,
    "Upsample": resize,
}
"""Operators of the standard domain."""
OF_CONSTANTS = ("Reshape", "Squeeze", "Unsqueeze", "Shape", "Gather", "Concat", "Slice", "Expand", "ConstantOfShape", "Constant")
"""Those that are also followed where no input has rows."""
