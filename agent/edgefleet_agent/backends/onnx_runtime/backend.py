"""ONNX Runtime: the CPU, and by its execution providers NVIDIA, AMD and Intel devices (see `backends.onnx_runtime.devices`).

ONNX Runtime replaces a provider that cannot start by the CPU without an error, and a provider that starts may still leave every
operator to the CPU. Therefore the loaded session is queried for its actual provider and for the provider of each operator.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import struct
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

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
from edgefleet_agent.backends.compile_cache import verified_cache
from edgefleet_agent.backends.onnx_runtime.devices import (
    PLUG_IN,
    PROVIDERS,
    Chain,
    OnnxOptions,
    ProviderDevice,
    apply_environment,
    parse_device,
    plan_providers,
)
from edgefleet_agent.backends.onnx_runtime.fault_texts import is_out_of_memory, library_fault
from edgefleet_agent.backends.onnx_runtime.onnx_graph import read_graph
from edgefleet_agent.backends.onnx_runtime.pinned_memory import PinnedMemory, pinned_memory
from edgefleet_agent.backends.onnx_runtime.placement import Shares, placement_of, profiled, shares_of
from edgefleet_agent.backends.onnx_runtime.plug_in_list import offered_names
from edgefleet_agent.backends.onnx_runtime.plug_ins import (
    LOG_ERRORS,
    find_device,
    library_errors,
    plug_in_libraries,
)
from edgefleet_agent.backends.onnx_runtime.session import OnnxRuntimeSession
from edgefleet_agent.core.extras import install_hint
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.core.malloc import malloc_trim

CPU = PROVIDERS["cpu"]


class OnnxRuntimeBackend(Backend):
    """`.onnx` files, and `.ort` files, which are the same model in the library's own format."""

    name = "onnx_runtime"
    needs = ("onnxruntime",)
    formats = frozenset({"onnx"})

    def devices(self) -> list[str]:
        built = _runtime().get_available_providers()
        kinds = [kind for kind, provider in PROVIDERS.items() if provider in built]
        intel = [f"{kind}:{which}" for kind in kinds if kind == "openvino" for which in ("npu", "gpu")]
        others = [kind for kind in kinds if kind not in ("openvino", "cpu")]
        return [*intel, *others, *offered_names(), "cpu"]

    def also_tested(self) -> list[str]:
        return [f"{PLUG_IN}:{name}" for name in plug_in_libraries()]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        runtime = _runtime()
        check_files(files)
        own = parse_options(options, OnnxOptions)
        place = parse_device(options.device)
        if place.kind == "cpu":
            opened = _open(runtime, files[0], options, [])
            return _joined(runtime, opened, Placement("onnx_runtime", str(runtime.__version__), "cpu"))
        try:
            return _on_device(runtime, files, options, own, place)
        except MissingError as cause:
            if options.strict:
                raise
            opened = _open(runtime, files[0], options, [])
            placement = Placement("onnx_runtime", str(runtime.__version__), "cpu", fell_back=True, detail=str(cause))
            return _joined(runtime, opened, placement)


def _on_device(
    runtime: ModuleType, files: tuple[Path, ...], options: LoadOptions, own: OnnxOptions, place: ProviderDevice
) -> OnnxRuntimeSession:
    """Load the model on `place`, without a fallback.

    Raises:
        MissingError: the device is not available, or computes no part of the model. ModelError: the file is refused.
    """
    plugged = None
    if place.plugged is not None:
        plugged = find_device(runtime, place.plugged)
        place = replace(place, found=str(plugged.ep_name))
    elif place.provider not in runtime.get_available_providers():
        raise MissingError(place.build)
    chosen = plan_providers(place, str(runtime.__version__), files, options, own)
    apply_environment(chosen)
    if place.kind in ("cuda", "tensorrt"):
        _preload(runtime)
    try:
        with verified_cache(*chosen.folders, later=True):
            opened = _open(runtime, files[0], options, chosen.chain, own, plugged)
    except MissingError as cause:
        fault = _fault(runtime, place) or str(cause)
        advice = "stop other programs that hold its memory" if is_out_of_memory(fault) else f"check {place.driver}"
        raise MissingError(f"{options.device} does not work: {fault}; {advice}") from cause
    _check_provider(runtime, opened.session, options, place)
    placement = placement_of(runtime, opened.shares, options.device, place, proven=own.whole or own.cuda_graph)
    recorded = ("cuda", place.index) if own.cuda_graph else None
    pinned = pinned_memory() if place.kind in ("cuda", "tensorrt") else None
    return _joined(runtime, opened, placement, recorded, pinned)


