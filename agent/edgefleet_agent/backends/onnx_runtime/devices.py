"""ONNX Runtime's execution providers: selection by device, and options.

    cpu
    cuda, cuda:1                    NVIDIA
    tensorrt, tensorrt:1            NVIDIA; operators that TensorRT leaves go to CUDA
    migraphx, migraphx:1, rocm      AMD
    openvino:npu, openvino:gpu      Intel, if ONNX Runtime was built with OpenVINO; the runtime `open_vino` needs no such build
    ep:webgpu, ep:qnn:npu           plug-in execution providers (see `plug_ins`)

The library lists the providers that it was built with, not those that the machine supports.
"""

from __future__ import annotations

import mmap
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.compile_cache import digest, engine_folder, nvidia_device, tensorrt_version
from edgefleet_agent.backends.onnx_runtime.plug_ins import KINDS, PlugInDevice, parse_plug_in
from edgefleet_agent.core.extras import install_hint
from edgefleet_contract.core.errors import ModelError

PROVIDERS = {
    "tensorrt": "TensorrtExecutionProvider",
    "cuda": "CUDAExecutionProvider",
    "migraphx": "MIGraphXExecutionProvider",
    "rocm": "ROCMExecutionProvider",
    "openvino": "OpenVINOExecutionProvider",
    "cpu": "CPUExecutionProvider",
}
"""Kind of device to execution provider, best first."""

_BUILDS = {
    "tensorrt": f"{install_hint('cuda')} (Jetson: NVIDIA's own wheel)",
    "cuda": f"{install_hint('cuda')} (Jetson: NVIDIA's own wheel)",
    "migraphx": "install onnxruntime-migraphx as described in AMD's ROCm documentation",
    "rocm": "install onnxruntime-rocm as described in AMD's ROCm documentation",
    "openvino": "install onnxruntime-openvino instead of onnxruntime, or use the runtime open_vino",
}
_DRIVERS = {
    "tensorrt": "TensorRT 10 and the NVIDIA driver",
    "cuda": "CUDA, cuDNN 9 and the NVIDIA driver",
    "migraphx": "MIGraphX and the amdgpu driver",
    "rocm": "ROCm and the amdgpu driver",
    "openvino": "the driver of this Intel device",
}
_OPENVINO_DEVICES = ("cpu", "gpu", "npu")

_MIGRAPHX_FOLDER = "ORT_MIGRAPHX_MODEL_CACHE_PATH"
_FOLDER_OPTIONS = ("trt_engine_cache_path", "trt_timing_cache_path", "cache_dir", _MIGRAPHX_FOLDER)

PLUG_IN = "ep"
"""Kind of the devices of plug-in execution providers, which are no part of the build."""
EP_OPTIONS_MAX = 32
_EP_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.]{0,127}")
_EP_VALUE = re.compile(r"[A-Za-z0-9_.,:;=+ -]{0,256}")
_EP_ADDRESS = re.compile(r"0[xX]|\d{10}")
"""Some options take a path of a library or an address in memory, and a package must name neither."""

Chain = list[tuple[str, dict[str, str]]]
"""Providers with their options, best first."""


class OnnxOptions(msgspec.Struct, frozen=True):
    """Options of a variant or profile for ONNX Runtime.

    precision: `f32` computes as in the model; `tf32` (CUDA), `f16`, `int8` (TensorRT, MIGraphX; `f16` also OpenVINO) are faster
    and change results. int8 is for quantized models. cuda_graph: record the run once and replay it (CUDA, TensorRT; fixed
    shapes). whole: refuse a model of which the device computes only a part. workspace_mb: most memory for building an engine
    (TensorRT). memory_mb: most memory of the GPU that one model takes for its tensors (CUDA, TensorRT). dla_core: a deep learning
    accelerator of a Jetson computes the model, the GPU what that cannot (TensorRT; `f16` or `int8`); -1: none. ep: options of a
    plug-in execution provider, by its own names.
    """

    precision: Literal["f32", "tf32", "f16", "int8"] = "f32"
    cuda_graph: bool = False
    whole: bool = False
    workspace_mb: int = 0
    memory_mb: int = 0
    dla_core: Annotated[int, msgspec.Meta(ge=-1, le=7)] = -1
    ep: dict[str, Any] = msgspec.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProviderDevice:
    """A parsed device name: kind, and number within that kind. plugged: of a plug-in. found: the name of its provider."""

    kind: str
    which: str = ""
    plugged: PlugInDevice | None = None
    found: str = ""

    @property
    def provider(self) -> str:
        return self.found or PROVIDERS[self.kind]

    @property
    def index(self) -> int:
        return int(self.which or 0)

    @property
    def build(self) -> str:
        """Error text for a library without this provider, with the build to install."""
        return f"this ONNX Runtime is built without {self.provider}: {_BUILDS[self.kind]}"

    @property
    def driver(self) -> str:
        """Requirements of the provider: driver and libraries."""
        if self.plugged is not None:
            return f"the driver of {self.plugged.name}, and whether it computes such models"
        return _DRIVERS[self.kind]


