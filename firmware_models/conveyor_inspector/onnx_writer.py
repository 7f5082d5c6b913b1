"""The network as ONNX: in float32 as the yardstick, and with QuantizeLinear/DequantizeLinear (QDQ) pairs in int8.

Both take ``image`` uint8 NHWC, as a camera gives it, and answer ``scores`` and ``boxes`` as float32 NHWC grids. The int8 file
keeps uint8 activations and int8 weights ("u8s8"): what ONNX Runtime and OpenVINO turn into integer kernels on x86.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from firmware_models.conveyor_inspector.network import (
    GRID_HEIGHT,
    GRID_WIDTH,
    INPUT_HEIGHT,
    INPUT_WIDTH,
    LABELS,
    LAYERS,
    Layer,
    Weights,
    spatial_sizes,
)
from firmware_models.conveyor_inspector.quantize import IMAGE_SCALE, Grid, Quantized

OPSET, IR_VERSION = 13, 8  # old enough for every runtime in the field


class _Graph:
    """Nodes and constants as they are added."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, array: npt.NDArray[Any] | np.generic) -> str:
        self.constants.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def node(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(operator, list(inputs), [output], name=output, **attributes))
        return output

    def convolution(self, layer: Layer, inputs: Sequence[str], output: str) -> str:
        before, after = layer.padding
        return self.node(
            "Conv",
            inputs,
            output,
            kernel_shape=[layer.kernel] * 2,
            strides=[layer.stride] * 2,
            pads=[before, before, after, after],
            group=layer.channels_in if layer.depthwise else 1,
        )

    def model(self, exposed: Sequence[Layer] = ()) -> bytes:
        grid, sizes = (1, GRID_HEIGHT, GRID_WIDTH), spatial_sizes()
        outputs = [
            helper.make_tensor_value_info("scores", TensorProto.FLOAT, (*grid, len(LABELS))),
            helper.make_tensor_value_info("boxes", TensorProto.FLOAT, (*grid, 4)),
            *(
                helper.make_tensor_value_info(layer.name, TensorProto.FLOAT, (1, layer.channels_out, *sizes[layer.name]))
                for layer in exposed
            ),
        ]
        image = helper.make_tensor_value_info("image", TensorProto.UINT8, (1, INPUT_HEIGHT, INPUT_WIDTH, 3))
        graph = helper.make_graph(self.nodes, "conveyor_inspector", [image], outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
        model.producer_name = "edgefleet"
        onnx.checker.check_model(model, full_check=True)
        return bytes(model.SerializeToString())


def float_model(weights: Weights, *, expose: bool = False) -> bytes:
    """The network in float32. ``expose`` adds every layer's output (NCHW, named like the layer): for calibration."""
    graph = _Graph()
    planes = graph.node("Transpose", ["image"], "image_planes", perm=[0, 3, 1, 2])
    graph.node("Cast", [planes], "image_float", to=TensorProto.FLOAT)
    scale = graph.constant("image_scale", np.float32(IMAGE_SCALE))
    values = {"image": graph.node("Mul", ["image_float", scale], "image_unit")}
    low, high = graph.constant("zero", np.zeros((), np.float32)), graph.constant("six", np.full((), 6, np.float32))
    for layer in LAYERS:
        name = f"{layer.name}_nchw" if layer.name == "boxes" else layer.name
        kernel = graph.constant(f"{layer.name}_weight", weights[f"{layer.name}/weight"])
        bias = graph.constant(f"{layer.name}_bias", weights[f"{layer.name}/bias"])
        raw_name = name if layer.activation == "none" else f"{name}_raw"
        raw = graph.convolution(layer, [values[layer.source], kernel, bias], raw_name)
        if layer.activation == "relu6":
            graph.node("Clip", [raw, low, high], name)
        elif layer.activation == "relu":
            graph.node("Relu", [raw], name)
        values[layer.name] = name
    graph.node("Transpose", [graph.node("Sigmoid", [values["logits"]], "scores_nchw")], "scores", perm=[0, 2, 3, 1])
    graph.node("Transpose", [values["boxes"]], "boxes", perm=[0, 2, 3, 1])
    return graph.model([layer for layer in LAYERS if layer.name != "boxes"] if expose else ())


class _QuantizedGraph(_Graph):
    """Tensors here are stored integers; each reader gets a DequantizeLinear of its own, which is the form runtimes fuse."""

    def __init__(self, network: Quantized) -> None:
        super().__init__()
        self.network = network
        self._readers: dict[str, int] = {}

    def _grid(self, name: str, grid: Grid) -> tuple[str, str]:
        scale, zero_point = f"{name}_scale", f"{name}_zero_point"
        if name not in self._readers:
            self._readers[name] = 0
            self.constant(scale, np.float32(grid.scale))
            self.constant(zero_point, np.uint8(grid.zero_point))
        return scale, zero_point

    def read(self, stored: str, tensor: str, output: str = "") -> str:
        """Real values of ``stored``, which lies on the grid of ``tensor``."""
        scale, zero_point = self._grid(tensor, self.network.grids[tensor])
        self._readers[tensor] += 1
        return self.node("DequantizeLinear", [stored, scale, zero_point], output or f"{tensor}_real{self._readers[tensor]}")

    def store(self, real: str, tensor: str) -> str:
        """``real`` on the grid of ``tensor``."""
        scale, zero_point = self._grid(tensor, self.network.grids[tensor])
        return self.node("QuantizeLinear", [real, scale, zero_point], f"{tensor}_stored")

    def layer(self, layer: Layer, source: str) -> str:
        """One convolution from stored integers to stored integers."""
        arrays, name = self.network.layers[layer.name], layer.name
        kernel = self.constant(f"{name}_weight", arrays.weight)
        bias = self.constant(f"{name}_bias", arrays.bias)
        kernel_scale = self.constant(f"{name}_weight_scale", arrays.weight_scale)
        bias_scale = self.constant(f"{name}_bias_scale", arrays.bias_scale)
        zeros = self.constant(f"{name}_weight_zero", np.zeros(len(arrays.bias), np.int8))
        bias_zeros = self.constant(f"{name}_bias_zero", np.zeros(len(arrays.bias), np.int32))
        inputs = [
            self.read(source, layer.source),
            self.node("DequantizeLinear", [kernel, kernel_scale, zeros], f"{name}_weight_real", axis=0),
            self.node("DequantizeLinear", [bias, bias_scale, bias_zeros], f"{name}_bias_real", axis=0),
        ]
        return self.store(self.convolution(layer, inputs, f"{name}_raw"), name)


def quantized_model(network: Quantized) -> bytes:
    """The network as QDQ int8."""
    graph = _QuantizedGraph(network)
    stored = {"image": graph.node("Transpose", ["image"], "image_stored", perm=[0, 3, 1, 2])}
    for layer in LAYERS:
        stored[layer.name] = graph.layer(layer, stored[layer.source])
    chance = graph.node("Sigmoid", [graph.read(stored["logits"], "logits")], "scores_raw")
    for tensor, planes in (("scores", graph.store(chance, "scores")), ("boxes", stored["boxes"])):
        graph.read(graph.node("Transpose", [planes], f"{tensor}_nhwc", perm=[0, 2, 3, 1]), tensor, tensor)
    return graph.model()
