"""The shipped profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.machine.detect import WORDS
from edgefleet_contract.encoding import toml
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_contract.package.profile import Profile, choose_variant, variant_choices
from tests.conftest import ROOT

FILES = sorted((ROOT / "agent/edgefleet_agent/device_profiles").glob("*.toml"))


def read(path: Path) -> Profile:
    return toml.read(path.read_text(encoding="utf-8"), Profile, path.name)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_profile_is_valid_and_names_runtimes_that_exist(path: Path) -> None:
    profile = read(path)
    assert profile.name == path.stem
    assert profile.unknown_fields == {}
    assert profile.match
    assert set(profile.match) <= set(WORDS)
    assert {each.runtime for each in profile.accelerators} <= set(plugins.names("backends"))
    assert all(each.unknown_fields == {} and each.precisions for each in profile.accelerators)
    assert profile.accelerators[-1].device == "cpu"
    assert 100_000_000 <= profile.memory_bytes <= 64_000_000_000
    assert all(fix for fix in profile.needs.values())
    assert all(plugins.load("backends", each.runtime)().name == each.runtime for each in profile.accelerators)


def test_the_kinds_of_hardware_that_are_promised() -> None:
    assert {path.stem for path in FILES} == {
        *("cpu-x86", "cpu-arm64", "raspberry-pi-4", "raspberry-pi-5"),
        *("coral-usb", "coral-pcie", "coral-dev-board", "coral-dev-board-mini"),
        *("jetson-orin", "jetson-orin-nano", "jetson-orin-nx", "jetson-orin-agx", "jetson-legacy"),
        *("intel-npu", "intel-gpu", "ncs2"),
        *("nvidia-gpu", "amd-gpu"),
        *("hailo-8", "hailo-raspberry-pi-5"),
        *("rockchip-rk3588", "rockchip-rk3576", "rockchip-rk356x"),
        "synaptics-sl2610",
    }


COMPILED = """
name = "m"
version = "1.0.0"
task = "classification"
head = { family = "classification" }
inputs = [{ shape = [1, 8, 8, 3] }]
[[variants]]
name = "npu"
format = "FORMAT"
precision = "int8"
files = ["m.bin"]
runtimes = ["RUNTIME"]
profiles = ["FAMILY"]
[[variants]]
name = "any"
format = "onnx"
files = ["m.onnx"]
runtimes = ["onnx_runtime"]
"""


@pytest.mark.parametrize(
    ("profile", "runtime", "form", "family", "device"),
    [
        ("hailo-8", "hailo", "hailo_hef", "hailo", "hailo"),
        ("hailo-raspberry-pi-5", "hailo", "hailo_hef", "hailo", "hailo"),
        ("rockchip-rk3588", "rknn", "rknn", "rockchip-rk3588", "rknpu"),
    ],
)
def test_a_compiled_variant_is_for_its_device_and_the_others_take_the_usual_one(
    profile: str, runtime: str, form: str, family: str, device: str
) -> None:
    text = COMPILED.replace("FORMAT", form).replace("RUNTIME", runtime).replace("FAMILY", family)
    manifest = read_manifest(text, "m")

    def choices(name: str, *runtimes: str) -> list[tuple[str, str, str]]:
        kind = read(ROOT / f"agent/edgefleet_agent/device_profiles/{name}.toml")
        return [(each.variant.name, each.runtime, each.device) for each in variant_choices(manifest, kind, runtimes)]

    usual = ("any", "onnx_runtime", "cpu")
    assert choices(profile, "onnx_runtime", runtime) == [("npu", runtime, device), usual]
    assert choices(profile, "onnx_runtime") == [usual]
    assert choices("cpu-arm64", "onnx_runtime", runtime) == [usual]
    assert choices("raspberry-pi-5", "onnx_runtime", runtime) == [usual]


def test_a_device_takes_its_own_variant_first() -> None:
    text = (ROOT / "tests/packages/mobilenet_v2/1.0.0/model.toml").read_text(encoding="utf-8")
    manifest = read_manifest(text.replace('name = "openvino-int8"', 'name = "openvino-int8"\nprofiles = ["intel-npu"]'), "test")
    for name, expected in (("intel-npu", "openvino-int8"), ("cpu-x86", "cpu-int8")):
        profile = read(ROOT / f"agent/edgefleet_agent/device_profiles/{name}.toml")
        runtimes = list(dict.fromkeys(each.runtime for each in profile.accelerators))
        chosen = choose_variant(manifest, name, runtimes)
        assert chosen is not None
        assert chosen[0].name == expected
