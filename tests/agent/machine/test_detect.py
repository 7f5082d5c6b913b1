"""Detection of the device profile, on trees of the machines' system files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.machine.detect import gather, matches
from edgefleet_agent.machine.profiles import every_profile
from tests.agent.fakes.machines import MACHINES, write
from tests.conftest import ROOT

PROFILES = list(every_profile([ROOT / "agent/edgefleet_agent/device_profiles"]).values())


@pytest.mark.parametrize("title", sorted(MACHINES))
def test_every_machine_is_recognised_and_nothing_more(tmp_path: Path, title: str) -> None:
    found = matches(gather(write(MACHINES[title], tmp_path)), PROFILES)
    assert found[0].fits
    assert found[0].profile.name == title.partition(",")[0]
    assert set(found[0].proofs) == set(found[0].profile.match)
    assert all(match.profile.rank < found[0].profile.rank for match in found[1:] if match.fits)


def test_every_profile_has_a_machine() -> None:
    assert {profile.name for profile in PROFILES} == {title.partition(",")[0] for title in MACHINES}


def test_a_driver_that_is_not_loaded_is_reported(tmp_path: Path) -> None:
    files = {path: text for path, text in MACHINES["intel-npu"].items() if "intel_vpu" not in path}
    found = matches(gather(write(files, tmp_path)), PROFILES)
    assert found[0].profile.name == "intel-gpu"
    npu = next(match for match in found if match.profile.name == "intel-npu")
    assert npu.missing == {"module": "intel_vpu"}
    assert npu.proofs["file"] == "/dev/accel/accel*"


def test_another_architecture_is_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write({"proc/sys/kernel/arch": "riscv64\n"}, tmp_path)
    assert main(["detect", "--root", str(tmp_path)]) == 3
    assert "no device profile matches this machine; add one" in capsys.readouterr().err


def test_detect_gives_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(write(MACHINES["coral-usb, used before, on a Raspberry Pi"], tmp_path))
    assert main(["detect", "--root", root]) == 0
    text = capsys.readouterr().out
    assert text.startswith("coral-usb: Coral USB Accelerator\n  usb: 18d1:9302\n")
    assert "raspberry-pi-4 also matches" in text
    assert text.endswith('set profile = "NAME" or "none" in agent.toml\n')
    assert main(["detect", "--root", root, "--all"]) == 0
    assert "jetson-orin does not match: no device_tree nvidia,tegra234" in capsys.readouterr().out
    assert main(["detect", "--root", root, "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert (output["profile"], output["match"]) == ("coral-usb", {"usb": "18d1:9302"})
    assert output["accelerators"][0] == {"runtime": "lite_rt", "device": "edgetpu"}
    assert any(other["fits"] for other in output["others"])


def test_this_machine_is_something(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fits"] is True
