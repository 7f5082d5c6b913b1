"""LiteRT (TensorFlow Lite) by `ai-edge-litert`; Coral Edge TPUs by the delegate in libedgetpu.

Devices: `cpu`; `edgetpu` (any), `edgetpu:usb:0`, `edgetpu:pci:0`, ... in the order that libedgetpu lists them, which may change
when one is plugged in again; `edgetpu:/sys/bus/usb/devices/2-3` or `edgetpu:/dev/apex_0` is the one at that place.
A libedgetpu of the wrong age kills the process inside `Interpreter`, and a TPU that is unplugged aborts it: an Edge TPU belongs
in a worker process that may die.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from agent.backends.base import (
    Array,
    Backend,
    LoadOptions,
    Placement,
    Session,
    check_files,
    check_inputs,
    one_line,
    refused,
    usual_threads,
)
from agent.backends.stderr import without_lines
from agent.errors import MissingError, ModelError
from agent.vision.heads.base import TensorSpec

EDGE_TPU_LIBRARY = "libedgetpu.so.1"
EDGE_TPU_OP = b"edgetpu-custom-op"
"""Name of the one operator that the Edge TPU compiler leaves for the device; a file without it computes on the CPU alone."""
GREETING = b"INFO: Created TensorFlow Lite XNNPACK delegate"
"""Written by the runtime at every load; it has no switch."""
_DEVICE_KINDS = ("pci", "usb")


class LiteRtBackend(Backend):
    """`.tflite` files."""

    name = "lite_rt"
    needs = "ai_edge_litert"
    formats = frozenset({"tflite"})

    def devices(self) -> list[str]:
        _runtime()
        return [*edge_tpus(), "cpu"]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        runtime = _runtime()
        check_files(files)
        if options.options:
            raise ModelError(f"unknown option {next(iter(options.options))!r}: lite_rt has none")
        delegates, placement = _place(runtime, files[0], options)
        try:
            # libedgetpu may abort the process: its last words must not be caught in a file.
            with nullcontext() if delegates else without_lines(GREETING):
                interpreter = runtime.Interpreter(
                    model_path=str(files[0]), num_threads=options.threads or usual_threads(), experimental_delegates=delegates
                )
                interpreter.allocate_tensors()
        except (ValueError, RuntimeError) as cause:
            if EDGE_TPU_OP.decode() in str(cause):
                advice = "use device 'edgetpu', or the variant for the CPU"
                raise ModelError(f"{files[0].name} is compiled for the Edge TPU and runs nowhere else: {advice}") from cause
            raise refused(files[0], "LiteRT", cause) from cause
        return LiteRtSession(interpreter, placement)


class LiteRtSession(Session):
    """One interpreter. Outputs are copies: a view into the interpreter's memory would forbid its next run."""

    def __init__(self, interpreter: Any, placement: Placement) -> None:
        self.placement = placement
        self._interpreter = interpreter
        details, outputs = interpreter.get_input_details(), interpreter.get_output_details()
        self.inputs = tuple(_spec(detail) for detail in details)
        self.outputs = tuple(_spec(detail) for detail in outputs)
        self._input_indices = [int(detail["index"]) for detail in details]
        self._output_indices = [int(detail["index"]) for detail in outputs]
        self._shapes = [tuple(int(side) for side in detail["shape"]) for detail in details]

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        interpreter = self._interpreter
        try:
            self._resize(inputs)
            for spec, index in zip(self.inputs, self._input_indices, strict=True):
                interpreter.set_tensor(index, inputs[spec.name])
            interpreter.invoke()
            return {
                spec.name: interpreter.get_tensor(index) for spec, index in zip(self.outputs, self._output_indices, strict=True)
            }
        except (ValueError, RuntimeError) as cause:
            raise ModelError(f"LiteRT failed: {one_line(cause)}") from cause

    def _resize(self, inputs: Mapping[str, Array]) -> None:
        """Open dimensions take the size of the arrays; memory is planned again only when it changes."""
        shapes = [inputs[spec.name].shape for spec in self.inputs]
        if shapes == self._shapes:
            return
        for index, shape in zip(self._input_indices, shapes, strict=True):
            self._interpreter.resize_tensor_input(index, shape, strict=True)
        self._interpreter.allocate_tensors()
        self._shapes = shapes

    def close(self) -> None:
        self._interpreter = None


