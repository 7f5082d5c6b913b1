"""A runtime that runs ONNX models and spoils them, as a plug-in: the first line of a `.spoilt` file names the fault, the ONNX
file follows.

    leak      6 MB of memory stay with every run
    end       the process ends at the 100th run
    slow      every run takes so long that a frame takes four times as long
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import onnxruntime

from edgefleet_agent.backends.base import Array, Backend, LoadOptions, Placement, Session, check_files, check_inputs
from edgefleet_agent.backends.onnx_runtime.session import spec_of
from edgefleet_contract.package.formats import Format

LEAK_BYTES = 6 * 1000 * 1000
END_AT = 100
TIMES = 20
"""The run of this model is a small part of the latency."""

SPOILT = Format(suffixes=(".spoilt",), runtimes=("spoilt",))


class SpoiltSession(Session):
    """One loaded file."""

    def __init__(self, fault: str, model: bytes) -> None:
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(model, settings, providers=["CPUExecutionProvider"])
        self._fault, self._runs, self._leaked = fault, 0, list[bytes]()
        self.inputs = tuple(spec_of(node) for node in self._session.get_inputs())
        self.outputs = tuple(spec_of(node) for node in self._session.get_outputs())
        self.placement = Placement("spoilt", "1.0", "cpu")

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        self._runs += 1
        if self._fault == "leak":
            self._leaked.append(os.urandom(1024) * (LEAK_BYTES // 1024))
        if self._fault == "end" and self._runs == END_AT:
            os.abort()
        for _ in range(TIMES if self._fault == "slow" else 1):
            results = self._session.run(None, dict(inputs))
        return dict(zip((spec.name for spec in self.outputs), results, strict=True))

    def close(self) -> None:
        """Nothing to release."""


class SpoiltBackend(Backend):
    name = "spoilt"
    needs = ("onnxruntime",)
    formats = frozenset({"spoilt"})

    def devices(self) -> list[str]:
        return ["cpu"]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        check_files(files)
        fault, _, model = files[0].read_bytes().partition(b"\n")
        return SpoiltSession(fault.decode(), model)
