"""Loss of an Edge TPU during operation: the real supervisor and a real worker, with the stand-in library."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.pipeline.scheduling.device_failback import PAUSE_S
from tests.agent.fakes.watched_worker import WatchedWorker
from tests.conftest import ROOT
from tests.packages import assemble

pytestmark = pytest.mark.system

PIPELINE = """
name = "road"
[source]
kind = "file"
uri = "VIDEO"
loop = true
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
[[stages]]
name = "follow"
kind = "track"
[[rules]]
name = "vehicles"
kind = "visit"
"""
TPU_VARIANT = """
[[variants]]
name = "tpu-int8"
format = "tflite"
precision = "int8"
files = ["traffic_edgetpu.tflite"]
runtimes = ["lite_rt"]
profiles = ["coral"]

[provenance.files]
"""


class Device(WatchedWorker):
    """A machine with Edge TPUs."""

    def __init__(self, folder: Path, video: Path, profile: str = "coral-usb") -> None:
        super().__init__(folder, PIPELINE.replace("VIDEO", str(video)), profile, ["lite_rt"])


@pytest.fixture
def environment(libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two TPUs in files that a test may change: `plugged` lists the present ones, `broken` a device whose inferences fail, `held`
    one that cannot be opened, `fault` what else happens."""
    (tmp_path / "plugged").write_text("usb,usb", encoding="utf-8")
    for name, value in {
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "LD_LIBRARY_PATH": str(libraries / "new"),
        "TPU_DEVICES": f"@{tmp_path / 'plugged'}",
        "TPU_BROKEN": f"@{tmp_path / 'broken'}",
        "TPU_HELD": f"@{tmp_path / 'held'}",
        "TPU_FAULT": f"@{tmp_path / 'fault'}",
    }.items():
        monkeypatch.setenv(name, value)


def package_for(data: Path, into: Path, *, cpu: bool = True) -> Path:
    """A package for Edge TPUs and, with `cpu`, for the CPU, in a folder below `into`."""
    folder = assemble(data, into, "traffic_ssd_lstm")
    manifest = folder / "model.toml"
    text = manifest.read_text(encoding="utf-8").replace("\n[provenance.files]\n", TPU_VARIANT, 1)
    if not cpu:
        before, _, after = text.partition('[[variants]]\nname = "cpu-int8"')
        text = f"{before}[[variants]]{after.partition('[[variants]]')[2]}"
    manifest.write_text(text, encoding="utf-8")
    (folder / "traffic_edgetpu.tflite").symlink_to(data / "models/tflite/traffic_ssd_lstm/traffic_model_edgetpu.tflite")
    return folder


@pytest.fixture
def device(data: Path, tmp_path: Path, environment: None) -> Iterator[Device]:
    made = Device(package_for(data, tmp_path / "packages"), data / "media/videos/traffic_frames.mp4")
    yield made
    made.worker.stop()


def test_a_tpu_that_aborts_again_and_again_gives_way_to_the_cpu(device: Device, tmp_path: Path) -> None:
    """It works for some runs in every process; only its own process ends."""
    (tmp_path / "fault").write_text("abort 12 *", encoding="utf-8")
    device.until(lambda: len(device.running) == 2)
    assert [(each.variant, each.placement) for _, each in device.running] == [("tpu-int8", "edgetpu"), ("cpu-int8", "cpu")]
    assert "SIGABRT" in device.running[1][1].placement_reason
    answered = device.frames
    device.until(lambda: device.frames > answered + 5)

    (tmp_path / "fault").write_text("", encoding="utf-8")
    device.until(lambda: len(device.running) == 3)
    assert (device.running[2][1].placement, device.running[2][1].placement_reason) == ("edgetpu", "")
    assert device.moved == ["edgetpu failed", "edgetpu works again"]
    assert device.worker.crashes == 0


def test_a_tpu_that_is_unplugged_aborts_its_process_and_is_taken_again_when_it_is_back(device: Device, tmp_path: Path) -> None:
    device.until(lambda: device.frames > 5)
    (tmp_path / "plugged").write_text("", encoding="utf-8")
    (tmp_path / "fault").write_text("abort 0 *", encoding="utf-8")
    device.until(lambda: len(device.running) == 2)
    assert device.running[1][1].placement == "cpu"
    answered = device.frames
    device.until(lambda: device.frames > answered + 5)

    (tmp_path / "fault").write_text("", encoding="utf-8")
    (tmp_path / "plugged").write_text("usb", encoding="utf-8")
    device.until(lambda: len(device.running) == 3)
    assert device.running[2][1].placement == "edgetpu"
    assert device.worker.crashes == 0


