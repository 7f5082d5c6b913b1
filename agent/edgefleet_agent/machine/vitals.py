"""Hardware description and health figures of this machine, from /proc and /sys. Imports no library and starts no process."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

from edgefleet_agent.core import plugins
from edgefleet_contract.core.malloc import resident_bytes
from edgefleet_contract.package.hosted_runtimes import HOST_FILES

MODULES: dict[str, tuple[str, ...]] = {
    "lite_rt": ("ai_edge_litert", "tflite_runtime"),
    "onnx_runtime": ("onnxruntime",),
    "open_vino": ("openvino",),
}
"""Runtime -> modules of which one has to be installed."""

_ATTACHED = (
    ("/sys/bus/usb/devices", "[0-9]*"),
    ("/dev", "apex_*"),
    ("/dev", "hailo[0-9]*"),
    ("/dev", "nvidia[0-9]*"),
    ("/dev/accel", "accel*"),
    ("/dev/dri", "renderD*"),
)

TEXT_BYTES_MAX = 64 * 1024


def installed_runtimes() -> list[str]:
    """Runtimes of this machine: those that can be imported, in the order of `MODULES`, those of installed plug-ins, and those
    that have a process of their own. Imports none."""
    found = [name for name, modules in MODULES.items() if any(importlib.util.find_spec(module) for module in modules)]
    found += plugins.installed("backends")
    return found + [name for name, each in HOST_FILES.items() if Path(os.environ.get(each.variable) or each.usual).is_file()]


def hardware() -> dict[str, str]:
    """Description of the machine as short texts."""
    model = _read("/proc/device-tree/model").strip("\0\n ") or _read("/sys/class/dmi/id/product_name").strip()
    memory_kb = next((line.split()[1] for line in _read("/proc/meminfo").splitlines() if line.startswith("MemTotal:")), "0")
    cpu = (line.partition(":")[2].strip() for line in _read("/proc/cpuinfo").splitlines() if line.startswith("model name"))
    found = {
        "model": model,
        "cpu": next(cpu, ""),
        "cores": str(os.cpu_count() or 0),
        "memory_bytes": str(int(memory_kb) * 1024),
        "arch": platform.machine(),
        "kernel": platform.release(),
        "python": platform.python_version(),
    }
    return {key: value for key, value in found.items() if value}


def boot_id() -> str:
    """The kernel's id of this boot; `unknown` if there is none."""
    return _read("/proc/sys/kernel/random/boot_id").strip() or "unknown"


def attached() -> frozenset[str]:
    """Names of the connected devices that may be accelerators; a new name means that a device was plugged in."""
    return frozenset(str(path) for folder, pattern in _ATTACHED for path in Path(folder).glob(pattern))


@dataclass(frozen=True, slots=True)
class Vitals:
    """One sample of the machine's figures. cpu_percent: all cores together, since the previous sample."""

    cpu_percent: float
    rss_bytes: int
    temperature_c: float | None
    disk_free_bytes: int


class VitalsProbe:
    """Samples temperature, load, memory and disk; `folder` is on the disk to measure."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._cpu = _cpu_times()

    def sample(self) -> Vitals:
        """The vitals now."""
        before, self._cpu = self._cpu, _cpu_times()
        total = self._cpu[0] - before[0]
        busy = self._cpu[1] - before[1]
        return Vitals(
            cpu_percent=round(100.0 * busy / total, 1) if total > 0 else 0.0,
            rss_bytes=rss_bytes(),
            temperature_c=temperature_c(),
            disk_free_bytes=shutil.disk_usage(self._folder).free,
        )


def rss_bytes() -> int:
    """Memory of this process that is in RAM now."""
    return resident_bytes()


def _cpu_times() -> tuple[int, int]:
    """Clock ticks (all, busy) since the machine started."""
    first = _read("/proc/stat").partition("\n")[0].split()[1:9]
    ticks = [int(field) for field in first]
    return sum(ticks), sum(ticks) - sum(ticks[3:5])


def temperature_c() -> float | None:
    """The temperature of the hottest zone; None without a sensor."""
    texts = (_read(str(path)).strip() for path in Path("/sys/class/thermal").glob("thermal_zone*/temp"))
    degrees = [int(text) / 1000.0 for text in texts if text.lstrip("-").isdigit()]
    return max(degrees) if degrees else None


def _read(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return file.read(TEXT_BYTES_MAX).decode(errors="replace")
    except OSError:  # the file belongs to another kind of machine, or requires permissions that the agent does not have
        return ""
