"""Plug-in execution providers of ONNX Runtime: libraries of other vendors, found without an import, registered once in a process.

    ep:webgpu                       the best device that the library of this name offers: npu, gpu, cpu
    ep:qnn:npu, ep:openvino:gpu:1   one of a kind, and its number within that kind

The libraries are those of installed wheels (`onnxruntime-ep-NAME`, `onnxruntime-qnn`) and those that the administrator names in
the setting `ep_libraries`. The service sets `EDGEFLEET_EP_LIBRARIES` from it for its children; any other process without that
variable reads the settings file of the machine. A path names code to run: nothing else gives one.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import re
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from edgefleet_agent.backends.onnx_runtime.fault_texts import library_fault
from edgefleet_agent.core.ep_libraries import LIBRARIES_MAX, VARIABLE, set_libraries
from edgefleet_agent.settings import default_path, read_settings
from edgefleet_contract.core import distributions
from edgefleet_contract.core.errors import InputError, MissingError, StoreError
from edgefleet_contract.core.fault_text import fault_text

log = logging.getLogger(__name__)

KINDS = ("npu", "gpu", "cpu")
"""Kinds of device, best first."""
LOG_ERRORS = 3
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")

WHEELS = {
    "nv-tensorrt-rtx": "onnxruntime-ep-nv-tensorrt-rtx",
    "openvino": "onnxruntime-ep-openvino",
    "qnn": "onnxruntime-qnn",
    "webgpu": "onnxruntime-ep-webgpu",
}
"""Name of a library to the wheel that has it, for error texts: others are found, too."""
_PREFIX, _OWN_NAMES = "onnxruntime-ep-", ("onnxruntime-qnn",)
_CUDA_SUFFIX = re.compile(r"-cu\d+$")

_lock = threading.Lock()
_registered: dict[str, frozenset[str]] = {}
"""Path of a registered library to the names of its providers. A second registration damages the first: the next session crashes
the process (seen with onnxruntime-ep-webgpu 0.4.0)."""


@dataclass(frozen=True, slots=True)
class PlugInLibrary:
    """A library with an execution provider. origin: for people. path: given by the administrator. modules: of its wheel."""

    name: str
    origin: str
    path: str = ""
    modules: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class PlugInDevice:
    """A device name after `ep:`. kind: empty for the best one."""

    name: str
    kind: str = ""
    index: int = 0


def parse_plug_in(which: str) -> PlugInDevice | None:
    """Parse `NAME[:npu|gpu|cpu[:NUMBER]]`; None: it is no such name."""
    name, *rest = which.split(":")
    if not NAME.fullmatch(name) or len(rest) > 2 or (rest and rest[0] not in KINDS):
        return None
    if len(rest) == 2 and not re.fullmatch(r"\d{1,3}", rest[1]):
        return None
    return PlugInDevice(name, rest[0] if rest else "", int(rest[1]) if len(rest) == 2 else 0)


def plug_in_libraries() -> dict[str, PlugInLibrary]:
    """The libraries of this machine by name, the administrator's first. Imports none.

    Raises:
        MissingError: `EDGEFLEET_EP_LIBRARIES` is not valid.
    """
    found = _configured(_given())
    wheels = distributions.with_prefix("onnxruntime-")
    for distribution, folder in sorted(wheels.items()):
        if not distribution.startswith(_PREFIX) and distribution not in _OWN_NAMES:
            continue
        name = _CUDA_SUFFIX.sub("", distribution.removeprefix(_PREFIX).removeprefix("onnxruntime-"))
        modules = tuple(each for each in _modules(folder) if importlib.util.find_spec(each) is not None)
        # A wheel without a module only requires another one, as that of TensorRT RTX does.
        if modules and NAME.fullmatch(name) and name not in found and len(found) < LIBRARIES_MAX:
            version = folder.name.removesuffix(".dist-info").removesuffix(".egg-info").partition("-")[2]
            found[name] = PlugInLibrary(name, f"{distribution} {version}", modules=modules)
    return dict(sorted(found.items()))


def offered_devices(runtime: ModuleType, library: PlugInLibrary) -> list[tuple[str, Any]]:
    """The devices of a library with their names, best first. Registers it at the first call.

    Raises:
        MissingError: it cannot be used; the text says why.
    """
    path = _path_of(library)
    with _lock:
        if path not in _registered:
            _registered[path] = _register(runtime, library, path)
        providers = _registered[path]
    every = [each for each in runtime.get_ep_devices() if each.ep_name in providers and _library_of(each) in ("", path)]
    real = [each for each in every if dict(each.device.metadata).get("is_virtual") != "1"]  # one that only compiles
    named = []
    for kind in KINDS:
        alike = [each for each in real if _kind(each) == kind]
        named += [(f"ep:{library.name}:{kind}" + (f":{number}" if number else ""), each) for number, each in enumerate(alike)]
    return named


def find_device(runtime: ModuleType, device: PlugInDevice) -> Any:
    """The device of this name.

    Raises:
        MissingError: its library is not installed or cannot be used, or offers no such device here.
    """
    known = plug_in_libraries()
    library = known.get(device.name)
    if library is None:
        installed = ", ".join(f"{each.name} ({each.origin})" for each in known.values()) or "none"
        wheel = f"pip install {WHEELS[device.name]}" if device.name in WHEELS else f"known are {', '.join(sorted(WHEELS))}"
        raise MissingError(f"no plug-in execution provider {device.name!r} is installed: {wheel}; installed are {installed}")
    offered = offered_devices(runtime, library)
    if not offered:
        raise MissingError(f"{library.origin} offers no device on this machine; check the driver of the device")
    fitting = [each for _, each in offered if device.kind in ("", _kind(each))]
    if device.index >= len(fitting):
        here = ", ".join(name for name, _ in offered)
        raise MissingError(f"{library.origin} does not offer this device on this machine; it offers {here}")
    return fitting[device.index]


def _given() -> str:
    """The administrator's libraries, as in the environment. Settings that cannot be read name none, and the log says why."""
    with _lock:
        if VARIABLE not in os.environ:
            file = default_path()
            try:
                set_libraries(read_settings(file).ep_libraries)
            except (InputError, StoreError) as cause:
                if isinstance(cause, StoreError) or file.exists():
                    log.warning("ep_libraries are not known: %s", cause)
                set_libraries({})
        return os.environ[VARIABLE]


