"""int8 variants of real float models, and their errors."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.machine.profiles import find_profile
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import model_outputs
from edgefleet_contract.package.manifest import Manifest, read_manifest
from edgefleet_contract.package.profile import variant_choices
from edgefleet_server.__main__ import main
from edgefleet_server.registry.importers.import_model import ImportRequest, import_model
from edgefleet_server.registry.importers.package_lint import lint
from edgefleet_server.registry.importers.read_model import read_model_file

onnx = pytest.importorskip("onnx", reason="needs the extra quantize: onnx")
pytest.importorskip("onnxruntime", reason="needs the extra onnx")

FACES = (
    "face.jpg",
    "face_detection.png",
    "grace_hopper.bmp",
    "nasa.jpg",
    "people_detection.png",
    "car_1.png",
    "cat_720p.jpg",
    "squat.bmp",
)


@pytest.fixture
def pictures(data: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "calibration"
    folder.mkdir()
    for name in FACES:
        (folder / name).symlink_to(data / "media/images" / name)
    return folder


def ultraface(data: Path, into: Path, kind: str) -> Path:
    files = {
        "onnx": ("onnx/ultraface_rfb_320/version-RFB-320.onnx", {}),
        "tflite": ("tflite/ultraface_rfb_320/version-RFB-320_without_postprocessing.tflite", {"decoded": False}),
    }
    file, params = files[kind]
    (made,) = import_model(
        data / "models" / file, into, ImportRequest(name="faces", params=params, labels=("background", "face"), licence="MIT")
    )
    return made.folder


def quantized(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any], str]:
    code = main(["model", "quantize", *arguments, "--json"])
    output = capsys.readouterr()
    return code, json.loads(output.out) if output.out else {}, output.err


def manifest_in(folder: Path) -> Manifest:
    return read_manifest((folder / "model.toml").read_text(encoding="utf-8"), str(folder))


def test_one_calibration_makes_a_file_for_each_kind_of_device(
    data: Path, tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = ultraface(data, tmp_path / "models", "onnx")
    code, output, reason = quantized(capsys, str(package), "--data", str(pictures))
    assert (code, reason) == (0, "")
    rows = {row["variant"]: row for row in output["rows"]}
    assert set(rows) == {"u8s8-int8", "s8s8-int8", "tensorrt-int8"}
    for row in rows.values():
        accuracy = row["accuracy"]
        assert (row["state"], accuracy["measure"], accuracy["samples"]) == ("unproven", "map50", 2)
        assert (accuracy["at"]["truths"], accuracy["at"]["lost"]) == (accuracy["at"]["matched"], [])
        assert accuracy["truths"] >= 2
        assert accuracy["agreement"] >= 0.9
        assert min(accuracy["cosine"].values()) > 0.99
    assert rows["u8s8-int8"]["length_bytes"] < 0.6 * rows["u8s8-int8"]["float_bytes"]
    few = rows["u8s8-int8"]["accuracy"]["truths"]
    assert output["notes"] == [
        "calibrated on 6 samples only; 32 or more give steadier ranges",
        f"unproven: the figures rest on {few} boxes of the held-out data; give 30 or more (--data, --held-out)",
    ]
    assert output["held_out"] == ["nasa.jpg", "grace_hopper.bmp"] or len(output["held_out"]) == 2

    folder = Path(output["folder"])
    assert folder == package.parent / "1.1.0"
    manifest, findings = lint(folder)
    assert [each.text for each in findings if each.level == "error"] == []
    assert manifest.card["quantization"]["from"] == "faces@1.0.0"
    kinds = {"u8s8-int8": "uint8", "s8s8-int8": "int8", "tensorrt-int8": "int8"}
    for name, kind in kinds.items():
        model = onnx.load(str(folder / manifest.variant(name).files[0]))
        zeros = {each.name: each.data_type for each in model.graph.initializer if each.name.endswith("_zero_point")}
        activations = {
            zeros[node.input[2]] for node in model.graph.node if node.op_type == "QuantizeLinear" and node.input[2] in zeros
        }
        assert getattr(onnx.TensorProto, kind.upper()) in activations
    everything = ["lite_rt", "open_vino", "onnx_runtime"]
    chosen = {}
    for name in ("cpu-x86", "raspberry-pi-5", "jetson-orin-nano"):
        profile = find_profile(name)
        assert profile is not None
        chosen[name] = [(each.variant.name, each.device) for each in variant_choices(manifest, profile, everything)]
    assert chosen["cpu-x86"][0] == ("u8s8-int8", "cpu")
    assert chosen["raspberry-pi-5"][0] == ("s8s8-int8", "cpu")
    assert chosen["jetson-orin-nano"][0] == ("tensorrt-int8", "tensorrt")
    assert ("tensorrt-int8", "cpu") not in chosen["jetson-orin-nano"]


def test_a_float_tflite_becomes_full_int8(data: Path, tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interpreter = pytest.importorskip("ai_edge_litert.interpreter", reason="needs the extra litert")
    package = ultraface(data, tmp_path / "models", "tflite")
    code, output, _ = quantized(capsys, str(package), "--data", str(pictures), "--flavour", "tflite")
    assert code == 0
    (row,) = output["rows"]
    assert row["accuracy"]["agreement"] >= 0.9
    folder = Path(output["folder"])
    file = folder / row["file"]
    model = interpreter.Interpreter(str(file))
    model.allocate_tensors()
    (picture,) = model.get_input_details()
    assert (picture["dtype"], picture["quantization"]) == (np.int8, (1 / 128, -1))  # (pixel - 127) / 128 as pixel - 128
    kinds = {np.dtype(each["dtype"]).name for each in model.get_tensor_details()}
    assert kinds <= {"int8", "int32"}
    assert all(-1 not in each["shape_signature"] for each in model.get_tensor_details())
    loaded = LoadedModel.open(folder, runtimes=["lite_rt"], variant="tflite-int8", threads=1)
    found = model_outputs(loaded.infer(read_picture(data / "media/images/grace_hopper.bmp"), 0.7).result, loaded.label, 5)
    loaded.close()
    assert [each.label for each in found] == ["face"]
    _, findings = lint(folder, edge_tpu=True)
    assert [each for each in findings if each.level == "error" and each.where == "tflite-int8"] == []


def test_what_is_int8_already_passes_through(package: Any, pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = quantized(capsys, str(package("mobilenet_v2")), "--data", str(pictures))
    assert (code, output["folder"]) == (0, None)
    assert {row["state"] for row in output["rows"]} == {"passed_through"}


COMPILER = """#!/bin/sh
# Speaks like edgetpu_compiler 16.0: same arguments, same log, same names of files. Compiles nothing.
while [ $# -gt 0 ]; do
  case "$1" in -s) ;; -o) out="$2"; shift ;; *) model="$1" ;; esac; shift
