"""One ONNX Runtime session, and its bindings of arrays.

Open      a tensor of open shape, or text: the library allocates
Bits      as Open with bfloat16, for which the library gives an address and no array
Fixed     every output has one shape: inputs are read in place, outputs go into the same arrays each time, and no memory is
          allocated (for an accelerator the library copies straight between these arrays and the device)
Recorded  a CUDA graph: the device's own buffers never move, so that the run can be recorded once and replayed
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from edgefleet_agent.backends.base import BFLOAT16, Array, Placement, Session, check_inputs
from edgefleet_agent.backends.onnx_runtime.fault_texts import library_fault
from edgefleet_agent.backends.onnx_runtime.pinned_memory import PinnedMemory
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import ModelError

_DTYPES: dict[str, Any] = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(uint8)": np.uint8,
    "tensor(int8)": np.int8,
    "tensor(uint16)": np.uint16,
    "tensor(int16)": np.int16,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
    "tensor(uint32)": np.uint32,
    "tensor(uint64)": np.uint64,
    "tensor(string)": np.object_,
    "tensor(bool)": np.bool_,
    "tensor(bfloat16)": BFLOAT16,
}
_BFLOAT16_ONNX = 16
"""TensorProto.BFLOAT16: the library's own code where NumPy has no type."""


