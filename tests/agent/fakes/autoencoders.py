"""Small autoencoders made by tests: one that removes fine detail of pictures, and one that removes deviations from a series of
windows (principal components, the linear autoencoder)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tests.agent.serving import onnx_file


def blur(side: int, cell: int, scale: float = 1 / 255, zero_point: int = 0) -> bytes:
    """A .tflite of uint8 [1, side, side, 3] in and out: the mean of each cell of `cell` pixels, for all of them."""
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    def tensor(name: str, shape: list[int], kind: int, buffer: int = 0) -> Any:
        made = schema.TensorT()
        made.name, made.shape, made.type, made.buffer = name.encode(), shape, kind, buffer
        if kind == schema.TensorType.UINT8:
            made.quantization = schema.QuantizationParametersT()
            made.quantization.scale, made.quantization.zeroPoint = [scale], [zero_point]
        return made

    def operator(code: int, inputs: list[int], output: int, kind: int, options: Any) -> Any:
        made = schema.OperatorT()
        made.opcodeIndex, made.inputs, made.outputs, made.builtinOptionsType, made.builtinOptions = (
            code,
            inputs,
            [output],
            kind,
            options,
        )
        return made

    codes = []
    for number in (schema.BuiltinOperator.AVERAGE_POOL_2D, schema.BuiltinOperator.RESIZE_NEAREST_NEIGHBOR):
        code = schema.OperatorCodeT()
        code.builtinCode = code.deprecatedBuiltinCode = number
        code.version = 1
        codes.append(code)
    pool = schema.Pool2DOptionsT()
    pool.filterHeight = pool.filterWidth = pool.strideH = pool.strideW = cell
    pool.padding = schema.Padding.VALID
    size = schema.BufferT()
    size.data = np.array([side, side], np.int32).tobytes()
    few = side // cell
    byte = schema.TensorType.UINT8
    graph = schema.SubGraphT()
    graph.tensors = [
        tensor("picture", [1, side, side, 3], byte),
        tensor("code", [1, few, few, 3], byte),
        tensor("size", [2], schema.TensorType.INT32, 1),
        tensor("reconstruction", [1, side, side, 3], byte),
    ]
    graph.inputs, graph.outputs = [0], [3]
    grow = schema.ResizeNearestNeighborOptionsT()
    graph.operators = [
        operator(0, [0], 1, schema.BuiltinOptions.Pool2DOptions, pool),
        operator(1, [1, 2], 3, schema.BuiltinOptions.ResizeNearestNeighborOptions, grow),
    ]
    model = schema.ModelT()
    model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, codes, [graph], [schema.BufferT(), size]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def principal(windows: npt.NDArray[np.float64], components: int) -> bytes:
    """An .onnx of float [1, points, channels] in and out, from normal windows (n, points, channels)."""
    count, points, channels = windows.shape
    _, _, axes = np.linalg.svd(windows.reshape(count, -1), full_matrices=False)
    encode = np.ascontiguousarray(axes[:components].T, np.float32)
    shape, flat = np.array([1, points, channels], np.int64), np.array([1, points * channels], np.int64)
    constants = {"flat": flat, "encode": encode, "decode": np.ascontiguousarray(encode.T), "shape": shape}
    steps = [
        ("Reshape", ["window", "flat"], "row"),
        ("MatMul", ["row", "encode"], "code"),
        ("MatMul", ["code", "decode"], "again"),
        ("Reshape", ["again", "shape"], "reconstruction"),
    ]
    size = (1, points, channels)
    return onnx_file.chain(steps, constants, {"window": size}, {"reconstruction": size})
