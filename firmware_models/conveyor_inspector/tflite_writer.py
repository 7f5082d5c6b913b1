"""The network as a full-integer TensorFlow Lite file, written with the schema that ``ai-edge-litert`` carries.

Static shapes, integer input and outputs, operator versions that the Edge TPU compiler knows (CONV_2D 3, DEPTHWISE_CONV_2D 3,
LOGISTIC 2, QUANTIZE 1): ``image`` uint8 in, ``scores`` and ``boxes`` int8 out.
"""

from __future__ import annotations

from typing import Any

import flatbuffers
import numpy as np
import numpy.typing as npt
from ai_edge_litert import schema_py_generated as schema

from firmware_models.conveyor_inspector.network import INPUT_HEIGHT, INPUT_WIDTH, LAYERS, Layer, spatial_sizes
from firmware_models.conveyor_inspector.quantize import Grid, Quantized

_OPERATOR, _TYPE, _OPTIONS = schema.BuiltinOperator, schema.TensorType, schema.BuiltinOptions
_INT8_SHIFT = 128  # an int8 grid is the uint8 grid moved down by this


class _AlignedBuffer(schema.BufferT):  # type: ignore[misc]  # generated code has no types
    """A buffer whose bytes start at a multiple of 16, as the schema demands and the generated packer forgets."""

    def Pack(self, builder: Any) -> int:  # noqa: N802  (name of the generated base)
        """Write the buffer; returns its offset."""
        offset = 0
        if self.data is not None:
            raw = bytes(self.data)
            builder.StartVector(1, len(raw), 16)
            head = builder.Head() - len(raw)
            builder.head = head
            builder.Bytes[head : head + len(raw)] = raw
            offset = builder.EndVector()
        schema.BufferStart(builder)
        if offset:
            schema.BufferAddData(builder, offset)
        return int(schema.BufferEnd(builder))


class Writer:
    """Tensors, operators and buffers as they are added; the order of adding is the order of running."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.buffers: list[Any] = [_AlignedBuffer()]
        self.tensors: list[Any] = []
        self.operators: list[Any] = []
        self.codes: dict[int, Any] = {}

    def tensor(
        self,
        name: str,
        shape: tuple[int, ...],
        kind: int,
        scale: npt.ArrayLike,
        zero_point: int,
        *,
        values: npt.NDArray[np.generic] | None = None,
        axis: int = 0,
    ) -> int:
        """Add a tensor; ``axis`` is the one that ``scale`` runs along when it has more than one value."""
        scales = np.atleast_1d(np.asarray(scale, np.float32))
        quantization = schema.QuantizationParametersT()
        quantization.scale = scales
        quantization.zeroPoint = np.full(scales.shape, zero_point, np.int64)
        quantization.quantizedDimension = axis
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type, tensor.quantization = name.encode(), list(shape), kind, quantization
        tensor.buffer = 0
        if values is not None:
            buffer = _AlignedBuffer()
            buffer.data = np.ascontiguousarray(values).tobytes()
            self.buffers.append(buffer)
            tensor.buffer = len(self.buffers) - 1
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def activation(self, name: str, shape: tuple[int, ...], grid: Grid) -> int:
        return self.tensor(name, shape, _TYPE.INT8, grid.scale, grid.zero_point - _INT8_SHIFT)

    def operator(self, code: int, version: int, inputs: list[int], output: int, options_type: int, options: Any) -> None:
        if code not in self.codes:
            entry = schema.OperatorCodeT()
            entry.builtinCode, entry.deprecatedBuiltinCode, entry.version = code, min(code, 127), version
            self.codes[code] = entry
        operator = schema.OperatorT()
        operator.opcodeIndex = list(self.codes).index(code)
        operator.inputs, operator.outputs = inputs, [output]
        operator.builtinOptionsType, operator.builtinOptions = options_type, options
        self.operators.append(operator)

    def finish(self, inputs: list[int], outputs: list[int]) -> bytes:
        graph = schema.SubGraphT()
        graph.tensors, graph.operators, graph.name = self.tensors, self.operators, b"main"
        graph.inputs, graph.outputs = inputs, outputs
        signature = schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = b"serving_default", 0
        signature.inputs, signature.outputs = self._named(inputs), self._named(outputs)
        model = schema.ModelT()
        model.version, model.subgraphs, model.buffers, model.signatureDefs = 3, [graph], self.buffers, [signature]
        model.operatorCodes, model.description = list(self.codes.values()), f"edgefleet {self.name}".encode()
        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output())

    def _named(self, indices: list[int]) -> list[Any]:
        entries = []
        for index in indices:
            entry = schema.TensorMapT()
            entry.name, entry.tensorIndex = self.tensors[index].name, index
            entries.append(entry)
        return entries


def _convolve(writer: Writer, layer: Layer, source: int, network: Quantized, shape: tuple[int, int]) -> int:
    arrays = network.layers[layer.name]
    # OIHW with one input channel -> 1HWO for depthwise, OIHW -> OHWI otherwise.
    kernel = arrays.weight.transpose(1, 2, 3, 0) if layer.depthwise else arrays.weight.transpose(0, 2, 3, 1)
    axis = 3 if layer.depthwise else 0
    weight = writer.tensor(f"{layer.name}_weight", kernel.shape, _TYPE.INT8, arrays.weight_scale, 0, values=kernel, axis=axis)
    bias = writer.tensor(f"{layer.name}_bias", arrays.bias.shape, _TYPE.INT32, arrays.bias_scale, 0, values=arrays.bias)
    output = writer.activation(layer.name, (1, *shape, layer.channels_out), network.grids[layer.name])
    options = schema.DepthwiseConv2DOptionsT() if layer.depthwise else schema.Conv2DOptionsT()
    if layer.depthwise:
        options.depthMultiplier = 1
    options.padding = schema.Padding.SAME
    options.strideW = options.strideH = layer.stride
    options.dilationWFactor = options.dilationHFactor = 1
    functions = schema.ActivationFunctionType
    options.fusedActivationFunction = {"relu6": functions.RELU6, "relu": functions.RELU, "none": functions.NONE}[layer.activation]
    code = _OPERATOR.DEPTHWISE_CONV_2D if layer.depthwise else _OPERATOR.CONV_2D
    kind = _OPTIONS.DepthwiseConv2DOptions if layer.depthwise else _OPTIONS.Conv2DOptions
    writer.operator(code, 3, [source, weight, bias], output, kind, options)
    return output


def quantized_model(network: Quantized) -> bytes:
    """The network as a .tflite file."""
    writer, sizes = Writer("conveyor_inspector"), spatial_sizes()
    image = writer.tensor("image", (1, INPUT_HEIGHT, INPUT_WIDTH, 3), _TYPE.UINT8, network.grids["image"].scale, 0)
    indices = {"image": writer.activation("image_int8", (1, INPUT_HEIGHT, INPUT_WIDTH, 3), network.grids["image"])}
    writer.operator(_OPERATOR.QUANTIZE, 1, [image], indices["image"], _OPTIONS.QuantizeOptions, schema.QuantizeOptionsT())
    for layer in LAYERS:
        indices[layer.name] = _convolve(writer, layer, indices[layer.source], network, sizes[layer.name])
    logits = writer.tensors[indices["logits"]]
    scores = writer.activation("scores", tuple(logits.shape), network.grids["scores"])
    writer.operator(_OPERATOR.LOGISTIC, 2, [indices["logits"]], scores, _OPTIONS.NONE, None)
    return writer.finish([image], [scores, indices["boxes"]])
