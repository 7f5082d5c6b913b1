"""Hailo-8 and Hailo-8L, as on the Raspberry Pi AI Kit and AI HAT+. HailoRT comes with the system's Python, so it runs in a host
process (`backends.hosted`):

    apt install hailo-all
    python3 -m venv --system-site-packages /opt/edgefleet-hailo

EDGEFLEET_HAILO_PYTHON sets another interpreter; packages and the server cannot, because it names a program to run.
Device: `hailo`; options: see `HailoOptions`. Never run on a device by the project; tested with a stand-in for HailoRT.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from edgefleet_agent.backends.hosted.backend import HostedBackend
from edgefleet_agent.backends.hosted.host_process import HostedRuntime, host_file

HAILO = HostedRuntime(
    name="hailo",
    title="HailoRT",
    adapter=Path(__file__).with_name("adapter.py"),
    python=lambda: host_file("hailo"),
    no_device="check hailortcli scan and dmesg; end other programs that use the device",
    versions="install driver and library of one version, then reboot, which loads driver and firmware",
    readable="supported are .hef files that Hailo's compiler made for this device",
    hung="if it hangs again, restart the machine",
    load_s_max=60.0,
)


class HailoOptions(msgspec.Struct, frozen=True):
    """boxes: the unit of boxes that the file suppresses itself (see `adapter`)."""

    boxes: Literal["pixels", "fractions"] = "pixels"


class HailoBackend(HostedBackend):
    """`.hef` files with one network."""

    name = "hailo"
    formats = frozenset({"hailo_hef"})
    hosted = HAILO
    kinds = ("hailo",)
    options = HailoOptions