def _spec(detail: Mapping[str, Any]) -> TensorSpec:
    scale, zero_point = detail["quantization"]
    shape = detail.get("shape_signature", detail["shape"])
    shape = shape if len(shape) == len(detail["shape"]) else detail["shape"]
    return TensorSpec(
        str(detail["name"]), tuple(int(side) for side in shape), np.dtype(detail["dtype"]), float(scale), int(zero_point)
    )


def _runtime() -> ModuleType:
    try:
        from ai_edge_litert import interpreter
    except ModuleNotFoundError as cause:
        raise MissingError("runtime lite_rt is not installed: pip install 'edgefleet[litert]'") from cause
    module: ModuleType = interpreter
    return module


def _version() -> str:
    import ai_edge_litert

    return str(ai_edge_litert.__version__)


def _place(runtime: ModuleType, file: Path, options: LoadOptions) -> tuple[list[Any], Placement]:
    """The delegates for the device asked for, and where the model will compute with them.

    LiteRT itself never says. It is known all the same: the Edge TPU runs the compiler's own operator and nothing else, and the
    interpreter refuses that operator without the delegate.
    """
    kind, _, which = options.device.partition(":")
    if kind == "cpu":
        return [], Placement("lite_rt", _version(), "cpu")
    if kind != "edgetpu":
        raise ModelError(f"runtime lite_rt has no device {options.device!r}; it has cpu and edgetpu")
    compiled = EDGE_TPU_OP in file.read_bytes()
    reason = "" if compiled else f"{file.name} is not compiled for the Edge TPU: run edgetpu_compiler on it"
    if compiled and _edge_tpu_library() is None:
        reason = f"{EDGE_TPU_LIBRARY} is not installed: install the package libedgetpu1-std"
    elif compiled:
        try:
            delegate = runtime.load_delegate(EDGE_TPU_LIBRARY, {"device": _address(which)} if which else {})
            return [delegate], Placement("lite_rt", _version(), options.device)
        except ValueError:
            found = ", ".join(f"{name} at {path}" for name, path in edge_tpus().items()) or "none"
            reason = f"no Edge TPU answers as {options.device!r} (found: {found}): plug it in, check the udev rule"
    if options.strict or compiled:  # what was compiled for the TPU runs nowhere else
        raise MissingError(reason)
    return [], Placement("lite_rt", _version(), "cpu", fell_back=True, detail=reason)


def _edge_tpu_library() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(EDGE_TPU_LIBRARY)
    except OSError:
        return None


class _EdgeTpuDevice(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int), ("path", ctypes.c_char_p))


def edge_tpus() -> dict[str, str]:
    """The Edge TPUs that libedgetpu sees: device name to its place in /sys or /dev; none where the library is not installed."""
    library = _edge_tpu_library()
    if library is None:
        return {}
    library.edgetpu_list_devices.restype = ctypes.POINTER(_EdgeTpuDevice)
    library.edgetpu_free_devices.argtypes = (ctypes.c_void_p,)
    count = ctypes.c_size_t()
    listed = library.edgetpu_list_devices(ctypes.byref(count))
    kinds = [_DEVICE_KINDS[listed[index].kind] for index in range(count.value)]
    places = [(listed[index].path or b"").decode(errors="replace") for index in range(count.value)]
    library.edgetpu_free_devices(listed)
    return {f"edgetpu:{kind}:{kinds[:index].count(kind)}": places[index] for index, kind in enumerate(kinds)}


def _address(which: str) -> str:
    """What libedgetpu calls the device: `usb:0`; a place is looked up among those that are there now.

    Raises:
        ValueError: nothing is at that place.
    """
    if not which.startswith("/"):
        return which
    for name, place in edge_tpus().items():
        if place == which:
            return name.partition(":")[2]
    raise ValueError(f"no Edge TPU at {which}")
