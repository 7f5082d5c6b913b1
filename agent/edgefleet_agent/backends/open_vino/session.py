"""A compiled OpenVINO model: one request, or several in parallel."""

from __future__ import annotations

import contextlib
import queue
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import BFLOAT16, Array, Placement, Session, check_inputs, one_line
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import ModelError


class OpenVinoSession(Session):
    """Inputs are read in place, read-only ones from a copy: the runtime shares no memory that it may not write. Outputs are the
    request's own memory, or copies if there are several requests. names: of the file's inputs and outputs, where those of the
    compiled model are ambiguous."""

    def __init__(
        self,
        runtime: ModuleType,
        compiled: Any,
        placement: Placement,
        streams: int,
        *,
        folded: bool,
        names: tuple[list[str], list[str]] | None = None,
    ) -> None:
        self.placement = placement
        self.parallel = streams
        self.folded = folded
        inputs, outputs = names or names_of(compiled)
        self.inputs = tuple(map(_spec, compiled.inputs, inputs))
        self.outputs = tuple(map(_spec, compiled.outputs, outputs))
        self._runtime = runtime
        self._free: queue.LifoQueue[Any] = queue.LifoQueue(streams)  # the last one used has its memory in the caches
        for _ in range(streams):
            self._free.put(compiled.create_infer_request())

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        request = self._free.get()
        try:
            self._start(request, inputs)
            return self._wait(request)
        finally:
            self._free.put(request)

    def infer_all(self, rows: Iterable[Mapping[str, Array]]) -> Iterator[Mapping[str, Array]]:
        requests = self._take_all()
        under_way: deque[tuple[Any, Mapping[str, Array]]] = deque()  # holds the inputs until they were read
        try:
            for row in rows:
                check_inputs(self.inputs, row)
                if len(under_way) == len(requests):
                    yield self._wait(under_way.popleft()[0])
                request = next(each for each in requests if all(each is not other for other, _ in under_way))
                self._start(request, row)
                under_way.append((request, row))
            while under_way:
                yield self._wait(under_way.popleft()[0])
        finally:
            for request, _ in under_way:  # stopped early: these results are not needed, but their arrays are still read
                request.cancel()
                with contextlib.suppress(RuntimeError):  # "was canceled": as requested
                    request.wait_for(_CANCEL_MS_MAX)
            for request in requests:
                self._free.put(request)

    def _take_all(self) -> list[Any]:
        """One request, and all others that are free: two callers that each waited for all would deadlock."""
        taken = [self._free.get()]
        with contextlib.suppress(queue.Empty):
            while len(taken) < self.parallel:
                taken.append(self._free.get_nowait())
        return taken

    def _start(self, request: Any, inputs: Mapping[str, Array]) -> None:
        try:
            for index, spec in enumerate(self.inputs):
                array = inputs[spec.name]
                request.set_input_tensor(index, _tensor(self._runtime, array))
            # start + wait instead of infer(), which wraps every output in a result object that is not needed here.
            request.start_async()
        except (RuntimeError, ValueError, TypeError) as cause:
            raise ModelError(f"OpenVINO failed: {one_line(cause)}") from cause

    def _wait(self, request: Any) -> Mapping[str, Array]:
        try:
            request.wait()
            found = {spec.name: _array(request.get_output_tensor(index), spec) for index, spec in enumerate(self.outputs)}
        except (RuntimeError, ValueError, TypeError) as cause:
            raise ModelError(f"OpenVINO failed: {one_line(cause)}") from cause
        return {name: np.array(array) for name, array in found.items()} if self.parallel > 1 else found

    def close(self) -> None:
        self._free = queue.LifoQueue(1)


_CANCEL_MS_MAX = 5000
_TEXT_BYTES_MAX = 64 * 1024 * 1024


def names_of(model: Any) -> tuple[list[str], list[str]]:
    """The names of the inputs and of the outputs of a model that was read, or compiled."""
    return [port.get_any_name() for port in model.inputs], [port.get_any_name() for port in model.outputs]


def ambiguous_names(compiled: Any) -> bool:
    """Whether a tensor of a compiled model has several names: optimizations add some, and the library gives any of them."""
    return any(len(port.get_names()) > 1 for port in (*compiled.inputs, *compiled.outputs))


def _spec(port: Any, name: str) -> TensorSpec:
    shape = tuple(side.get_length() if side.is_static else -1 for side in port.get_partial_shape())
    # The library names float16 for bfloat16, and a text of no length for texts.
    kind = port.get_element_type().get_type_name()
    known = {"bf16": BFLOAT16, "string": np.dtype(np.object_)}.get(kind)
    return TensorSpec(name, shape, known or np.dtype(port.get_element_type().to_dtype()))


def _tensor(runtime: ModuleType, array: Array) -> Any:
    """An array as an input; see the class for what is copied."""
    if array.dtype == BFLOAT16:
        bits = array.view(np.uint16)
        return runtime.Tensor(bits if bits.flags.writeable else bits.copy(), runtime.Shape(list(array.shape)), runtime.Type.bf16)
    if array.dtype.kind == "O":
        return runtime.Tensor(_texts(array))
    return runtime.Tensor(array, shared_memory=array.flags.writeable)


def _texts(array: Array) -> Array:
    """Texts in the form that the library takes: all of the longest one's length.

    Raises:
        ModelError: a text ends with a zero byte, which that form cannot hold, or they would need too much memory.
    """
    texts = [each if isinstance(each, bytes) else str(each).encode() for each in array.flat]
    if any(each.endswith(b"\0") for each in texts):
        raise ModelError("OpenVINO accepts no text that ends with a zero byte")
    if max(map(len, texts), default=0) * len(texts) > _TEXT_BYTES_MAX:
        raise ModelError(f"OpenVINO takes texts of at most {_TEXT_BYTES_MAX} bytes, each counted with the length of the longest")
    return np.array(texts, np.bytes_).reshape(array.shape)


def _array(tensor: Any, spec: TensorSpec) -> Array:
    if spec.dtype.kind == "O":
        # Reading a tensor without elements ends the process (OpenVINO 2026.4: SIGSEGV).
        texts = tensor.bytes_data.ravel().tolist() if tensor.size else []
        return np.array(texts, np.object_).reshape(tuple(tensor.shape))
    found: Array = tensor.data
    return found.view(BFLOAT16) if spec.dtype == BFLOAT16 else found
