"""The doctor names what runtimes in host processes lack: each state of device, library and driver, with what to do."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import pytest

from edgefleet_agent.backends.base import Backend, LoadOptions, Session
from edgefleet_agent.backends.contained import ContainedBackend
from edgefleet_agent.backends.hosted.host_process import holds_device
from edgefleet_agent.backends.rknn import adapter
from edgefleet_agent.cli.internal.worker import answers
from edgefleet_agent.cli.measure import doctor
from edgefleet_agent.cli.measure.doctor import examine, probe
from edgefleet_agent.machine.accelerator_check import Check
from edgefleet_agent.machine.profiles import find_profile
from edgefleet_contract.core.errors import MissingError
from tests.agent.backends.hosted.conftest import Hosted, interpreter


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probes run here instead of in a child: the host process is one already."""
    monkeypatch.setattr(doctor, "ask", probe)


def checked(profile: str, runtime: str) -> dict[str, Check]:
    found = find_profile(profile)
    assert found is not None
    return {check.what: check for check in examine(found, only=runtime)}


def test_a_hailo_that_works(hailo: Hosted) -> None:
    found = checked("hailo-8", "hailo")["hailo on hailo"]
    assert found.ok
    assert found.detail == "HailoRT 4.20.0, HAILO8L answers; no inference was run: pass a package with --package"


HAILO = {
    "no device": (
        "device",
        None,
        "hailo on hailo",
        "no device for HailoRT (no device was found): check hailortcli scan and dmesg; end other programs that use the device",
    ),
    "another driver": (
        "driver",
        "4.18.0",
        "hailo on hailo",
        "do not fit (libhailort failed with error: 76 (HAILO_INVALID_DRIVER_VERSION)): install driver and library of one version",
    ),
    "fails": ("fault", "fail probe", "hailo on hailo", "libhailort failed with error: 4 (HAILO_TIMEOUT)"),
    "no library": (
        "python",
        f'#!/bin/sh\nexec {sys.executable} "$@"\n',
        "hailo",
        "the library of HailoRT cannot be used (No module named 'hailo_platform'): apt install hailo-all && python3 -m venv",
    ),
}


@pytest.mark.parametrize("state", HAILO)
def test_what_a_hailo_lacks(hailo: Hosted, state: str) -> None:
    file, content, what, text = HAILO[state]
    if content is None:
        (hailo.folder / file).unlink()
    else:
        (hailo.folder / file).write_text(content, encoding="utf-8")
    found = checked("hailo-8", "hailo")[what]
    assert (found.ok, found.needed) == (False, True)
    assert text in found.detail


def test_without_hailos_python_the_command_is_named(hailo: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEFLEET_HAILO_PYTHON", str(hailo.folder / "gone"))
    found = checked("hailo-8", "hailo")
    assert found["hailo"].detail == "not installed"
    assert found["hailo"].fix.startswith("apt install hailo-all && python3 -m venv")
    assert "reboot" in found["/dev/hailo0"].fix


def test_a_device_that_this_agent_uses_counts_as_usable(hailo: Hosted) -> None:
    """Another process may not find a device that is in use."""
    with contextlib.closing(hailo.load()):
        assert holds_device("hailo", "hailo")
        assert answers("hailo", "hailo")
    assert not holds_device("hailo", "hailo")


def test_a_rockchip_without_its_driver(rknn: Hosted) -> None:
    found = checked("rockchip-rk3588", "rknn")
    assert not found["rknn on rknpu"].ok
    assert (
        "(the driver RKNPU is not loaded): use the vendor's kernel, which has the driver RKNPU" in found["rknn on rknpu"].detail
    )
    assert "vendor's kernel" in found["/sys/bus/platform/drivers/RKNPU"].fix


def test_a_rockchip_with_a_library_that_is_none(rknn: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    (rknn.folder / "library.so").write_bytes(b"<html>not found</html>")
    monkeypatch.setenv("EDGEFLEET_RKNN_LIBRARY", str(rknn.folder / "library.so"))
    found = checked("rockchip-rk3588", "rknn")["rknn"]
    assert "the library of Rockchip's runtime cannot be used (" in found.detail
    assert "): curl -fLo /usr/lib/librknnrt.so" in found.detail
    monkeypatch.setenv("EDGEFLEET_RKNN_LIBRARY", str(rknn.folder / "gone.so"))
    assert checked("rockchip-rk3588", "rknn")["rknn"].fix.startswith("curl -fLo /usr/lib/librknnrt.so")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RuntimeError("rknn_init: RKNN_ERR_DEVICE_UNMATCH (-10)"), "versions"),
        (RuntimeError("rknn_init: RKNN_ERR_DEVICE_UNAVAILABLE (-3)"), "device"),
        (RuntimeError("rknn_init: RKNN_ERR_MODEL_INVALID (-6)"), ""),
        (OSError("librknnrt.so: invalid ELF header"), "library"),
    ],
)
def test_codes_of_rockchips_library(error: Exception, expected: str) -> None:
    assert adapter.lacking(error) == expected


def test_an_ncs2_without_a_stick_or_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEFLEET_NCS2_PYTHON", str(interpreter(tmp_path, "ncs2")))
    monkeypatch.delenv("STICK", raising=False)
    found = checked("ncs2", "ncs2")
    assert "(Can not init Myriad device: NC_ERROR): plug the Neural Compute Stick in" in found["ncs2 on myriad"].detail
    monkeypatch.setenv("STICK", "1")
    assert checked("ncs2", "ncs2")["ncs2 on myriad"].detail.startswith("version 2021.4.2, one f32 inference on myriad")
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n', encoding="utf-8")
    assert not checked("ncs2", "ncs2")["ncs2"].ok


class ChipBackend(Backend):
    """A runtime of a plug-in, without a trial model, with two devices."""

    name = "chip"
    needs = ()
    formats = frozenset({"chip"})

    def devices(self) -> list[str]:
        return ["chip:0", "chip:1"]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        raise MissingError(f"no compiler for {files} and {options}")


def test_a_device_of_a_plug_in_without_a_trial_model() -> None:
    chip = ContainedBackend(ChipBackend())
    assert [chip.probe(device) for device in ("chip:1", "chip")] == ["found", "found"]
    with pytest.raises(MissingError, match=r"no device other for runtime chip: .*; found are chip:0, chip:1"):
        chip.probe("other")
