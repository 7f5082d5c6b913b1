"""Operators that compute, and the batch axis of their outputs.

An operator is listed only where each block of its outputs follows from the same block of its inputs. The others are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from edgefleet_agent.backends.onnx_runtime.onnx_graph import Node
from edgefleet_agent.serving.rows.row_values import Fixed, MixedRowsError, Rows, UnknownRowsError, Value

Inputs = Sequence[Value | None]
"""None: an input that is left out."""
Rule = Callable[[Node, Inputs], list[Value]]
"""Takes an operator and its inputs. Returns the outputs, one for each that is known."""


def number(node: Node, name: str, usual: int) -> int:
    """A whole-number attribute."""
    given = node.attributes.get(name, usual)
    if not isinstance(given, int):
        raise UnknownRowsError(f"{node.kind} with an unknown {name}")
    return given


def numbers(node: Node, name: str) -> tuple[int, ...] | None:
    """A list attribute; None if it is not given."""
    given = node.attributes.get(name)
    if given is None:
        return None
    if not isinstance(given, tuple) or not all(isinstance(each, int) for each in given):
        raise UnknownRowsError(f"{node.kind} with an unknown {name}")
    return tuple(int(each) for each in given)


def axes_of(node: Node, inputs: Inputs, at: int, rank: int) -> tuple[int, ...] | None:
    """The axes of an operator, from its attribute or from input `at`; None if they are not given."""
    axes = numbers(node, "axes")
    if axes is None and len(inputs) > at and inputs[at] is not None:
        axes = known_integers(node, inputs[at])
    return None if axes is None else tuple(axis % rank if -rank <= axis < rank else _out_of_range(node) for axis in axes)


def known_integers(node: Node, value: Value | None) -> tuple[int, ...]:
    """The numbers of a constant, as axes or paddings are."""
    if not isinstance(value, Fixed) or value.items is None:
        raise UnknownRowsError(f"{node.kind} by numbers that are computed")
    found = []
    for item in value.items:
        if not isinstance(item, int):
            raise UnknownRowsError(f"{node.kind} by numbers that are computed")
        found.append(item)
    return tuple(found)


def _out_of_range(node: Node) -> int:
    raise UnknownRowsError(f"{node.kind} over an axis that there is not")


def rows_of(node: Node, inputs: Inputs, at: int = 0) -> Rows:
    """Input `at`, which must be the only one with a batch axis."""
    value = inputs[at] if at < len(inputs) else None
    if not isinstance(value, Rows):
        raise UnknownRowsError(f"{node.kind} with rows at another input than usual")
    plain(node, [each for index, each in enumerate(inputs) if index != at])
    return value


def plain(node: Node, inputs: Inputs) -> None:
    """Check that no row, and not their number, changes these inputs."""
    for value in inputs:
        if isinstance(value, Rows) or (isinstance(value, Fixed) and value.counts_rows):
            raise UnknownRowsError(f"{node.kind} with rows at more than one input")


def mixed(node: Node) -> MixedRowsError:
    """The error of an operator over the batch axis."""
    return MixedRowsError(f"{node.kind} over the first axis")


def same(node: Node, inputs: Inputs) -> list[Value]:
    """One input, element by element."""
    return [rows_of(node, inputs)]


def broadcast(node: Node, inputs: Inputs) -> list[Value]:
    """Several inputs, element by element."""
    there = [each for each in inputs if each is not None]
    rows = [each for each in there if isinstance(each, Rows)]
    from_end = {each.from_end for each in rows}
    if len(from_end) != 1:
        raise UnknownRowsError(f"{node.kind} of tensors with the batch at different axes")
    rank = max(each.rank for each in rows)
    for each in there:
        if isinstance(each, Fixed):
            if each.counts_rows or each.dims is None or each.side(min(from_end)) != 1:
                raise UnknownRowsError(f"{node.kind} with a constant that may differ from row to row")
            rank = max(rank, len(each.dims))
    blocks = {each.block for each in rows}
    return [Rows(rank + min(from_end), rank, min(blocks) if len(blocks) == 1 else 0)]


def first_axis(node: Node, inputs: Inputs) -> list[Value]:
    """An operator on [batch, ...], such as a convolution."""
    rows = rows_of(node, inputs)
    if rows.axis != 0:
        raise mixed(node)
    return [rows]


def batch_normalization(node: Node, inputs: Inputs) -> list[Value]:
    """With stored statistics only."""
    if number(node, "training_mode", 0):
        raise mixed(node)
    return first_axis(node, inputs)


def dropout(node: Node, inputs: Inputs) -> list[Value]:
    """Only where it does nothing."""
    if len(inputs) > 2:
        raise UnknownRowsError("Dropout of training")
    return [rows_of(node, inputs)]


def matmul(node: Node, inputs: Inputs) -> list[Value]:
    """A product of matrices, with leading axes of batches."""
    left, right = inputs[0], inputs[1]
    plain(node, inputs[2:])
    if isinstance(left, Rows) and isinstance(right, Rows):
        if left.rank < 3 or right.rank < 3 or left.from_end != right.from_end or left.from_end > -3:
            raise mixed(node)
        rank = max(left.rank, right.rank)
        return [Rows(rank + left.from_end, rank, left.block if left.block == right.block else 0)]
    rows, other = (left, right) if isinstance(left, Rows) else (right, left)
    if not isinstance(rows, Rows) or not isinstance(other, Fixed) or other.dims is None or other.counts_rows:
        raise UnknownRowsError(f"{node.kind} with a computed matrix")
    contracted = -1 if rows is left else -2
    if rows.from_end == contracted or rows.rank < 2:
        raise mixed(node)
    if len(other.dims) == 1 and rows is left:
        return [Rows(rows.axis, rows.rank - 1, rows.block)]
    if len(other.dims) < 2 or (rows.from_end < -2 and other.side(rows.from_end) != 1):
        raise UnknownRowsError(f"{node.kind} with a matrix that may differ from row to row")
    rank = max(rows.rank, len(other.dims))
    return [Rows(rank + rows.from_end, rank, rows.block)]


def quantized_matmul(node: Node, inputs: Inputs) -> list[Value]:
    """QLinearMatMul: a, scale, zero, b, and six constants."""
    plain(node, [*inputs[1:3], *inputs[4:]])
    for at in (1, 2):
        _one_number(node, inputs[at])
    return matmul(node, [inputs[0], inputs[3]])


def integer_matmul(node: Node, inputs: Inputs) -> list[Value]:
    """MatMulInteger: a, b, and a zero point of each."""
    if len(inputs) > 2:
        _one_number(node, inputs[2])
    return matmul(node, inputs)


def _one_number(node: Node, value: Value | None) -> None:
    if value is not None and (not isinstance(value, Fixed) or value.dims not in ((), (1,))):
        raise UnknownRowsError(f"{node.kind} with a scale for each row")


def packed_matmul(node: Node, inputs: Inputs) -> list[Value]:
    """MatMulNBits: the last axis is multiplied by a packed constant."""
    rows = rows_of(node, inputs)
    if rows.from_end == -1:
        raise mixed(node)
    return [rows]


def gemm(node: Node, inputs: Inputs) -> list[Value]:
    """A product of a matrix of rows with a constant, plus a constant."""
    rows = rows_of(node, inputs)
    if rows.axis != 0 or rows.rank != 2 or number(node, "transA", 0):
        raise mixed(node)
    bias = inputs[2] if len(inputs) > 2 else None
    if isinstance(bias, Fixed) and bias.side(-2) != 1:
        raise UnknownRowsError("Gemm with a bias that may differ from row to row")
    return [rows]


def softmax(node: Node, inputs: Inputs) -> list[Value]:
    """Over one axis; before opset 13 over all axes from that one."""
    rows = rows_of(node, inputs)
    axis = number(node, "axis", -1 if node.opset >= 13 else 1) % rows.rank
    if axis == rows.axis or (node.opset < 13 and axis < rows.axis):
        raise mixed(node)
    return [rows]


def layer_normalization(node: Node, inputs: Inputs) -> list[Value]:
    """Over the axes from `axis` to the last."""
    rows = rows_of(node, inputs)
    if rows.axis >= number(node, "axis", -1) % rows.rank:
        raise mixed(node)
    return [rows]


def skip_layer_normalization(node: Node, inputs: Inputs) -> list[Value]:
    """The sum of two inputs, over the last axis; the second and third output are not followed."""
    plain(node, inputs[2:])
    rows = broadcast(node, inputs[:2])
    if isinstance(rows[0], Rows) and rows[0].from_end == -1:
        raise mixed(node)
    return rows


def reduce(node: Node, inputs: Inputs) -> list[Value]:
    """A sum, maximum and so on over some axes, or all."""
    rows = rows_of(node, inputs)
    axes = axes_of(node, inputs, 1, rows.rank)
    if not axes:
        if number(node, "noop_with_empty_axes", 0):
            return [rows]
        raise MixedRowsError(f"{node.kind} over all axes")
    if rows.axis in axes:
        raise mixed(node)
    if number(node, "keepdims", 1):
        return [rows]
    return [Rows(rows.axis - sum(axis < rows.axis for axis in axes), rows.rank - len(set(axes)), rows.block)]


def arg_reduce(node: Node, inputs: Inputs) -> list[Value]:
    """The place of the largest value along one axis."""
    rows = rows_of(node, inputs)
    axis = number(node, "axis", 0) % rows.rank
    if axis == rows.axis:
        raise mixed(node)
    if number(node, "keepdims", 1):
        return [rows]
    return [Rows(rows.axis - (axis < rows.axis), rows.rank - 1, rows.block)]


def along(usual: int) -> Rule:
    """An operator along the axis `axis`, which leaves the shape, or changes that axis alone."""

    def rule(node: Node, inputs: Inputs) -> list[Value]:
        rows = rows_of(node, inputs)
        if number(node, "axis", usual) % rows.rank == rows.axis:
            raise mixed(node)
        return [rows] * max(len(node.outputs), 1)

    return rule


def cumulative(node: Node, inputs: Inputs) -> list[Value]:
    """CumSum: the axis is an input."""
    rows = rows_of(node, inputs)
    axes = known_integers(node, inputs[1])
    if any(axis % rows.rank == rows.axis for axis in axes):
        raise mixed(node)
    return [rows]


def quantize(node: Node, inputs: Inputs) -> list[Value]:
    """With one scale, or one for each place of an axis."""
    rows = rows_of(node, inputs)
    scale = inputs[1]
    if not isinstance(scale, Fixed) or scale.dims is None or len(scale.dims) > 1:
        raise UnknownRowsError(f"{node.kind} with scales of blocks")
    if scale.dims not in ((), (1,)) and number(node, "axis", 1) % rows.rank == rows.axis:
        raise UnknownRowsError(f"{node.kind} with a scale for each row")
    return [rows]


def dynamic_quantization(node: Node, _inputs: Inputs) -> list[Value]:
    """Its scale is that of the whole batch."""
    raise UnknownRowsError(f"{node.kind}, whose scale is that of the whole batch")


def recurrent(node: Node, inputs: Inputs) -> list[Value]:
    """LSTM, GRU, RNN: [sequence, batch, input], or with `layout` 1 [batch, sequence, input]."""
    rows = rows_of(node, inputs)
    first = number(node, "layout", 0) == 1
    if rows.axis != (0 if first else 1):
        raise mixed(node)
    if any(each is not None for each in inputs[4:7]):
        raise UnknownRowsError(f"{node.kind} with lengths or a state")
    axes = (0, 0) if first else (2, 1)
    whole, last = Rows(axes[0], 4, rows.block), Rows(axes[1], 3, rows.block)
    return [whole, last, last]


SAME = (
    "Identity", "Relu", "LeakyRelu", "Sigmoid", "Tanh", "Erf", "Sqrt", "Exp", "Log", "Neg", "Abs", "Cast", "Floor", "Ceil",
    "Round", "HardSwish", "HardSigmoid", "Gelu", "Elu", "Selu", "Celu", "Softplus", "Softsign", "Not", "Reciprocal", "Sin",
    "Cos", "Tan", "Sinh", "Cosh", "Asin", "Acos", "Atan", "Asinh", "Acosh", "Atanh", "Sign", "Mish", "Swish", "Shrink",
    "ThresholdedRelu", "IsNaN", "IsInf",
)  # fmt: skip
BROADCAST = (
    "Add", "Sub", "Mul", "Div", "Pow", "Min", "Max", "Mean", "Sum", "Where", "Equal", "Greater", "Less", "GreaterOrEqual",
    "LessOrEqual", "And", "Or", "Xor", "Mod", "PRelu", "BitShift", "Clip",
)  # fmt: skip
_FIRST = (
    "Conv", "ConvTranspose", "ConvInteger", "QLinearConv", "MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool",
    "GlobalLpPool", "LpPool", "InstanceNormalization", "GroupNormalization", "LRN", "DepthToSpace", "SpaceToDepth",
)  # fmt: skip
_REDUCE = (
    "ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
    "ReduceLogSumExp", "ReduceSumSquare",
)  # fmt: skip

COMPUTING: dict[str, Rule] = {
    **dict.fromkeys(SAME, same),
    **dict.fromkeys(BROADCAST, broadcast),
    **dict.fromkeys(_FIRST, first_axis),
    **dict.fromkeys(_REDUCE, reduce),
    **dict.fromkeys(("ArgMax", "ArgMin"), arg_reduce),
    **dict.fromkeys(("Softmax", "LogSoftmax", "Hardmax"), softmax),
    **dict.fromkeys(("QuantizeLinear", "DequantizeLinear"), quantize),
    **dict.fromkeys(("LSTM", "GRU", "RNN"), recurrent),
    "BatchNormalization": batch_normalization,
    "Dropout": dropout,
    "MatMul": matmul,
    "MatMulInteger": integer_matmul,
    "QLinearMatMul": quantized_matmul,
    "Gemm": gemm,
    "LayerNormalization": layer_normalization,
    "RMSNormalization": layer_normalization,
    "LpNormalization": along(-1),
    "TopK": along(-1),
    "CumSum": cumulative,
    "DynamicQuantizeLinear": dynamic_quantization,
}
"""Operators of the standard domain."""
MICROSOFT: dict[str, Rule] = {
    **dict.fromkeys(("Gelu", "FastGelu", "QuickGelu"), same),
    **dict.fromkeys(("QLinearSigmoid", "QLinearLeakyRelu"), same),
    **dict.fromkeys(("BiasGelu", "QLinearAdd", "QLinearMul"), broadcast),
    **dict.fromkeys(("FusedConv", "QLinearGlobalAveragePool", "QLinearAveragePool"), first_axis),
    **dict.fromkeys(("QuantizeLinear", "DequantizeLinear"), quantize),
    **dict.fromkeys(("SkipLayerNormalization", "SkipSimplifiedLayerNormalization"), skip_layer_normalization),
    **dict.fromkeys(("DynamicQuantizeMatMul", "DynamicQuantizeLSTM"), dynamic_quantization),
    "MatMulNBits": packed_matmul,
}
"""Operators of ONNX Runtime's own domain, `com.microsoft`."""
