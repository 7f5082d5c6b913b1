"""Intel's Neural Compute Stick 2 (Movidius Myriad X), legacy: its last runtime, OpenVINO 2021.4 (2022.3 as an archive), needs a
Python up to 3.9, so it runs in a host process (`backends.hosted`).

    python3.9 -m venv /opt/edgefleet-ncs2
    /opt/edgefleet-ncs2/bin/pip install openvino==2021.4.2 'numpy<1.20'

EDGEFLEET_NCS2_PYTHON sets another path; packages and the server cannot, because it names a program to run.
Devices: `myriad`; `cpu` is the same old OpenVINO on the CPU. Never run on a stick by the project.
"""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent.backends.hosted.backend import HostedBackend
from edgefleet_agent.backends.hosted.host_process import HostedRuntime, host_file

NCS2 = HostedRuntime(
    name="ncs2",
    title="OpenVINO for the NCS2",
    adapter=Path(__file__).with_name("adapter.py"),
    python=lambda: host_file("ncs2"),
    no_device="plug the Neural Compute Stick in, apt install libusb-1.0-0, check the udev rule",
    versions="install the runtime again",
    readable="supported are IR version 10 and ONNX, in f16",
    hung="plug the stick in again",
)


class Ncs2Backend(HostedBackend):
    """`.xml` + `.bin` of version 10 (written by this OpenVINO) and `.onnx` files, of f16 or f32."""

    name = "ncs2"
    formats = frozenset({"openvino_ir", "onnx"})
    hosted = NCS2
    kinds = ("myriad", "cpu")
