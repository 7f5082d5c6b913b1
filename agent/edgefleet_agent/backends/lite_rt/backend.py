"""LiteRT (TensorFlow Lite) by `ai-edge-litert`, or by the older `tflite-runtime` if that is installed; Coral Edge TPUs by the
delegate in libedgetpu.

Devices: `cpu`, `edgetpu` and the names in `edgefleet_agent.backends.lite_rt.devices`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import msgspec
import numpy as np

from edgefleet_agent.backends.base import (
    Array,
    Backend,
    LoadOptions,
    Placement,
    Session,
    check_files,
    check_inputs,
    default_threads,
    one_line,
    parse_options,
    refused_file,
)
from edgefleet_agent.backends.isolated import inside
from edgefleet_agent.backends.isolated.child_process import LostProcessError
from edgefleet_agent.backends.isolated.session import open_on_device, placed
from edgefleet_agent.backends.lite_rt import devices as edge_tpu
from edgefleet_agent.backends.native_stderr import without_lines
from edgefleet_agent.backends.session_pool import SessionPool
from edgefleet_agent.core.extras import install_hint
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.core.malloc import malloc_trim

STARTUP_LINE = b"INFO: Created TensorFlow Lite XNNPACK delegate"
"""Written by the runtime at every load; it has no switch."""
INSTALL = install_hint("litert")
LOAD_S_MAX = 30.0
"""Limit for a load on an Edge TPU, which uploads its firmware first."""


class LiteRtOptions(msgspec.Struct, frozen=True):
    """Options of a variant or profile for LiteRT. performance: clock of an Edge TPU; empty: that of the installed library."""

    performance: Literal["", "low", "medium", "high", "max"] = ""


class LiteRtBackend(Backend):
    """`.tflite` files."""

    name = "lite_rt"
    needs = ("ai_edge_litert", "tflite_runtime")
    formats = frozenset({"tflite"})
    own_processes = True

    def devices(self) -> list[str]:
        _runtime()
        return [*edge_tpu.edge_tpus(), "cpu"]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        runtime = _runtime()
        check_files(files)
        own = parse_options(options, LiteRtOptions)
        kind, _, which = options.device.partition(":")
        here = Placement("lite_rt", _version(runtime), "cpu")
        if kind == "cpu":
            return _open(runtime, files[0], options, here)
        if kind != "edgetpu":
            raise ModelError(f"runtime lite_rt has no device {options.device!r}; it has cpu and edgetpu")
        if not edge_tpu.is_compiled(files[0]):
            reason = f"{files[0].name} is not compiled for the Edge TPU: run edgetpu_compiler on it"
            if options.strict:
                raise MissingError(reason)
            return _open(runtime, files[0], options, replace(here, fell_back=True, detail=reason))
        if which == edge_tpu.ALL:
            return _open_all(files, options, _version(runtime))
        if not inside.is_marked():
            return _open_apart(files, options, which)
        # LiteRT does not report its device. It follows from the file: only the Edge TPU runs the compiler's own operator, and the
        # interpreter refuses that operator without the delegate.
        delegate = edge_tpu.open_delegate(runtime, which, own.performance)
        return _open(runtime, files[0], options, replace(here, device=options.device), delegate)


def open_beside(model: Path, device: str) -> Session:
    """A CPU model in an interpreter that has opened the Edge TPU `device`: checks the device without a model compiled for it.

    Raises:
        MissingError: the library or the TPU is missing.
    """
    runtime, which = _runtime(), device.partition(":")[2]
    if which.startswith(edge_tpu.BEYOND):
        names = edge_tpu.other_devices(which.removeprefix(edge_tpu.BEYOND))
        if not names:
            raise MissingError("no other Edge TPU found: plug one in")
    else:
        names = ["" if which == edge_tpu.ALL else which]
    tried = [_delegate_or_fault(runtime, each) for each in names]
    delegate = next((each for each in tried if not isinstance(each, MissingError)), None)
    if delegate is None:
        raise tried[0]
    return _open(runtime, model, LoadOptions(threads=1), Placement("lite_rt", _version(runtime), "cpu"), delegate)


def _delegate_or_fault(runtime: ModuleType, which: str) -> Any:
    try:
        return edge_tpu.open_delegate(runtime, which, "")
    except MissingError as cause:
        return cause


class LiteRtSession(Session):
    """One interpreter. Outputs are copies: a view into the interpreter's memory would forbid its next run."""

    def __init__(self, make: Callable[[], Any], placement: Placement) -> None:
        """make: opens an interpreter of the model."""
        self.placement = placement
        self._make = make
        self._interpreter = interpreter = make()
        details, outputs = interpreter.get_input_details(), interpreter.get_output_details()
        self.inputs = tuple(_spec(detail) for detail in details)
        self.outputs = tuple(_spec(detail) for detail in outputs)
        self._input_indices = [int(detail["index"]) for detail in details]
        self._output_indices = [int(detail["index"]) for detail in outputs]
        self._shapes = [tuple(int(side) for side in detail["shape"]) for detail in details]

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        try:
            self._resize(inputs)
            interpreter = self._interpreter
            for spec, index in zip(self.inputs, self._input_indices, strict=True):
                interpreter.set_tensor(index, inputs[spec.name])
            interpreter.invoke()
            return {
                spec.name: interpreter.get_tensor(index) for spec, index in zip(self.outputs, self._output_indices, strict=True)
            }
        except (ValueError, RuntimeError) as cause:
            raise ModelError(f"LiteRT failed: {one_line(cause)}") from cause

    def _resize(self, inputs: Mapping[str, Array]) -> None:
        """Sets open dimensions to the size of the arrays; memory is planned again only if the size changes."""
        shapes = [inputs[spec.name].shape for spec in self.inputs]
        if shapes == self._shapes:
            return
        if any(spec.dtype.kind == "O" for spec in self.inputs):  # a tensor of texts has no open dimensions after its first run
            self._interpreter = self._make()
        for index, shape in zip(self._input_indices, shapes, strict=True):
            self._interpreter.resize_tensor_input(index, shape, strict=True)
        self._interpreter.allocate_tensors()
        self._shapes = shapes

    def close(self) -> None:
        self._interpreter = None


