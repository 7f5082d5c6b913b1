"""Inference requests, the tensor signature of a model, and the check of one against the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import shape_fits
from edgefleet_agent.serving.protocol.errors import invalid
from edgefleet_agent.serving.protocol.shared_memory import RegionSlice
from edgefleet_agent.serving.protocol.tensors import Array, datatype_of, objects
from edgefleet_agent.serving.protocol.tracing import Trace
from edgefleet_agent.vision.heads.base import TensorSpec

CLASSES_MAX = 100_000
SET_BATCHES = "max_batch_size in config.pbtxt or serving.toml, or `serve --max-batch-size NAME=N`,"
NO_BATCHES = "where the first axes may differ, max_batch_size must be 0"
AtTurnEnd = Callable[[Callable[[], None]], object]
"""Runs a function when the callbacks of this turn of an event loop have run; on its thread."""
HEADS_MAX = 64
"""Cached response headers of one request template."""


@dataclass(slots=True)
class RequestedOutput:
    """One requested output. classes > 0: the best classes as `value:index:label` instead of the tensor. into: shared memory."""

    name: str
    binary: bool = False
    classes: int = 0
    into: RegionSlice | None = None


@dataclass(frozen=True, slots=True)
class SequenceMark:
    """The sequence of a request, and whether it is the first or the last request of it."""

    id: int | str
    start: bool = False
    end: bool = False


@dataclass(slots=True)
class InferenceRequest:
    """One request. requested_outputs: empty for all outputs, in the form of `binary`. priority 0, timeout_us 0: the model's.

    parameters: all parameters of the request.
    """

    inputs: dict[str, Array]
    id: str = ""
    requested_outputs: list[RequestedOutput] = field(default_factory=list)
    binary: bool = False
    priority: int = 0
    timeout_us: int = 0
    template: RequestTemplate | None = None
    sequence: SequenceMark | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    trace: Trace | None = None
    is_cancelled: Callable[[], bool] | None = None
    """Whether the caller has disconnected; None if the listener does not know."""
    send_part: Callable[[Mapping[str, Array], TensorSignature], bool] | None = None
    """Sends one answer of several, for decoupled models; may block while the reader is slow. Returns False if the caller has
    disconnected. None if the protocol allows one answer only."""
    at_turn_end: AtTurnEnd | None = None
    """Of the listener's event loop, so that the requests of one turn can be joined. None for a request of another thread."""


@dataclass(frozen=True, slots=True)
class TensorSignature:
    """Inputs and outputs of one model version. batch: the largest batch, 0 if the first axis is not a batch axis.

    labels: of every output; labels_of: of single outputs, instead. optional: inputs that a request may leave out. any_rows: a
    request may have more rows than a batch.
    """

    model: str
    version: str
    platform: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    batch: int = 0
    labels: tuple[str, ...] = ()
    labels_of: Mapping[str, tuple[str, ...]] | None = None
    optional: frozenset[str] = frozenset()
    any_rows: bool = False
    templates: dict[bytes, RequestTemplate] = field(init=False, default_factory=dict, repr=False, compare=False)

    def same_tensors(self, other: TensorSignature) -> bool:
        """Whether requests for one fit the other."""
        mine = (self.inputs, self.outputs, self.batch, self.any_rows)
        return mine == (other.inputs, other.outputs, other.batch, other.any_rows)

    def rows(self, inputs: Mapping[str, Array]) -> int:
        """Check the inputs and count their batch rows; 1 for a model without batches.

        Raises:
            CallError: an input is missing, unknown, or has another type or shape.
        """
        if (len(inputs) != len(self.inputs) or self.optional) and not self._fits_optional(inputs):
            raise invalid(
                f"expected {len(self.inputs)} inputs but got {len(inputs)} inputs for model '{self.model}'. "
                f"Got input(s) {sorted(inputs)}, the model's are {[spec.name for spec in self.inputs]}"
            )
        rows = 0
        for spec in self.inputs:
            array = inputs.get(spec.name)
            if array is None:
                if spec.name in self.optional:
                    continue
                raise invalid(f"input '{spec.name}' of model '{self.model}' is missing; got {sorted(inputs)}")
            if array.dtype != spec.dtype:
                raise invalid(
                    f"inference input '{spec.name}' data-type is '{datatype_of(array.dtype)}', but model '{self.model}' "
                    f"expects '{datatype_of(spec.dtype)}'"
                )
            shape = array.shape
            if not spec.any_rank and not shape_fits(shape, spec.shape):
                raise invalid(
                    f"unexpected shape for input '{spec.name}' for model '{self.model}'. Expected {list(spec.shape)}, "
                    f"got {list(shape)}"
                )
            if self.batch:
                if rows and shape[0] != rows:
                    raise invalid(
                        f"input '{spec.name}' has a batch of {shape[0]}, another input of the request has {rows}; {NO_BATCHES}"
                    )
                rows = shape[0]
                self._check_rows(spec, rows)
        return rows or 1

    def _check_rows(self, spec: TensorSpec, rows: int) -> None:
        if not rows:
            raise invalid(f"input '{spec.name}' of model '{self.model}' has a batch of 0 rows; send at least 1")
        if rows > self.batch and not self.any_rows:
            raise invalid(
                f"inference request batch-size must be <= {self.batch} for '{self.model}', got {rows}; {SET_BATCHES} raises that"
            )

    def _fits_optional(self, inputs: Mapping[str, Array]) -> bool:
        """Whether only optional inputs are missing, and none is unknown."""
        if not self.optional:
            return False
        names = {spec.name for spec in self.inputs}
        return bool(inputs) and names - self.optional <= inputs.keys() <= names

    def output_labels(self, output: str) -> tuple[str, ...]:
        """The labels of an output; empty if it has none."""
        return self.labels if self.labels_of is None else self.labels_of.get(output, ())

    def select_outputs(self, call: InferenceRequest) -> Sequence[RequestedOutput]:
        """The outputs to send, each once.

        Raises:
            CallError: the model does not have a requested output.
        """
        if not call.requested_outputs:
            return [RequestedOutput(spec.name, call.binary) for spec in self.outputs]
        known = {spec.name for spec in self.outputs}
        requested_outputs: dict[str, RequestedOutput] = {}
        for requested in call.requested_outputs:
            if requested.name not in known:
                raise invalid(f"unexpected inference output '{requested.name}' for model '{self.model}'; it has {sorted(known)}")
            requested_outputs[requested.name] = requested
        return (
            call.requested_outputs if len(requested_outputs) == len(call.requested_outputs) else list(requested_outputs.values())
        )


