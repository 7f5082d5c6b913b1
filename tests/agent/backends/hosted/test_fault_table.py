"""Faults of runtimes in host processes × when × a variant for the CPU or none: frames are answered again, the status says why.

The real supervisor's client of a real worker, with the stand-in of each runtime. Each cell measures the longest time without an
answered frame (a heartbeat reports them every 0.5 s) from the first frame on, and prints it with what the status said.
"""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from edgefleet_agent.pipeline.scheduling.device_failback import PAUSE_S
from tests.agent.backends.hosted.conftest import interpreter, write_hef, write_rknn
from tests.agent.fakes.watched_worker import WAIT_S, FrameWatch, WatchedWorker
from tests.agent.serving.onnx_file import one_node
from tests.conftest import ROOT

pytestmark = pytest.mark.system

AFTER_RUNS = 20
ANSWERED_S_MAX = 4.0
"""Limit from the moment at which a fault is detected to the next answered frame on another device."""
DETECTED_S = {"fail": 0.0, "abort": 0.0, "hang": 1.0}
REPORTED_S = 1.0
"""Two heartbeats: a frame is reported by the one after it, and the gap begins with the one before."""
LOAD_S_MAX = {"hailo": 60.0, "rknn": 60.0, "ncs2": 120.0}
"""After which a load that hangs is given up."""
WATCHED_S = 6.0
PIPELINE = """
name = "look"
[source]
kind = "synthetic"
options = { width = 64, height = 64 }
[[stages]]
name = "say"
kind = "classify"
model = "slot:detector"
[[stages]]
name = "follow"
kind = "track"
[[rules]]
name = "any"
kind = "visit"
"""
TITLES = {"hailo": "HailoRT", "rknn": "Rockchip's runtime", "ncs2": "OpenVINO for the NCS2"}
PROFILES = {"hailo": ("hailo-8", "hailo"), "rknn": ("rockchip-rk3588", "rknpu"), "ncs2": ("ncs2", "myriad")}
MANIFEST = """
name = "p"
version = "1.0.0"
task = "classification"
labels = ["a", "b", "c"]
head = { family = "classification" }
[[inputs]]
name = "picture"
shape = [1, 3, 1, 1]
dtype = "float32"
layout = "nchw"
"""
CPU = '[[variants]]\nname = "cpu"\nformat = "onnx"\nfiles = ["model.onnx"]\nruntimes = ["onnx_runtime"]\nprecision = "f32"\n'
ACCELERATED = {
    "hailo": 'format = "hailo_hef"\nprecision = "int8"\nfiles = ["model.hef"]\nruntimes = ["hailo"]\n'
    'inputs = [{ name = "net/input_layer1", shape = [1, 1, 1, 3], dtype = "uint8", layout = "nhwc" }]\n',
    "rknn": 'format = "rknn"\nprecision = "int8"\nfiles = ["model.rknn"]\nruntimes = ["rknn"]\n'
    'inputs = [{ name = "images", shape = [1, 1, 1, 3], dtype = "uint8", layout = "nhwc" }]\n',
    "ncs2": 'format = "openvino_ir"\nprecision = "f16"\nfiles = ["pixel.xml", "pixel.bin"]\nruntimes = ["ncs2"]\n'
    'inputs = [{ name = "data", shape = [1, 3, 1, 1], dtype = "float32", layout = "nchw" }]\n',
}


@dataclass(frozen=True)
class Cell:
    """One row of the table."""

    runtime: str
    kind: str
    moment: str
    cpu: bool

    @property
    def id(self) -> str:
        return f"{self.runtime}, {self.kind}, {self.moment}, {'CPU variant' if self.cpu else 'no CPU variant'}"


CELLS = [Cell(*each) for each in itertools.product(PROFILES, ("fail", "abort", "hang"), ("load", "run"), (True, False))]
SOON = [
    Cell("hailo", "abort", "run", cpu=True),
    Cell("rknn", "fail", "load", cpu=True),
    Cell("ncs2", "hang", "run", cpu=False),
]
"""The cells that also `make test` runs: each value of each column."""


