"""Choice of variant, runtime and device on devices with accelerators, and the files fetched for it."""

from __future__ import annotations

import pytest

from edgefleet_agent.machine.profiles import every_profile
from edgefleet_contract.package.manifest import Manifest, read_manifest
from edgefleet_contract.package.profile import (
    Accelerator,
    Profile,
    accelerator_for,
    choose_variant,
    needed_variants,
    variant_choices,
)
from tests.conftest import ROOT

TOML = """
name = "m"
version = "1.0.0"
task = "detection"
head = { family = "ssd" }
inputs = [{ shape = [1, 8, 8, 3] }]
[[variants]]
name = "cpu"
format = "tflite"
precision = "int8"
files = ["m.tflite"]
runtimes = ["lite_rt"]
[[variants]]
name = "tpu"
format = "tflite"
precision = "int8"
files = ["m_edgetpu.tflite"]
runtimes = ["lite_rt"]
profiles = ["coral"]
[[variants]]
name = "float"
format = "onnx"
precision = "f32"
files = ["m.onnx"]
runtimes = ["onnx_runtime", "open_vino"]
options = { onnx_runtime = { precision = "f32" } }
"""
EVERY = ["lite_rt", "onnx_runtime", "open_vino"]
CPUS = [Accelerator(runtime=name, device="cpu") for name in ("open_vino", "lite_rt", "onnx_runtime")]


def profile(name: str, *fast: Accelerator) -> Profile:
    return Profile(name=name, title=name, accelerators=[*fast, *CPUS])


CORAL = profile("coral-pcie", Accelerator(runtime="lite_rt", device="edgetpu", precisions=["int8"], dedicated=True))
NPU = profile("intel-npu", Accelerator(runtime="open_vino", device="npu", precisions=["int8", "f16"]))
JETSON = profile(
    "jetson-orin-nx",
    Accelerator(runtime="onnx_runtime", device="tensorrt", precisions=["f16", "f32"], options={"precision": "f16"}),
    Accelerator(runtime="onnx_runtime", device="cuda", precisions=["f32"]),
)


@pytest.fixture
def manifest() -> Manifest:
    return read_manifest(TOML, "model.toml")


def ways(manifest: Manifest, kind: Profile, runtimes: list[str]) -> list[tuple[str, str, str]]:
    return [(each.variant.name, each.runtime, each.device) for each in variant_choices(manifest, kind, runtimes)]


def test_a_tpu_takes_what_was_compiled_for_it_and_nothing_else_does(manifest: Manifest) -> None:
    assert ways(manifest, CORAL, EVERY) == [
        ("tpu", "lite_rt", "edgetpu"),
        ("cpu", "lite_rt", "cpu"),
        ("float", "onnx_runtime", "cpu"),
        ("float", "open_vino", "cpu"),
    ]


def test_an_accelerator_takes_only_its_precisions(manifest: Manifest) -> None:
    assert all(device == "cpu" for _, _, device in ways(manifest, NPU, EVERY))


def test_accelerators_in_their_order_with_the_options_of_both(manifest: Manifest) -> None:
    found = variant_choices(manifest, JETSON, EVERY)
    assert [each.device for each in found] == ["tensorrt", "cuda", "cpu", "cpu", "cpu"]
    assert found[0].options == {"precision": "f32"}  # the variant's options override the profile's
    assert ways(manifest, JETSON, ["lite_rt"]) == [("cpu", "lite_rt", "cpu")]


def test_without_an_accelerator_the_answer_is_that_of_choose_variant(manifest: Manifest) -> None:
    for runtimes in (EVERY, EVERY[::-1], ["open_vino"], ["onnx_runtime", "lite_rt"]):
        first = variant_choices(manifest, profile("cpu-x86"), runtimes)[0]
        assert (first.variant, first.runtime) == choose_variant(manifest, "cpu-x86", runtimes)