def row_shapes(inputs: Mapping[str, Array]) -> dict[str, tuple[int, ...]]:
    """The shapes of inputs without the batch axis."""
    return {name: array.shape[1:] for name, array in inputs.items()}


@dataclass(slots=True)
class RequestTemplate:
    """A cached request header. row_shapes: of the inputs. layout: name, type, shape, first byte of each tensor after it. names:
    of the outputs, all requested raw.

    call: the parsed request, for its requested outputs and schedule. heads: shapes of the outputs -> JSON of the response.
    """

    signature: TensorSignature
    call: InferenceRequest
    rows: int
    row_shapes: dict[str, tuple[int, ...]]
    layout: list[tuple[str, np.dtype[Any], tuple[int, ...], int]]
    body_bytes: int
    names: list[str]
    heads: dict[tuple[tuple[int, ...], ...], bytes] = field(default_factory=dict)

    def request(self, data: memoryview, start: int = 0) -> InferenceRequest:
        """Another request with this header, whose tensors are `body_bytes` from `start`."""
        inputs: dict[str, Array] = {}
        for name, dtype, shape, at in self.layout:
            array: Array = np.ndarray(shape, dtype, data, start + at)
            inputs[name] = array if array.flags.aligned else array.copy()
        base = self.call
        return InferenceRequest(
            inputs, "", base.requested_outputs, base.binary, base.priority, base.timeout_us, self, None, base.parameters
        )

    def remember_head(self, shapes: tuple[tuple[int, ...], ...], head: bytes) -> None:
        """Cache the header of the response with outputs of these shapes."""
        if len(self.heads) < HEADS_MAX:
            self.heads[shapes] = head


def classified(array: Array, requested: RequestedOutput, signature: TensorSignature) -> Array:
    """The best classes of each row as BYTES, `value:index` or `value:index:label`; shape [rows, k], [k] without batches."""
    if array.dtype.kind in "OV":
        raise invalid(f"output '{requested.name}' is {datatype_of(array.dtype)}, which has no best classes")
    flat = array.reshape(array.shape[0], -1) if signature.batch and array.ndim else array.reshape(1, -1)
    count = min(requested.classes, flat.shape[1])
    best = np.argsort(-flat.astype(np.float64), axis=1, kind="stable")[:, :count]
    found: list[Any] = []
    labels = signature.output_labels(requested.name)
    for row, order in zip(flat, best, strict=True):
        for index in order:
            label = labels[index] if index < len(labels) else ""
            value = f"{float(row[index]):f}" if array.dtype.kind == "f" else str(int(row[index]))
            found.append(f"{value}:{index}{':' + label if label else ''}".encode())
    return objects(found, (len(flat), count) if signature.batch else (count,))
