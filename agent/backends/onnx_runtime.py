"""ONNX Runtime: CPU, and on NVIDIA devices CUDA and TensorRT.

Devices: `cpu`, `cuda`, `cuda:1`, `tensorrt`, ... The list of providers is what the library was built with, not what the machine
has, and a provider that fails is replaced by the CPU without an error: the placement is read back from the session.
"""

from __future__ import annotations

import ctypes
import hashlib
import math
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from agent.backends.base import (
    BFLOAT16,
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

PROVIDERS = {"tensorrt": "TensorrtExecutionProvider", "cuda": "CUDAExecutionProvider", "cpu": "CPUExecutionProvider"}
"""Device to execution provider, best first."""

_TENSORRT_PRECISION: dict[str, dict[str, Any]] = {
    "f32": {},
    "f16": {"trt_fp16_enable": True},
    "int8": {"trt_fp16_enable": True, "trt_int8_enable": True},
}
_KNOWN_OPTIONS = {"precision": _TENSORRT_PRECISION}
_HASH_BYTES = 1024 * 1024

_DTYPES: dict[str, Any] = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(uint8)": np.uint8,
    "tensor(int8)": np.int8,
    "tensor(uint16)": np.uint16,
    "tensor(int16)": np.int16,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
    "tensor(uint32)": np.uint32,
    "tensor(uint64)": np.uint64,
    "tensor(string)": np.object_,
    "tensor(bool)": np.bool_,
    "tensor(bfloat16)": BFLOAT16,
}
_BFLOAT16_ONNX = 16
"""TensorProto.BFLOAT16: the library's own code where NumPy has no type."""


class OnnxRuntimeBackend(Backend):
    """`.onnx` files."""

    name = "onnx_runtime"
    needs = "onnxruntime"
    formats = frozenset({"onnx"})

    def devices(self) -> list[str]:
        built = _runtime().get_available_providers()
        return [device for device, provider in PROVIDERS.items() if provider in built]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        runtime = _runtime()
        check_files(files)
        providers, missing = _providers(runtime, files[0], options)
        settings = runtime.SessionOptions()
        settings.intra_op_num_threads = options.threads or usual_threads()
        settings.inter_op_num_threads = 1
        settings.execution_mode = runtime.ExecutionMode.ORT_SEQUENTIAL
        settings.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_ALL
        settings.log_severity_level = 4  # what fails is told by the exception
        settings.add_session_config_entry(*_spinning(str(runtime.__version__)))
        if options.strict and providers[0][0] != PROVIDERS["cpu"]:
            settings.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        failures = _failures(runtime)
        names, extras = [name for name, _ in providers], [extra for _, extra in providers]
        try:
            session = runtime.InferenceSession(str(files[0]), settings, providers=names, provider_options=extras)
        except failures as cause:
            raise refused(files[0], "ONNX Runtime", cause) from cause
        return OnnxRuntimeSession(session, _placement(runtime, session, options, missing), failures)


class OnnxRuntimeSession(Session):
    """One inference session; inputs are read where they lie, outputs of fixed shape go into the same arrays each time."""

    def __init__(self, session: Any, placement: Placement, failures: tuple[type[Exception], ...]) -> None:
        self.placement = placement
        self.inputs = tuple(_spec(node) for node in session.get_inputs())
        self.outputs = tuple(_spec(node) for node in session.get_outputs())
        self._session = session
        self._failures = failures
        self._names = [spec.name for spec in self.outputs]
        # Text has no address that could be bound, and an output of open shape stays bound to the array of the run before.
        open_sides = any(side < 0 for spec in self.outputs for side in spec.shape)
        text = any(spec.dtype.kind == "O" for spec in (*self.inputs, *self.outputs))
        self._fixed: dict[str, Array] = {}
        self._binding: Any = None
        if not open_sides and not text:
            self._fixed = {spec.name: np.empty(spec.shape, spec.dtype) for spec in self.outputs}
            self._binding = session.io_binding()
            for name, array in self._fixed.items():
                self._binding.bind_output(name, "cpu", 0, _element(array.dtype), array.shape, array.ctypes.data)
        self._bits = any(spec.dtype == BFLOAT16 for spec in (*self.inputs, *self.outputs))

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        try:
            if self._binding is None and self._bits:
                return _run_bits(self._session, self.inputs, self._names, inputs)
            if self._binding is None:
                feed = {name: _text(name, array) for name, array in inputs.items()}
                return dict(zip(self._names, self._session.run(self._names, feed), strict=True))
            for spec in self.inputs:
                array = inputs[spec.name]
                self._binding.bind_input(spec.name, "cpu", 0, _element(spec.dtype), array.shape, array.ctypes.data)
            self._session.run_with_iobinding(self._binding)
        except self._failures as cause:
            raise ModelError(f"ONNX Runtime failed: {one_line(cause)}") from cause
        return self._fixed

    def close(self) -> None:
        self._binding = None
        self._session = None


def _text(name: str, array: Array) -> Array:
    """Arrays of `bytes` as the arrays of `str` that the library reads; it would take the `repr` of any other object."""
    if array.dtype.kind != "O":
        return array
    try:
        elements = [element if isinstance(element, str) else element.decode() for element in array.flat]
    except UnicodeDecodeError as cause:
        raise ModelError(f"input {name!r}: an element is not UTF-8 text, which is all that ONNX Runtime takes") from cause
    return np.array(elements, np.object_).reshape(array.shape)