done
name=$(basename "$model" .tflite)
echo "Edge TPU Compiler version 16.0.384591198"
echo "Started a compilation timeout timer of 180 seconds."
echo
MODE
"""
WHOLE = """cp "$model" "$out/${name}_edgetpu.tflite"
cat <<END
Model compiled successfully in 467 ms.

Input model: $model
Input size: 3.40MiB
Output model: $out/${name}_edgetpu.tflite
Output size: 3.88MiB
On-chip memory used for caching model parameters: 3.60MiB
On-chip memory remaining for caching model parameters: 3.97MiB
Off-chip memory used for streaming uncached model parameters: 0.00B
Number of Edge TPU subgraphs: 1
Total number of operations: 71
Operation log: $out/${name}_edgetpu.log

Model successfully compiled but not all operations are supported by the Edge TPU. A percentage of the model will instead run on
the CPU, which is slower. If possible, consider updating your model to use only operations supported by the Edge TPU.
Number of operations that will run on Edge TPU: 70
Number of operations that will run on CPU: 1

Operator                       Count      Status

SOFTMAX                        1          Operation is otherwise supported, but not mapped due to some unspecified limitation
CONV_2D                        70         Mapped to Edge TPU
Compilation child process completed within timeout period.
Compilation succeeded!
END"""
REFUSED = """echo "Invalid model: $model"; echo "Model not quantized"; exit 1"""
NOTHING = WHOLE.replace("run on Edge TPU: 70", "run on Edge TPU: 0").replace("run on CPU: 1", "run on CPU: 71")


def on_path(folder: Path, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    script = folder / "edgetpu_compiler"
    script.write_text(COMPILER.replace("MODE", mode), encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def classifier(data: Path, into: Path) -> Path:
    file = data / "models/tflite/mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant.tflite"
    (made,) = import_model(file, into, ImportRequest(name="tiny", licence="Apache-2.0"))
    return made.folder


def test_the_edge_tpu_compiler_is_used_where_it_is(
    data: Path, tmp_path: Path, pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_path(tmp_path / "bin", WHOLE, monkeypatch)
    code, output, _ = quantized(capsys, str(classifier(data, tmp_path / "models")), "--data", str(pictures))
    assert code == 0
    states = {row["variant"]: row["state"] for row in output["rows"]}
    assert states == {"edgetpu-int8": "unmeasured", "tflite-int8": "passed_through"}
    (note,) = output["notes"]
    assert note == (
        "edgetpu_compiler 16.0.384591198: 70 operators on the Edge TPU, 1 on the CPU, 0.00B streamed; "
        "SOFTMAX: Operation is otherwise supported, but not mapped due to some unspecified limitation"
    )
    variant = manifest_in(Path(output["folder"])).variant("edgetpu-int8")
    assert (variant.profiles, variant.options) == (["coral"], {"lite_rt": {"device": "edgetpu"}})


@pytest.mark.parametrize(("mode", "reason"), [(REFUSED, "Model not quantized"), (NOTHING, "left all 71 operators")])
def test_a_refusal_of_the_edge_tpu_compiler_is_reported(
    data: Path,
    tmp_path: Path,
    pictures: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    mode: str,
    reason: str,
) -> None:
    on_path(tmp_path / "bin", mode, monkeypatch)
    package = classifier(data, tmp_path / "models")
    code, _, output = quantized(capsys, str(package), "--data", str(pictures), "--flavour", "edgetpu")
    assert (code, output.count("\n")) == (2, 1)
    assert reason in output
    assert [path.name for path in package.parent.iterdir()] == ["1.0.0"]


def pump(folder: Path) -> Path:
    """A package of a model of windows of 8 samples of two channels."""
    folder.mkdir(parents=True)
    write_autoencoder(folder / "model.onnx")
    (folder / "model.toml").write_text(
        """name = "pump"
