"""Model files with a quantized picture input: tiny ones that echo its real values, and real ones whose input is requantized."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

DTYPES = {"float32": 0, "float16": 1, "uint8": 3, "int8": 9}
"""Numbers of schema.fbs."""
_CAST, _DEQUANTIZE, _QUANTIZE = 53, 6, 114


def write_echo(path: Path, dtype: str, shape: list[int], scale: float, zero_point: int) -> Path:
    """A model `picture` -> `real`, the real values of its input, in the format of the file's suffix (.tflite, .onnx, .xml)."""
    if path.suffix == ".tflite":
        _write_tflite(path, dtype, shape, scale, zero_point)
    elif path.suffix == ".onnx":
        _write_onnx(path, dtype, shape, scale, zero_point)
    else:
        write_ir(path, write_echo(path.with_suffix(".onnx"), dtype, shape, scale, zero_point))
    return path


def write_ir(path: Path, source: Path) -> Path:
    """The file converted to OpenVINO's IR."""
    openvino = pytest.importorskip("openvino", reason="needs the extra openvino")
    openvino.save_model(openvino.convert_model(str(source)), str(path), compress_to_fp16=False)
    return path


def _write_onnx(path: Path, dtype: str, shape: list[int], scale: float, zero_point: int) -> None:
    onnx = pytest.importorskip("onnx", reason="needs the extra quantize: onnx")
    kinds, helper = onnx.TensorProto, onnx.helper
    kind = {"float32": kinds.FLOAT, "float16": kinds.FLOAT16, "uint8": kinds.UINT8, "int8": kinds.INT8}[dtype]
    if dtype.startswith("float"):
        nodes, constants = [helper.make_node("Cast", ["picture"], ["real"], to=kinds.FLOAT)], []
    else:
        nodes = [helper.make_node("DequantizeLinear", ["picture", "scale", "zero"], ["real"])]
        constants = [helper.make_tensor("scale", kinds.FLOAT, [], [scale]), helper.make_tensor("zero", kind, [], [zero_point])]
    given = [helper.make_tensor_value_info("picture", kind, shape)]
    made = [helper.make_tensor_value_info("real", kinds.FLOAT, shape)]
    graph = helper.make_graph(nodes, "echo", given, made, constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))


def _write_tflite(path: Path, dtype: str, shape: list[int], scale: float, zero_point: int) -> None:
    schema = _schema()
    model, graph = schema.ModelT(), schema.SubGraphT()
    model.version, model.buffers, model.description = 3, [schema.BufferT()], b"echo"
    picture = _tensor(schema, "picture", dtype, shape, None if dtype.startswith("float") else (scale, zero_point))
    graph.tensors, graph.inputs, graph.outputs = [picture, _tensor(schema, "real", "float32", shape, None)], [0], [1]
    code, operator = schema.OperatorCodeT(), schema.OperatorT()
    kind = _CAST if dtype == "float32" else _DEQUANTIZE
    code.builtinCode = code.deprecatedBuiltinCode = kind
    code.version = {"float16": 3, "int8": 2}.get(dtype, 1)
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0], [1]
    graph.operators, model.operatorCodes, model.subgraphs = [operator], [code], [graph]
    path.write_bytes(_packed(model))


def requantized_tflite(source: Path, path: Path, scale: float, zero_point: int) -> Path:
    """A TFLite file with a uint8 input as one of this scale and zero point: an operator in front converts it."""
    schema = _schema()
    model: Any = schema.ModelT.InitFromObj(schema.Model.GetRootAs(bytearray(source.read_bytes()), 0))
    (graph,) = model.subgraphs
    (before,) = graph.inputs
    old = graph.tensors[before]
    graph.tensors.append(_tensor(schema, "picture", "uint8", [int(side) for side in old.shape], (scale, zero_point)))
    code, operator = schema.OperatorCodeT(), schema.OperatorT()
    code.builtinCode = code.deprecatedBuiltinCode = _QUANTIZE
    code.version = 1
    model.operatorCodes.append(code)
    operator.opcodeIndex = len(model.operatorCodes) - 1
    operator.inputs, operator.outputs = [len(graph.tensors) - 1], [int(before)]
    graph.operators = [operator, *graph.operators]
    graph.inputs, model.signatureDefs, model.metadata = [len(graph.tensors) - 1], None, None
    path.write_bytes(_packed(model))
    return path


def requantized_onnx(source: Path, path: Path, scale: float, zero_point: int) -> Path:
    """An ONNX file with a quantized uint8 input as one of this scale and zero point."""
    onnx = pytest.importorskip("onnx", reason="needs the extra quantize: onnx")
    model, helper, kinds = onnx.load(str(source)), onnx.helper, onnx.TensorProto
    graph = model.graph
    reader = next(node for node in graph.node if "input" in node.input)
    while reader.op_type != "DequantizeLinear":
        reader = next(node for node in graph.node if reader.output[0] in node.input)
    first = next(node for node in graph.node if "input" in node.input)
    graph.initializer.extend(
        [helper.make_tensor("new_scale", kinds.FLOAT, [], [scale]), helper.make_tensor("new_zero", kinds.UINT8, [], [zero_point])]
    )
    front = [
        helper.make_node("DequantizeLinear", ["input", "new_scale", "new_zero"], ["input_real"]),
        helper.make_node("QuantizeLinear", ["input_real", reader.input[1], reader.input[2]], ["input_stored"]),
    ]
    first.input[0] = "input_stored"
    nodes = [*front, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.save(model, str(path))
    return path


def _tensor(schema: Any, name: str, dtype: str, shape: list[int], quantization: tuple[float, int] | None) -> Any:
    made = schema.TensorT()
    made.name, made.shape, made.type, made.buffer = name.encode(), shape, DTYPES[dtype], 0
    if quantization is not None:
        made.quantization = schema.QuantizationParametersT()
        made.quantization.scale, made.quantization.zeroPoint = np.array(quantization[:1], np.float32), [quantization[1]]
    return made


def _packed(model: Any) -> bytes:
    flatbuffers = pytest.importorskip("flatbuffers", reason="needs the extra quantize")
    builder = flatbuffers.Builder(1024 * 1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _schema() -> Any:
    return pytest.importorskip("ai_edge_litert.schema_py_generated", reason="needs the extras litert and quantize")
