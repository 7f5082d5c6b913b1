"""One inference as values: what was asked, checked against what the model takes, and what is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edgefleet_agent.serving.protocol.errors import invalid
from edgefleet_agent.serving.protocol.request_cache import RequestTemplate
from edgefleet_agent.serving.protocol.shared_memory import RegionSlice
from edgefleet_agent.serving.protocol.tensors import Array, datatype_of, objects
from edgefleet_agent.serving.protocol.tracing import Trace
from edgefleet_agent.vision.heads.base import TensorSpec

CLASSES_MAX = 100_000


@dataclass(slots=True)
class RequestedOutput:
    """One output that is wanted. classes > 0: its best ones as `value:index:label` instead of the tensor. into: shared memory."""

    name: str
    binary: bool = False
    classes: int = 0
    into: RegionSlice | None = None


@dataclass(frozen=True, slots=True)
class SequenceMark:
    """Which sequence a request belongs to, and whether it is its first or its last."""

    id: int | str
    start: bool = False
    end: bool = False


@dataclass(slots=True)
class InferenceRequest:
    """One request. wishes: empty means every output, sent as `binary` says. priority 0 and timeout_us 0: the model's.

    parameters: all that came with it.
    """

    inputs: dict[str, Array]
    id: str = ""
    wishes: list[RequestedOutput] = field(default_factory=list)
    binary: bool = False
    priority: int = 0
    timeout_us: int = 0
    plan: RequestTemplate | None = None
    sequence: SequenceMark | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    trace: Trace | None = None
    gone: Callable[[], bool] | None = None
    """Whether its caller has hung up, where the door can tell."""
    more: Callable[[Mapping[str, Array], TensorSignature], bool] | None = None
    """Takes one answer of several, for models that give several; may wait for a slow reader. False: nobody listens any more. None
    where there is room for one answer only."""


@dataclass(frozen=True, slots=True)
class TensorSignature:
    """What one version of a model takes and gives. batch: the largest batch, 0 where the first axis is not one of batches."""

    model: str
    version: str
    platform: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    batch: int = 0
    labels: tuple[str, ...] = ()
    plans: dict[bytes, RequestTemplate] = field(init=False, default_factory=dict, repr=False, compare=False)

    def rows(self, inputs: Mapping[str, Array]) -> int:
        """How many rows of a batch the inputs are; 1 for a model without batches.

        Raises:
            CallError: an input is missing, unknown, or has another type or shape.
        """
        if len(inputs) != len(self.inputs):
            raise invalid(
                f"expected {len(self.inputs)} inputs but got {len(inputs)} inputs for model '{self.model}'. "
                f"Got input(s) {sorted(inputs)}, the model's are {[spec.name for spec in self.inputs]}"
            )
        rows = 0
        for spec in self.inputs:
            array = inputs.get(spec.name)
            if array is None:
                raise invalid(f"input '{spec.name}' of model '{self.model}' is missing; got {sorted(inputs)}")
            if array.dtype != spec.dtype:
                raise invalid(
                    f"inference input '{spec.name}' data-type is '{datatype_of(array.dtype)}', but model '{self.model}' "
                    f"expects '{datatype_of(spec.dtype)}'"
                )
            shape = array.shape
            if len(shape) != len(spec.shape) or any(want not in (-1, have) for have, want in zip(shape, spec.shape, strict=True)):
                raise invalid(
                    f"unexpected shape for input '{spec.name}' for model '{self.model}'. Expected {list(spec.shape)}, "
                    f"got {list(shape)}"
                )
            if self.batch:
                if rows and shape[0] != rows:
                    raise invalid(f"input '{spec.name}' has a batch of {shape[0]}, another input of the request has {rows}")
                rows = shape[0]
                if not 1 <= rows <= self.batch:
                    raise invalid(f"inference request batch-size must be <= {self.batch} for '{self.model}', got {rows}")
        return rows or 1

    def wished(self, call: InferenceRequest) -> Sequence[RequestedOutput]:
        """The outputs to send; one that is asked for twice is sent once.

        Raises:
            CallError: one that the model does not have.
        """
        if not call.wishes:
            return [RequestedOutput(spec.name, call.binary) for spec in self.outputs]
        known = {spec.name for spec in self.outputs}
        wishes: dict[str, RequestedOutput] = {}
        for wish in call.wishes:
            if wish.name not in known:
                raise invalid(f"unexpected inference output '{wish.name}' for model '{self.model}'; it has {sorted(known)}")
            wishes[wish.name] = wish
        return call.wishes if len(wishes) == len(call.wishes) else list(wishes.values())


def classified(array: Array, wish: RequestedOutput, signature: TensorSignature) -> Array:
    """The best classes of each row as BYTES, `value:index` or `value:index:label`; shape [rows, k], [k] without batches."""
    if array.dtype.kind in "OV":
        raise invalid(f"output '{wish.name}' is {datatype_of(array.dtype)}, which has no best classes")
    flat = array.reshape(array.shape[0], -1) if signature.batch and array.ndim else array.reshape(1, -1)
    count = min(wish.classes, flat.shape[1])
    best = np.argsort(-flat.astype(np.float64), axis=1, kind="stable")[:, :count]
    found: list[Any] = []
    for row, order in zip(flat, best, strict=True):
        for index in order:
            label = signature.labels[index] if index < len(signature.labels) else ""
            value = f"{float(row[index]):f}" if array.dtype.kind == "f" else str(int(row[index]))
            found.append(f"{value}:{index}{':' + label if label else ''}".encode())
    return objects(found, (len(flat), count) if signature.batch else (count,))
