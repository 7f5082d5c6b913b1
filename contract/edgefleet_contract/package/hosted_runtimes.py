"""Runtimes that compute in a process of their own, beside the agent, and what makes them available on a device."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HostFile:
    """The file that makes a runtime available: the interpreter that has its library, or the library itself. variable: environment
    variable of the agent that sets another path than `usual`; no package and no server can, because it names what to run.
    install: the command that installs the runtime."""

    variable: str
    usual: str
    install: str


HOST_FILES = {
    "hailo": HostFile(
        "EDGEFLEET_HAILO_PYTHON",
        "/opt/edgefleet-hailo/bin/python",
        "apt install hailo-all && python3 -m venv --system-site-packages /opt/edgefleet-hailo",
    ),
    "ncs2": HostFile(
        "EDGEFLEET_NCS2_PYTHON",
        "/opt/edgefleet-ncs2/bin/python",
        "python3.9 -m venv /opt/edgefleet-ncs2 && /opt/edgefleet-ncs2/bin/pip install openvino==2021.4.2 'numpy<1.20'",
    ),
    "rknn": HostFile(
        "EDGEFLEET_RKNN_LIBRARY",
        "/usr/lib/librknnrt.so",
        "curl -fLo /usr/lib/librknnrt.so https://github.com/airockchip/rknn-toolkit2/raw/master/rknpu2/runtime/Linux/librknn_api"
        "/aarch64/librknnrt.so",
    ),
}
"""By the names of the runtimes."""
