"""Write the int8 files from the weights: calibrate once, quantize once, emit ONNX and TensorFlow Lite on the same integer grid.

    python firmware_models/bearing_anomaly/export.py

Needs onnx, onnxruntime and ai-edge-litert; no PyTorch. Input: `image` uint8 [1, 32, 128, 1]; output: `scores` [1, 4].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from ai_edge_litert import schema_py_generated as schema
from onnx import TensorProto, helper, numpy_helper

from firmware_models.bearing_anomaly.network import LAYERS, Layer, Weights, load_weights, sizes
from firmware_models.bearing_anomaly.simulate import LABELS
from firmware_models.bearing_anomaly.windows import CALIBRATION_SEED, HEIGHT, WIDTH, Windows, render
from firmware_models.conveyor_inspector.export import write_atomically
from firmware_models.conveyor_inspector.quantize import Grid
from firmware_models.conveyor_inspector.runners import onnx_session
from firmware_models.conveyor_inspector.tflite_writer import Writer

HERE = Path(__file__).resolve().parent
VERSION = "1.0.0"
ONNX_FILE, TFLITE_FILE = "model.int8.onnx", "model.int8.tflite"
OPSET, IR_VERSION = 13, 8
IMAGE = Grid(float(np.float32(1 / 255)), 0)
SCORE = Grid(1 / 256, 0)


@dataclass(frozen=True)
class Stored:
    """A layer on integers: weight int8 with one scale a channel, bias int32 at the product of both scales."""

    weight: npt.NDArray[np.int8]
    scale: npt.NDArray[np.float32]
    bias: npt.NDArray[np.int32]
    bias_scale: npt.NDArray[np.float32]


def float_model(weights: Weights) -> bytes:
    """The yardstick, in float32; every layer's output besides, to calibrate by."""
    nodes = [
        helper.make_node("Transpose", ["image"], ["planes"], perm=[0, 3, 1, 2]),
        helper.make_node("Cast", ["planes"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["real", "unit"], ["start"]),
    ]
    constants = [numpy_helper.from_array(np.float32(IMAGE.scale), "unit"), *_limits()]
    source = "start"
    for layer in LAYERS:
        constants += [
            numpy_helper.from_array(weights[f"{layer.name}/{part}"], f"{layer.name}_{part}") for part in ("weight", "bias")
        ]
        raw = f"{layer.name}_raw" if layer.relu6 else layer.name
        nodes.append(_convolution(layer, [source, f"{layer.name}_weight", f"{layer.name}_bias"], raw))
        if layer.relu6:
            nodes.append(helper.make_node("Clip", [raw, "zero", "six"], [layer.name]))
        source = layer.name
    nodes += [helper.make_node("Flatten", ["logits"], ["flat"]), helper.make_node("Softmax", ["flat"], ["scores"], axis=1)]
    found = sizes()
    exposed = [
        helper.make_tensor_value_info(one.name, TensorProto.FLOAT, (1, one.channels_out, *found[one.name])) for one in LAYERS
    ]
    return _model(nodes, constants, exposed)


def quantized_model(layers: dict[str, Stored], grids: dict[str, Grid]) -> bytes:
    """QDQ: uint8 activations, int8 weights, which ONNX Runtime and OpenVINO turn into integer kernels."""
    nodes = [helper.make_node("Transpose", ["image"], ["image_stored"], perm=[0, 3, 1, 2])]
    constants: list[onnx.TensorProto] = []
    source = "image"
    for name, grid in grids.items():
        constants.append(numpy_helper.from_array(np.float32(grid.scale), f"{name}_scale"))
        constants.append(numpy_helper.from_array(np.uint8(grid.zero_point), f"{name}_zero"))
    for layer in LAYERS:
        stored, name = layers[layer.name], layer.name
        nodes.append(_dequantize(f"{source}_stored", source, f"{source}_real"))
        for part, values, scale in (("weight", stored.weight, stored.scale), ("bias", stored.bias, stored.bias_scale)):
            zeros = np.zeros(len(scale), values.dtype)
            for suffix, array in (("", values), ("_scale", scale), ("_zero", zeros)):
                constants.append(numpy_helper.from_array(array, f"{name}_{part}{suffix}"))
            inputs = [f"{name}_{part}", f"{name}_{part}_scale", f"{name}_{part}_zero"]
            nodes.append(helper.make_node("DequantizeLinear", inputs, [f"{name}_{part}_real"], axis=0))
        nodes.append(_convolution(layer, [f"{source}_real", f"{name}_weight_real", f"{name}_bias_real"], f"{name}_raw"))
        nodes.append(helper.make_node("QuantizeLinear", [f"{name}_raw", f"{name}_scale", f"{name}_zero"], [f"{name}_stored"]))
        source = name
    nodes.append(_dequantize("logits_stored", "logits", "logits_real"))
    nodes += [helper.make_node("Flatten", ["logits_real"], ["flat"]), helper.make_node("Softmax", ["flat"], ["scores"], axis=1)]
    return _model(nodes, constants, [])


def tflite_model(layers: dict[str, Stored], grids: dict[str, Grid]) -> bytes:
    """The same as a full-integer .tflite: operators and versions that the Edge TPU compiler knows."""
    operator, kind, options = schema.BuiltinOperator, schema.TensorType, schema.BuiltinOptions
    writer, found = Writer("bearing_anomaly"), sizes()
    image = writer.tensor("image", (1, HEIGHT, WIDTH, 1), kind.UINT8, IMAGE.scale, 0)
    index = writer.activation("image_int8", (1, HEIGHT, WIDTH, 1), IMAGE)
    writer.operator(operator.QUANTIZE, 1, [image], index, options.QuantizeOptions, schema.QuantizeOptionsT())
    for layer in LAYERS:
        stored, name = layers[layer.name], layer.name
        kernel = stored.weight.transpose(0, 2, 3, 1)
        weight = writer.tensor(f"{name}_weight", kernel.shape, kind.INT8, stored.scale, 0, values=kernel)
        bias = writer.tensor(f"{name}_bias", stored.bias.shape, kind.INT32, stored.bias_scale, 0, values=stored.bias)
        output = writer.activation(name, (1, *found[name], layer.channels_out), grids[name])
        chosen = schema.Conv2DOptionsT()
        chosen.padding = schema.Padding.SAME if layer.same else schema.Padding.VALID
        chosen.strideW = chosen.strideH = layer.stride
        chosen.dilationWFactor = chosen.dilationHFactor = 1
        functions = schema.ActivationFunctionType
        chosen.fusedActivationFunction = functions.RELU6 if layer.relu6 else functions.NONE
        writer.operator(operator.CONV_2D, 3, [index, weight, bias], output, options.Conv2DOptions, chosen)
        index = output
    flat = writer.activation("flat", (1, len(LABELS)), grids["logits"])
    shape = schema.ReshapeOptionsT()
    shape.newShape = [1, len(LABELS)]
    writer.operator(operator.RESHAPE, 1, [index], flat, options.ReshapeOptions, shape)
    scores = writer.activation("scores", (1, len(LABELS)), SCORE)
    soft = schema.SoftmaxOptionsT()
    soft.beta = 1.0
    writer.operator(operator.SOFTMAX, 2, [flat], scores, options.SoftmaxOptions, soft)
    return writer.finish([image], [scores])


def calibrate(weights: Weights, windows: Windows) -> dict[str, Grid]:
    """The integer grid of every layer's output, over `windows`."""
    names = [layer.name for layer in LAYERS]
    session = onnx_session(float_model(weights))
    low, high = np.full(len(names), np.inf), np.full(len(names), -np.inf)
    for picture in windows.pictures:
        outputs = session.run(names, {"image": picture[None, :, :, None]})
        low = np.minimum(low, [output.min() for output in outputs])
        high = np.maximum(high, [output.max() for output in outputs])
    return {"image": IMAGE, **{name: Grid.spanning(float(low[i]), float(high[i])) for i, name in enumerate(names)}}


def quantize(weights: Weights, grids: dict[str, Grid]) -> dict[str, Stored]:
    """Weights to int8. Pairs of neighbouring inputs must fit into 16 bits (see `conveyor_inspector.quantize`): half the range."""
    found: dict[str, Stored] = {}
    source = "image"
    for layer in LAYERS:
        kernel, bias = weights[f"{layer.name}/weight"], weights[f"{layer.name}/bias"]
        flat = kernel.reshape(len(kernel), -1)
        pairs = np.max([np.sort(np.clip(sign * flat, 0, None), axis=1)[:, -2:].sum(axis=1) for sign in (1, -1)], axis=0)
        scale = np.maximum(np.maximum(np.abs(flat).max(axis=1), pairs), 1e-6).astype(np.float32) / np.float32(127)
        stored = np.clip(np.round(kernel / scale[:, None, None, None]), -127, 127).astype(np.int8)
        bias_scale = (scale * np.float32(grids[source].scale)).astype(np.float32)
        whole = np.clip(np.round(bias / bias_scale.astype(np.float64)), -(2**31) + 1, 2**31 - 1).astype(np.int32)
        found[layer.name] = Stored(stored, scale, whole, bias_scale)
        source = layer.name
    return found


def _limits() -> list[onnx.TensorProto]:
    return [numpy_helper.from_array(np.full((), value, np.float32), name) for name, value in (("zero", 0), ("six", 6))]


def _convolution(layer: Layer, inputs: Sequence[str], output: str) -> onnx.NodeProto:
    strides = [layer.stride] * 2
    return helper.make_node(
        "Conv", list(inputs), [output], kernel_shape=list(layer.kernel), strides=strides, pads=list(layer.pads)
    )


def _dequantize(stored: str, grid: str, output: str) -> onnx.NodeProto:
    return helper.make_node("DequantizeLinear", [stored, f"{grid}_scale", f"{grid}_zero"], [output])


def _model(nodes: list[onnx.NodeProto], constants: list[onnx.TensorProto], exposed: Sequence[Any]) -> bytes:
    image = helper.make_tensor_value_info("image", TensorProto.UINT8, (1, HEIGHT, WIDTH, 1))
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, (1, len(LABELS)))
    graph = helper.make_graph(nodes, "bearing_anomaly", [image], [scores, *exposed], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    model.producer_name = "edgefleet"
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString())


def main() -> None:
    """Export."""
    folder = HERE / VERSION
    weights = load_weights(str(folder / "weights.npz"))
    grids = calibrate(weights, render(CALIBRATION_SEED, 40, 1))
    layers = quantize(weights, grids)
    for name, data in ((ONNX_FILE, quantized_model(layers, grids)), (TFLITE_FILE, tflite_model(layers, grids))):
        write_atomically(folder / name, data)
        print(f"{folder / name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
