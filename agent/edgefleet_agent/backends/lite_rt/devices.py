"""Coral Edge TPUs by libedgetpu: enumeration and addressing.

    edgetpu                             any
    edgetpu:usb:0, edgetpu:pci:0        in the order that libedgetpu lists them, which changes when one is plugged in again
    edgetpu:/sys/bus/usb/devices/2-3    the one at that path; likewise edgetpu:/dev/apex_0
    edgetpu:all                         all of them, in parallel: each run goes to a free one
    edgetpu:beyond:/dev/apex_0,...      any other than those at these paths: shows whether `all` would find more now

A libedgetpu of the wrong version kills the process inside `Interpreter`, and a TPU that is unplugged aborts it: each TPU is used
in a process of its own that may die (see `backends.isolated`); the caller only lists devices. Google's `pycoral` makes the same
calls and is not needed.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import ModuleType
from typing import Any

from edgefleet_contract.core.errors import MissingError

LIBRARY = "libedgetpu.so.1"
INSTALL = "apt install ./libedgetpu1-std_16.0tf2.*.deb   # 2.16.1 or later: https://github.com/feranick/libedgetpu/releases"
COMPATIBLE = "install a compatible version, libedgetpu 16.0tf2.16.1 or later"
ALL, BEYOND = "all", "beyond:"
OPERATOR = b"edgetpu-custom-op"
"""Name of the only operator that the Edge TPU compiler emits for the device; a file without it runs on the CPU only."""
_KINDS = ("pci", "usb")


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int), ("path", ctypes.c_char_p))


def edge_tpus() -> dict[str, str]:
    """The Edge TPUs that libedgetpu finds: device name to its path in /sys or /dev; empty if the library is not installed."""
    library = _library()
    if library is None:
        return {}
    library.edgetpu_list_devices.restype = ctypes.POINTER(_Device)
    library.edgetpu_free_devices.argtypes = (ctypes.c_void_p,)
    count = ctypes.c_size_t()
    listed = library.edgetpu_list_devices(ctypes.byref(count))
    kinds = [_KINDS[listed[index].kind] for index in range(count.value)]
    places = [(listed[index].path or b"").decode(errors="replace") for index in range(count.value)]
    library.edgetpu_free_devices(listed)
    return {f"edgetpu:{kind}:{kinds[:index].count(kind)}": places[index] for index, kind in enumerate(kinds)}


def library_version() -> str:
    """Version string of the library; empty if it is not installed."""
    library = _library()
    if library is None:
        return ""
    library.edgetpu_version.restype = ctypes.c_char_p
    version: bytes = library.edgetpu_version() or b""
    return version.decode(errors="replace")


def is_compiled(model: Path) -> bool:
    """Whether the file was compiled by edgetpu_compiler."""
    return OPERATOR in model.read_bytes()


def other_devices(places: str) -> list[str]:
    """Device names, without `edgetpu:`, of those that are at none of the comma-separated paths `places`."""
    return [name.partition(":")[2] for name, place in edge_tpus().items() if place not in places.split(",")]


def places_of(which: str) -> list[str]:
    """The paths of the TPUs that `which` (a device name without `edgetpu:`) may mean, best first; empty: none is there.

    Raises:
        MissingError: the library is missing.
    """
    if _library() is None:
        raise MissingError(f"{LIBRARY} is not installed: {INSTALL}")
    found = edge_tpus()
    if which.startswith("/"):
        return [which] if which in found.values() else []
    kind, _, index = which.partition(":")
    places = [place for name, place in found.items() if not kind or name.split(":")[1] == kind]
    if not index:
        return places
    return places[int(index) :][:1] if index.isdigit() else []


def none_found(which: str) -> MissingError:
    """The error of a device name that means no TPU which is there, or none that can be opened."""
    found = ", ".join(f"{name} at {path}" for name, path in edge_tpus().items()) or "none"
    name = f"edgetpu:{which}" if which else "edgetpu"
    return MissingError(f"no Edge TPU found as {name!r} (found: {found}): plug it in, check the udev rule")


def open_delegate(runtime: ModuleType, which: str, performance: str) -> Any:
    """The TPU `which` (a device name without `edgetpu:`), as a delegate for LiteRT's `Interpreter`. performance: low, medium,
    high, max, or empty for the library's own.

    Raises:
        MissingError: the library or the TPU is missing.
    """
    if _library() is None:
        raise MissingError(f"{LIBRARY} is not installed: {INSTALL}")
    try:
        options = {"device": _address(which)} if which else {}
        if performance:
            # The library reads options only of a device with a number.
            options = {"device": options.get("device", ":0"), "Performance": performance.capitalize()}
        return runtime.load_delegate(LIBRARY, options)
    except ValueError as cause:
        raise none_found(which) from cause


def _library() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(LIBRARY)
    except OSError:
        return None


def _address(which: str) -> str:
    """The device name for libedgetpu: `usb:0`; a path is resolved among the devices that are present.

    Raises:
        ValueError: no device at that path.
    """
    if not which.startswith("/"):
        return which
    for name, place in edge_tpus().items():
        if place == which:
            return name.partition(":")[2]
    raise ValueError(f"no Edge TPU at {which}")
