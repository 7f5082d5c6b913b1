"""Devices that are asked for by name: which variant and runtime compute there."""

from __future__ import annotations

import pytest

from edgefleet_agent.pipeline.model.variant_order import choice_for, ordered_choices
from edgefleet_contract.core.errors import MissingError
from edgefleet_contract.package.manifest import Manifest, read_manifest

HEAD = """
name = "spotter"
version = "1.0.0"
task = "classification"
[head]
family = "classification"
[[inputs]]
shape = [1, 8, 8, 3]
dtype = "uint8"
"""
VARIANTS = {
    "cpu": ("tflite", '["lite_rt"]', "[]", "{}"),
    "onnx": ("onnx", '["onnx_runtime", "open_vino"]', "[]", "{}"),
    "twin": ("tflite", '["lite_rt"]', '["coral"]', '{ lite_rt = { device = "edgetpu" } }'),
    "engine": ("onnx", '["onnx_runtime"]', '["jetson-orin"]', '{ onnx_runtime = { device = "tensorrt", precision = "int8" } }'),
    "board": ("onnx", '["onnx_runtime"]', '["jetson-orin"]', "{}"),
}
RUNTIMES = ["lite_rt", "onnx_runtime", "open_vino"]


def package(*names: str) -> Manifest:
    text = HEAD
    for name in names:
        kind, runtimes, profiles, options = VARIANTS[name]
        text += f'[[variants]]\nname = "{name}"\nformat = "{kind}"\nfiles = ["{name}.{kind}"]\n'
        text += f"runtimes = {runtimes}\nprofiles = {profiles}\noptions = {options}\n"
    return read_manifest(text, "model.toml")


@pytest.mark.parametrize(
    ("device", "profile", "expected"),
    [
        ("edgetpu", "cpu-x86", ("twin", "lite_rt")),
        ("edgetpu:usb:0", "coral-usb", ("twin", "lite_rt")),
        ("cuda", "cpu-x86", ("onnx", "onnx_runtime")),
        ("cuda:1", "jetson-orin", ("board", "onnx_runtime")),
        ("tensorrt", "cpu-x86", ("engine", "onnx_runtime")),
        ("npu", "cpu-x86", ("onnx", "open_vino")),
        ("gpu.1", "cpu-x86", ("onnx", "open_vino")),
        ("cpu", "coral-usb", ("cpu", "lite_rt")),
        ("abacus", "cpu-x86", ("cpu", "lite_rt")),
    ],
)
def test_a_device_chooses_its_variant(device: str, profile: str, expected: tuple[str, str]) -> None:
    manifest = package("cpu", "onnx", "twin", "engine", "board")
    for choice in (
        choice_for(manifest, RUNTIMES, profile, device),
        *ordered_choices(manifest, RUNTIMES, profile, None, device),
    ):
        assert (choice.variant.name, choice.runtime, choice.device) == (*expected, device)


@pytest.mark.parametrize(("device", "names"), [("edgetpu", ("onnx",)), ("cuda", ("cpu", "twin")), ("cpu", ("twin", "engine"))])
def test_a_package_without_a_variant_for_it_is_named(device: str, names: tuple[str, ...]) -> None:
    with pytest.raises(MissingError, match=f"spotter@1.0.0 has no variant for device {device} with .*; it has {names[0]}: "):
        choice_for(package(*names), RUNTIMES, "cpu-x86", device)
