"""The tensors of a sequence model that its callers do not see: controls and states."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import shape_fits
from edgefleet_agent.serving.config.sequence_config import Control, SequenceBatching, SequenceState
from edgefleet_agent.serving.protocol.errors import CallError, invalid
from edgefleet_agent.serving.protocol.inference_request import SequenceMark, TensorSignature
from edgefleet_agent.serving.protocol.tensors import DTYPES, Array, checked_dtype, from_raw, objects
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError

STATE_BYTES_MAX = 64 * 1024 * 1024
"""Limit of the initial values of one state."""
_CORRELATION = "CONTROL_SEQUENCE_CORRID"


class SequenceTensors:
    """Control and state tensors of one loaded model.

    Raises:
        InputError: the configuration names a tensor that the model does not have, or with another type or shape.
    """

    def __init__(self, config: SequenceBatching, signature: TensorSignature, folder: Path) -> None:
        inputs = {spec.name: spec for spec in signature.inputs}
        outputs = {spec.name: spec for spec in signature.outputs}
        self._controls = [_ControlTensor(_known(inputs, each.name), each.control[0]) for each in config.control_input]
        self._states = {each.output_name: each.input_name for each in config.state}
        self._initial: dict[str, Array] = {}
        for state in config.state:
            spec = _known(inputs, state.input_name)
            if _known(outputs, state.output_name).dtype != spec.dtype or _dtype(state.data_type) != spec.dtype:
                raise InputError(
                    f"sequence_batching.state: '{state.input_name}': output, input and data_type must have the same type"
                )
            self._initial[state.input_name] = _initial(state, spec, folder / "initial_state", 1 if signature.batch else 0)
        self._hidden = {control.name for control in self._controls} | set(self._initial)

    def callers_inputs(self, signature: TensorSignature) -> tuple[TensorSpec, ...]:
        """The inputs that callers send."""
        return tuple(spec for spec in signature.inputs if spec.name not in self._hidden)

    def callers_outputs(self, signature: TensorSignature) -> tuple[TensorSpec, ...]:
        """The outputs that callers get."""
        return tuple(spec for spec in signature.outputs if spec.name not in self._states)

    def initial(self) -> dict[str, Array]:
        """The states at the start of a sequence."""
        return dict(self._initial)

    def check(self, mark: SequenceMark, model: str) -> None:
        """Check that the id of a sequence fits the model's control tensor.

        Raises:
            CallError: the id is text for a model that takes numbers, or a number that does not fit.
        """
        for control in self._controls:
            control.check(mark, model)

    def filled(self, inputs: Mapping[str, Array], states: Mapping[str, Array], mark: SequenceMark) -> dict[str, Array]:
        """All inputs of the model: the caller's, states and controls."""
        return {**inputs, **states, **{control.name: control.value(mark) for control in self._controls}}

    def states(self, outputs: Mapping[str, Array]) -> dict[str, Array]:
        """The states after a run, copied, since the runtime reuses its outputs."""
        return {into: np.array(outputs[name]) for name, into in self._states.items()}


class _ControlTensor:
    def __init__(self, spec: TensorSpec, control: Control) -> None:
        self.name = spec.name
        self._kind = control.kind
        self._shape = tuple(1 if side == -1 else side for side in spec.shape)
        if math.prod(self._shape) != 1:
            raise InputError(
                f"sequence_batching.control_input: '{spec.name}' must be one number per row, the model has {list(spec.shape)}"
            )
        self._dtype = spec.dtype
        if self._kind == _CORRELATION:
            if not control.data_type or _dtype(control.data_type) != spec.dtype:
                raise InputError(
                    f"sequence_batching.control_input: '{spec.name}': data_type must be the type that the model's input has"
                )
            return
        pairs = {"i": control.int32_false_true, "f": control.fp32_false_true, "b": control.bool_false_true}
        pair: list[Any] = pairs.get(spec.dtype.kind, [])  # type: ignore[assignment]  # three kinds of lists, one use
        if len(pair) != 2 or sum(map(bool, pairs.values())) != 1:
            path = "sequence_batching.control_input"
            raise InputError(f"{path}: '{spec.name}' is {spec.dtype}: specify only its values for false and true")
        self._off, self._on = (np.full(self._shape, value, spec.dtype) for value in pair)

    def check(self, mark: SequenceMark, model: str) -> None:
        if self._kind != _CORRELATION:
            return
        if isinstance(mark.id, str) != (self._dtype.kind == "O"):
            wants = "a string" if self._dtype.kind == "O" else "a number"
            raise invalid(f"sequence id of model '{model}' must be {wants}")
        if isinstance(mark.id, int) and mark.id > np.iinfo(self._dtype).max:
            raise invalid(f"sequence id {mark.id} does not fit into the {self._dtype} of model '{model}'")

    def value(self, mark: SequenceMark) -> Array:
        if self._kind == _CORRELATION:
            if isinstance(mark.id, str):
                return objects([mark.id.encode()], self._shape)
            return np.full(self._shape, mark.id, self._dtype)
        on = {"CONTROL_SEQUENCE_START": mark.start, "CONTROL_SEQUENCE_END": mark.end}.get(self._kind, True)
        return self._on if on else self._off


def _known(specs: Mapping[str, TensorSpec], name: str) -> TensorSpec:
    if name not in specs:
        raise InputError(f"sequence_batching: names '{name}', which the model does not have; it has {', '.join(specs)}")
    return specs[name]


def _dtype(data_type: str) -> np.dtype[Any]:
    name = data_type.removeprefix("TYPE_")
    try:
        return checked_dtype(data_type, "BYTES" if name == "STRING" else name)
    except CallError as cause:
        raise InputError(f"sequence_batching: unknown type {data_type}") from cause


def _initial(state: SequenceState, spec: TensorSpec, folder: Path, rows: int) -> Array:
    dims = state.initial_state[0].dims if state.initial_state else [max(side, 1) for side in state.dims]
    shape = ([rows] if rows else []) + dims
    if not (spec.any_rank or shape_fits(tuple(shape), spec.shape)) or any(side < 1 for side in shape):
        raise InputError(
            f"sequence_batching.state: '{state.input_name}': initial dims {dims} do not fit the model's {list(spec.shape)}"
        )
    given = state.initial_state[0] if state.initial_state else None
    if given is not None and _dtype(given.data_type) != spec.dtype:
        raise InputError(
            f"sequence_batching.state: '{state.input_name}': the initial state is {given.data_type}, the model's is {spec.dtype}"
        )
    if given is None or given.data_file is None:
        return np.full(shape, b"", np.object_) if spec.dtype.kind == "O" else np.zeros(shape, spec.dtype)
    if Path(given.data_file).name != given.data_file:
        raise InputError(
            f"sequence_batching.state: '{state.input_name}': data_file is the name of a file in initial_state/, without a folder"
        )
    data = read_if_there(folder / given.data_file, STATE_BYTES_MAX)
    if data is None:
        raise InputError(f"{folder / given.data_file}: no such file, or larger than {STATE_BYTES_MAX} bytes")
    names = {dtype: name for name, dtype in DTYPES.items()}
    try:
        return np.array(from_raw(state.input_name, names[spec.dtype], shape, memoryview(data)))
    except CallError as cause:
        raise InputError(f"{folder / given.data_file}: {cause}") from cause