@pytest.fixture
def environment(rknn_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All three stand-ins, with a device. Returns the file that says what is broken."""
    for name in ("hailo", "ncs2"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(f"EDGEFLEET_{name.upper()}_PYTHON", str(interpreter(tmp_path / name, name)))
    monkeypatch.setenv("EDGEFLEET_RKNN_LIBRARY", str(rknn_library))
    for name in ("HAILO", "RKNN", "NCS2"):
        monkeypatch.setenv(f"{name}_STAND_IN", str(tmp_path))
    monkeypatch.setenv("STICK", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    (tmp_path / "device").write_text("rk3588", encoding="utf-8")
    return tmp_path / "fault"


def package_for(cell: Cell, folder: Path) -> Path:
    """A classifier of one pixel for the accelerator and, if the cell has it, for the CPU."""
    folder.mkdir()
    variants = f'[[variants]]\nname = "own"\n{ACCELERATED[cell.runtime]}profiles = ["{PROFILES[cell.runtime][0]}"]\n'
    (folder / "model.toml").write_text(MANIFEST + variants + (CPU if cell.cpu else ""), encoding="utf-8")
    (folder / "model.onnx").write_bytes(one_node("Identity", "FP32", {"picture": [1, 3, 1, 1]}, {"scores": [1, 3, 1, 1]}))
    pixel = {"inputs": [{"name": "net/input_layer1", "shape": [1, 1, 3]}], "outputs": [{"name": "net/fc", "shape": [3]}]}
    write_hef(folder / "model", {**pixel, "scale": 0.25, "offset": -1.0})
    write_rknn(folder / "model", "rk3588 1 1 3 0.25 -1.0 1.0 -128 0.5 10")
    for end in ("xml", "bin"):
        (folder / f"pixel.{end}").touch()
    return folder


def check(cell: Cell, tmp_path: Path, fault: Path) -> None:
    """One cell: the fault is there from the start, and goes away at the end."""
    profile, device_name = PROFILES[cell.runtime]
    fault.write_text(f"{cell.kind} {'load' if cell.moment == 'load' else AFTER_RUNS}", encoding="utf-8")
    device = WatchedWorker(package_for(cell, tmp_path / "package"), PIPELINE, profile, [cell.runtime, "onnx_runtime"])
    load_s = LOAD_S_MAX[cell.runtime] + 60.0
    try:
        if cell.moment == "load" and not cell.cpu:
            device.until(lambda: bool(device.messages), load_s)
            print(f"\n{cell.id}: no frame; {device.messages[-1]}")
            assert TITLES[cell.runtime] in str(device.messages[-1])
            return
        began_s = time.monotonic()
        device.until(lambda: device.frames > 0, load_s)
        first_s = time.monotonic() - began_s
        watch = FrameWatch(device)
        watch.turn(WATCHED_S, lambda: not cell.cpu or any(each.placement == "cpu" for _, each in device.running), WAIT_S)
        assert device.worker.crashes == 0
        away_s = 0.0 if cell.cpu else PAUSE_S  # without another device, the one that fails again is loaded again after this time
        assert watch.longest_s <= DETECTED_S[cell.kind] + ANSWERED_S_MAX + REPORTED_S + away_s
        if cell.cpu:
            reasons = [each.placement_reason for _, each in device.running if each.placement == "cpu"]
            assert TITLES[cell.runtime] in reasons[0]
        places = [f"{each.placement} ({each.placement_reason})" for _, each in device.running]
        print(f"\n{cell.id}: first frame {first_s:.1f} s, gap {watch.longest_s:.1f} s; {', '.join(places)}; {device.moved}")
        fault.write_text("", encoding="utf-8")
        answered = device.frames
        device.until(lambda: device.frames > answered + 20)
        if not cell.cpu or cell.runtime != "rknn":  # the machine of the tests has no driver for an NPU, so it does not answer
            device.until(lambda: device.running[-1][1].placement == device_name, load_s)  # a load that hangs goes on
    finally:
        device.worker.stop()


@pytest.mark.parametrize("cell", SOON, ids=lambda cell: cell.id)
def test_frames_are_answered_again(cell: Cell, tmp_path: Path, environment: Path) -> None:
    check(cell, tmp_path, environment)


@pytest.mark.long(minutes=7)
@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell not in SOON], ids=lambda cell: cell.id)
def test_frames_are_answered_again_in_every_cell(cell: Cell, tmp_path: Path, environment: Path) -> None:
    check(cell, tmp_path, environment)
