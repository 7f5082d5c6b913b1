"""Packages from model files, OpenVINO IRs and Triton repositories: every real model of the test data."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.machine.profiles import find_profile
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, installed_runtimes
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import model_outputs
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_contract.package.profile import variant_choices
from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import EdgefleetError, InputError, ManifestError
from edgefleet_server.registry.importers.import_model import ImportRequest, import_model, read_labels
from edgefleet_server.registry.importers.package_lint import lint
from edgefleet_server.registry.importers.read_model import read_model_file
from tests.conftest import ROOT
from tests.expected import check

# folder/file, head that is recognised, labels that are given, picture, lowest score, what has to be found first
RECOGNISED = [
    ("tflite/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.tflite", "ssd", "coco_labels.txt", "cat_720p.jpg", "cat"),
    (
        "tflite/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.tflite",
        "classification",
        "imagenet_labels.txt",
        "parrot.jpg",
        "macaw",
    ),
    ("tflite/mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant.tflite", "classification", "", "parrot.jpg", "macaw"),
    ("tflite/movenet_single_pose_lightning_ptq/movenet_single_pose_lightning_ptq.tflite", "movenet", "", "squat.bmp", "person"),
    (
        "tflite/deeplabv3_mnv2_dm05_pascal_quant/deeplabv3_mnv2_dm05_pascal_quant.tflite",
        *("segmentation", "pascal_voc_segmentation_labels.txt", "bird_segmentation.bmp", "background"),
    ),
    ("tflite/traffic_ssd_lstm/traffic_model.tflite", "ssd", "", "", ""),
    (
        "onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx",
        "classification",
        "imagenet_labels.txt",
        "parrot.jpg",
        "macaw",
    ),
    ("onnx/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.onnx", "ssd", "coco_labels.txt", "cat_720p.jpg", "cat"),
    ("onnx/yolox_nano/yolox_nano.onnx", "yolox", "coco.names", "cat_720p.jpg", "cat"),
    ("onnx/nanodet_320/nanodet.onnx", "nanodet", "coco.names", "cat_720p.jpg", "cat"),
    ("onnx/ultraface_rfb_320/version-RFB-320.onnx", "ultraface", "", "grace_hopper.bmp", "class 1"),
    ("onnx/osnet_x0_25_msmt17/osnet_x0_25_msmt17.onnx", "embedding", "", "grace_hopper.bmp", "embedding"),
    ("openvino/yolox_nano/FP16/yolox_nano.xml", "yolox", "coco.names", "cat_720p.jpg", "cat"),
    (
        "openvino/face-detection-adas-0001/FP16-INT8/face-detection-adas-0001.xml",
        "detection_output",
        "",
        "grace_hopper.bmp",
        "class 1",
    ),
    (
        "openvino/person-reidentification-retail-0277/FP16/person-reidentification-retail-0277.xml",
        "embedding",
        "",
        "squat.bmp",
        "embedding",
    ),
]


@pytest.mark.parametrize(
    ("file", "head", "labels", "picture", "first"), RECOGNISED, ids=[row[0].split("/", 1)[1] for row in RECOGNISED]
)
def test_a_file_becomes_a_package_that_works(
    data: Path, tmp_path: Path, file: str, head: str, labels: str, picture: str, first: str
) -> None:
    source = data / "models" / file
    given_labels: tuple[str, ...] = ()
    if labels:
        near = source.parent if (source.parent / labels).is_file() else source.parent.parent
        given_labels = tuple((near / labels).read_text(encoding="utf-8").rstrip("\n").split("\n"))
    (made,) = import_model(source, tmp_path, ImportRequest(labels=given_labels))
    assert made.manifest.head.family == head
    assert made.folder == tmp_path / made.manifest.name / "1.0.0"
    model = LoadedModel.open(made.folder, runtimes=installed_runtimes(), threads=1)
    if picture:
        found = model_outputs(model.infer(read_picture(data / "media/images" / picture), 0.5).result, model.label, 5)
        assert found[0].label == first
    model.close()


def test_an_imported_detector_is_as_good_as_a_written_one(data: Path, tmp_path: Path) -> None:
    folder = data / "models/onnx/yolox_nano"
    labels = tuple((folder / "coco.names").read_text(encoding="utf-8").split("\n")[:80])
    (made,) = import_model(folder / "yolox_nano.onnx", tmp_path, ImportRequest(labels=labels))
    model = LoadedModel.open(made.folder, runtimes=["onnx_runtime"], threads=1)
    for case in json.loads((folder / "expected.json").read_text(encoding="utf-8"))["cases"]:
        found = model.infer(read_picture(data / "media/images" / case["image"]), 0.3)
        check(case, model_outputs(found.result, model.label, 5), 0.9, 0.02)


def test_a_file_for_the_edge_tpu_is_for_coral_only(data: Path, tmp_path: Path) -> None:
    file = data / "models/tflite/mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant_edgetpu.tflite"
    (made,) = import_model(file, tmp_path, ImportRequest(name="tiny"))
    (variant,) = made.manifest.variants
    assert (variant.name, variant.profiles, variant.precision) == ("edgetpu-int8", ["coral"], "int8")
    assert len((made.folder / "labels.txt").read_text(encoding="utf-8").splitlines()) == 1001


def test_a_file_name_that_is_not_utf8(data: Path, tmp_path: Path) -> None:
    model = Path(os.fsdecode(os.fsencode(tmp_path) + b"/m\xf6del.tflite"))
    shutil.copyfile(data / "models/tflite/mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant.tflite", model)
    assert main(["model", "import", str(model), "--into", str(tmp_path / "packages")]) == 0
    (manifest,) = tmp_path.glob("packages/*/1.0.0/model.toml")
    assert read_manifest(manifest.read_text(encoding="utf-8"), "").provenance["imported_from"] == "m\\xf6del.tflite"


def test_missing_labels_are_noted(data: Path, tmp_path: Path) -> None:
    """An empty file of labels is none."""
    (tmp_path / "empty.txt").write_text("\n")
    file = data / "models/onnx/yolox_nano/yolox_nano.onnx"
    (made,) = import_model(file, tmp_path / "made", ImportRequest(labels=read_labels(tmp_path / "empty.txt")))
    assert made.notes[-1] == "no labels; specify --labels, otherwise the classes are called class 0, class 1, ..."
    (named,) = import_model(file, tmp_path / "named", ImportRequest(labels=tuple(map(str, range(80)))))
    assert not [note for note in named.notes if "labels" in note]


def test_weights_of_16_bits_are_f16_and_go_to_the_npu(data: Path, tmp_path: Path) -> None:
    (made,) = import_model(data / "models/openvino/yolox_nano/FP16/yolox_nano.xml", tmp_path, ImportRequest())
    (variant,) = made.manifest.variants
    assert (variant.name, variant.precision) == ("openvino-f16", "f16")
    npu = find_profile("intel-npu")
    assert npu is not None
    assert [each.device for each in variant_choices(made.manifest, npu, ["open_vino"])] == ["npu", "gpu", "cpu"]


def test_a_file_in_onnx_runtimes_own_format(data: Path, tmp_path: Path) -> None:
    import onnxruntime

    source = data / "models/onnx/yolox_nano/yolox_nano.onnx"
    settings = onnxruntime.SessionOptions()
    settings.optimized_model_filepath, settings.log_severity_level = str(tmp_path / "nano.ort"), 3
    settings.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(str(source), settings, providers=["CPUExecutionProvider"])
    plain, own = read_model_file(source), read_model_file(tmp_path / "nano.ort")
    assert (own.inputs, own.outputs, own.opset) == (plain.inputs, plain.outputs, plain.opset)
    (made,) = import_model(tmp_path / "nano.ort", tmp_path / "models", ImportRequest())
    (variant,) = made.manifest.variants
    assert (variant.name, variant.format, variant.runtimes) == ("ort-f32", "onnx", ["onnx_runtime"])
    assert [each.text for each in lint(made.folder)[1] if each.level == "error"] == []
    assert LoadedModel.open(made.folder, runtimes=["onnx_runtime"], threads=1).placement.device == "cpu"
    written = made.folder / "model.toml"
    written.write_text(
        written.read_text(encoding="utf-8").replace('["onnx_runtime"]', '["onnx_runtime", "open_vino"]'), encoding="utf-8"
    )
    assert "open_vino does not read .ort files" in [each.text for each in lint(made.folder)[1]][-1]
    (tmp_path / "half.ort").write_bytes((tmp_path / "nano.ort").read_bytes()[:2000])
    with pytest.raises(ManifestError, match="not a whole file of ONNX Runtime"):
        read_model_file(tmp_path / "half.ort")


def test_points_of_a_face_are_no_classes(data: Path, tmp_path: Path) -> None:
    folder = data / "models/openvino/landmarks-regression-retail-0009/FP16-INT8"
    (made,) = import_model(folder / "landmarks-regression-retail-0009.xml", tmp_path, ImportRequest())
    assert (made.manifest.head.family, made.manifest.task) == ("landmarks", "pose")
    assert LoadedModel.open(made.folder, runtimes=["open_vino"], threads=1).variant.precision == "int8"


@pytest.mark.parametrize(("name", "decoded"), [("version-RFB-320", True), ("version-RFB-320_without_postprocessing", False)])
def test_whether_boxes_are_decoded_is_seen_and_a_wrong_word_is_refused(
    data: Path, tmp_path: Path, name: str, decoded: bool
) -> None:
    (made,) = import_model(data / f"models/onnx/ultraface_rfb_320/{name}.onnx", tmp_path, ImportRequest(name="faces"))
    assert made.manifest.head.params.get("decoded", True) is decoded
    model = LoadedModel.open(made.folder, runtimes=["onnx_runtime"], threads=1)
    found = model_outputs(model.infer(read_picture(data / "media/images/grace_hopper.bmp"), 0.7).result, model.label, 50)
    assert len(found) == 1
    (wrong,) = import_model(
        data / f"models/onnx/ultraface_rfb_320/{name}.onnx",
        tmp_path,
        ImportRequest(name="wrong", params={"decoded": not decoded}),
    )
    (error,) = [each.text for each in lint(wrong.folder)[1] if each.level == "error"]
    assert "decode" in error
    manifest = wrong.folder / "model.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("decoded =", "decodes ="), encoding="utf-8")
    assert "head ultraface: unknown param 'decodes'; known are decoded, iou" in [each.text for each in lint(wrong.folder)[1]]


CONFIG = """
# a comment
name: "cats"
platform: "onnxruntime_onnx"
max_batch_size : 0
input [ { name: "images" data_type: TYPE_FP32 dims: [ 3, 416, 416 ] } ]
output [
  { name: "output", data_type: TYPE_FP32, dims: [ 3549, 85 ] label_filename: "coco.names" }
]
instance_group [{ count: 2; kind: KIND_CPU }]
parameters { key: "note" value { string_value: "it\\"s \\\\ here" } }
version_policy: { latest { num_versions: 1 } }
"""


def triton(data: Path, root: Path, config: str = CONFIG, versions: tuple[str, ...] = ("1", "3")) -> Path:
    source = data / "models/onnx/yolox_nano"
    folder = root / "cats"
    for version in versions:
        (folder / version).mkdir(parents=True)
        shutil.copyfile(source / "yolox_nano.onnx", folder / version / "model.onnx")
    (folder / "config.pbtxt").write_text(config, encoding="utf-8")
    shutil.copyfile(source / "coco.names", folder / "coco.names")
    return folder


def test_a_triton_repository(data: Path, tmp_path: Path) -> None:
    triton(data, tmp_path / "repository")
    (made,) = import_model(tmp_path / "repository", tmp_path / "out", ImportRequest())
    assert made.manifest.id == "cats@3.0.0"
    model = LoadedModel.open(made.folder, runtimes=["onnx_runtime"], threads=1)
    found = model_outputs(model.infer(read_picture(data / "media/images/cat_720p.jpg"), 0.5).result, model.label, 5)
    assert [each.label for each in found] == ["cat"]
    model.close()
    with pytest.raises(InputError, match="already exists; specify another --version"):
        import_model(tmp_path / "repository", tmp_path / "out", ImportRequest())


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('name: "output"', 'name: "boxes"', r"names \['boxes'\], which model.onnx does not have"),
        ('platform: "onnxruntime_onnx"', 'platform: "ensemble"', "an ensemble without steps"),
        ("version_policy: {", "version_policy: {{", "config.pbtxt"),
        ("instance_group [", "instance_group [ @ ", "config.pbtxt:10"),
    ],
)
def test_a_triton_model_that_cannot_be_taken(data: Path, tmp_path: Path, before: str, after: str, reason: str) -> None:
    folder = triton(data, tmp_path / "repository", CONFIG.replace(before, after))
    with pytest.raises(EdgefleetError, match=reason):
        import_model(folder, tmp_path / "out", ImportRequest())
    assert not (tmp_path / "out").exists()


def refusal(read: Callable[[], object]) -> str:
    """The text of the error; "" where there is none. Any other exception fails the test."""
    try:
        read()
    except InputError as cause:
        return str(cause)
    return ""


@pytest.mark.parametrize(
    "file",
    [
        "tflite/mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant.tflite",
        "onnx/ultraface_rfb_320/version-RFB-320.onnx",
        "openvino/landmarks-regression-retail-0009/FP16-INT8/landmarks-regression-retail-0009.xml",
        "tflite/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.tflite",
        "onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx",
        "openvino/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.xml",
    ],
)
def test_a_damaged_file_is_one_line(data: Path, tmp_path: Path, file: str) -> None:
    whole = (data / "models" / file).read_bytes()
    path = tmp_path / Path(file).name
    path.with_suffix(".bin").write_bytes(b"")

    @settings(max_examples=40)
    @given(st.integers(0, len(whole) - 1), st.binary(min_size=1, max_size=8))
    def damage(at: int, change: bytes) -> None:
        for damaged in (whole[:at], whole[: at % 4096] + change + whole[at % 4096 + len(change) :]):
            path.write_bytes(damaged)
            assert "\n" not in refusal(lambda: read_model_file(path))

    damage()


def test_a_document_type_is_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE net [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><net version="11"><layers>&b;</layers></net>'
    (tmp_path / "m.xml").write_text(bomb, encoding="utf-8")
    with pytest.raises(ManifestError, match="not a whole OpenVINO IR"):
        read_model_file(tmp_path / "m.xml")


def test_options_take_precedence(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = data / "models/onnx/ultraface_rfb_320/version-RFB-320_without_postprocessing.onnx"
    arguments = [
        "--into",
        str(tmp_path),
        "--name",
        "Faces!",
        "--version",
        "2.1.0",
        "--param",
        "decoded=false",
        "--licence",
        "MIT",
    ]
    assert main(["model", "import", str(file), *arguments, "--json"]) == 0
    (made,) = json.loads(capsys.readouterr().out)
    assert made["id"] == "faces_@2.1.0"
    manifest = read_manifest((Path(made["folder"]) / "model.toml").read_text(encoding="utf-8"), "model.toml")
    assert (manifest.head.params, manifest.licence) == ({"decoded": False}, "MIT")
    assert main(["model", "import", str(data / "models/onnx"), "--into", str(tmp_path)]) == 2
    assert "no model file and no config.pbtxt" in capsys.readouterr().err


def validated(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["model", "validate", str(folder), "--json", *arguments])
    output: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, output


def test_a_good_package_is_valid_on_every_runtime(data: Path, package: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code, output = validated(capsys, package("ssd_mobilenet_v1"))
    assert code == 0
    assert output["findings"] == []
    assert [(each["runtime"], each["state"]) for each in output["runs"]] == [("lite_rt", "passed")]


def test_a_bad_update_fails_its_golden_sample(data: Path, package: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code, output = validated(capsys, package("person_detection_retail_0013", "1.1.0"))
    assert (code, output["ok"]) == (2, False)
    assert output["runs"][0]["state"] == "failed"
    assert "golden_mismatch" in output["runs"][0]["detail"]


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('dtype = "uint8"', 'dtype = "float32"', "input normalized_input_image_tensor is uint8, the manifest says float32"),
        ("shape = [1, 300, 300, 3]", "shape = [1, 320, 320, 3]", "the manifest says [1, 320, 320, 3]"),
        ('name = "normalized_input_image_tensor"', 'name = "image"', "no input 'image'; the file has normalized_input"),
        ('boxes = "TFLite_Detection_PostProcess"', 'boxes = "b"', "no output 'b' for 'boxes'"),
        ('runtimes = ["lite_rt"]', 'runtimes = ["onnx_runtime"]', "onnx_runtime does not read tflite"),
        (
            'runtimes = ["lite_rt"]',
            'runtimes = ["lite_rt"]\nprofiles = ["coral-usb"]',
            "not compiled for the Edge TPU; run edgetpu_compiler",
        ),
        ('files = ["ssd_mobilenet_v1.tflite"]', 'files = ["coco_labels.txt"]', "coco_labels.txt is no tflite"),
        ('licence = "Apache-2.0"', 'license = "Apache-2.0"', "license: unknown field"),
        ('licence = "Apache-2.0"', 'requires = ["head:sdd", "feature:other_formats", "source:any"]', "requires head:sdd: no"),
        ('expect = "golden/people.json"', 'expect = "golden/nobody.json"', "golden/nobody.json does not exist"),
    ],
)
def test_faults_are_found_without_running(
    data: Path, package: Any, capsys: pytest.CaptureFixture[str], before: str, after: str, reason: str
) -> None:
    path = package("ssd_mobilenet_v1", copy=True) / "model.toml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    code, output = validated(capsys, path.parent, "--no-run")
    assert reason in " ".join(each["text"] for each in output["findings"])
    assert code == (0 if before.startswith("licence") else 2)


@pytest.mark.parametrize(
    ("name", "labels", "classes"),
    [
        ("mobilenet_v2", 1000, "1001 classes"),
        ("mobilenet_v2", 1001, ""),
        ("yolox_nano", 79, "80 classes"),
        ("yolox_nano", 80, ""),
    ],
)
def test_the_number_of_labels_is_that_of_the_classes(
    data: Path, package: Any, capsys: pytest.CaptureFixture[str], name: str, labels: int, classes: str
) -> None:
    folder = package(name, copy=True)
    manifest = read_manifest((folder / "model.toml").read_text(encoding="utf-8"), "model.toml")
    assert manifest.labels_file is not None
    path = folder / manifest.labels_file
    path.unlink()
    path.write_text("".join(f"class {number}\n" for number in range(labels)), encoding="utf-8")
    _code, output = validated(capsys, folder)
    found = [each["text"] for each in output["findings"] if "labels" in each["text"]]
    assert len(found) == (len(manifest.variants) if classes else 0)
    assert all(text.startswith(f"the package has {labels} labels, the file {classes}; specify one label per") for text in found)
    assert all(("background = true" in text) == (labels == 1000) for text in found)


def test_the_lines_of_the_readme_name_the_folder_that_import_makes(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed one after the other in one folder: each finds what the one before left."""
    lines = re.findall(r"^edgefleet (model \w+ [^#\n]*)", (ROOT / "README.md").read_text(), re.MULTILINE)
    typed = {words[1]: words[1:] for words in map(shlex.split, lines)}
    for name in (typed["import"][1], typed["import"][3]):
        shutil.copy(data / "models/onnx/yolox_nano" / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["model", *typed["import"]]) == 0
    imported = Path(typed["quantize"][1])
    assert (imported / "model.toml").is_file()
    for action in ("analyze", "push"):
        assert Path(typed[action][1]) == imported.with_name("1.1.0"), "what quantize makes of it by default"
