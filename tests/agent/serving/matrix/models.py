"""Models that copy X to Y, of every data type and kind of batch, in the format of each runtime, and their bare answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import BFLOAT16, LoadOptions
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.serving.protocol.tensors import DTYPES, Array
from tests.agent.serving import onnx_file

SHAPES: dict[str, tuple[int, ...]] = {"none": (6,), "open": (-1, 6), "fixed": (1, 6)}
"""Kind of batch -> shape of both tensors."""
SENT: dict[str, tuple[int, ...]] = {"none": (6,), "open": (3, 6), "fixed": (1, 6)}
"""Kind of batch -> shape of a request."""
SUFFIXES = {"onnx_runtime": "onnx", "open_vino": "xml", "lite_rt": "tflite", "faulty": "onnx"}

_TFLITE = {"FP16": "FLOAT16", "FP32": "FLOAT32", "FP64": "FLOAT64", "BF16": "BFLOAT16", "BYTES": "STRING"}
"""Names of LiteRT, where they are other ones."""


def write_model(runtime: str, datatype: str, batch: str, folder: Path) -> tuple[Path, ...]:
    """Writes the model into `folder`; returns its files, the one to open first."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"model.{SUFFIXES[runtime]}"
    shape = SHAPES[batch]
    if runtime == "open_vino":
        _write_ir(datatype, shape, file)
        return file, file.with_suffix(".bin")
    if runtime == "faulty":
        dtype = DTYPES[datatype]
        name = "bfloat16" if dtype == BFLOAT16 else dtype.str
        file.write_text(json.dumps({"datatype": name, "shape": shape}))
    elif runtime == "lite_rt":
        file.write_bytes(_tflite(datatype, shape))
    else:
        sides = [f"d{index}" if side < 0 else side for index, side in enumerate(shape)]
        file.write_bytes(onnx_file.one_node("Identity", datatype, {"X": sides}, {"Y": sides}))
    return (file,)


def bare(runtime: str, files: tuple[Path, ...], array: Array) -> Array:
    """The answer of the runtime itself."""
    session = find_backend(runtime).load(files, LoadOptions(threads=1))
    found = np.array(session.infer({session.inputs[0].name: array})[session.outputs[0].name])
    session.close()
    return found


def sample(datatype: str, batch: str) -> Array:
    """An array of a request: limits of the type, and random values."""
    shape, rng = SENT[batch], np.random.default_rng(17)
    count = int(np.prod(shape))
    dtype = DTYPES[datatype]
    if dtype.kind == "O":
        texts = [b"", "größe".encode(), b"a b", b"0", b"\xf0\x9f\x94\xa7", b"x" * 300]
        array = np.empty(count, np.object_)
        array[:] = [texts[index % len(texts)] for index in range(count)]
        return array.reshape(shape)
    if dtype == BFLOAT16:
        return rng.integers(0, 0x7F80, count, np.uint16).view(BFLOAT16).reshape(shape)
    if dtype.kind == "f":
        values = rng.standard_normal(count) * 100
        values[:3] = [0.0, -0.0, float(np.finfo(dtype).max)]
        return values.astype(dtype).reshape(shape)
    if dtype.kind == "b":
        return (rng.random(shape) > 0.5).astype(dtype)
    limits = np.iinfo(dtype)
    values = rng.integers(limits.min, limits.max, count, dtype, endpoint=True)
    values[:2] = [limits.min, limits.max]
    return values.reshape(shape)


def _write_ir(datatype: str, shape: tuple[int, ...], file: Path) -> None:
    import openvino
    from openvino import opset13

    kinds = {"FP16": "f16", "FP32": "f32", "FP64": "f64", "BF16": "bf16", "BOOL": "boolean", "BYTES": "string"}
    kind = kinds.get(datatype) or datatype.lower().replace("uint", "u").replace("int", "i")
    given = opset13.parameter(openvino.PartialShape(list(shape)), getattr(openvino.Type, kind), name="X")
    given.output(0).tensor.set_names({"X"})
    made = opset13.reshape(given, opset13.shape_of(given), special_zero=False)
    made.output(0).tensor.set_names({"Y"})
    openvino.save_model(openvino.Model([made], [given]), str(file), compress_to_fp16=False)


def _tflite(datatype: str, shape: tuple[int, ...]) -> bytes:
    """A slice of all elements: the operator that takes most types."""
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    def tensor(name: str, kind: int, sides: list[int], buffer: int) -> Any:
        made = schema.TensorT()
        made.name, made.type, made.buffer = name.encode(), kind, buffer
        made.shape = [max(side, 1) for side in sides]
        if min(sides) < 0:
            made.shapeSignature = sides
        return made

    def buffer(values: list[int]) -> Any:
        made = schema.BufferT()
        made.data = list(np.array(values, "<i4").tobytes())
        return made

    kind, rank = getattr(schema.TensorType, _TFLITE.get(datatype, datatype)), len(shape)
    code, operator, graph, model = schema.OperatorCodeT(), schema.OperatorT(), schema.SubGraphT(), schema.ModelT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.SLICE
    code.version = 3
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0, 2, 3], [1]
    operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.SliceOptions, schema.SliceOptionsT()
    graph.tensors = [
        *(tensor(name, kind, list(shape), 0) for name in "XY"),
        tensor("begin", schema.TensorType.INT32, [rank], 1),
        tensor("size", schema.TensorType.INT32, [rank], 2),
    ]
    graph.inputs, graph.outputs, graph.operators = [0], [1], [operator]
    model.version, model.operatorCodes, model.subgraphs = 3, [code], [graph]
    model.buffers = [schema.BufferT(), buffer([0] * rank), buffer([-1] * rank)]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())
