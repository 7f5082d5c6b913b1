"""Messages between the agent and the process of an isolated model, and the place of tensors in their shared memory.

One message is one packet of a socket. Tensors are never in messages: they lie in two shared buffers, one for each direction, in
the order of the model's tensors, each at a multiple of `ALIGNMENT`. Arrays of text are packed there as a list.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from edgefleet_agent.backends.base import BFLOAT16, Array
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import ModelError
from edgefleet_contract.package.manifest import InputSpec

ALIGNMENT = 64
"""Tensors begin at cache lines, as those of the runtimes' own allocators do."""
MESSAGE_BYTES_MAX = 1024 * 1024
BUFFER_BYTES_MAX = 1024 * 1024 * 1024
"""Limit of the tensors of one run, in each direction."""


class TensorMessage(msgspec.Struct, array_like=True):
    """A `TensorSpec`."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    scale: float
    zero_point: int
    any_rank: bool


class Open(msgspec.Struct, array_like=True, tag=True):
    """To the process, once: load a model. The fields are those of `LoadOptions`."""

    runtime: str
    files: list[str]
    device: str
    threads: int
    strict: bool
    cache_dir: str
    options: dict[str, Any]
    picture: InputSpec | None
    deterministic: bool


class Opened(msgspec.Struct, array_like=True, tag=True):
    """From the process: the model is loaded. placement: the fields of `Placement`."""

    inputs: list[TensorMessage]
    outputs: list[TensorMessage]
    placement: tuple[str, str, str, bool, str, str, bool]
    folded: bool


class Run(msgspec.Struct, array_like=True, tag=True):
    """To the process: compute the tensors in the first buffer. tensors: shape and bytes of each."""

    tensors: list[tuple[tuple[int, ...], int]]


class Ran(msgspec.Struct, array_like=True, tag=True):
    """From the process: the tensors in the second buffer are the outputs."""

    tensors: list[tuple[tuple[int, ...], int]]


class Grow(msgspec.Struct, array_like=True, tag=True):
    """From the process: the second buffer is too small. The agent grows it and sends `Grown`."""

    size: int


class Grown(msgspec.Struct, array_like=True, tag=True):
    """To the process: the second buffer has grown."""


class Failed(msgspec.Struct, array_like=True, tag=True):
    """From the process: it could not do it. kind: `missing`, `model`, or `fault`, which is a fault of the runtime."""

    kind: str
    text: str


ToProcess = Open | Run | Grown
FromProcess = Opened | Ran | Grow | Failed

_building = threading.Lock()  # see edgefleet_contract.core.msgspec_setup
with _building:
    TO_PROCESS = msgspec.msgpack.Decoder(ToProcess)
    FROM_PROCESS = msgspec.msgpack.Decoder(FromProcess)
encode = msgspec.msgpack.encode


def to_message(spec: TensorSpec) -> TensorMessage:
    """A tensor's description as a part of a message."""
    dtype = "bfloat16" if spec.dtype == BFLOAT16 else spec.dtype.str
    return TensorMessage(spec.name, spec.shape, dtype, spec.scale, spec.zero_point, spec.any_rank)


def from_message(tensor: TensorMessage) -> TensorSpec:
    """The inverse of `to_message`."""
    dtype = BFLOAT16 if tensor.dtype == "bfloat16" else np.dtype(tensor.dtype)
    return TensorSpec(tensor.name, tensor.shape, dtype, tensor.scale, tensor.zero_point, tensor.any_rank)


class PackedTensors:
    """The tensors of one run, ready to be written into a buffer. size: bytes that they need there."""

    def __init__(self, specs: Sequence[TensorSpec], arrays: Mapping[str, Array]) -> None:
        """Raises ModelError for tensors beyond `BUFFER_BYTES_MAX`."""
        self._parts: list[Array] = []
        self.described: list[tuple[tuple[int, ...], int]] = []
        self._places: list[int] = []
        at = 0
        for spec in specs:
            array = arrays[spec.name]
            part = _packed_text(array) if spec.dtype.kind == "O" else array
            self._parts.append(part)
            self._places.append(at)
            self.described.append((array.shape, part.nbytes))
            at += -(-part.nbytes // ALIGNMENT) * ALIGNMENT
        self.size = at
        if at > BUFFER_BYTES_MAX:
            raise ModelError(f"tensors of {at} bytes exceed the limit of an isolated model ({BUFFER_BYTES_MAX} bytes)")

    def write(self, memory: memoryview) -> None:
        """Copy the tensors to their places in `memory`."""
        for part, place in zip(self._parts, self._places, strict=True):
            if part.nbytes:
                np.frombuffer(memory, part.dtype, part.size, place).reshape(part.shape)[...] = part


def read_tensors(
    specs: Sequence[TensorSpec], described: Sequence[tuple[tuple[int, ...], int]], memory: memoryview
) -> dict[str, Array]:
    """The tensors in `memory`, as views of it.

    Raises:
        ModelError: the description does not fit the tensors or the memory.
    """
    if len(described) != len(specs):
        raise ModelError(f"got {len(described)} tensors, the model has {len(specs)}")
    found: dict[str, Array] = {}
    at = 0
    for spec, (shape, size) in zip(specs, described, strict=True):
        count = 1
        for side in shape:
            count *= side
        text = spec.dtype.kind == "O"
        if at + size > len(memory) or min(shape, default=0) < 0 or (not text and count * spec.dtype.itemsize != size):
            raise ModelError(f"tensor '{spec.name}' with shape {list(shape)} and {size} bytes does not fit")
        if text:
            found[spec.name] = _unpacked_text(memory[at : at + size], count).reshape(shape)
        elif count:
            found[spec.name] = np.frombuffer(memory, spec.dtype, count, at).reshape(shape)
        else:
            found[spec.name] = np.empty(shape, spec.dtype)
        at += -(-size // ALIGNMENT) * ALIGNMENT
    return found


def _packed_text(array: Array) -> Array:
    return np.frombuffer(encode(list(array.flat)), np.uint8)


def _unpacked_text(data: memoryview, count: int) -> Array:
    elements = msgspec.msgpack.decode(data)
    if not isinstance(elements, list) or len(elements) != count or not all(isinstance(each, (str, bytes)) for each in elements):
        raise ModelError(f"the shape requires {count} texts")
    array = np.empty(count, np.object_)
    array[:] = elements
    return array