def _configured(text: str) -> dict[str, PlugInLibrary]:
    found: dict[str, PlugInLibrary] = {}
    for part in filter(None, text.split(os.pathsep)):
        name, _, path = part.partition("=")
        if not NAME.fullmatch(name) or not Path(path).is_absolute() or len(found) == LIBRARIES_MAX:
            raise MissingError(f"{VARIABLE}: {part!r} is not NAME=/PATH/OF/LIBRARY.so, of at most {LIBRARIES_MAX}; correct it")
        found[name] = PlugInLibrary(name, path, path=path)
    return found


def _modules(folder: Path) -> list[str]:
    """Top-level modules of a wheel, by its metadata: some list them, all list their files."""
    try:
        named = folder / "top_level.txt"
        listed = named.read_text(encoding="utf-8").split() if named.is_file() else []
        if not listed:
            files = (folder / "RECORD").read_text(encoding="utf-8").splitlines()
            listed = [
                file.partition("/")[0] for file in files if file.partition(",")[0].count("/") == 1 and "/__init__.py," in file
            ]
    except (OSError, UnicodeDecodeError):
        return []
    return [each for each in listed if each.isidentifier()]


def _path_of(library: PlugInLibrary) -> str:
    """The file of a library.

    Raises:
        MissingError: there is none, or its wheel cannot be imported.
    """
    path = library.path
    if not path:
        try:
            path = str(importlib.import_module(library.modules[0]).get_library_path())
        except (Exception, SystemExit) as cause:  # a broken wheel has no effect on a machine that does not use it
            why = f"does not say where its library is ({fault_text(cause)})"
            raise MissingError(f"{library.origin} {why}; install it again") from cause
    if not Path(path).is_file():
        raise MissingError(f"the library of {library.origin} is missing: {path}; install it again")
    return os.path.realpath(path)


def _register(runtime: ModuleType, library: PlugInLibrary, path: str) -> frozenset[str]:
    """Register a library; the names of its providers.

    Raises:
        MissingError: ONNX Runtime is too old for it, or refuses it.
    """
    if not hasattr(runtime, "register_execution_provider_library"):
        version = runtime.__version__
        raise MissingError(f"plug-in execution providers require ONNX Runtime 1.23 or later, not {version}; upgrade it")
    before = {each.ep_name for each in runtime.get_ep_devices()}
    runtime.set_default_logger_severity(LOG_ERRORS)
    try:
        runtime.register_execution_provider_library(f"edgefleet.{library.name}", path)
    except library_errors(runtime) as cause:
        text = f"{library.origin} cannot be loaded by ONNX Runtime {runtime.__version__} ({library_fault(cause)})"
        raise MissingError(f"{text}; install a version that fits") from cause
    every = [(each.ep_name, _library_of(each)) for each in runtime.get_ep_devices()]
    return frozenset(name for name, origin in every if origin == path or (not origin and name not in before))


def _library_of(device: Any) -> str:
    """The file of the library that offers a device. Empty: older versions do not say it, and built-in providers have none."""
    path = str(dict(device.ep_metadata).get("library_path", ""))
    return os.path.realpath(path) if path else ""


def _kind(device: Any) -> str:
    return str(device.device.type).rpartition(".")[2].lower()


def library_errors(runtime: ModuleType) -> tuple[type[Exception], ...]:
    """Errors of ONNX Runtime, which share no base but Exception."""
    state = vars(runtime.capi.onnxruntime_pybind11_state).values()
    own = [kind for kind in state if isinstance(kind, type) and issubclass(kind, Exception)]
    return (*own, RuntimeError, ValueError)