def _open(runtime: ModuleType, file: Path, options: LoadOptions, placement: Placement, delegate: Any = None) -> LiteRtSession:
    def make() -> Any:
        # libedgetpu may abort the process: its error output must not be redirected to a file.
        with nullcontext() if delegate is not None else without_lines(STARTUP_LINE):
            interpreter = runtime.Interpreter(
                model_path=str(file),
                num_threads=options.threads or default_threads(),
                experimental_delegates=None if delegate is None else [delegate],
            )
            interpreter.allocate_tensors()
        return interpreter

    try:
        session = LiteRtSession(make, placement)
    except (ValueError, RuntimeError) as cause:
        if edge_tpu.OPERATOR.decode() in str(cause):
            advice = "use device 'edgetpu', or the variant for the CPU"
            raise ModelError(f"{file.name} is compiled for the Edge TPU and runs on no other device: {advice}") from cause
        raise refused_file(file, "LiteRT", cause) from cause
    except SystemError as cause:  # tflite-runtime 2.14 was built for NumPy 1
        version = np.__version__
        raise MissingError(f"tflite-runtime does not work with NumPy {version}: {INSTALL}, or install numpy below 2") from cause
    malloc_trim()
    return session


def _open_apart(files: tuple[Path, ...], options: LoadOptions, which: str, *, copies: bool = False) -> Session:
    """Load the model in the process of the TPU that `which` means. copies: outputs are new arrays at every run.

    Raises:
        MissingError: there is none, or other programs hold all. ModelError: the model is refused, or the library crashes.
    """
    for place in edge_tpu.places_of(which):
        try:
            session = open_on_device(
                "lite_rt", files, replace(options, device=f"edgetpu:{place}"), place, LOAD_S_MAX, copies=copies
            )
        except LostProcessError as cause:
            raise ModelError(f"Edge TPU at {place}: {cause}; if that happens again, {edge_tpu.COMPATIBLE}") from cause
        except MissingError:
            continue  # another program holds it
        return placed(session, options.device)
    raise edge_tpu.none_found(which)


def _open_all(files: tuple[Path, ...], options: LoadOptions, version: str) -> Session:
    """Load the model on every Edge TPU. One that does not answer is left out and reported in the placement.

    Raises:
        MissingError: there is none, or other programs hold all. ModelError: the model is refused.
    """
    from concurrent.futures import ThreadPoolExecutor  # 20 ms that a device with one TPU does not need

    places = edge_tpu.edge_tpus()
    names = list(places) or ["edgetpu"]
    with ThreadPoolExecutor(len(names), "open") as threads:  # one that hangs delays no other
        tried = dict(zip(names, threads.map(lambda name: _open_or_fault(files, options, name), names), strict=True))
    sessions = {name: each for name, each in tried.items() if isinstance(each, Session)}
    faults = [each for each in tried.values() if not isinstance(each, Session)]
    if not sessions:
        raise faults[0]
    placement = Placement(
        *("lite_rt", version, ",".join(sessions)),
        detail=f"{len(faults)} of {len(places)} Edge TPUs unavailable: {faults[0]}" if faults else "",
        beyond=f"edgetpu:{edge_tpu.BEYOND}{','.join(places.get(name, '') for name in sessions)}",
        short=bool(faults),
    )
    if len(sessions) > 1:
        return SessionPool(list(sessions.values()), placement)
    (alone,) = sessions.values()
    alone.placement = placement
    return alone


def _open_or_fault(files: tuple[Path, ...], options: LoadOptions, device: str) -> Session | MissingError | ModelError:
    try:
        return _open_apart(files, replace(options, device=device), device.partition(":")[2], copies=True)
    except (MissingError, ModelError) as cause:
        return cause


def _spec(detail: Mapping[str, Any]) -> TensorSpec:
    scale, zero_point = detail["quantization"]
    shape = detail.get("shape_signature", detail["shape"])
    shape = shape if len(shape) == len(detail["shape"]) else detail["shape"]
    dtype = np.dtype(detail["dtype"])
    if dtype.kind == "V":  # LiteRT knows more types where another library has registered them with NumPy
        raise ValueError(f"tensor {detail['name']} is {dtype.name}, for which NumPy has no arrays")
    dtype = np.dtype(np.object_) if dtype.kind == "S" else dtype  # texts are arrays of `bytes`
    return TensorSpec(str(detail["name"]), tuple(int(side) for side in shape), dtype, float(scale), int(zero_point))


def _runtime() -> ModuleType:
    found = next((package for package in LiteRtBackend.needs if importlib.util.find_spec(package)), None)
    if found is None:
        raise MissingError(f"runtime lite_rt is not installed: {INSTALL}")
    try:
        return importlib.import_module(f"{found}.interpreter")
    except ModuleNotFoundError as cause:
        raise MissingError(f"{found} needs the Python module {cause.name}: {INSTALL}") from cause


def _version(runtime: ModuleType) -> str:
    package = importlib.import_module(runtime.__name__.partition(".")[0])
    return str(package.__version__)
