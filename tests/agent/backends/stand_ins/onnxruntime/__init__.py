"""Stand-in for ONNX Runtime on machines that tests do not have: providers that start, do not start, or start and compute nothing.

Its behaviour was measured on the real wheels without their hardware (`onnxruntime-gpu` 1.31.1, `onnxruntime-openvino` 1.24.1);
`tests/long/test_other_builds.py` repeats this if they are installed. It computes only twice its input, and only with fixed
buffers.

`ORT_STAND_IN`, JSON:  built: providers in the build · absent: of them, those replaced by the CPU without an error · failing:
provider -> its error · operators: provider -> number of its operators (default: the first one takes all 10) · old: a build
before 1.24, whose operators are only in the profile of a run; "refuses" zeros, or writes "nothing" · plug_ins: file name of a
library -> its provider, its devices (kind, or "virtual"), and the error of its registration. `sessions`: the requested sessions.
"""

from __future__ import annotations

import json
import os
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from onnxruntime import capi
from onnxruntime.capi.onnxruntime_pybind11_state import Fail

__version__ = "1.31.1"
CPU = "CPUExecutionProvider"
sessions: list[dict[str, Any]] = []
events: list[str] = []
ep_devices: list[Any] = []


class ExecutionMode(Enum):
    ORT_SEQUENTIAL = 0


def _machine() -> dict[str, Any]:
    empty: dict[str, Any] = {"built": [], "absent": [], "failing": {}, "operators": {}, "old": "", "plug_ins": {}}
    return {**empty, **json.loads(os.environ["ORT_STAND_IN"])}


def get_available_providers() -> list[str]:
    return [*_machine()["built"], CPU]


def preload_dlls() -> None:
    print("Failed to load libcublasLt.so.13")
    events.append("preload")


class HardwareDevice:
    def __init__(self, kind: str) -> None:
        self.type = f"OrtHardwareDeviceType.{'GPU' if kind == 'virtual' else kind}"
        self.metadata = {"is_virtual": "1"} if kind == "virtual" else {}


class EpDevice:
    def __init__(self, ep_name: str, kind: str, library: str) -> None:
        self.ep_name, self.device = ep_name, HardwareDevice(kind)
        self.ep_metadata = {"library_path": library} if library else {}


def set_default_logger_severity(level: int) -> None:
    assert level == 3


def register_execution_provider_library(name: str, path: str) -> None:
    events.append(f"register {name}")
    if any(each.ep_metadata.get("library_path") == path for each in ep_devices):
        raise Fail(f"[ONNXRuntimeError] : 1 : FAIL : EP library is already registered under {name}")
    library = _machine()["plug_ins"][Path(path).name]
    if library.get("error"):
        raise Fail(f"[ONNXRuntimeError] : 1 : FAIL : {library['error']}")
    ep_devices.extend(EpDevice(library["provider"], kind, path) for kind in library["devices"])


def get_ep_devices() -> list[EpDevice]:
    return list(ep_devices)


class SessionOptions:
    def __init__(self) -> None:
        self.plugged: list[tuple[list[EpDevice], dict[str, str]]] = []
        self.entries: dict[str, str] = {}
        self.enable_profiling = False
        self.profile_file_prefix = ""

    def add_session_config_entry(self, name: str, value: str) -> None:
        self.entries[name] = value

    def add_provider_for_devices(self, devices: list[EpDevice], options: dict[str, str]) -> None:
        self.plugged.append((devices, options))


class Node:
    def __init__(self, name: str) -> None:
        self.name, self.type, self.shape = name, "tensor(float)", [1, 4]


class Part:
    def __init__(self, ep_name: str, count: int) -> None:
        self.ep_name, self._count = ep_name, count

    def get_nodes(self) -> list[int]:
        return list(range(self._count))


class OrtValue:
    def __init__(self, shape: list[int], kind: Any, device: str, index: int) -> None:
        self._array = np.zeros(shape, kind)
        events.append(f"allocate {device}:{index}")

    @staticmethod
    def ortvalue_from_shape_and_type(shape: list[int], kind: Any, device: str, index: int) -> OrtValue:
        return OrtValue(shape, kind, device, index)

    def update_inplace(self, array: Any) -> None:
        self._array[...] = array

    def numpy(self) -> Any:
        return self._array.copy()