class OnnxRuntimeSession(Session):
    """A loaded model. recorded: name and number of the device (such as `cuda`) whose run is recorded, else None.
    pinned: memory for the outputs of a CUDA device."""

    def __init__(
        self,
        runtime: ModuleType,
        session: Any,
        placement: Placement,
        failures: tuple[type[Exception], ...],
        recorded: tuple[str, int] | None = None,
        pinned: PinnedMemory | None = None,
        unranked: frozenset[str] = frozenset(),
    ) -> None:
        """Binds the arrays. Raises ModelError for a type that arrays cannot hold, or a shape that cannot be recorded. unranked:
        names of tensors that may have any number of axes."""
        self.placement = placement
        self.inputs = tuple(spec_of(node, unranked) for node in session.get_inputs())
        self.outputs = tuple(spec_of(node, unranked) for node in session.get_outputs())
        self._failures = failures
        self._way: _Binding | None = self._choose(runtime, session, recorded, pinned)

    def _choose(
        self, runtime: ModuleType, session: Any, recorded: tuple[str, int] | None, pinned: PinnedMemory | None
    ) -> _Binding:
        specs = (*self.inputs, *self.outputs)
        text = any(spec.dtype.kind == "O" for spec in specs)
        if recorded is not None:
            open_ones = [spec.name for spec in specs if min(spec.shape, default=1) < 0]
            if open_ones or text:
                raise ModelError(f"option cuda_graph requires fixed shapes; dynamic are {', '.join(open_ones) or 'texts'}")
            return _Recorded(runtime, session, self.inputs, self.outputs, recorded)
        # Text has no address that could be bound, and an output of open shape stays bound to the array of the previous run.
        if text or any(side < 0 for spec in self.outputs for side in spec.shape):
            bits = any(spec.dtype == BFLOAT16 for spec in specs)
            return _Bits(session, self.inputs, self.outputs) if bits else _Open(session, self.inputs, self.outputs)
        return _Fixed(session, self.inputs, self.outputs, pinned)

    def fix_inputs(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        """Accept inputs of these shapes, by name, only. Run zeros and noise, and take over the sizes of outputs that are the same
        in both: not every graph says what size of an output follows from that of the input. Sizes that depend on the content, and
        the batch, stay open.

        Raises:
            ModelError: the runtime failed.
        """
        self.inputs = tuple(replace(spec, shape=shapes.get(spec.name, spec.shape)) for spec in self.inputs)
        if all(side >= 0 for spec in self.outputs for side in spec.shape[1:]):
            return
        dice = np.random.default_rng(0)
        given = [tuple(max(side, 1) for side in spec.shape) for spec in self.inputs]
        runs = []
        for high in (1, 256):
            values = {
                spec.name: dice.integers(0, high, shape).astype(spec.dtype)
                for spec, shape in zip(self.inputs, given, strict=True)
            }
            runs.append({name: array.shape for name, array in self.infer(values).items()})
        self.outputs = tuple(
            replace(spec, shape=_learned(spec.shape, *(run[spec.name] for run in runs))) for spec in self.outputs
        )

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        assert self._way is not None, "infer after close"
        try:
            return self._way.run(inputs)
        except self._failures as cause:
            raise ModelError(f"ONNX Runtime failed: {library_fault(cause)}") from cause

    def close(self) -> None:
        self._way = None


class _Binding(Protocol):
    """A way to pass arrays to the session."""

    def run(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]: ...


class _Open:
    def __init__(self, session: Any, inputs: tuple[TensorSpec, ...], outputs: tuple[TensorSpec, ...]) -> None:
        self._session = session
        self._names = [spec.name for spec in outputs]
        self._text = any(spec.dtype.kind == "O" for spec in inputs)

    def run(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        feed = {name: _text(name, array) for name, array in inputs.items()} if self._text else dict(inputs)
        return dict(zip(self._names, self._session.run(self._names, feed), strict=True))


class _Bits:
    def __init__(self, session: Any, inputs: tuple[TensorSpec, ...], outputs: tuple[TensorSpec, ...]) -> None:
        self._session = session
        self._inputs = inputs
        self._names = [spec.name for spec in outputs]

    def run(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        binding = self._session.io_binding()
        for spec in self._inputs:
            array = inputs[spec.name]
            binding.bind_input(spec.name, "cpu", 0, _element(spec.dtype), array.shape, array.ctypes.data)
        for name in self._names:
            binding.bind_output(name, "cpu")
        self._session.run_with_iobinding(binding)
        return {name: _array(value) for name, value in zip(self._names, binding.get_outputs(), strict=True)}


class _Fixed:
    def __init__(
        self, session: Any, inputs: tuple[TensorSpec, ...], outputs: tuple[TensorSpec, ...], pinned: PinnedMemory | None
    ) -> None:
        self._session = session
        self._inputs = inputs
        self._pinned = pinned is not None
        new = np.empty if pinned is None else pinned.array
        self._arrays: dict[str, Array] = {spec.name: new(spec.shape, spec.dtype) for spec in outputs}
        self._binding = session.io_binding()
        for name, array in self._arrays.items():
            self._binding.bind_output(name, "cpu", 0, _element(array.dtype), array.shape, array.ctypes.data)

    def run(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        for spec in self._inputs:
            array = inputs[spec.name]
            self._binding.bind_input(spec.name, "cpu", 0, _element(spec.dtype), array.shape, array.ctypes.data)
        self._session.run_with_iobinding(self._binding)
        if self._pinned:  # the copy goes on after the run
            self._binding.synchronize_outputs()
        return self._arrays


class _Recorded:
    def __init__(
        self,
        runtime: ModuleType,
        session: Any,
        inputs: tuple[TensorSpec, ...],
        outputs: tuple[TensorSpec, ...],
        device: tuple[str, int],
    ) -> None:
        self._session = session
        self._binding = session.io_binding()
        self._values = {
            spec.name: runtime.OrtValue.ortvalue_from_shape_and_type(list(spec.shape), _element(spec.dtype), *device)
            for spec in (*inputs, *outputs)
        }
        self._outputs = [spec.name for spec in outputs]
        for spec in inputs:
            self._binding.bind_ortvalue_input(spec.name, self._values[spec.name])
        for name in self._outputs:
            self._binding.bind_ortvalue_output(name, self._values[name])

    def run(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        for name, array in inputs.items():
            self._values[name].update_inplace(array)
        self._session.run_with_iobinding(self._binding)
        return {name: self._values[name].numpy() for name in self._outputs}


def _element(dtype: np.dtype[Any]) -> Any:
    """The element type in the form that a binding takes."""
    return _BFLOAT16_ONNX if dtype == BFLOAT16 else dtype.type


def _array(value: Any) -> Array:
    array: Array
    if value.data_type() != "tensor(bfloat16)":
        array = value.numpy()
        return array
    data = ctypes.string_at(value.data_ptr(), math.prod(value.shape()) * BFLOAT16.itemsize)
    array = np.frombuffer(data, BFLOAT16).reshape(value.shape())
    return array


def _text(name: str, array: Array) -> Array:
    """Arrays of `bytes` as the arrays of `str` that the library reads; it would use the `repr` of any other object."""
    if array.dtype.kind != "O":
        return array
    try:
        elements = [element if isinstance(element, str) else element.decode() for element in array.flat]
    except UnicodeDecodeError as cause:
        raise ModelError(f"input {name!r}: an element is not UTF-8 text, the only encoding that ONNX Runtime accepts") from cause
    return np.array(elements, np.object_).reshape(array.shape)


def _learned(shape: tuple[int, ...], first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    """`shape` with the sizes that two runs agree on, without that of the batch."""
    if not len(shape) == len(first) == len(second):
        return shape
    sides = zip(shape[1:], first[1:], second[1:], strict=True)
    return (*shape[:1], *(one if side < 0 and one == two and one > 0 else side for side, one, two in sides))


def spec_of(node: Any, unranked: frozenset[str] = frozenset()) -> TensorSpec:
    """Name, shape and type of an input or output of the library. unranked: names of those that may have any number of axes.

    Raises:
        ModelError: a type that arrays cannot hold.
    """
    if node.type not in _DTYPES:
        raise ModelError(f"tensor {node.name!r} is a {node.type}, which this agent does not support")
    dtype = np.dtype(_DTYPES[node.type])
    if node.name in unranked:
        return TensorSpec(node.name, (-1,), dtype, any_rank=True)
    return TensorSpec(node.name, tuple(side if isinstance(side, int) and side > 0 else -1 for side in node.shape), dtype)
