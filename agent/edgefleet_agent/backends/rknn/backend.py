"""NPUs of Rockchip's RK3588, RK3576 and RK356x. Rockchip's library may end the process that uses it, so it runs in a host process
(`backends.hosted`), with the agent's own Python:

    curl -fLo /usr/lib/librknnrt.so https://github.com/airockchip/rknn-toolkit2/raw/master/rknpu2/runtime/Linux/librknn_api/aarch64/librknnrt.so

EDGEFLEET_RKNN_LIBRARY sets another library; packages and the server cannot, because it names what is loaded.
Device: `rknpu`; options: see `RknnOptions`. Never run on a device by the project; tested with a
stand-in for the library.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import msgspec

from edgefleet_agent.backends.hosted.backend import HostedBackend
from edgefleet_agent.backends.hosted.host_process import HostedRuntime

RKNN = HostedRuntime(
    name="rknn",
    title="Rockchip's runtime",
    adapter=Path(__file__).with_name("adapter.py"),
    python=lambda: sys.executable,
    no_device="use the vendor's kernel, which has the driver RKNPU; give the agent's user access to it",
    versions="use the library that came with the vendor's kernel, or a kernel with a newer driver RKNPU",
    readable="supported are .rknn files that RKNN-Toolkit2 made for this chip and a library of that version",
    hung="if it hangs again, restart the machine",
    load_s_max=60.0,
)


class RknnOptions(msgspec.Struct, frozen=True):
    """cores: those to use; only an RK3588 has a choice. inputs: see `adapter`."""

    inputs: Literal["pixels", "stored"] = "pixels"
    cores: Literal["auto", "0", "1", "2", "0_1", "0_1_2"] = "auto"


class RknnBackend(HostedBackend):
    """`.rknn` files."""

    name = "rknn"
    formats = frozenset({"rknn"})
    hosted = RKNN
    kinds = ("rknpu",)
    options = RknnOptions
