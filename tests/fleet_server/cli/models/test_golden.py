"""`edgefleet model golden`: samples that the package makes itself are those that `validate` and devices accept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from edgefleet_contract.package.manifest import MANIFEST_FILE, read_manifest
from edgefleet_server.__main__ import main
from edgefleet_server.model_tools.golden_samples import PICTURES_MAX
from tests.packages import MakePackage

pytestmark = pytest.mark.system

KINDS = {
    "mobilenet_v2": ("cat.bmp", "parrot.jpg"),
    "ssd_mobilenet_v1": ("cat.bmp",),
}


@pytest.mark.parametrize("name", sorted(KINDS))
def test_the_samples_of_a_package_pass_its_own_check(
    data: Path, package: MakePackage, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    folder = package(name, copy=True)
    before = read_manifest((folder / MANIFEST_FILE).read_text(encoding="utf-8"), "")
    pictures = [str(data / "media/images" / each) for each in KINDS[name]]
    for _ in range(2):  # again: replaced, not added
        assert main(["model", "golden", str(folder), "--images", *pictures, "--json"]) == 0
        row = json.loads(capsys.readouterr().out)
    assert row["ok"]
    assert {each["state"] for each in row["runs"]} <= {"passed", "skipped"}
    manifest = read_manifest((folder / MANIFEST_FILE).read_text(encoding="utf-8"), "")
    made = [each for each in manifest.golden if each.input.startswith("golden/") and each not in before.golden]
    assert [Path(each.input).name for each in made] == list(KINDS[name])
    assert manifest.variants == before.variants
    assert main(["model", "validate", str(folder), "--no-run"]) == 0
    capsys.readouterr()


def test_numbers_of_a_regression_are_compared(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")

    def write(factor: float) -> None:
        picture = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 3, 16, 16])
        found = onnx.helper.make_tensor_value_info("age", onnx.TensorProto.FLOAT, [1, 1])
        constant = onnx.numpy_helper.from_array(np.array(factor, np.float32), "factor")
        nodes = [
            onnx.helper.make_node("ReduceMean", ["x"], ["mean"], axes=[1, 2, 3], keepdims=0),
            onnx.helper.make_node("Mul", ["mean", "factor"], ["scaled"]),
            onnx.helper.make_node("Unsqueeze", ["scaled", "one"], ["age"]),
        ]
        one = onnx.numpy_helper.from_array(np.array([1], np.int64), "one")
        graph = onnx.helper.make_graph(nodes, "age", [picture], [found], [constant, one])
        opset = onnx.helper.make_opsetid("", 13)
        (tmp_path / "age.onnx").write_bytes(
            onnx.helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()
        )

    write(40.0)
    imported = ["model", "import", str(tmp_path / "age.onnx"), "--head", "regression", "--into", str(tmp_path / "made")]
    assert main(imported) == 0
    folder = tmp_path / "made/age/1.0.0"
    assert main(["model", "golden", str(folder), "--images", str(data / "media/images/cat.bmp")]) == 0
    (answer,) = json.loads((folder / "golden/cat.bmp.json").read_text())
    assert abs(answer["values"]["age"]) > 1
    assert f"golden/cat.bmp: age {answer['values']['age']} " in capsys.readouterr().out
    write(80.0)
    shutil.copyfile(tmp_path / "age.onnx", folder / "age.onnx")
    assert main(["model", "validate", str(folder)]) != 0
    assert "golden_mismatch" in capsys.readouterr().out


def test_a_variant_that_fails_is_named(data: Path, package: MakePackage, capsys: pytest.CaptureFixture[str]) -> None:
    """Its file is that of another model."""
    folder = package("mobilenet_v2", copy=True)
    text = (folder / MANIFEST_FILE).read_text(encoding="utf-8")
    wrong = data / "models/tflite/mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant.tflite"
    (lite,) = [each for each in read_manifest(text, "").variants if each.format == "tflite"]
    shutil.copyfile(wrong, folder / lite.files[0])
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    picture = str(data / "media/images/owl.jpg")
    assert main(["model", "golden", str(folder), "--images", picture, "--variant", "onnx-int8"]) == 2
    out = capsys.readouterr().out
    assert "passed   onnx-int8 on onnx_runtime" in out
    assert f"failed   {lite.name} on lite_rt" in out
    assert "nothing was written" in out
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_pictures_of_one_stem_or_with_names_that_packages_do_not_take_are_samples_of_their_own(
    data: Path, package: MakePackage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = package("ssd_mobilenet_v1", copy=True)
    before = read_manifest((folder / MANIFEST_FILE).read_text(encoding="utf-8"), "").golden
    shutil.copyfile(data / "media/images/cat.bmp", tmp_path / "owl.bmp")
    shutil.copyfile(data / "media/images/parrot.jpg", tmp_path / "owl.jpg")
    shutil.copyfile(data / "media/images/cat.bmp", tmp_path / "größe 1.bmp")
    shutil.copyfile(data / "media/images/parrot.jpg", tmp_path / "größe 2.jpg")
    for name in ("owl.bmp", "owl.jpg", "größe 1.bmp", "größe 2.jpg", "größe 2.jpg"):  # the last one again: replaced
        assert main(["model", "golden", str(folder), "--images", str(tmp_path / name)]) == 0, capsys.readouterr().out
    made = read_manifest((folder / MANIFEST_FILE).read_text(encoding="utf-8"), "").golden[len(before) :]
    assert len({each.input for each in made}) == len({each.expect for each in made}) == len(made) == 4
    capsys.readouterr()


def test_a_list_of_samples_in_one_line_is_not_extended(
    data: Path, package: MakePackage, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = package("ssd_mobilenet_v1", copy=True)
    path = folder / MANIFEST_FILE
    text = "golden = []\n" + path.read_text(encoding="utf-8").partition("[[golden]]")[0]
    path.write_text(text, encoding="utf-8")
    assert main(["model", "golden", str(folder), "--images", str(data / "media/images/cat.bmp")]) == 2
    assert "write each sample as a table [[golden]]" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("pictures", "expected"),
    [
        (["no_such.jpg"], "no such file"),
        (["empty"], "no picture; name files or a folder"),
        (["broken.jpg"], "broken.jpg"),
        (["many"], f"choose up to {PICTURES_MAX}"),
        (["huge.jpg"], "make it smaller"),
    ],
)
def test_pictures_that_cannot_be_used_are_one_line(
    package: MakePackage, tmp_path: Path, capsys: pytest.CaptureFixture[str], pictures: list[str], expected: str
) -> None:
    folder = package("ssd_mobilenet_v1", copy=True)
    before = (folder / MANIFEST_FILE).read_bytes()
    (tmp_path / "empty").mkdir()
    (tmp_path / "many").mkdir()
    for number in range(PICTURES_MAX + 1):
        (tmp_path / "many" / f"{number}.png").touch()
    (tmp_path / "broken.jpg").write_bytes(b"nothing")
    (tmp_path / "huge.jpg").write_bytes(bytes(5 * 1024 * 1024))
    assert main(["model", "golden", str(folder), "--images", *(str(tmp_path / each) for each in pictures)]) == 2
    error = capsys.readouterr().err.strip()
    assert expected in error
    assert len(error.splitlines()) == 1
    assert (folder / MANIFEST_FILE).read_bytes() == before
