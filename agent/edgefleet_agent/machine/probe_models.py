"""Minimal 8-bit models to test a runtime: y = x + x for 8 numbers, generated here so that the doctor needs no file.

LiteRT          int8 in, int8 out, of scale 0.5
ONNX            float in and out, quantized in between (QDQ); OpenVINO reads it too
NCS2            the same without quantization: the stick computes in f16 only
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import Array, Session
from edgefleet_agent.core.extras import install_hint
from edgefleet_contract.core.errors import MissingError, ModelError

VALUES = np.arange(-4, 4, dtype=np.int8)[None]
"""The input as stored values; real values are these times `SCALE`."""
SCALE = 0.5
FLOAT_ONLY = frozenset({"ncs2"})
"""Runtimes whose trial model is not quantized."""


def write_trial_model(runtime: str, folder: Path) -> Path:
    """Writes a model file that `runtime` can load.

    Raises:
        MissingError: LiteRT's own module for model files is missing.
    """
    path = folder / ("double.tflite" if runtime == "lite_rt" else "double.onnx")
    path.write_bytes(_tflite() if runtime == "lite_rt" else _onnx(quantized=runtime not in FLOAT_ONLY))
    return path


def run_trial(session: Session, where: str) -> None:
    """Runs one inference of the trial model.

    Raises:
        ModelError: it fails, or the numbers are wrong.
    """
    (spec,) = session.inputs
    values: Array = VALUES if spec.dtype == np.int8 else VALUES.astype(np.float32) * np.float32(SCALE)
    (answer,) = session.infer({spec.name: values}).values()
    if not np.allclose(answer, 2.0 * values):
        raise ModelError(f"{where} returns wrong results: {answer.ravel()[:4].tolist()}")


def _onnx(*, quantized: bool) -> bytes:
    """Encodes an ONNX file (protobuf fields of onnx.proto3): IR version 8, operator set 13."""
    if not quantized:
        return _onnx_file([_node("Add", ["x", "x"], "y")], [])
    rescale = ["scale", "zero"]
    nodes = [
        _node("QuantizeLinear", ["x", *rescale], "stored"),
        _node("DequantizeLinear", ["stored", *rescale], "real"),
        _node("Add", ["real", "real"], "sum"),
        _node("QuantizeLinear", ["sum", *rescale], "stored_sum"),
        _node("DequantizeLinear", ["stored_sum", *rescale], "y"),
    ]
    float32, int8 = 1, 3
    constants = [_constant("scale", float32, struct.pack("<f", SCALE)), _constant("zero", int8, b"\0")]
    return _onnx_file(nodes, constants)


def _onnx_file(nodes: list[bytes], constants: list[bytes]) -> bytes:
    graph = b"".join(nodes) + _text(2, "double") + b"".join(constants) + _message(11, _value("x")) + _message(12, _value("y"))
    return _number(1, 8) + _text(2, "edgefleet") + _message(7, graph) + _message(8, _number(2, 13))


def _node(operator: str, inputs: list[str], output: str) -> bytes:
    return _message(1, b"".join(_text(1, name) for name in inputs) + _text(2, output) + _text(3, output) + _text(4, operator))


def _constant(name: str, kind: int, data: bytes) -> bytes:
    """TensorProto of one number."""
    return _message(5, _number(2, kind) + _text(8, name) + _message(9, data))


def _value(name: str) -> bytes:
    """ValueInfoProto of float [1, 8]."""
    shape = _message(1, _number(1, 1)) + _message(1, _number(1, VALUES.size))
    return _text(1, name) + _message(2, _message(1, _number(1, 1) + _message(2, shape)))


def _number(field: int, value: int) -> bytes:
    return bytes([field << 3, value])  # every number here is below 128


def _message(field: int, content: bytes) -> bytes:
    length, size = b"", len(content)
    while size > 127:
        length, size = length + bytes([size & 127 | 128]), size >> 7
    return bytes([field << 3 | 2]) + length + bytes([size]) + content


def _text(field: int, value: str) -> bytes:
    return _message(field, value.encode())


def _tflite() -> bytes:
    try:
        import flatbuffers
        from ai_edge_litert import schema_py_generated as schema
    except ModuleNotFoundError as cause:
        raise MissingError(f"runtime lite_rt is incomplete: {install_hint('litert')}") from cause
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.ADD
    code.version = 2  # the first that adds int8
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0, 0], [1]
    operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.AddOptions, schema.AddOptionsT()
    graph = schema.SubGraphT()
    graph.tensors, graph.inputs, graph.outputs = [_tensor(schema, "x"), _tensor(schema, "y")], [0], [1]
    graph.operators = [operator]
    model = schema.ModelT()
    model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, [code], [graph], [schema.BufferT()]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _tensor(schema: Any, name: str) -> Any:
    """int8 [1, 8]."""
    tensor = schema.TensorT()
    tensor.name, tensor.shape, tensor.type, tensor.buffer = name.encode(), [1, VALUES.size], schema.TensorType.INT8, 0
    tensor.quantization = schema.QuantizationParametersT()
    tensor.quantization.scale, tensor.quantization.zeroPoint = [SCALE], [0]
    return tensor
