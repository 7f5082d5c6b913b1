"""Rules of TensorFlow Lite's int8 specification for each operator, by its number in schema.fbs.

WEIGHTED: (input of the weights, input of the bias, axis of the scales; None: one scale for all, which the Edge TPU requires for
FULLY_CONNECTED). SAME: the output has the scale of input 0. JOINED: all inputs and the output share one scale. FREE: every tensor
has its own. FIXED: the output's (scale, zero point). All others stay in float between DEQUANTIZE and QUANTIZE.
Versions are the first with int8: older compilers refuse newer ones.
"""

from __future__ import annotations

ADD, AVERAGE_POOL_2D, CONCATENATION, CONV_2D, DEPTHWISE_CONV_2D, DEPTH_TO_SPACE, DEQUANTIZE = 0, 1, 2, 3, 4, 5, 6
FULLY_CONNECTED, L2_NORMALIZATION, LOGISTIC, MAX_POOL_2D, MUL, RELU, RELU_N1_TO_1, RELU6 = 9, 11, 14, 17, 18, 19, 20, 21
RESHAPE, RESIZE_BILINEAR, SOFTMAX, SPACE_TO_DEPTH, TANH, PAD, GATHER = 22, 23, 25, 26, 28, 34, 36
BATCH_TO_SPACE_ND, SPACE_TO_BATCH_ND, TRANSPOSE, MEAN, SUB, SQUEEZE, STRIDED_SLICE, SPLIT = 37, 38, 39, 40, 41, 43, 45, 49
PRELU, MAXIMUM, ARG_MAX, MINIMUM, SLICE, TRANSPOSE_CONV, TILE, EXPAND_DIMS, SUM = 54, 55, 56, 57, 65, 67, 69, 70, 74
SHAPE, PACK, UNPACK, RESIZE_NEAREST_NEIGHBOR, LEAKY_RELU, SQUARED_DIFFERENCE, MIRROR_PAD = 77, 83, 88, 97, 98, 99, 100
SPLIT_V, QUANTIZE, HARD_SWISH = 102, 114, 117

WEIGHTED: dict[int, tuple[int, int, int | None]] = {
    CONV_2D: (1, 2, 0),
    DEPTHWISE_CONV_2D: (1, 2, 3),
    FULLY_CONNECTED: (1, 2, None),
    TRANSPOSE_CONV: (1, 3, 0),
}
SAME = frozenset(
    (
        AVERAGE_POOL_2D,
        MAX_POOL_2D,
        PAD,
        MIRROR_PAD,
        RESHAPE,
        SQUEEZE,
        EXPAND_DIMS,
        TRANSPOSE,
        STRIDED_SLICE,
        SLICE,
        SPLIT,
        SPLIT_V,
    )
) | frozenset(
    (
        SPACE_TO_BATCH_ND,
        BATCH_TO_SPACE_ND,
        SPACE_TO_DEPTH,
        DEPTH_TO_SPACE,
        RESIZE_BILINEAR,
        RESIZE_NEAREST_NEIGHBOR,
        GATHER,
        UNPACK,
        TILE,
    )
)
JOINED = frozenset((CONCATENATION, MAXIMUM, MINIMUM, PACK))
FREE = frozenset(
    (ADD, SUB, MUL, MEAN, SUM, RELU, RELU6, RELU_N1_TO_1, LEAKY_RELU, PRELU, HARD_SWISH, SQUARED_DIFFERENCE, ARG_MAX)
)
FIXED: dict[int, tuple[float, int]] = {
    LOGISTIC: (1 / 256, -128),
    SOFTMAX: (1 / 256, -128),
    TANH: (1 / 128, 0),
    L2_NORMALIZATION: (1 / 128, 0),
}
TRANSPOSE_CONV_DATA = 2
"""Index of its data input; that of all other operators is 0 (SPLIT: 1)."""
DATA_INPUT = {TRANSPOSE_CONV: TRANSPOSE_CONV_DATA, SPLIT: 1}

VERSIONS = {
    CONV_2D: 3, DEPTHWISE_CONV_2D: 3, FULLY_CONNECTED: 4, TRANSPOSE_CONV: 3, ADD: 2, SUB: 2, MUL: 2, MEAN: 2, SUM: 2,
    AVERAGE_POOL_2D: 2, MAX_POOL_2D: 2, PAD: 2, MIRROR_PAD: 2, TRANSPOSE: 2, STRIDED_SLICE: 2, SLICE: 2, SPLIT: 2, SPLIT_V: 2,
    SPACE_TO_BATCH_ND: 2, BATCH_TO_SPACE_ND: 2, SPACE_TO_DEPTH: 2, DEPTH_TO_SPACE: 2, RESIZE_BILINEAR: 2,
    RESIZE_NEAREST_NEIGHBOR: 2, GATHER: 2, UNPACK: 2, TILE: 2, CONCATENATION: 2, MAXIMUM: 2, MINIMUM: 2, PACK: 2, RELU: 2,
    RELU6: 2, LEAKY_RELU: 2, LOGISTIC: 2, SOFTMAX: 2, TANH: 2, L2_NORMALIZATION: 2, SQUARED_DIFFERENCE: 2, ARG_MAX: 2,
    QUANTIZE: 2, DEQUANTIZE: 2,
}  # fmt: skip