version = "1.0.0"
task = "anomaly"
licence = "Apache-2.0"
head = { family = "classification" }
inputs = [{ name = "window", kind = "tensor", shape = [1, 8, 2], dtype = "float32" }]
variants = [{ name = "onnx-f32", format = "onnx", files = ["model.onnx"], runtimes = ["onnx_runtime"], precision = "f32" }]
""",
        encoding="utf-8",
    )
    return folder


def recording(path: Path, rows: int, low: float = -1.0, high: float = 1.0) -> Path:
    """A table with a column of times, one of words and two of numbers from low to high."""
    values = np.random.default_rng(7).uniform(low, high, (rows, 2))
    lines = [f"{at},{first:.4f},ok,{second:.4f}" for at, (first, second) in enumerate(values)]
    path.write_text("time,current,state,flow\n" + "\n".join([*lines, f"{rows},broken,ok,1.0"]), encoding="utf-8")
    return path


def test_a_series_calibrates_a_model_of_tensors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package, series = pump(tmp_path / "models/pump/1.0.0"), recording(tmp_path / "pump.csv", 330)
    code, output, _ = quantized(capsys, str(package), "--data", str(series), "--flavour", "u8s8")
    assert code == 0
    accuracy = output["rows"][0]["accuracy"]
    assert (output["calibrated_on"], accuracy["samples"], accuracy["measure"]) == (31, 10, "cosine")
    assert accuracy["agreement"] > 0.98
    code, _, reason = quantized(capsys, str(package), "--data", str(series), "--channels", "current", "speed")
    assert (code, "no column 'speed'" in reason) == (2, True)


def test_a_variant_below_the_limit_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Calibrated on a machine that stands still, and measured on one that runs: every range is too narrow."""
    package = pump(tmp_path / "models/pump/1.0.0")
    still, running = recording(tmp_path / "still.csv", 80, -0.1, 0.01), recording(tmp_path / "running.csv", 80)
    arguments = [str(package), "--data", str(still), "--held-out", str(running), "--flavour", "u8s8"]
    code, _, reason = quantized(capsys, *arguments)
    assert (code, reason.count("\n")) == (2, 1)
    assert "u8s8-int8: cosine against the float model is" in reason
    assert "on 10 held-out samples, 0.9 is needed" in reason
    assert [path.name for path in package.parent.iterdir()] == ["1.0.0"]
    code, output, _ = quantized(capsys, *arguments, "--agreement-min", "0")
    assert code == 0
    assert output["rows"][0]["accuracy"]["agreement"] < 0.9