def _element(dtype: np.dtype[Any]) -> Any:
    """The type of an element as a binding takes it."""
    return _BFLOAT16_ONNX if dtype == BFLOAT16 else dtype.type


def _run_bits(session: Any, specs: tuple[TensorSpec, ...], names: list[str], inputs: Mapping[str, Array]) -> dict[str, Array]:
    """Run a model with bfloat16 and outputs of open shape: the library gives such a tensor as an address, and no array."""
    binding = session.io_binding()
    for spec in specs:
        array = inputs[spec.name]
        binding.bind_input(spec.name, "cpu", 0, _element(spec.dtype), array.shape, array.ctypes.data)
    for name in names:
        binding.bind_output(name, "cpu")
    session.run_with_iobinding(binding)
    outputs: dict[str, Array] = {}
    for name, value in zip(names, binding.get_outputs(), strict=True):
        if value.data_type() != "tensor(bfloat16)":
            outputs[name] = value.numpy()
            continue
        count = math.prod(value.shape())
        data = ctypes.string_at(value.data_ptr(), count * BFLOAT16.itemsize)
        outputs[name] = np.frombuffer(data, BFLOAT16).reshape(value.shape())
    return outputs


def _runtime() -> ModuleType:
    # Read by the library when it is loaded: without it, wheels since 1.29 write into HOME and try the network.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime
    except ModuleNotFoundError as cause:
        raise MissingError("runtime onnx_runtime is not installed: pip install 'edgefleet[onnx]'") from cause
    module: ModuleType = onnxruntime
    return module


def _spinning(version: str) -> tuple[str, str]:
    """How long idle threads spin. The default burns a third of a core at 10 frames a second; 100 us keep the latency of
    spinning. Versions before 1.27 can only leave it off."""
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) >= (1, 27):
        return "session.intra_op.spin_duration_us", "100"
    return "session.intra_op.allow_spinning", "0"


def _digest(file: Path) -> str:
    """An engine built for other bytes of the same name must never be taken."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(_HASH_BYTES):
            digest.update(block)
    return digest.hexdigest()[:16]


def _failures(runtime: ModuleType) -> tuple[type[Exception], ...]:
    """The library's errors share no base but Exception."""
    state = vars(runtime.capi.onnxruntime_pybind11_state).values()
    own = [kind for kind in state if isinstance(kind, type) and issubclass(kind, Exception)]
    return (*own, RuntimeError, ValueError)


def _providers(runtime: ModuleType, file: Path, options: LoadOptions) -> tuple[list[tuple[str, dict[str, Any]]], str]:
    """Providers to ask for, best first, and what is missing when the device cannot be had."""
    kind, _, index = options.device.partition(":")
    precision = choice(options, _KNOWN_OPTIONS, "precision", "f32")
    if kind not in PROVIDERS or not (index.isdigit() or not index):
        raise ModelError(f"runtime onnx_runtime has no device {options.device!r}; it has {', '.join(PROVIDERS)}")
    cpu: tuple[str, dict[str, Any]] = (PROVIDERS["cpu"], {})
    if kind == "cpu":
        return [cpu], ""
    if PROVIDERS[kind] not in runtime.get_available_providers():
        missing = f"this ONNX Runtime is built without {PROVIDERS[kind]}: install onnxruntime-gpu (Jetson: NVIDIA's wheel)"
        if options.strict:
            raise MissingError(missing)
        return [cpu], missing
    own = {"device_id": index or "0"}
    chain: list[tuple[str, dict[str, Any]]] = []
    if kind == "tensorrt":
        cache: dict[str, Any] = {}
        if options.cache_dir is not None:
            folder = options.cache_dir / f"tensorrt-{runtime.__version__}-{_digest(file)}"
            cache = {"trt_engine_cache_enable": True, "trt_engine_cache_path": str(folder), "trt_timing_cache_enable": True}
        chain.append((PROVIDERS["tensorrt"], own | precision | cache))
    chain.append((PROVIDERS["cuda"], own))
    return (chain if options.strict else [*chain, cpu]), ""


def _placement(runtime: ModuleType, session: Any, options: LoadOptions, missing: str) -> Placement:
    """Where the session really is: the first provider it kept."""
    kind = options.device.partition(":")[0]
    first = session.get_providers()[0]
    really = next((device for device, provider in PROVIDERS.items() if provider == first), first)
    fell_back = really != kind
    if fell_back and options.strict:
        raise MissingError(f"the model runs on {really}, not on {options.device}: check the driver for {PROVIDERS[kind]}")
    device = really if fell_back else options.device
    detail = missing or (f"{PROVIDERS[kind]} failed, {first} took over: check the driver" if fell_back else "")
    return Placement("onnx_runtime", str(runtime.__version__), device, fell_back, detail)


def _spec(node: Any) -> TensorSpec:
    if node.type not in _DTYPES:
        raise ModelError(f"tensor {node.name!r} is a {node.type}, which this agent cannot carry")
    shape = tuple(side if isinstance(side, int) and side > 0 else -1 for side in node.shape)
    return TensorSpec(node.name, shape, np.dtype(_DTYPES[node.type]))
