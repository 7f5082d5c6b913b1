"""Quantizes a float TensorFlow Lite file to full int8, by TensorFlow Lite's 8-bit quantization specification: weights
symmetric, per channel where the operator allows it; activations asymmetric, from the lowest and highest observed value; biases
int32 at the product of both scales.

An image input becomes int8 with exactly the scale of the agent's `pixel - 128`, where one scale can express it; its variant keeps
mean and std otherwise.
Operators without an int8 form stay in float between DEQUANTIZE and QUANTIZE.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from edgefleet_contract.package.manifest import InputSpec
from edgefleet_contract.package.pixel_scaling import Quantization, Scaling, feeds_pixels, with_scaling
from edgefleet_server.core.errors import InputError
from edgefleet_server.model_tools.quantize import tflite_rules as rules
from edgefleet_server.model_tools.quantize.samples import load
from edgefleet_server.model_tools.quantize.tflite_graph import FLOAT32, INT8, INT32, Array, Graph, libraries

LOW, HIGH = -128, 127
SCALE_MIN = 1e-9


@dataclass(frozen=True, slots=True)
class Scale:
    """real = (stored - zero_point) * scale."""

    scale: float
    zero_point: int

    @staticmethod
    def of(low: float, high: float) -> Scale:
        """The scale for values from low to high; 0 is always represented exactly, because padding needs it."""
        low, high = min(low, 0.0), max(high, 0.0)
        scale = max((high - low) / (HIGH - LOW), SCALE_MIN)
        return Scale(scale, int(np.clip(round(LOW - low / scale), LOW, HIGH)))


def quantize_tflite(
    float_file: Path, target: Path, inputs: Sequence[InputSpec], readings: Sequence[Path], on_progress: Callable[[int], None]
) -> list[InputSpec]:
    """Write the int8 model; returns the inputs of its variant.

    Raises:
        InputError: the file cannot be quantized. MissingError: LiteRT is not installed.
    """
    constants = [spec.name for spec in inputs if spec.value and spec.dtype.startswith("float")]
    if constants:
        text = f"its constant input {constants[0]} would become int8; leave out --flavour tflite"
        raise InputError(f"{float_file.name}: {text}")
    graph = Graph(float_file.read_bytes(), float_file.name)
    ranges, values = _calibrate(float_file, graph, readings, on_progress)
    graph.freeze(values)
    picture = next((_picture_scale(spec) for spec in inputs if spec.kind == "image"), None)
    specs = [_input(spec, picture) if spec.kind == "image" else spec for spec in inputs]
    _Rewriter(graph, ranges, picture).run()
    graph.write(target)
    return specs


def _input(spec: InputSpec, picture: Scale | None) -> InputSpec:
    if picture is None:
        return spec
    stored, scaling = Quantization("int8", picture.scale, picture.zero_point), Scaling.of(spec.mean, spec.std)
    whole = msgspec.structs.replace(spec, dtype="int8")
    return with_scaling(whole, None if feeds_pixels(scaling, stored) else scaling, stored)


def _picture_scale(spec: InputSpec) -> Scale:
    """The scale with which stored = pixel - 128, up to half a grey level, where real = (pixel - mean) / std allows that;
    otherwise, that of the range of all pixels."""
    scaling = Scaling.of(spec.mean, spec.std)
    mean, std = float(np.mean(scaling.mean)), float(np.mean(scaling.std))
    plain = Scale(1 / std, round(mean) + LOW)
    if LOW <= plain.zero_point <= HIGH and feeds_pixels(scaling, Quantization("int8", plain.scale, plain.zero_point)):
        return plain
    ends = [(pixel - middle) / spread for middle, spread in scaling.channels() for pixel in (0, 255)]
    return Scale.of(min(ends), max(ends))


def _calibrate(
    file: Path, graph: Graph, readings: Sequence[Path], on_progress: Callable[[int], None]
) -> tuple[dict[int, tuple[float, float]], dict[int, Array]]:
    """Lowest and highest value of every computed float tensor, and every tensor of the last sample."""
    _, runtime = libraries()
    computed = [int(each) for operator in graph.operators for each in operator.outputs]
    ranges: dict[int, tuple[float, float]] = {}
    values: dict[int, Array] = {}
    try:
        interpreter = runtime.Interpreter(
            model_path=str(file),
            experimental_preserve_all_tensors=True,
            # XNNPACK would not keep the tensors between the layers.
            experimental_op_resolver_type=runtime.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
        )
        interpreter.allocate_tensors()
        places = {str(detail["name"]): int(detail["index"]) for detail in interpreter.get_input_details()}
        for number, path in enumerate(readings, 1):
            for name, array in load(path).items():
                interpreter.set_tensor(places[name], array)
            interpreter.invoke()
            for index in [*places.values(), *computed]:
                value = values[index] = interpreter.get_tensor(index)
                if value.dtype == np.float32 and value.size:
                    low, high = ranges.get(index, (np.inf, -np.inf))
                    ranges[index] = (min(low, float(value.min())), max(high, float(value.max())))
            on_progress(number)
    except (ValueError, RuntimeError, KeyError) as cause:
        first = str(cause).strip().partition("\n")[0][:200]
        raise InputError(f"{file.name}: LiteRT does not run it layer by layer ({first}); leave out --flavour tflite") from cause
    return ranges, values


class _Rewriter:
    """Rewrites the operators once, in their order, and sets the scale of every tensor."""

    def __init__(self, graph: Graph, ranges: dict[int, tuple[float, float]], picture: Scale | None) -> None:
        self._graph = graph
        self._ranges = ranges
        self._scales: dict[int, Scale] = {}
        self._imposed = self._joined_targets()
        self._made: list[Any] = []
        self._requantized: dict[tuple[int, Scale], int] = {}
        self._floats: dict[int, int] = {}
        for index in (int(each) for each in graph.main.inputs):
            if graph.tensors[index].type == FLOAT32:
                self._scales[index] = picture or Scale.of(*ranges[index])

    def run(self) -> None:
        """Rewrite operators, then tensors."""
        graph = self._graph
        for operator in list(graph.operators):
            kind = graph.kind(operator)
            floats = [int(each) for each in [*operator.inputs, *operator.outputs] if each >= 0 and self._is_float(int(each))]
            if not floats:
                self._made.append(operator)
                continue
            if kind in rules.WEIGHTED and self._constant_weights(operator, kind):
                self._weighted(operator, kind)
            elif kind in rules.SAME or kind in rules.JOINED or kind in rules.FREE or kind in rules.FIXED:
                self._plain(operator, kind)
            else:
                self._island(operator)
                continue
            operator.opcodeIndex = graph.code(kind, rules.VERSIONS.get(kind, 1))
            self._made.append(operator)
        graph.operators[:] = self._made
        for index, scale in self._scales.items():
            self._annotate(index, [scale.scale], [scale.zero_point], 0)
            graph.tensors[index].type = INT8

    def _is_float(self, index: int) -> bool:
        return int(self._graph.tensors[index].type) == FLOAT32

    def _constant_weights(self, operator: Any, kind: int) -> bool:
        weights, bias, _ = rules.WEIGHTED[kind]
        has_bias = len(operator.inputs) > bias and operator.inputs[bias] >= 0
        stored = self._graph.constant(int(operator.inputs[weights])) is not None
        return stored and (not has_bias or self._graph.constant(int(operator.inputs[bias])) is not None)

    def _joined_targets(self) -> dict[int, Scale]:
        """Scales of tensors that only a concatenation reads: their producers write at the scale of the joined tensor directly."""
        graph, imposed = self._graph, dict[int, Scale]()
        readers: dict[int, int] = {}
        for operator in graph.operators:
            for each in operator.inputs:
                readers[int(each)] = readers.get(int(each), 0) + 1
        for output in graph.main.outputs:
            readers[int(output)] = readers.get(int(output), 0) + 1
        for operator in reversed(graph.operators):
            kind, target = graph.kind(operator), int(operator.outputs[0])
            if target not in self._ranges:
                continue
            if kind in rules.JOINED:
                scale = imposed.get(target) or Scale.of(*self._ranges[target])
                imposed[target] = scale
            elif kind in rules.SAME and target in imposed:
                scale = imposed[target]
            else:
                continue
            data = operator.inputs if kind in rules.JOINED else [operator.inputs[rules.DATA_INPUT.get(kind, 0)]]
            for each in (int(each) for each in data):
                if each in self._ranges and readers[each] == 1 and each not in imposed:
                    imposed[each] = scale
        return imposed

    def _weighted(self, operator: Any, kind: int) -> None:
        graph = self._graph
        place, bias, axis = rules.WEIGHTED[kind]
        data = rules.DATA_INPUT.get(kind, 0)
        operator.inputs[data] = self._quantized(int(operator.inputs[data]))
        scale_in = self._scales[int(operator.inputs[data])].scale
        values = graph.constant(int(operator.inputs[place]))
        assert values is not None
        others = None if axis is None else tuple(side for side in range(values.ndim) if side != axis)
        peaks = np.maximum(np.atleast_1d(np.abs(values).max(axis=others)).astype(np.float64), SCALE_MIN)
        scales = peaks / HIGH
        wide = scales if axis is None else scales.reshape([-1 if side == axis else 1 for side in range(values.ndim)])
        operator.inputs[place] = self._stored(
            int(operator.inputs[place]), np.clip(np.rint(values / wide), -HIGH, HIGH).astype(np.int8), INT8, scales, axis or 0
        )
        if len(operator.inputs) > bias and operator.inputs[bias] >= 0:
            offsets = graph.constant(int(operator.inputs[bias]))
            assert offsets is not None
            units = scale_in * (np.full(offsets.shape, scales[0]) if axis is None else scales)
            limits = np.iinfo(np.int32)
            whole = np.clip(np.rint(offsets / units), limits.min, limits.max).astype(np.int32)
            operator.inputs[bias] = self._stored(
                int(operator.inputs[bias]), whole, INT32, units[:1] if axis is None else units, 0
            )
        self._give(int(operator.outputs[0]))

    def _plain(self, operator: Any, kind: int) -> None:
        outputs = [int(each) for each in operator.outputs if self._is_float(int(each))]
        data = rules.DATA_INPUT.get(kind, 0)
        if kind in rules.JOINED:
            self._give(outputs[0])
            scale = self._scales[outputs[0]]
            for place, each in enumerate(operator.inputs):
                if self._is_float(int(each)):
                    operator.inputs[place] = self._quantized(int(each), scale)
            return
        for place, each in enumerate(operator.inputs):
            if each >= 0 and self._is_float(int(each)):
                operator.inputs[place] = self._quantized(int(each))
        for output in outputs:
            if kind in rules.FIXED:
                self._scales[output] = Scale(*rules.FIXED[kind])
            elif kind in rules.SAME:
                self._scales[output] = self._scales[int(operator.inputs[data])]
            else:
                self._give(output)

    def _island(self, operator: Any) -> None:
        """Keep an operator in float: its inputs are dequantized, and its outputs are quantized for their readers."""
        graph = self._graph
        for place, each in enumerate(operator.inputs):
            index = int(each)
            if index >= 0 and index in self._scales:
                if index not in self._floats:
                    self._floats[index] = graph.copy_of(index, "_float")
                    graph.tensors[self._floats[index]].type = FLOAT32
                    dequantize = graph.operator(rules.DEQUANTIZE, [index], [self._floats[index]])
                    dequantize.opcodeIndex = graph.code(rules.DEQUANTIZE, rules.VERSIONS[rules.DEQUANTIZE])
                    self._made.append(dequantize)
                operator.inputs[place] = self._floats[index]
        self._made.append(operator)

    def _give(self, index: int) -> None:
        self._scales[index] = self._imposed.get(index) or Scale.of(*self._ranges[index])

    def _quantized(self, index: int, required: Scale | None = None) -> int:
        """The tensor as int8, at the scale `required` if given."""
        graph = self._graph
        known = self._scales.get(index)
        values = graph.constant(index)
        if known is None and values is not None:
            scale = required or Scale.of(float(values.min()), float(values.max()))
            whole = np.clip(np.rint(values / scale.scale) + scale.zero_point, LOW, HIGH).astype(np.int8)
            made = self._stored(index, whole, INT8, np.array([scale.scale]), 0, scale.zero_point)
            self._scales[made] = scale
            return made
        if known is not None and (required is None or known == required):
            return index
        scale = required or self._imposed.get(index) or Scale.of(*self._ranges[index])
        if (index, scale) not in self._requantized:
            made = graph.copy_of(index, "_int8")
            self._scales[made] = scale
            self._requantized[index, scale] = made
            quantize = graph.operator(rules.QUANTIZE, [index], [made])
            quantize.opcodeIndex = graph.code(rules.QUANTIZE, rules.VERSIONS[rules.QUANTIZE])
            self._made.append(quantize)
        return self._requantized[index, scale]

    def _stored(self, index: int, values: Array, kind: int, scales: Array, axis: int, zero_point: int = 0) -> int:
        """A separate constant: two operators may share a tensor and need it at different scales."""
        graph = self._graph
        made = graph.copy_of(index, "_quantized")
        graph.tensors[made].type = kind
        graph.store(made, values)
        self._annotate(made, [float(each) for each in scales], [zero_point] * len(scales), axis)
        return made

    def _annotate(self, index: int, scales: list[float], zero_points: list[int], axis: int) -> None:
        quantization = self._graph.schema.QuantizationParametersT()
        quantization.scale, quantization.zeroPoint, quantization.quantizedDimension = scales, zero_points, axis
        self._graph.tensors[index].quantization = quantization
