"""The runtime `toy`: it runs files of the format of that name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np
from toy_format import tensors

from edgefleet_agent.backends.base import (
    Array,
    Backend,
    LoadOptions,
    Placement,
    Session,
    check_files,
    check_inputs,
    parse_options,
    refused_file,
)
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import MissingError
from edgefleet_contract.package.formats import Tensor


class ToyOptions(msgspec.Struct):
    """Options of a variant for this runtime: options = { toy = { bias = 0.1 } }."""

    bias: float = 0.0


class ToySession(Session):
    """One loaded file."""

    def __init__(self, operator: str, taken: Tensor, given: Tensor, bias: float) -> None:
        self.inputs = (TensorSpec(taken.name, taken.shape, np.dtype(taken.dtype)),)
        self.outputs = (TensorSpec(given.name, given.shape, np.dtype(given.dtype)),)
        self.placement = Placement("toy", "1.0", "cpu")
        self._operator, self._bias = operator, bias

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        values = inputs[self.inputs[0].name]
        result = 2 * values if self._operator == "double" else values.mean(axis=(1, 2)) / 255.0
        return {self.outputs[0].name: (result + self._bias).astype(np.float32)}

    def close(self) -> None:
        """Nothing to release."""


class ToyBackend(Backend):
    """The runtime. `needs` names the Python modules of the vendor; numpy stands for them."""

    name = "toy"
    needs = ("numpy",)
    formats = frozenset({"toy"})

    def devices(self) -> list[str]:
        return ["cpu"]

    def trial_model(self, folder: Path) -> Path:
        path = folder / "double.toy"
        path.write_text('{"operator": "double", "input": [1, 8]}', encoding="utf-8")
        return path

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        check_files(files)
        own = parse_options(options, ToyOptions)
        if options.device != "cpu" and options.strict:
            raise MissingError(f"runtime toy has no device {options.device!r}; it has cpu")
        try:
            operator, taken, given = tensors(files[0].read_bytes())
        except (ValueError, TypeError) as cause:
            raise refused_file(files[0], "toy", cause) from cause
        session = ToySession(operator, taken, given, own.bias)
        if options.device != "cpu":
            session.placement = Placement("toy", "1.0", "cpu", fell_back=True, detail=f"toy has no device {options.device}")
        return session
