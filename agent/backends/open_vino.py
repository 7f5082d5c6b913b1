"""OpenVINO: CPU, Intel GPU and NPU. Reads its own IR, ONNX (QDQ int8 stays int8) and TFLite.

Devices: `cpu`, `gpu`, `npu`, `gpu.1`, ..., or an OpenVINO device string such as `AUTO:NPU,CPU`. `AUTO` and `MULTI` go to the CPU
without a word when the other device is missing: the placement is read back from the compiled model.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
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
    choice,
    one_line,
    refused,
    usual_threads,
)
from agent.errors import MissingError, ModelError
from agent.vision.heads.base import TensorSpec

_PRECISIONS = {"f32": "f32", "f16": "f16", "bf16": "bf16"}
_KNOWN_OPTIONS = {"precision": _PRECISIONS}
"""`f32` unless asked: on CPUs with bf16 units OpenVINO would compute a float model in bf16 by itself, which changes answers."""


class OpenVinoBackend(Backend):
    """`.xml` + `.bin`, `.onnx`, `.tflite` files."""

    name = "open_vino"
    needs = "openvino"
    formats = frozenset({"openvino_ir", "onnx", "tflite"})

    def devices(self) -> list[str]:
        found = [device.lower() for device in _runtime().Core().available_devices]
        return [*sorted((device for device in found if device != "cpu"), reverse=True), "cpu"]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        runtime = _runtime()
        check_files(files)
        precision = choice(options, _KNOWN_OPTIONS, "precision", "f32")
        core = runtime.Core()
        try:
            model = core.read_model(str(files[0]))
        except RuntimeError as cause:
            raise refused(files[0], "OpenVINO", cause) from cause
        device, detail = options.device.upper(), ""
        try:
            compiled = core.compile_model(model, device, _settings(device, precision, options))
        except RuntimeError as cause:
            if device == "CPU":
                raise refused(files[0], "OpenVINO", cause) from cause
            detail = f"device {device} is not usable: {one_line(cause)}; install its driver or choose another device"
            if options.strict:
                raise MissingError(detail) from cause
            compiled = _compile_for_cpu(core, model, files[0], precision, options)
        return OpenVinoSession(runtime, compiled, _placement(runtime, compiled, options, detail))


class OpenVinoSession(Session):
    """One compiled model and one request; inputs are read where they lie, outputs are the request's own memory."""

    def __init__(self, runtime: ModuleType, compiled: Any, placement: Placement) -> None:
        self.placement = placement
        self.inputs = tuple(_spec(port) for port in compiled.inputs)
        self.outputs = tuple(_spec(port) for port in compiled.outputs)
        self._tensor = runtime.Tensor
        self._request: Any = compiled.create_infer_request()

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        request = self._request
        try:
            for index, spec in enumerate(self.inputs):
                request.set_input_tensor(index, self._tensor(inputs[spec.name], shared_memory=True))
            # start + wait instead of infer(): that one wraps every output in a result object that is not needed here.
            request.start_async()
            request.wait()
            return {spec.name: request.get_output_tensor(index).data for index, spec in enumerate(self.outputs)}
        except RuntimeError as cause:
            raise ModelError(f"OpenVINO failed: {one_line(cause)}") from cause

    def close(self) -> None:
        self._request = None


def _runtime() -> ModuleType:
    # `import openvino` reports to a web service at once unless its telemetry module cannot be imported.
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # None is how Python is told "not importable"
    try:
        import openvino
    except ModuleNotFoundError as cause:
        raise MissingError("runtime open_vino is not installed: pip install 'edgefleet[openvino]'") from cause
    module: ModuleType = openvino
    return module


def _settings(device: str, precision: str, options: LoadOptions) -> dict[str, Any]:
    settings: dict[str, Any] = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": precision}
    if options.cache_dir is not None:
        settings["CACHE_DIR"] = str(options.cache_dir)
    if device == "NPU":
        del settings["INFERENCE_PRECISION_HINT"]  # computes in f16 and int8 only
    if device == "CPU":
        settings["INFERENCE_NUM_THREADS"] = options.threads or usual_threads()
        settings["ENABLE_CPU_PINNING"] = False  # decoders share these cores
    return settings


def _compile_for_cpu(core: Any, model: Any, file: Path, precision: str, options: LoadOptions) -> Any:
    try:
        return core.compile_model(model, "CPU", _settings("CPU", precision, options))
    except RuntimeError as cause:
        raise refused(file, "OpenVINO", cause) from cause


def _placement(runtime: ModuleType, compiled: Any, options: LoadOptions, detail: str) -> Placement:
    """Where the compiled model really is. `AUTO` marks a device that only helps until the wanted one is ready with brackets."""
    executed = [str(device).strip("()").lower() for device in compiled.get_property("EXECUTION_DEVICES")]
    wanted = options.device.lower().partition(":")[2].split(",")[0] or options.device.lower()
    fell_back = bool(detail) or (wanted not in ("auto", "multi", "hetero") and wanted not in executed)
    if fell_back and not detail:
        detail = f"the model runs on {', '.join(executed)}, not on {options.device}: install the driver of {wanted}"
    if fell_back and options.strict:
        raise MissingError(detail)
    version = str(runtime.__version__).partition("-")[0]
    return Placement("open_vino", version, ",".join(executed), fell_back, detail)


def _spec(port: Any) -> TensorSpec:
    shape = tuple(side.get_length() if side.is_static else -1 for side in port.get_partial_shape())
    return TensorSpec(port.get_any_name(), shape, np.dtype(port.get_element_type().to_dtype()))
