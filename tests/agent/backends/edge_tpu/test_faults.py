"""Faults of Edge TPUs × their number × a variant for the CPU or none: frames are answered again, and the status says why.

The real supervisor's client of a real worker, with the stand-in library. Each cell measures the longest time without an answered
frame (a heartbeat reports them every 0.5 s) from the first frame on, and prints it with what the status said.
"""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from edgefleet_agent.pipeline.scheduling.device_failback import PAUSE_S
from tests.agent.backends.edge_tpu.test_loss import Device, package_for
from tests.agent.fakes.watched_worker import FrameWatch
from tests.conftest import ROOT

pytestmark = pytest.mark.system

PLACES = [f"/sys/bus/usb/devices/1-{number}" for number in range(3)]
AFTER_RUNS = 40
ANSWERED_S_MAX = 3.0
"""Limit from the moment at which a fault is detected to the next answered frame."""
DETECTED_S = {"fail": 0.0, "abort": 0.0, "hang": 1.0}
REPORTED_S = 1.0
"""Two heartbeats: a frame is reported by the one after it, and the gap begins with the one before."""
LOAD_S_MAX = 30.0
WATCHED_S = 12.0


@dataclass(frozen=True)
class Cell:
    """One row of the table. broken: which of the devices have the fault."""

    kind: str
    moment: str
    devices: int
    broken: str
    cpu: bool

    @property
    def id(self) -> str:
        where = {1: "one TPU", 3: f"three TPUs, {self.broken} with the fault"}[self.devices]
        return f"{self.kind}, {self.moment}, {where}, {'CPU variant' if self.cpu else 'no CPU variant'}"

    @property
    def other_device(self) -> bool:
        """Whether a device without the fault is left."""
        return self.cpu or (self.devices == 3 and self.broken == "one")


CELLS = [
    Cell(kind, moment, devices, broken, cpu)
    for kind, moment, (devices, broken), cpu in itertools.product(
        ("fail", "abort", "hang"), ("load", "run"), ((1, "all"), (3, "one"), (3, "all")), (True, False)
    )
    if not (devices == 3 and broken == "all" and cpu)
]
"""Without those in which all of three fail beside a CPU variant: no shipped profile has several TPUs and the CPU behind them."""
SOON = [
    Cell("abort", "run", 1, "all", True),
    Cell("hang", "run", 3, "one", False),
    Cell("abort", "load", 3, "one", True),
    Cell("hang", "run", 1, "all", True),
]
"""The cells that also `make test` runs."""


@pytest.fixture
def environment(libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the file that says what is broken."""
    for name, value in {
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "LD_LIBRARY_PATH": str(libraries / "new"),
        "TPU_FAULT": f"@{tmp_path / 'fault'}",
        "TPU_LATENCY_US": "2000",
    }.items():
        monkeypatch.setenv(name, value)
    return tmp_path / "fault"


def opened(data: Path, folder: Path, cell: Cell) -> Device:
    package = package_for(data, folder / "packages", cpu=cell.cpu)
    if cell.devices == 3:
        manifest = package / "model.toml"
        everywhere = 'profiles = ["coral"]\noptions = { lite_rt = { device = "edgetpu:all" } }\n'
        manifest.write_text(manifest.read_text(encoding="utf-8").replace('profiles = ["coral"]\n', everywhere), encoding="utf-8")
    profile = "coral-usb" if cell.devices == 1 else "coral-pair"
    return Device(package, data / "media/videos/traffic_frames.mp4", profile)


def check(cell: Cell, data: Path, tmp_path: Path, fault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One cell: the fault is there from the start, and goes away at the end."""
    monkeypatch.setenv("TPU_DEVICES", ",".join("usb" for _ in range(cell.devices)))
    moment = "load" if cell.moment == "load" else str(AFTER_RUNS)
    fault.write_text(f"{cell.kind} {moment} {PLACES[0] if cell.broken == 'one' else '*'}", encoding="utf-8")
    device = opened(data, tmp_path, cell)
    try:
        if cell.moment == "load" and not cell.other_device:
            device.until(lambda: bool(device.messages))
            print(f"\n{cell.id}: no frame; {device.messages[-1]}")
            assert "Edge TPU" in str(device.messages[-1])
            return
        began_s = time.monotonic()
        device.until(lambda: device.frames > 0)
        first_s = time.monotonic() - began_s
        watch = FrameWatch(device)
        watch.turn(WATCHED_S)
        assert device.worker.crashes == 0
        if not cell.other_device:  # it is loaded again in a new process, which works for as many runs
            assert watch.longest_s <= DETECTED_S[cell.kind] + ANSWERED_S_MAX + REPORTED_S + PAUSE_S
        if cell.other_device:
            assert watch.longest_s <= DETECTED_S[cell.kind] + ANSWERED_S_MAX + REPORTED_S
        if cell.cpu and cell.broken == "all":  # it may have tried to come back meanwhile
            device.until(lambda: any(each.placement == "cpu" and each.placement_reason for _, each in device.running))
        places = [f"{each.placement} ({each.placement_reason})" for _, each in device.running]
        print(f"\n{cell.id}: first frame {first_s:.1f} s, gap {watch.longest_s:.1f} s; {', '.join(places)}")
        fault.write_text("", encoding="utf-8")
        watch.turn(1.0)
        answered = device.frames
        device.until(lambda: device.frames > answered + 20)
    finally:
        device.worker.stop()


@pytest.mark.parametrize("cell", SOON, ids=lambda cell: cell.id)
def test_frames_are_answered_again(
    cell: Cell, data: Path, tmp_path: Path, environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(cell, data, tmp_path, environment, monkeypatch)


@pytest.mark.long(minutes=2)
@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell not in SOON], ids=lambda cell: cell.id)
def test_frames_are_answered_again_in_every_cell(
    cell: Cell, data: Path, tmp_path: Path, environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(cell, data, tmp_path, environment, monkeypatch)