def write_autoencoder(path: Path) -> None:
    """[1, 8, 2] to 12 numbers and back, with random weights."""
    rng = np.random.default_rng(1)
    weights = {"a": rng.normal(0, 0.4, (16, 12)).astype(np.float32), "b": rng.normal(0, 0.4, (12, 16)).astype(np.float32)}
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    constants = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    constants += [
        numpy_helper.from_array(np.array(shape, np.int64), name)
        for name, shape in (("flat", [1, 16]), ("window_shape", [1, 8, 2]))
    ]
    nodes = [
        helper.make_node("Reshape", ["window", "flat"], ["x"], name="in"),
        helper.make_node("MatMul", ["x", "a"], ["h"], name="down"),
        helper.make_node("Relu", ["h"], ["r"], name="relu"),
        helper.make_node("MatMul", ["r", "b"], ["y"], name="up"),
        helper.make_node("Reshape", ["y", "window_shape"], ["rebuilt"], name="out"),
    ]
    ports = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 8, 2]) for name in ("window", "rebuilt")]
    graph = helper.make_graph(nodes, "pump", ports[:1], ports[1:], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--flavour", "openvino"], "openvino is made from a float openvino_ir file; the package has onnx"),
        (["--flavour", "edgetpu"], "the Edge TPU takes a full-int8 TFLite file"),
        (["--data", "/nowhere"], "/nowhere: no pictures"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    data: Path, tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    package = ultraface(data, tmp_path / "models", "onnx")
    code, _, output = quantized(capsys, str(package), "--data", str(pictures), *arguments)
    assert (code, output.count("\n")) == (2, 1)
    assert reason in output


@pytest.mark.long
def test_an_ir_is_quantized_by_nncf(data: Path, tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("nncf", reason="needs the extra nncf")
    file = data / "models/openvino/person-reidentification-retail-0277/FP16/person-reidentification-retail-0277.xml"
    (made,) = import_model(file, tmp_path / "models", ImportRequest(name="reid"))
    # Six pictures are no calibration; what counts here is the way from an IR to an int8 IR with its figures.
    code, output, _ = quantized(capsys, str(made.folder), "--data", str(pictures), "--agreement-min", "0.5")
    assert code == 0
    (row,) = output["rows"]
    assert (row["variant"], row["accuracy"]["measure"]) == ("openvino-int8", "cosine")
    assert "FakeQuantize" in read_model_file(Path(output["folder"]) / row["file"]).operators
    shutil.rmtree(made.folder)