class Binding:
    def __init__(self) -> None:
        self.values: dict[str, OrtValue] = {}

    def bind_ortvalue_input(self, name: str, value: OrtValue) -> None:
        self.values[name] = value

    bind_ortvalue_output = bind_ortvalue_input

    def bind_input(self, *_: Any) -> None:
        events.append("bind_input")

    def bind_output(self, *_: Any) -> None:
        events.append("bind_output")


class OldSession:
    def __init__(
        self,
        path: str,
        settings: SessionOptions | None = None,
        providers: list[str] | None = None,
        provider_options: list[dict[str, str]] | None = None,
        enable_fallback: int = 1,
    ) -> None:
        machine, entries = _machine(), settings.entries if settings else {}
        self._old = machine["old"]
        requested = list(providers or [])
        if settings and settings.plugged:
            assert not requested, "the library ignores the devices of the settings if providers are given"
            requested = [devices[0].ep_name for devices, _ in settings.plugged]
            provider_options = [options for _, options in settings.plugged]
        sessions.append({"providers": requested, "options": provider_options, "entries": entries, "fallback": enable_fallback})
        for name in requested:
            if name in machine["failing"]:
                raise RuntimeError(machine["failing"][name])
        self._active = [name for name in requested if name not in machine["absent"] and name != CPU] + [CPU]
        takes = machine["operators"] or {self._active[0]: 10}
        self._profile = settings.profile_file_prefix if settings and settings.enable_profiling else None
        self._parts = {name: count for name, count in takes.items() if name in self._active}
        if entries.get("session.disable_cpu_ep_fallback") == "1" and (self._parts.get(CPU) or self._active == [CPU]):
            raise Fail(
                "[ONNXRuntimeError] : 1 : FAIL : This session contains graph nodes that are assigned to the default CPU EP, but "
                "fallback to CPU EP has been explicitly disabled by the user."
            )

    def get_providers(self) -> list[str]:
        return self._active

    def run(self, _outputs: Any, _inputs: Any) -> list[Any]:
        events.append("run")
        if self._old == "refuses":
            raise Fail("zeros are no valid input")
        return [np.zeros((1, 4), np.float32)]

    def end_profiling(self) -> str:
        assert self._profile is not None, "not profiled"
        path = f"{self._profile}_1.json"
        names = [(provider, number) for provider, count in self._parts.items() for number in range(count)]
        kinds = ("fence_before", "kernel_time")
        nodes = [
            {"cat": "Node", "name": f"node{number}_{kind}", "args": {"provider": provider, "node_index": str(number)}}
            for provider, number in names
            for kind in kinds
        ]
        if self._old != "nothing":
            Path(path).write_text(json.dumps([{"cat": "Session", "name": "model_run", "args": {}}, *nodes, *nodes]))
        return path

    def get_inputs(self) -> list[Node]:
        return [Node("x")]

    def get_outputs(self) -> list[Node]:
        return [Node("y")]

    def io_binding(self) -> Binding:
        return Binding()

    def run_with_iobinding(self, binding: Binding) -> None:
        events.append("run")
        if binding.values:
            binding.values["y"].update_inplace(binding.values["x"].numpy() * 2)


class NewSession(OldSession):
    def get_provider_graph_assignment_info(self) -> list[Part]:
        return [Part(name, count) for name, count in self._parts.items()]


def __getattr__(name: str) -> Any:
    if name == "InferenceSession":
        return OldSession if _machine()["old"] else NewSession
    raise AttributeError(name)


ep_devices.append(EpDevice(CPU, "CPU", ""))

__all__ = [
    "ExecutionMode",
    "OrtValue",
    "SessionOptions",
    "capi",
    "get_available_providers",
    "get_ep_devices",
    "preload_dlls",
    "register_execution_provider_library",
    "set_default_logger_severity",
]
