"""Errors of a package are found without running it and reported with their remedy."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.package.formats import ModelFile
from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.edge_tpu_check import VERSIONS_MAX, edge_tpu_findings
from edgefleet_server.registry.importers.formats.base import strange_operators
from edgefleet_server.registry.importers.formats.tflite_operators import NAMES, read_operators
from edgefleet_server.registry.importers.import_model import ImportRequest, import_model
from edgefleet_server.registry.importers.package_lint import lint

REASONS = {
    "model_invoking_error.tflite": "custom operator 'fake-op-double' is in no runtime; convert the model without it",
    "person_detect_int8_micro.tflite": "quantized_dimension is out of range (a file for the micro runtime?); convert it again",
    "old_ir/person-detection-retail-0013.xml": "an IR of version 3, which no OpenVINO since 2022 reads; convert the model again",
}
RUNTIMES = {".tflite": ("tflite", "lite_rt"), ".onnx": ("onnx", "onnx_runtime"), ".xml": ("openvino_ir", "open_vino")}


def package_of(file: Path, folder: Path, **more: str) -> Path:
    """A package around a file, whatever it is."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [file.name]
    shutil.copyfile(file, folder / file.name)
    if file.with_suffix(".bin").is_file():
        names.append(file.with_suffix(".bin").name)
        shutil.copyfile(file.with_suffix(".bin"), folder / names[1])
    kind, runtime = RUNTIMES[file.suffix]
    lines = "".join(f"{key} = {value}\n" for key, value in more.items())
    (folder / "model.toml").write_text(
        f"""name = "doubtful"
version = "1.0.0"
task = "detection"
licence = "Apache-2.0"
head = {{ family = "ssd" }}
[[inputs]]
shape = [1, 300, 300, 3]
[[variants]]
name = "file"
format = "{kind}"
files = {json.dumps(names)}
runtimes = ["{runtime}"]
{lines}""",
        encoding="utf-8",
    )
    return folder


def test_every_invalid_file_is_refused_with_the_reason_and_what_to_do(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    invalid = data / "models/invalid"
    files = sorted(path for path in invalid.rglob("*") if path.suffix in RUNTIMES)
    assert {str(path.relative_to(invalid)) for path in files} == set(REASONS)
    for number, file in enumerate(files):
        reason = REASONS[str(file.relative_to(invalid))]
        with pytest.raises(ManifestError) as caught:
            import_model(file, tmp_path / "models", ImportRequest())
        assert reason in str(caught.value)
        folder = package_of(file, tmp_path / f"packages/{number}")
        assert main(["model", "validate", str(folder), "--json"]) == 2
        output = json.loads(capsys.readouterr().out)
        assert any(reason in each["text"] for each in output["findings"] if each["level"] == "error")
        assert output["runs"] == []  # what is known to be refused is not tried
    assert not (tmp_path / "models").exists()


@pytest.mark.parametrize(
    "file",
    [
        "mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant",
        "mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant",
        "movenet_single_pose_lightning_ptq/movenet_single_pose_lightning_ptq",
        "traffic_ssd_lstm/traffic_model",
    ],
)
def test_what_coral_itself_compiled_is_foretold(data: Path, file: str) -> None:
    """The twins show what Coral's compiler mapped: what stayed on the CPU stands before and behind its own operator."""
    path = data / f"models/tflite/{file}.tflite"
    found = edge_tpu_findings(path)
    assert {level for level, _ in found} <= {"warning"}
    compiled = read_operators(path.with_name(f"{path.stem}_edgetpu.tflite"))
    place = [each.name for each in compiled].index("edgetpu-custom-op")
    front, behind = compiled[:place], compiled[place + 1 :]
    assert any(f"first {len(front)} operators" in text for _, text in found) == bool(front)
    last = [text for _, text in found if "the last" in text]
    assert bool(last) == bool(behind)
    if behind:
        assert f", {behind[0].name}, " in last[0]
    assert edge_tpu_findings(path.with_name(f"{path.stem}_edgetpu.tflite")) == []


def test_a_float_file_gains_nothing_from_an_edge_tpu(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = data / "models/tflite/ultraface_rfb_320/version-RFB-320_without_postprocessing.tflite"
    (made,) = import_model(file, tmp_path, ImportRequest(name="faces", params={"decoded": False}))
    assert main(["model", "validate", str(made.folder), "--no-run"]) == 0
    capsys.readouterr()
    assert main(["model", "validate", str(made.folder), "--no-run", "--edge-tpu"]) == 2
    output = capsys.readouterr().out
    assert "nothing of it can run there: operator 1 of 115, PAD, works with floats; quantize all of it" in output
    assert "91 operators have sizes that are only known when they run, first PAD; export it with fixed shapes" in output


def test_a_variant_for_coral_is_always_checked(data: Path, tmp_path: Path) -> None:
    file = data / "models/tflite/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.tflite"
    _, findings = lint(package_of(file, tmp_path / "p", profiles='["coral"]'))
    texts = [each.text for each in findings if each.where == "file"]
    assert any("not compiled for the Edge TPU" in text for text in texts)
    assert any(
        "operator 64 of 64, TFLite_Detection_PostProcess, does not exist there; the last 1 operators" in text for text in texts
    )


def test_every_operator_of_the_table_has_a_number() -> None:
    assert set(VERSIONS_MAX) <= set(NAMES.values())


def test_operators_that_no_runtime_has() -> None:
    def strange(*operators: str) -> list[str]:
        return strange_operators(ModelFile(Path("m"), "tflite", (), (), frozenset(operators)))

    assert strange("builtin 3", "custom:TFLite_Detection_PostProcess", "custom:edgetpu-custom-op") == []
    assert strange("custom:FlexErf") == [
        "operator 'FlexErf' needs TensorFlow itself (the Flex delegate); convert the model without SELECT_TF_OPS"
    ]
    assert strange("custom:my.Op") == ["custom operator 'my.Op' is in no runtime; convert the model without it"]


def write_onnx(path: Path, dtype: str, shape: list[Any], outputs: tuple[str, ...], opset: int, domain: str = "") -> None:
    onnx = pytest.importorskip("onnx", reason="needs the extra quantize: onnx")
    kind = getattr(onnx.TensorProto, dtype)
    ports = [onnx.helper.make_tensor_value_info(name, kind, shape) for name in ("image", *outputs)]
    nodes = [onnx.helper.make_node("Identity", ["image"], [name], domain=domain) for name in dict.fromkeys(outputs)]
    graph = onnx.helper.make_graph(nodes, "g", ports[:1], ports[1:])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid(domain, opset)], ir_version=8), str(path))