class _Opened(NamedTuple):
    """A session of the library. sized: shapes of its picture input that the manifest decides, by name. shares: of the providers.
    unranked: names of tensors that may have any number of axes."""

    session: Any
    sized: dict[str, tuple[int, ...]]
    shares: Shares
    unranked: frozenset[str]


def _open(
    runtime: ModuleType, file: Path, options: LoadOptions, chain: Chain, own: OnnxOptions | None = None, plugged: Any = None
) -> _Opened:
    """Open a session with the providers of `chain` before the CPU's. plugged: the device of a plug-in, whose provider `chain` is.

    Raises:
        ModelError: the file is refused. MissingError: a provider cannot start, or leaves something to the CPU (option `whole`).
    """
    whole, recorded = (own.whole, own.cuda_graph) if own else (False, False)
    settings = runtime.SessionOptions()
    settings.intra_op_num_threads = options.threads or default_threads()
    settings.inter_op_num_threads = 1
    settings.execution_mode = runtime.ExecutionMode.ORT_SEQUENTIAL
    # Some exporters' files cause a warning for each of their hundred tensors, at every load.
    settings.log_severity_level = LOG_ERRORS
    settings.use_deterministic_compute = options.deterministic
    settings.add_session_config_entry(*_spinning(runtime.__version__))
    names, extras = [name for name, _ in chain], [extra for _, extra in chain]
    if chain:
        settings.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    if whole and chain:
        settings.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    else:
        names, extras = [*names, CPU], [*extras, {}]
    if plugged is not None:  # the settings select it, and the library adds the CPU's itself
        settings.add_provider_for_devices([plugged], extras[0])
        names, extras = [], []
    failures = library_errors(runtime)

    def opened() -> Any:
        # Its own retry would print, drop the provider and continue with the next.
        return runtime.InferenceSession(str(file), settings, providers=names, provider_options=extras, enable_fallback=0)

    try:
        # The library itself refuses a model of which a part is elsewhere, where it has to be whole or recorded.
        with profiled(runtime, settings, needed=bool(chain) and not whole and not recorded) as profile:
            session = opened()
            shapes = _picture_shapes(session, options)
            sizes = _open_sizes(session, shapes)
            for name, size in sizes.items():
                settings.add_free_dimension_override_by_name(name, size)
            session = opened() if sizes else session
            shares = shares_of(session, profile, failures) if chain else Shares(Counter())
            return _Opened(session, shapes, shares, _unranked(session, file))
    except failures as cause:
        text = str(cause)
        if chain and "fallback to CPU EP has been explicitly disabled" in text:
            raise MissingError("part of the model would run on the CPU") from cause
        if chain and "cannot use the graph capture feature" in text:
            raise ModelError("option cuda_graph: a part of the model would run on the CPU; remove the option") from cause
        if chain and _loads_on_cpu(runtime, file, failures):
            raise MissingError(library_fault(cause)) from cause
        raise refused_file(file, "ONNX Runtime", cause) from cause


def _unranked(session: Any, file: Path) -> frozenset[str]:
    """Names of the tensors whose number of axes the file does not say. The library has no axes for them, as for single numbers;
    where the file cannot be read for that, it may be either."""
    names = frozenset(node.name for node in (*session.get_inputs(), *session.get_outputs()) if not node.shape)
    if not names:
        return names
    try:
        graph = read_graph(file)
    except (ValueError, LookupError, struct.error, OSError):
        return names
    return frozenset(name for name in names if (graph.inputs | graph.outputs).get(name) is None)