def test_a_family_of_profiles(manifest: Manifest) -> None:
    for name, expected in (("coral", "tpu"), ("coral-usb", "tpu"), ("coralline", "cpu"), ("", "cpu")):
        chosen = choose_variant(manifest, name, EVERY)
        assert chosen is not None
        assert chosen[0].name == expected


def test_files_of_the_stand_in_are_fetched_too_unless_forbidden(manifest: Manifest) -> None:
    assert [each.name for each in needed_variants(manifest, CORAL, EVERY, fallback=True)] == ["tpu", "cpu"]
    assert [each.name for each in needed_variants(manifest, CORAL, EVERY, fallback=False)] == ["tpu"]
    assert [each.name for each in needed_variants(manifest, NPU, EVERY, fallback=True)] == ["cpu"]
    assert needed_variants(manifest, CORAL, [], fallback=True) == []


INT8 = """
name = "m"
version = "1.0.0"
task = "detection"
head = { family = "ssd" }
inputs = [{ shape = [1, 8, 8, 3] }]
[[variants]]
name = "u8s8"
format = "onnx"
precision = "int8"
files = ["u8s8.onnx"]
runtimes = ["onnx_runtime", "open_vino"]
[[variants]]
name = "symmetric"
format = "onnx"
precision = "int8"
files = ["symmetric.onnx"]
runtimes = ["onnx_runtime"]
options = { onnx_runtime = { device = "SYMMETRIC" } }
[[variants]]
name = "float"
format = "onnx"
precision = "f32"
files = ["m.onnx"]
runtimes = ["onnx_runtime"]
"""


@pytest.mark.parametrize("name", ["jetson-orin", "jetson-orin-nano", "jetson-orin-nx", "jetson-orin-agx", "amd-gpu"])
def test_only_symmetric_int8_runs_on_tensorrt_and_migraphx_and_as_int8(name: str) -> None:
    kind = every_profile([ROOT / "agent/edgefleet_agent/device_profiles"])[name]
    device = kind.accelerators[0].device
    found = variant_choices(read_manifest(INT8.replace("SYMMETRIC", device), "m"), kind, EVERY)
    there = [(each.variant.name, each.options.get("precision", "")) for each in found if each.device == device]
    assert there == [("symmetric", "int8"), ("float", kind.accelerators[0].options.get("precision", ""))]
    assert ("u8s8", "cpu") in [(each.variant.name, each.device) for each in found]
    assert ("symmetric", "cpu") not in [(each.variant.name, each.device) for each in found]


def test_a_package_may_say_that_its_int8_is_symmetric() -> None:
    kind = every_profile([ROOT / "agent/edgefleet_agent/device_profiles"])["jetson-orin"]
    found = variant_choices(read_manifest(INT8.replace('device = "SYMMETRIC"', 'precision = "int8"'), "m"), kind, EVERY)
    assert (found[0].variant.name, found[0].device, found[0].options["precision"]) == ("symmetric", "tensorrt", "int8")
    assert any(each.variant.name == "symmetric" and each.device == "cpu" for each in found)


@pytest.mark.parametrize(
    ("accelerators", "expected"),
    [
        ((Accelerator("onnx_runtime", "tensorrt"), Accelerator("onnx_runtime", "cuda")), "cuda"),
        ((Accelerator("onnx_runtime", "tensorrt"),), "cpu"),
        ((Accelerator("open_vino", "npu"),), "cpu"),
        ((Accelerator("onnx_runtime", "cpu"), Accelerator("onnx_runtime", "cuda:1")), "cuda:1"),
        ((Accelerator("onnx_runtime", "cuda", dedicated=True),), "cpu"),
        ((), "cpu"),
    ],
)
def test_the_device_of_a_file_without_a_manifest(accelerators: tuple[Accelerator, ...], expected: str) -> None:
    """None that compiles for minutes at each start, and none for which models are made."""
    assert accelerator_for(accelerators, "board", "onnx_runtime", None).device == expected
