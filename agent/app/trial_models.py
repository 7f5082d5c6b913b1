"""The smallest models that prove a runtime: y = x + x for 8 floats, made here so that the doctor needs no file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agent.errors import MissingError

VALUES = np.arange(8, dtype=np.float32)[None]
"""The input; the answer is twice that."""


def write_trial_model(runtime: str, folder: Path) -> Path:
    """A model file that `runtime` can load.

    Raises:
        MissingError: LiteRT's own module for model files is not there.
    """
    path = folder / ("double.tflite" if runtime == "lite_rt" else "double.onnx")
    path.write_bytes(_tflite() if runtime == "lite_rt" else _onnx())
    return path


def _onnx() -> bytes:
    """An ONNX file by hand (protobuf fields of onnx.proto3): IR version 8, operator set 13, one Add."""
    node = _text(1, "x") + _text(1, "x") + _text(2, "y") + _text(3, "double") + _text(4, "Add")
    graph = _message(1, node) + _text(2, "double") + _message(11, _value("x")) + _message(12, _value("y"))
    return _number(1, 8) + _text(2, "edgefleet") + _message(7, graph) + _message(8, _number(2, 13))


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
        raise MissingError("runtime lite_rt is not complete: pip install 'edgefleet[litert]'") from cause
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.ADD
    code.version = 1
    tensors = []
    for name in ("x", "y"):
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type, tensor.buffer = name.encode(), [1, VALUES.size], schema.TensorType.FLOAT32, 0
        tensors.append(tensor)
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0, 0], [1]
    operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.AddOptions, schema.AddOptionsT()
    graph = schema.SubGraphT()
    graph.tensors, graph.inputs, graph.outputs, graph.operators = tensors, [0], [1], [operator]
    model = schema.ModelT()
    model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, [code], [graph], [schema.BufferT()]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())