def _picture_shapes(session: Any, options: LoadOptions) -> dict[str, tuple[int, ...]]:
    """The shapes of inputs with open sides that the manifest's picture input decides, by the names of the inputs."""
    shapes = {}
    for node in session.get_inputs():
        open_sides = [side if isinstance(side, int) else -1 for side in node.shape]
        if (shape := with_picture_size(node.name, open_sides, options.picture)) is not None:
            shapes[node.name] = shape
    return shapes


def _open_sizes(session: Any, shapes: dict[str, tuple[int, ...]]) -> dict[str, int]:
    """Names of open sizes to which `shapes` give one size, with these sizes, without that of the batch. The others stay open for
    the library, which computes them at any size."""
    sizes: dict[str, set[int]] = {}
    for node in session.get_inputs():
        for side, size in zip(node.shape, shapes.get(node.name, ()), strict=False):
            if isinstance(side, str) and side != node.shape[0]:
                sizes.setdefault(side, set()).add(size)
    return {side: size for side, (size, *others) in sizes.items() if not others}


def _loads_on_cpu(runtime: ModuleType, file: Path, failures: tuple[type[Exception], ...]) -> bool:
    """Whether the file itself is valid, so that the provider must have failed."""
    try:
        runtime.InferenceSession(str(file), providers=[CPU])
    except failures:
        return False
    return True


def _joined(
    runtime: ModuleType,
    opened: _Opened,
    placement: Placement,
    recorded: tuple[str, int] | None = None,
    pinned: PinnedMemory | None = None,
) -> OnnxRuntimeSession:
    joined = OnnxRuntimeSession(
        runtime, opened.session, placement, library_errors(runtime), recorded, pinned=pinned, unranked=opened.unranked
    )
    if opened.sized:
        joined.fix_inputs(opened.sized)
    malloc_trim()
    return joined


def _check_provider(runtime: ModuleType, session: Any, options: LoadOptions, place: ProviderDevice) -> None:
    """Check that the provider started.

    Raises:
        MissingError: the library replaced it.
    """
    if session.get_providers()[0] != place.provider:
        fault = _fault(runtime, place) or f"{place.provider} did not start"
        raise MissingError(f"{options.device} does not work: {fault}; check {place.driver}")


def _fault(runtime: ModuleType, place: ProviderDevice) -> str:
    """The library that the provider lacks: the loader names it, ONNX Runtime only writes it to standard error."""
    if place.plugged is not None:
        return ""  # it is loaded when its devices are listed
    folder = Path(runtime.__file__ or "").parent / "capi"
    own = place.provider.removesuffix("ExecutionProvider").lower()
    library = folder / f"libonnxruntime_providers_{own}.so"
    if not library.is_file():
        return ""
    try:
        ctypes.CDLL(str(folder / "libonnxruntime_providers_shared.so"), ctypes.RTLD_GLOBAL)
        ctypes.CDLL(str(library))
    except OSError as cause:
        name, missing, _ = str(cause).partition(": cannot open shared object file")
        return f"{name} is missing" if missing else one_line(cause)
    return ""


def _preload(runtime: ModuleType) -> None:
    """Load CUDA and cuDNN of Python packages; ONNX Runtime finds them only if they are loaded before."""
    if hasattr(runtime, "preload_dlls"):
        with contextlib.redirect_stdout(io.StringIO()):  # it prints missing libraries; `_fault` is more precise
            runtime.preload_dlls()


def _runtime() -> ModuleType:
    # Read by the library when it is loaded: without it, wheels since 1.29 write into HOME and use the network.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime
    except ModuleNotFoundError as cause:
        raise MissingError(f"runtime onnx_runtime is not installed: {install_hint('onnx')}") from cause
    module: ModuleType = onnxruntime
    return module


def _spinning(version: str) -> tuple[str, str]:
    """Setting for spinning of idle threads. The default burns a third of a core at 10 frames a second; 100 us preserve the
    latency. Versions before 1.27 can only turn it off."""
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) >= (1, 27):
        return "session.intra_op.spin_duration_us", "100"
    return "session.intra_op.allow_spinning", "0"