def test_a_tpu_that_fails_every_frame_is_given_up_and_taken_again(device: Device, tmp_path: Path) -> None:
    device.until(lambda: device.frames > 5)
    assert device.running[0][1].placement == "edgetpu"
    (tmp_path / "plugged").write_text("", encoding="utf-8")
    (tmp_path / "broken").write_text("/sys/bus/usb/devices/1-0", encoding="utf-8")
    device.until(lambda: len(device.running) == 2)
    assert (device.running[1][1].variant, device.running[1][1].placement) == ("cpu-int8", "cpu")
    answered = device.frames
    device.until(lambda: device.frames > answered + 5)

    (tmp_path / "broken").write_text("", encoding="utf-8")
    (tmp_path / "plugged").write_text("usb", encoding="utf-8")
    device.until(lambda: len(device.running) == 3)
    assert (device.running[2][1].variant, device.running[2][1].placement) == ("tpu-int8", "edgetpu")
    assert device.moved == ["edgetpu failed", "edgetpu works again"]
    assert device.worker.crashes == 0


def test_a_tpu_that_opens_and_fails_every_run_leaves_the_model_on_the_cpu(device: Device, tmp_path: Path) -> None:
    """It is plugged in and answers every probe: only its runs fail, from the 30th on."""
    fault = tmp_path / "fault"
    fault.write_text("fail 30 *", encoding="utf-8")
    device.until(lambda: len(device.running) == 2)
    fault.write_text("fail 0 *", encoding="utf-8")
    assert (device.running[1][1].variant, device.running[1][1].placement) == ("cpu-int8", "cpu")
    assert "edgetpu failed 3 runs in a row" in device.running[1][1].placement_reason
    device.until(lambda: "stays on its device" in str(device.messages))
    answered = device.frames
    device.until(lambda: device.frames > answered + 5)
    assert device.moved == ["edgetpu failed"]
    assert device.worker.crashes == 0


def test_a_tpu_that_fails_again_is_avoided_for_longer(device: Device, tmp_path: Path) -> None:
    device.until(lambda: device.frames > 5)
    away_s = []
    for count in (2, 4):
        (tmp_path / "broken").write_text("/sys/bus/usb/devices/1-0", encoding="utf-8")
        device.until(lambda count=count: len(device.running) == count)
        (tmp_path / "broken").write_text("", encoding="utf-8")
        left_s = time.monotonic()
        device.until(lambda count=count: len(device.running) == count + 1)
        away_s.append(time.monotonic() - left_s)
    assert [running.placement for _, running in device.running] == ["edgetpu", "cpu", "edgetpu", "cpu", "edgetpu"]
    assert device.running[4][1].placement_reason == ""
    assert away_s[0] > PAUSE_S - 1
    assert away_s[1] > 2 * PAUSE_S - 1


def test_without_another_device_a_tpu_that_fails_every_run_is_tried_again(data: Path, tmp_path: Path, environment: None) -> None:
    folder = package_for(data, tmp_path / "packages", cpu=False)
    device = Device(folder, data / "media/videos/traffic_frames.mp4")
    try:
        device.until(lambda: device.frames > 5)
        (tmp_path / "broken").write_text("/sys/bus/usb/devices/1-0", encoding="utf-8")
        device.until(lambda: "stays on its device" in str(device.messages))
        (tmp_path / "broken").write_text("", encoding="utf-8")
        answered = device.frames
        device.until(lambda: device.frames > answered + 5)
        assert [running.placement for _, running in device.running] == ["edgetpu"]
        assert device.worker.crashes == 0
    finally:
        device.worker.stop()


def test_one_of_two_works_alone_until_the_other_can_be_opened(data: Path, tmp_path: Path, environment: None) -> None:
    folder = package_for(data, tmp_path / "packages")
    manifest = folder / "model.toml"
    everywhere = 'profiles = ["coral"]\noptions = { lite_rt = { device = "edgetpu:all" } }\n'
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('profiles = ["coral"]\n', everywhere), encoding="utf-8")
    (tmp_path / "held").write_text("/sys/bus/usb/devices/1-1", encoding="utf-8")
    device = Device(folder, data / "media/videos/traffic_frames.mp4", profile="coral-pair")  # no profile has this name
    try:
        device.until(lambda: device.frames > 5)
        assert device.running[0][1].placement == "edgetpu:usb:0"
        (tmp_path / "held").write_text("", encoding="utf-8")
        device.until(lambda: len(device.running) == 2)
        assert device.running[1][1].placement == "edgetpu:usb:0,edgetpu:usb:1"
        assert device.moved == ["edgetpu:usb:1 works, too"]
        answered = device.frames
        device.until(lambda: device.frames > answered + 5)
    finally:
        device.worker.stop()
