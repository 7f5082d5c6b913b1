"""OpenVINO: CPU, Intel GPU and NPU. Reads its own IR, ONNX (QDQ int8 stays int8) and TFLite.

Devices: `cpu`, `gpu`, `gpu.1`, `npu`, or several, the preferred one first: `auto:npu,cpu` (the first that works),
`hetero:gpu,cpu` (each operator on the first that supports it), `multi:gpu,cpu` (parallel runs). `auto` and `multi` silently use
the CPU if the other device is missing: the placement is read back from the compiled model. `auto` would also start on the CPU
and move later, or move away after a fault; both are off, so that the placement stays valid.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import msgspec

from edgefleet_agent.backends.base import (
    Backend,
    LoadOptions,
    Placement,
    Session,
    check_files,
    default_threads,
    one_line,
    parse_options,
    refused_file,
    with_picture_size,
)
from edgefleet_agent.backends.compile_cache import digest, engine_folder, verified_cache
from edgefleet_agent.backends.open_vino.session import OpenVinoSession, ambiguous_names, names_of
from edgefleet_agent.core.extras import install_hint
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.core.malloc import malloc_trim
from edgefleet_contract.package.manifest import InputSpec

_DRIVERS = {
    "GPU": "apt install intel-opencl-icd ocl-icd-libopencl1",
    "NPU": "tar xf linux-npu-driver-*.tar.gz && apt install ./intel-*npu_*.deb (https://github.com/intel/linux-npu-driver/releases)",
}
_IR_HEAD_BYTES, _IR_OLDEST = 64 * 1024, 10
_JOINING = ("AUTO", "MULTI", "HETERO")
STREAMS_MAX = 16


class OpenVinoOptions(msgspec.Struct, frozen=True):
    """Options of a variant or profile for OpenVINO.

    precision: default `f32`: on CPUs with bf16 units OpenVINO would compute a float model in bf16 by itself, which changes
    results. streams: parallel runs (see `Session.parallel`); each uses its part of the threads. fold: scaling and layout
    conversion of the picture become a part of the graph, and the model takes 8-bit pixels; its tensor in the local API changes
    too.
    """

    precision: Literal["f32", "f16", "bf16"] = "f32"
    streams: int = 1
    fold: bool = False


class OpenVinoBackend(Backend):
    """`.xml` + `.bin`, `.onnx`, `.tflite` files."""

    name = "open_vino"
    needs = ("openvino",)
    formats = frozenset({"openvino_ir", "onnx", "tflite"})

    def devices(self) -> list[str]:
        found = [device.lower() for device in _runtime().Core().available_devices]
        return [*sorted((device for device in found if device != "cpu"), reverse=True), "cpu"]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        runtime = _runtime()
        check_files(files)
        _check_ir(files[0])
        own = parse_options(options, OpenVinoOptions)
        if not 1 <= own.streams <= STREAMS_MAX:
            raise ModelError(f"option streams must be 1 to {STREAMS_MAX}, got {own.streams}")
        core = runtime.Core()
        device, detail = options.device.upper(), ""
        # On the CPU the model is loaded by its path: a cached model is then not read at all, which saves 20 MB and half of the
        # start time. For another device it is read first, so that a damaged model is not reported as a missing device.
        model: Any = str(files[0])
        if own.fold or device != "CPU":
            try:
                model = core.read_model(model)
            except RuntimeError as cause:
                raise refused_file(files[0], "OpenVINO", cause) from cause
        folded = own.fold and options.picture is not None and _fold(runtime, model, options.picture)
        picture = None if folded else options.picture
        try:
            compiled = _compile(core, model, device, _settings(runtime, files, device, own, options), picture)
        except RuntimeError as cause:
            if device == "CPU":
                raise refused_file(files[0], "OpenVINO", cause) from cause
            driver = _DRIVERS.get(device.partition(".")[0], "install its driver")
            detail = f"device {device} is not usable: {one_line(cause)}; {driver}, or choose another device"
            if options.strict:
                raise MissingError(detail) from cause
            compiled = _compile_for_cpu(runtime, core, model, files, own, options, picture)
        placement = _placement(runtime, compiled, options, detail)
        names = names_of(core.read_model(str(files[0]))) if ambiguous_names(compiled) else None
        malloc_trim()
        return OpenVinoSession(runtime, compiled, placement, own.streams, folded=folded, names=names)


def _check_ir(model: Path) -> None:
    """Refuse files that are no IR, or an old one: OpenVINO would pass them to readers of other formats, with long error texts.

    Raises:
        ModelError: not an IR of a supported version.
    """
    if model.suffix != ".xml":
        return
    with model.open("rb") as file:
        found = re.search(rb"<net\b[^>]*\bversion=\"(\d{1,4})\"", file.read(_IR_HEAD_BYTES))
    if found is None:
        raise ModelError(f"{model.name}: not an OpenVINO IR; specify the .xml file of a converted model")
    if int(found[1]) < _IR_OLDEST:
        old = f"an IR of version {int(found[1])}, which OpenVINO 2022 and later cannot read"
        raise ModelError(f"{model.name}: {old}; convert the model again")


def _runtime() -> ModuleType:
    # `import openvino` reports to a web service at once unless its telemetry module cannot be imported.
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # None marks a module as not importable
    try:
        import openvino
    except ModuleNotFoundError as cause:
        raise MissingError(f"runtime open_vino is not installed: {install_hint('openvino')}") from cause
    module: ModuleType = openvino
    return module


def _settings(
    runtime: ModuleType, files: tuple[Path, ...], device: str, own: OpenVinoOptions, options: LoadOptions
) -> dict[str, Any]:
    settings: dict[str, Any] = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": own.precision}
    kind, _, members = device.partition(":")
    if own.streams > 1:
        settings["PERFORMANCE_HINT"] = "THROUGHPUT"
        settings["PERFORMANCE_HINT_NUM_REQUESTS" if kind in _JOINING else "NUM_STREAMS"] = own.streams
    if options.cache_dir is not None:
        version = str(runtime.__version__).partition("-")[0]
        settings["CACHE_DIR"] = str(engine_folder(options.cache_dir, "open_vino", version, device, digest(files)))
    if device == "NPU":
        del settings["INFERENCE_PRECISION_HINT"]  # computes in f16 and int8 only
    if kind == "AUTO" and (not members or "," in members):  # with a single device OpenVINO would find none with these settings
        settings |= {"ENABLE_STARTUP_FALLBACK": False, "ENABLE_RUNTIME_FALLBACK": False}
    if device == "CPU":
        settings["INFERENCE_NUM_THREADS"] = options.threads or default_threads()
        settings["ENABLE_CPU_PINNING"] = False  # decoders share these cores
    return settings


def _compile(core: Any, model: Any, device: str, settings: dict[str, Any], picture: InputSpec | None) -> Any:
    """Compile a model, or the file of a path. Open sizes of its picture input are those of `picture`."""
    folders = [Path(settings["CACHE_DIR"])] if "CACHE_DIR" in settings else []
    with verified_cache(*folders):
        if not isinstance(model, str):
            _set_sizes(model, picture)
        compiled = core.compile_model(model, device, settings)
        if isinstance(model, str) and _open_inputs(compiled, picture):
            model = core.read_model(model)
            _set_sizes(model, picture)
            compiled = core.compile_model(model, device, settings)
        return compiled


def _set_sizes(model: Any, picture: InputSpec | None) -> None:
    sizes = _open_inputs(model, picture)
    if sizes:
        model.reshape({port.any_name: sizes.get(port.any_name, port.get_partial_shape()) for port in model.inputs})


def _open_inputs(model: Any, picture: InputSpec | None) -> dict[str, list[int]]:
    """The shapes of inputs that `picture` decides, by name."""
    found = {}
    for port in model.inputs:
        sides = [side.get_length() if side.is_static else -1 for side in port.get_partial_shape()]
        shape = with_picture_size(port.any_name, sides, picture)
        if shape is not None:
            found[port.any_name] = list(shape)
    return found


def _compile_for_cpu(
    runtime: ModuleType,
    core: Any,
    model: Any,
    files: tuple[Path, ...],
    own: OpenVinoOptions,
    options: LoadOptions,
    picture: InputSpec | None,
) -> Any:
    try:
        return _compile(core, model, "CPU", _settings(runtime, files, "CPU", own, options), picture)
    except RuntimeError as cause:
        raise refused_file(files[0], "OpenVINO", cause) from cause


def _fold(runtime: ModuleType, model: Any, picture: InputSpec) -> bool:
    """Make (pixel - mean) / std and the order of the axes a part of the graph. False if there is nothing to fold.

    Raises:
        ModelError: the model's input does not fit the manifest's.
    """
    if picture.kind != "image" or not picture.dtype.startswith("float"):
        return False
    try:
        processor = runtime.preprocess.PrePostProcessor(model)
        port = processor.input(picture.name) if picture.name else processor.input()
        port.tensor().set_element_type(runtime.Type.u8).set_layout(runtime.Layout("NHWC"))
        port.model().set_layout(runtime.Layout(picture.layout.upper()))
        steps = port.preprocess().convert_element_type(runtime.Type.f32)
        if picture.mean:
            steps.mean(picture.mean)
        if picture.std:
            steps.scale(picture.std)
        processor.build()
    except RuntimeError as cause:
        raise ModelError(f"option fold: not supported by this graph ({one_line(cause)}); remove it") from cause
    return True


def _placement(runtime: ModuleType, compiled: Any, options: LoadOptions, detail: str) -> Placement:
    """The actual placement of the compiled model. `AUTO` puts a device in brackets that only helps until the preferred one is
    ready."""
    executed = [str(device).strip("()").lower() for device in compiled.get_property("EXECUTION_DEVICES")]
    preferred = options.device.lower().partition(":")[2].split(",")[0] or options.device.lower()
    fell_back = bool(detail) or (preferred.upper() not in _JOINING and preferred not in executed)
    if fell_back and not detail:
        detail = f"the model runs on {', '.join(executed)}, not on {options.device}: install the driver of {preferred}"
    if fell_back and options.strict:
        raise MissingError(detail)
    version = str(runtime.__version__).partition("-")[0]
    return Placement("open_vino", version, ",".join(executed), fell_back, detail)
