"""Profile that the service uses and reports; `selftest` chooses variants like the device."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from edgefleet_agent.cli import status
from edgefleet_agent.machine.profiles import find_profile, usual_runtimes
from edgefleet_agent.service.profile_choice import ProfileStatus, device_runtimes, own_profile
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_contract.package.profile import variant_choices
from tests.agent.fakes.machines import MACHINES, write
from tests.conftest import ROOT

pytestmark = pytest.mark.system

PACKAGE = ROOT / "firmware_models/conveyor_inspector/1.1.0"
EVERY = ["lite_rt", "onnx_runtime", "open_vino"]


@pytest.fixture
def onnx_only(tmp_path: Path) -> Path:
    """The package with only its ONNX variant."""
    folder = tmp_path / "package"
    shutil.copytree(PACKAGE, folder)
    text = (folder / "model.toml").read_text(encoding="utf-8")
    head, *variants = text.split("[[variants]]\n")
    last, _, rest = variants[-1].partition("\n[[")
    variants[-1] = last + "\n"
    lines = [each for each in variants if "onnx_runtime" in each]
    assert lines
    (folder / "model.toml").write_text("[[variants]]\n".join([head, lines[0]]) + (f"[[{rest}" if rest else ""), encoding="utf-8")
    return folder


@pytest.mark.parametrize("title", ["coral-usb", "jetson-orin-nx", "intel-npu", "cpu-arm64"])
def test_what_is_detected_unless_the_settings_say_otherwise(tmp_path: Path, title: str) -> None:
    root = write(MACHINES[title], tmp_path)
    own = own_profile("", root)
    assert (own.name, own.profile and own.profile.name) == (title, title)
    assert own.reason.startswith("detected: ")
    other = own_profile("raspberry-pi-5", root)
    assert (other.name, other.reason) == ("raspberry-pi-5", "set in the settings")
    assert own_profile("none", root).name == ""
    assert own_profile("none", root).profile is None


def test_a_name_that_no_profile_has_is_used_and_reported(tmp_path: Path) -> None:
    own = own_profile("gate-box", tmp_path)
    assert (own.name, own.profile) == ("gate-box", None)
    assert "no such profile exists" in own.reason
    strange = own_profile("", write({"proc/sys/kernel/arch": "riscv64\n"}, tmp_path))
    assert (strange.name, strange.profile) == ("", None)
    assert "no device profile matches this machine" in strange.reason


def test_missing_parts_of_an_accelerator_are_reported_with_the_command() -> None:
    standing = ProfileStatus(own_profile("intel-npu"), ["lite_rt"])
    deadline_s = time.monotonic() + 120
    while not standing.plain()["missing"] and time.monotonic() < deadline_s:
        time.sleep(0.02)
    missing = {each["what"]: each["fix"] for each in standing.plain()["missing"]}
    assert missing["runtime open_vino"] == "pip install 'edgefleet-agent[openvino]'"
    assert "/dev/accel/accel0" in missing


def test_runtimes_that_a_profile_does_not_name_come_last() -> None:
    coral, stick = find_profile("coral-usb"), find_profile("cpu-x86")
    assert usual_runtimes(coral, ["onnx_runtime", "lite_rt", "open_vino"]) == ["lite_rt", "onnx_runtime", "open_vino"]
    assert usual_runtimes(stick, ["ncs2", "open_vino", "onnx_runtime", "lite_rt"]) == ["lite_rt", "onnx_runtime", "open_vino"]
    assert usual_runtimes(None, EVERY) == EVERY


IR_ONLY = """
name = "m"
version = "1.0.0"
task = "detection"
head = { family = "ssd" }
inputs = [{ shape = [1, 8, 8, 3] }]
[[variants]]
name = "ir"
format = "openvino_ir"
files = ["m.xml", "m.bin"]
runtimes = ["open_vino"]
"""


def test_a_package_for_another_runtime_runs_on_the_cpu() -> None:
    jetson = find_profile("jetson-orin")
    assert jetson is not None
    found = variant_choices(read_manifest(IR_ONLY, "m"), jetson, usual_runtimes(jetson, EVERY))
    assert [(each.runtime, each.device) for each in found] == [("open_vino", "cpu")]


@pytest.mark.parametrize("profile", ["coral-usb", "jetson-orin"])
def test_selftest_takes_what_the_device_takes(onnx_only: Path, profile: str) -> None:
    kind = find_profile(profile)
    assert kind is not None
    manifest = read_manifest((onnx_only / "model.toml").read_text(encoding="utf-8"), "m")
    device = next(each for each in variant_choices(manifest, kind, device_runtimes(profile)) if each.device == "cpu")
    done = subprocess.run(
        [sys.executable, "-m", "edgefleet_agent", "selftest", str(onnx_only), "--profile", profile, "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    verdict = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout
    assert (verdict["variant"], verdict["runtime"], verdict["device"]) == (device.variant.name, device.runtime, "cpu")


RUN = """
import sys
from pathlib import Path
from edgefleet_agent.cli.run import serve
from edgefleet_agent.service.commandlines import Commandlines
from edgefleet_agent.settings import read_settings
serve(read_settings(Path(sys.argv[1])), lambda _: Commandlines(), root=Path(sys.argv[2]))
"""


def test_the_service_runs_without_the_accelerator_it_detected_and_reports_it(tmp_path: Path, onnx_only: Path) -> None:
    root = write(MACHINES["coral-usb"], tmp_path / "machine")
    config = tmp_path / "agent.toml"
    config.write_text(
        f'device = "cam-1"\nstate = "state"\n[factory]\ndetector = {json.dumps(str(onnx_only))}\n', encoding="utf-8"
    )
    with (tmp_path / "log").open("wb") as log:
        service = subprocess.Popen([sys.executable, "-c", RUN, str(config), str(root)], cwd=ROOT, stderr=log)
    try:
        parsed = _status(tmp_path / "state")
    finally:
        service.terminate()
        service.wait(120)
    text = (tmp_path / "log").read_text(encoding="utf-8")
    assert parsed["profile"]["name"] == "coral-usb", text
    assert parsed["profile"]["reason"] == "detected: usb 1a6e:089a"
    assert parsed["slots"]["detector"]["running"]["runtime"] == "onnx_runtime"
    assert "profile coral-usb (detected: usb 1a6e:089a)" in text
    assert "profile    coral-usb (detected: usb 1a6e:089a)" in status.table(parsed)


def _status(state: Path) -> dict[str, dict[str, dict[str, dict[str, str]]]]:
    """Waits until the slot runs. Returns the status."""
    deadline_s = time.monotonic() + 120
    while time.monotonic() < deadline_s:
        try:
            parsed = status.ask(state)
        except UnavailableError:
            parsed = {}
        if parsed.get("slots", {}).get("detector", {}).get("running"):
            return parsed
        time.sleep(0.1)
    raise AssertionError("the slot runs nothing")