@dataclass(frozen=True, slots=True)
class ProviderPlan:
    """Settings for loading on one device. environment: variables that only the provider reads. folders: its engine caches."""

    place: ProviderDevice
    chain: Chain
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def folders(self) -> list[Path]:
        options = [*(extra for _, extra in self.chain), self.environment]
        return [Path(extra[name]) for extra in options for name in _FOLDER_OPTIONS if name in extra]


def parse_device(device: str) -> ProviderDevice:
    """Parse a device name.

    Raises:
        ModelError: ONNX Runtime has no such device.
    """
    kind, _, which = device.partition(":")
    plugged = parse_plug_in(which) if kind == PLUG_IN else None
    if plugged is not None:
        return ProviderDevice(kind, which, plugged)
    fits = which in _OPENVINO_DEVICES if kind == "openvino" else which.isdigit() or not which
    # The OpenVINO provider accepts any name, such as MYRIAD, and silently computes on the CPU.
    if kind not in PROVIDERS or not fits or (kind == "cpu" and which):
        known = ", ".join(f"openvino:{'|'.join(_OPENVINO_DEVICES)}" if each == "openvino" else each for each in PROVIDERS)
        raise ModelError(f"runtime onnx_runtime has no device {device!r}; it has {known}, ep:NAME[:{'|'.join(KINDS)}[:NUMBER]]")
    return ProviderDevice(kind, which)


def plan_providers(
    place: ProviderDevice, version: str, files: tuple[Path, ...], load: LoadOptions, own: OnnxOptions
) -> ProviderPlan:
    """Plan the providers for `place`, without the CPU's.

    Raises:
        ModelError: an option that this device does not support. StoreError: the cache folder cannot be made.
    """
    if own.cuda_graph and place.kind not in ("cuda", "tensorrt"):
        raise ModelError(f"option cuda_graph is for cuda and tensorrt, not for {place.kind}")
    if own.dla_core >= 0 and place.kind != "tensorrt":
        raise ModelError(f"option dla_core is for tensorrt, not for {place.kind}")
    if own.ep and place.plugged is None:
        raise ModelError(f"option ep is for plug-in execution providers (ep:NAME), not for {place.kind}")
    if place.plugged is not None:
        return ProviderPlan(place, [(place.provider, _plug_in(own))])
    if place.kind == "cuda":
        return ProviderPlan(place, [_cuda(place, own)])
    if place.kind == "tensorrt":
        return ProviderPlan(place, [_tensorrt(place, version, files, load, own), _cuda(place, own)])
    if place.kind == "migraphx":
        return _migraphx(place, version, files, load, own)
    if place.kind == "openvino":
        return ProviderPlan(place, [_openvino(place, version, files, load, own)])
    return ProviderPlan(place, [(place.provider, {"device_id": str(place.index)})])


def _plug_in(own: OnnxOptions) -> dict[str, str]:
    if own.precision != "f32":
        raise ModelError("option precision is not for plug-in execution providers; set their own option by the option ep")
    if len(own.ep) > EP_OPTIONS_MAX:
        raise ModelError(f"option ep has {len(own.ep)} keys; at most {EP_OPTIONS_MAX} are allowed")
    for name, value in own.ep.items():
        if not _EP_KEY.fullmatch(name):
            raise ModelError(f"option ep: {name[:128]!r} is no key: letters, digits, _ and . are allowed, at most 128 characters")
        if not isinstance(value, str) or not _EP_VALUE.fullmatch(value) or _EP_ADDRESS.search(value):
            raise ModelError(f"option ep: {name} must be a text of at most 256 characters, without paths and addresses")
    return dict(own.ep)


