"""Mutable graph of a TensorFlow Lite file, with static shapes and without the operators that only computed them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_server.core.errors import InputError, MissingError
from edgefleet_server.model_tools.quantize.tflite_rules import SHAPE

Array = npt.NDArray[Any]
NEEDS = "pip install 'edgefleet-server[quantize]'"
FLOAT32, INT32, INT8, INT64 = 0, 2, 9, 4
DTYPES = {FLOAT32: np.float32, INT32: np.int32, INT8: np.int8, INT64: np.int64}


class Graph:
    """The main graph of a file. `operators` are in execution order, as the format requires."""

    def __init__(self, data: bytes, where: str) -> None:
        self.schema = libraries()[0]
        self.where = where
        self.model: Any = self.schema.ModelT.InitFromObj(self.schema.Model.GetRootAs(bytearray(data), 0))
        if len(self.model.subgraphs) != 1:
            raise InputError(
                f"{where}: has {len(self.model.subgraphs)} graphs (loops or branches); only single graphs can be quantized"
            )
        self.main = self.model.subgraphs[0]
        self.tensors: list[Any] = self.main.tensors
        self.operators: list[Any] = self.main.operators

    def kind(self, operator: Any) -> int:
        """The operator's number."""
        code = self.model.operatorCodes[operator.opcodeIndex]
        return max(int(code.builtinCode), int(code.deprecatedBuiltinCode))

    def constant(self, index: int) -> Array | None:
        """The values of a tensor that is stored in the file; None for one that is computed."""
        tensor = self.tensors[index]
        data = self.model.buffers[tensor.buffer].data
        if data is None or len(data) == 0 or tensor.type not in DTYPES:
            return None
        shape = [] if tensor.shape is None else [int(side) for side in tensor.shape]
        return np.frombuffer(bytes(data), DTYPES[tensor.type]).reshape(shape)

    def store(self, index: int, values: Array) -> None:
        """Make the tensor a constant of these values; its type has to be set already."""
        buffer = self.schema.BufferT()
        buffer.data = np.frombuffer(values.tobytes(), np.uint8)
        self.tensors[index].buffer = len(self.model.buffers)
        self.tensors[index].shape = list(values.shape)
        self.model.buffers.append(buffer)

    def copy_of(self, index: int, suffix: str) -> int:
        """A new tensor of the same shape, computed, not quantized."""
        source, tensor = self.tensors[index], self.schema.TensorT()
        tensor.name, tensor.shape, tensor.type, tensor.buffer = source.name + suffix.encode(), source.shape, source.type, 0
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def operator(self, kind: int, inputs: list[int], outputs: list[int]) -> Any:
        """A new operator without options; the caller adds it to `operators`."""
        made = self.schema.OperatorT()
        made.opcodeIndex, made.inputs, made.outputs = self.code(kind, 1), inputs, outputs
        return made

    def code(self, kind: int, version: int) -> int:
        """The index in the table of operators; the entry is added if it is missing."""
        for place, code in enumerate(self.model.operatorCodes):
            if (
                max(int(code.builtinCode), int(code.deprecatedBuiltinCode)) == kind
                and code.version == version
                and not code.customCode
            ):
                return place
        code = self.schema.OperatorCodeT()
        code.builtinCode, code.deprecatedBuiltinCode, code.version = kind, min(kind, 127), version
        self.model.operatorCodes.append(code)
        return len(self.model.operatorCodes) - 1

    def freeze(self, values: dict[int, Array]) -> None:
        """Set every shape to that in `values`, the tensors of one run; tensors computed from shapes alone become constants."""
        for index, value in values.items():
            self.tensors[index].shape = list(value.shape)
            self.tensors[index].shapeSignature = None
        known: set[int] = set()
        for operator in self.operators:
            inputs = [int(each) for each in operator.inputs if each >= 0]
            from_shapes = self.kind(operator) == SHAPE or (
                bool(known & set(inputs)) and all(each in known or self.constant(each) is not None for each in inputs)
            )
            if from_shapes:
                known.update(int(each) for each in operator.outputs)
        for index in known:
            self.store(index, values[index])
        self.operators[:] = [each for each in self.operators if not known & {int(output) for output in each.outputs}]

    def write(self, path: Path) -> None:
        """Write the file, without unused operators, tensors and buffers."""
        import flatbuffers

        used = sorted({int(each.opcodeIndex) for each in self.operators})
        for each in self.operators:
            each.opcodeIndex = used.index(int(each.opcodeIndex))
        self.model.operatorCodes = [self.model.operatorCodes[place] for place in used]
        self.model.signatureDefs = None
        self._compact()
        builder = flatbuffers.Builder(1024 * 1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        path.write_bytes(bytes(builder.Output()))

    def _compact(self) -> None:
        ends = [self.main, *self.operators]
        live = sorted({int(index) for each in ends for index in [*each.inputs, *each.outputs] if index >= 0})
        places = {index: place for place, index in enumerate(live)}
        for each in ends:
            each.inputs = [places.get(int(index), -1) for index in each.inputs]
            each.outputs = [places[int(index)] for index in each.outputs]
        self.main.tensors = self.tensors = [self.tensors[index] for index in live]
        held = {int(tensor.buffer) for tensor in self.tensors} | {int(each.buffer) for each in self.model.metadata or []}
        for place, buffer in enumerate(self.model.buffers):
            if place not in held:
                buffer.data = None


def libraries() -> tuple[ModuleType, ModuleType]:
    """The schema and the interpreter.

    Raises:
        MissingError: LiteRT or flatbuffers is not installed.
    """
    try:
        import flatbuffers  # noqa: F401  # the schema needs it
        from ai_edge_litert import interpreter, schema_py_generated
    except ModuleNotFoundError as cause:
        raise MissingError(f"quantizing TFLite needs the Python module {cause.name}: {NEEDS}") from cause
    return schema_py_generated, interpreter
