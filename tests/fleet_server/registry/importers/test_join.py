"""A further variant for a package that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.machine.profiles import find_profile
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_contract.package.profile import variant_choices
from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import InputError
from edgefleet_server.registry.importers.add_variant import add_variant
from edgefleet_server.registry.importers.import_model import ImportRequest, import_model
from edgefleet_server.registry.importers.package_lint import lint
from tests import sized_models


def twins(data: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A package of a small classifier for the CPU, and its twin for the Edge TPU."""
    folder = data / "models/tflite/mobilenet_v1_0.25_128_quant"
    (made,) = import_model(folder / "mobilenet_v1_0.25_128_quant.tflite", tmp_path, ImportRequest(name="tiny"))
    return made.folder, folder / "mobilenet_v1_0.25_128_quant_edgetpu.tflite"


def test_the_twin_for_the_edge_tpu_joins_the_package(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package, twin = twins(data, tmp_path)
    written = package / "model.toml"
    written.write_text("# mine\n" + written.read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["model", "import", str(twin), "--into", str(package)]) == 0
    assert "variants: tflite-int8, edgetpu-int8" in capsys.readouterr().out
    assert written.read_text(encoding="utf-8").startswith("# mine\n")
    manifest, findings = lint(package)
    assert [each.text for each in findings if each.level == "error"] == []
    coral = find_profile("coral-usb")
    assert coral is not None
    found = [(each.variant.name, each.device) for each in variant_choices(manifest, coral, ["lite_rt"])]
    assert found == [("edgetpu-int8", "edgetpu"), ("tflite-int8", "cpu")]
    assert sorted(path.name for path in package.parent.iterdir()) == ["1.0.0"]


def test_a_twin_may_make_a_new_version(data: Path, tmp_path: Path) -> None:
    package, twin = twins(data, tmp_path)
    before = (package / "model.toml").read_bytes()
    made = add_variant(twin, package, ImportRequest(version="1.1.0"))
    assert (made.folder, made.manifest.id, len(made.manifest.variants)) == (package.parent / "1.1.0", "tiny@1.1.0", 2)
    assert (package / "model.toml").read_bytes() == before
    assert LoadedModel.open(made.folder, runtimes=["lite_rt"], threads=1).variant.name == "tflite-int8"


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("onnx/yolox_nano/yolox_nano.onnx", "its outputs output are not those of tiny@1.0.0"),
        ("tflite/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.tflite", "has a variant 'tflite-int8' already"),
        ("invalid/person_detect_int8_micro.tflite", "quantized_dimension is out of range"),
        ("none.tflite", "give one model file"),
    ],
)
def test_a_file_that_does_not_fit_changes_nothing(data: Path, tmp_path: Path, file: str, reason: str) -> None:
    package, _ = twins(data, tmp_path)
    before = (package / "model.toml").read_bytes()
    with pytest.raises(InputError, match=reason):
        add_variant(data / "models" / file, package, ImportRequest())
    assert (package / "model.toml").read_bytes() == before
    assert sorted(path.name for path in package.parent.iterdir()) == ["1.0.0"]


def test_a_file_of_another_size_has_constants_of_its_own(tmp_path: Path) -> None:
    """The same detector for larger pictures: its boxes are in pixels of those."""
    (made,) = import_model(sized_models.write_listed(tmp_path / "small.onnx"), tmp_path / "made", ImportRequest(name="sized"))
    manifest = made.folder / "model.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"onnx-f32"', '"small"'), encoding="utf-8")
    large = sized_models.write_listed(tmp_path / "large.onnx", "float16", size=(128, 96))
    added = add_variant(large, made.folder, ImportRequest())
    assert [spec.value for spec in added.manifest.inputs] == [[], [64, 32]]
    assert [spec.value for spec in added.manifest.variants[1].inputs] == [[], [128, 96]]