def _cuda(place: ProviderDevice, own: OnnxOptions) -> tuple[str, dict[str, str]]:
    options = {
        "device_id": str(place.index),
        # By default the arena grows by doubling, for which a board that shares its memory with the GPU has too little memory.
        "arena_extend_strategy": "kSameAsRequested",
        # The default measures every algorithm at the first run, for seconds; the heuristic is as good for fixed shapes.
        "cudnn_conv_algo_search": "HEURISTIC",
        "use_tf32": "1" if own.precision != "f32" else "0",
    }
    if own.cuda_graph and place.kind == "cuda":
        options["enable_cuda_graph"] = "1"
    if own.memory_mb:
        options["gpu_mem_limit"] = str(own.memory_mb * 1024 * 1024)
    return PROVIDERS["cuda"], options


def _tensorrt(
    place: ProviderDevice, version: str, files: tuple[Path, ...], load: LoadOptions, own: OnnxOptions
) -> tuple[str, dict[str, str]]:
    options = {"device_id": str(place.index)}
    if own.precision in ("f16", "int8"):
        options["trt_fp16_enable"] = "1"
    if own.precision == "int8" or is_quantized(files[0]):
        options["trt_int8_enable"] = "1"  # without it the scales of a QDQ model are computed in float
    if own.dla_core >= 0:
        if not {"trt_fp16_enable", "trt_int8_enable"} & options.keys():
            raise ModelError("option dla_core needs the option precision: f16 or int8; a DLA does not compute in f32")
        options |= {"trt_dla_enable": "1", "trt_dla_core": str(own.dla_core)}
    if own.cuda_graph:
        options["trt_cuda_graph_enable"] = "1"
    if own.workspace_mb:
        options["trt_max_workspace_size"] = str(own.workspace_mb * 1024 * 1024)
    if load.cache_dir is not None:
        versions, device = f"{version}-{tensorrt_version()}", nvidia_device(place.index)
        engines = engine_folder(load.cache_dir, "tensorrt", versions, device, f"{digest(files)}-{own.precision}{_dla(own)}")
        # Timings are of layers, not of models: a new version of a model builds faster with those of the last.
        timings = engine_folder(load.cache_dir, "tensorrt-timings", versions, device)
        options |= {
            "trt_engine_cache_enable": "1",
            "trt_engine_cache_path": str(engines),
            "trt_timing_cache_enable": "1",
            "trt_timing_cache_path": str(timings),
        }
    return PROVIDERS["tensorrt"], options


def _dla(own: OnnxOptions) -> str:
    """The part of the name of an engine for a DLA core."""
    return f"-dla{own.dla_core}" if own.dla_core >= 0 else ""


def is_quantized(model: Path) -> bool:
    """Whether an ONNX file has quantizing operators (QDQ)."""
    if not model.stat().st_size:
        return False
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(b"QuantizeLinear") >= 0


def _migraphx(place: ProviderDevice, version: str, files: tuple[Path, ...], load: LoadOptions, own: OnnxOptions) -> ProviderPlan:
    options = {"device_id": str(place.index)}
    if own.precision in ("f16", "int8"):
        options[f"migraphx_{'fp16' if own.precision == 'f16' else 'int8'}_enable"] = "1"
    environment = {}
    if load.cache_dir is not None:
        # The option's name changed between versions, and an unknown one is an error; an unknown variable is not.
        folder = engine_folder(load.cache_dir, "migraphx", version, f"gpu{place.index}", f"{digest(files)}-{own.precision}")
        environment[_MIGRAPHX_FOLDER] = str(folder)
    return ProviderPlan(place, [(place.provider, options)], environment)


def _openvino(
    place: ProviderDevice, version: str, files: tuple[Path, ...], load: LoadOptions, own: OnnxOptions
) -> tuple[str, dict[str, str]]:
    device = place.which.upper()
    options = {"device_type": device}
    if device == "CPU":
        options |= {"precision": "FP32", "num_of_threads": str(load.threads or 1)}
    elif device == "GPU":
        options["precision"] = "FP16" if own.precision == "f16" else "FP32"
    if load.cache_dir is not None:
        folder = engine_folder(load.cache_dir, "onnx_openvino", version, device, f"{digest(files)}-{own.precision}")
        options["cache_dir"] = str(folder)
    return PROVIDERS["openvino"], options


def apply_environment(chosen: ProviderPlan) -> None:
    """Set the environment variables of the provider, for the load that follows."""
    os.environ.update(chosen.environment)