@pytest.mark.parametrize(
    ("model", "change", "reason"),
    [
        (("DOUBLE", [1, 3, 8, 8], ("a",), 13), {}, "input image is float64, which no frame can be made into"),
        (("FLOAT", [1, 3, 8, 8], ("a", "a"), 13), {}, "two outputs are called 'a'"),
        (("FLOAT", [1, 3, 8, 8], ("a",), 24), {}, "opset 24: ONNX Runtime 1.23, the last for Python 3.10"),
        (("FLOAT", [1, 3, "h", "w"], ("a",), 13), {}, "has open dimensions [1, 3, -1, -1]"),
        (("FLOAT", ["n", 3, 8, 8], ("a",), 13), {"profiles": '["intel-npu"]'}, "has open dimensions [-1, 3, 8, 8]"),
        (("FLOAT", [1, 3, 8, 8], ("a",), 1, "my.own"), {}, "custom operator 'my.own.Identity' is in no runtime"),
    ],
)
def test_names_types_and_open_dimensions(tmp_path: Path, model: tuple[Any, ...], change: dict[str, str], reason: str) -> None:
    write_onnx(tmp_path / "m.onnx", *model)
    _, findings = lint(package_of(tmp_path / "m.onnx", tmp_path / "p", **change))
    assert any(reason in each.text for each in findings), [each.text for each in findings]


def test_layers_of_an_extension(data: Path, tmp_path: Path) -> None:
    source = data / "models/openvino/landmarks-regression-retail-0009/FP16-INT8/landmarks-regression-retail-0009.xml"
    text = source.read_text(encoding="utf-8").replace('type="PReLU" version="opset1"', 'type="MyLayer" version="extension"', 1)
    assert "MyLayer" in text
    (tmp_path / "m.xml").write_text(text, encoding="utf-8")
    shutil.copyfile(source.with_suffix(".bin"), tmp_path / "m.bin")
    _, findings = lint(package_of(tmp_path / "m.xml", tmp_path / "p"))
    assert any("custom operator 'extension.MyLayer' is in no runtime" in each.text for each in findings)
