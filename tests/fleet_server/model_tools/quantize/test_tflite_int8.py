"""The quantizer of TensorFlow Lite files on a graph with everything that real models seldom have at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_contract.package.manifest import InputSpec
from edgefleet_server.core.errors import InputError
from edgefleet_server.model_tools.quantize import tflite_rules as rules
from edgefleet_server.model_tools.quantize.tflite_int8 import Scale, quantize_tflite
from edgefleet_server.registry.importers.read_model import read_model_file

interpreter = pytest.importorskip("ai_edge_litert.interpreter", reason="needs the extra litert")
flatbuffers = pytest.importorskip("flatbuffers", reason="needs the extra quantize")

EXP = 47


def write_graph(path: Path) -> None:
    """picture [1, 4, 4, 2] -> 1x1 convolution to 3 -> exp (no int8 here) -> joined with the convolution -> times a constant."""
    from ai_edge_litert import schema_py_generated as schema

    rng = np.random.default_rng(3)
    model, graph = schema.ModelT(), schema.SubGraphT()
    model.version, model.buffers, graph.tensors, graph.operators = 3, [schema.BufferT()], [], []
    model.operatorCodes = []

    def tensor(name: str, shape: list[int], values: Any = None) -> int:
        made = schema.TensorT()
        made.name, made.shape, made.type = name.encode(), shape, 0
        if values is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.asarray(values, np.float32).tobytes(), np.uint8)
            made.buffer = len(model.buffers)
            model.buffers.append(buffer)
        graph.tensors.append(made)
        return len(graph.tensors) - 1

    def operator(kind: int, inputs: list[int], outputs: list[int], options: Any = None, number: int = 0) -> None:
        code, made = schema.OperatorCodeT(), schema.OperatorT()
        code.builtinCode = code.deprecatedBuiltinCode = kind
        code.version = 1
        made.opcodeIndex, made.inputs, made.outputs = len(model.operatorCodes), inputs, outputs
        made.builtinOptionsType, made.builtinOptions = number, options
        model.operatorCodes.append(code)
        graph.operators.append(made)

    picture, convolved = tensor("picture", [1, 4, 4, 2]), tensor("convolved", [1, 4, 4, 3])
    raised, joined, out = tensor("raised", [1, 4, 4, 3]), tensor("joined", [1, 4, 4, 6]), tensor("out", [1, 4, 4, 6])
    weights = tensor("weights", [3, 1, 1, 2], rng.normal(0, 0.01, (3, 1, 1, 2)))
    bias, factor = tensor("bias", [3], rng.normal(0, 0.3, 3)), tensor("factor", [6], [1.0, 2.0, 0.5, 1.0, 1.5, 0.25])
    convolution, concatenation, product = schema.Conv2DOptionsT(), schema.ConcatenationOptionsT(), schema.MulOptionsT()
    convolution.strideW = convolution.strideH = convolution.dilationWFactor = convolution.dilationHFactor = 1
    concatenation.axis = 3
    options = schema.BuiltinOptions
    operator(rules.CONV_2D, [picture, weights, bias], [convolved], convolution, options.Conv2DOptions)
    operator(EXP, [convolved], [raised], schema.ExpOptionsT(), options.ExpOptions)
    operator(rules.CONCATENATION, [convolved, raised], [joined], concatenation, options.ConcatenationOptions)
    operator(rules.MUL, [joined, factor], [out], product, options.MulOptions)
    graph.inputs, graph.outputs = [picture], [out]
    model.subgraphs = [graph]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    path.write_bytes(bytes(builder.Output()))


def readings(folder: Path, count: int) -> list[Path]:
    paths = []
    for number in range(count):
        pixels = np.random.default_rng(number).integers(0, 256, (1, 4, 4, 2))
        paths.append(folder / f"{number}.npz")
        np.savez(paths[-1], **{"t:picture": pixels.astype(np.float32)})
    return paths


def test_operators_without_an_int8_form_stay_in_float(tmp_path: Path) -> None:
    write_graph(tmp_path / "float.tflite")
    files = readings(tmp_path, 20)
    spec = InputSpec(name="picture", shape=[1, 4, 4, 2], dtype="float32")
    steps: list[int] = []
    (made,) = quantize_tflite(tmp_path / "float.tflite", tmp_path / "int8.tflite", [spec], files[:16], steps.append)
    assert (made.dtype, steps) == ("int8", list(range(1, 17)))
    before, after = (interpreter.Interpreter(str(tmp_path / name)) for name in ("float.tflite", "int8.tflite"))
    before.allocate_tensors()
    after.allocate_tensors()
    (given,), (taken,) = after.get_input_details(), after.get_output_details()
    assert given["quantization"] == (1.0, -128)
    scale, zero_point = taken["quantization"]
    for path in files[16:]:
        pixels = np.load(path)["t:picture"]
        before.set_tensor(before.get_input_details()[0]["index"], pixels)
        after.set_tensor(given["index"], (pixels - 128).astype(np.int8))
        before.invoke()
        after.invoke()
        real = before.get_tensor(before.get_output_details()[0]["index"])
        stored = after.get_tensor(taken["index"]).astype(np.float32)
        assert np.abs((stored - zero_point) * scale - real).max() < 6 * scale + 0.05 * np.abs(real).max()
    floats = {each["name"] for each in after.get_tensor_details() if each["dtype"] == np.float32}
    assert floats == {"convolved_float", "raised"}


def test_a_scale_always_has_a_zero() -> None:
    for low, high in ((-1.0, 3.0), (2.0, 5.0), (-5.0, -2.0), (0.0, 0.0)):
        scale = Scale.of(low, high)
        assert -128 <= scale.zero_point <= 127
        assert min(low, 0.0) >= (-128 - scale.zero_point) * scale.scale - scale.scale
        assert max(high, 0.0) <= (127 - scale.zero_point) * scale.scale + scale.scale


@pytest.mark.parametrize(
    ("mean", "std", "plain"),
    [([127.5], [127.5], True), ([], [255.0], True), ([123.7, 90.3], [58.4, 40.1], False), ([300.0], [100.0], False)],
)
def test_mean_and_std_that_one_scale_cannot_express_stay_in_the_variant(
    tmp_path: Path, mean: list[float], std: list[float], plain: bool
) -> None:
    write_graph(tmp_path / "float.tflite")
    spec = InputSpec(name="picture", shape=[1, 4, 4, 2], dtype="float32", mean=mean, std=std)
    files = readings(tmp_path, 20)
    for path in files:
        np.savez(path, **{"t:picture": (np.load(path)["t:picture"] - np.float32(mean or [0])) / np.float32(std)})
    (made,) = quantize_tflite(tmp_path / "float.tflite", tmp_path / "int8.tflite", [spec], files[:16], lambda _: None)
    (tensor,) = read_model_file(tmp_path / "int8.tflite").inputs
    assert (made.dtype, made.mean, made.std) == ("int8", [] if plain else mean, [] if plain else std)
    assert (made.scale, made.zero_point) == ((0.0, 0) if plain else (pytest.approx(tensor.scale), tensor.zero_point))
    before, after = (interpreter.Interpreter(str(tmp_path / name)) for name in ("float.tflite", "int8.tflite"))
    before.allocate_tensors()
    after.allocate_tensors()
    (taken,) = after.get_output_details()
    for path in files[16:]:
        real = np.load(path)["t:picture"]
        before.set_tensor(before.get_input_details()[0]["index"], real)
        stored = np.clip(np.rint(real / tensor.scale) + tensor.zero_point, -128, 127)
        if plain:  # what the agent feeds
            stored = np.rint(real * np.float32(std) + np.float32(mean or [0])) - 128
        after.set_tensor(after.get_input_details()[0]["index"], stored.astype(np.int8))
        before.invoke()
        after.invoke()
        want = before.get_tensor(before.get_output_details()[0]["index"])
        found = (after.get_tensor(taken["index"]).astype(np.float32) - taken["quantization"][1]) * taken["quantization"][0]
        assert np.abs(found - want).max() < 8 * taken["quantization"][0] + 0.05 * np.abs(want).max()


def test_a_constant_of_floats_is_refused(tmp_path: Path) -> None:
    constant = InputSpec(kind="tensor", name="scale_factor", shape=[1, 2], dtype="float32", value=[1, 1])
    with pytest.raises(InputError, match="its constant input scale_factor would become int8; leave out --flavour tflite"):
        quantize_tflite(tmp_path / "m.tflite", tmp_path / "q.tflite", [InputSpec(), constant], [], lambda _: None)
