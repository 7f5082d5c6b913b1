"""Quantized inputs whose scale and zero point are not those of plain pixels: import, `--into`, validate and their scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.results import Classes
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.formats import Tensor
from edgefleet_contract.package.manifest import InputSpec, Manifest, read_manifest
from edgefleet_contract.package.pixel_scaling import IMAGENET, SIGNED, UNIT, Quantization, Scaling, find_scaling
from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.add_variant import add_variant
from edgefleet_server.registry.importers.import_model import ImportRequest, import_model, read_labels
from edgefleet_server.registry.importers.package_lint import lint
from edgefleet_server.registry.importers.picture_inputs import picture_spec, scaling_doubt, scaling_faults
from edgefleet_server.registry.importers.read_model import read_model_file
from tests.quantized_files import requantized_onnx, requantized_tflite, write_echo, write_ir

SCALE, ZERO_POINT = 0.01157, 123
COARSE, LOW = 1 / 64, 90
"""Pixels as they are would have twice the contrast, and be too bright."""
NAME = "mobilenet_v2_1.0_224_quant"
RUNTIMES = {".tflite": "lite_rt", ".onnx": "onnx_runtime", ".xml": "open_vino"}


def requantized(data: Path, suffix: str, folder: Path) -> Path:
    """MobileNet V2 with an input of another scale and zero point."""
    if suffix == ".onnx":
        return requantized_onnx(data / f"models/onnx/{NAME}/{NAME}.onnx", folder / "m.onnx", COARSE, LOW)
    made = requantized_tflite(data / f"models/tflite/{NAME}/{NAME}.tflite", folder / "m.tflite", COARSE, LOW)
    return made if suffix == ".tflite" else write_ir(folder / "m.xml", made)


def labels(data: Path) -> tuple[str, ...]:
    return read_labels(data / f"models/tflite/{NAME}/imagenet_labels.txt")


def scores_of(data: Path, folder: Path, runtime: str) -> Any:
    """Scores of all classes for four pictures."""
    model = LoadedModel.open(folder, runtimes=[runtime], threads=1)
    try:
        pictures = ("parrot.jpg", "cat_720p.jpg", "owl.jpg", "hot_dog.jpg")
        found = [model.infer(read_picture(data / "media/images" / picture), 0.0).result for picture in pictures]
    finally:
        model.close()
    assert all(isinstance(each, Classes) for each in found)
    return np.array([each.scores for each in found if isinstance(each, Classes)])


def without_scaling(folder: Path) -> None:
    """The manifest as earlier versions wrote it."""
    path = folder / "model.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    remaining = [line for line in lines if not line.startswith(("mean", "std", "scale", "zero_point"))]
    path.write_text("\n".join(remaining), encoding="utf-8")


@pytest.mark.parametrize("suffix", RUNTIMES)
def test_a_real_model_scores_as_before_its_input_was_requantized(data: Path, tmp_path: Path, suffix: str) -> None:
    folder = "openvino" if suffix == ".xml" else suffix[1:]
    (plain,) = import_model(data / f"models/{folder}/{NAME}/{NAME}{suffix}", tmp_path / "a", ImportRequest(labels=labels(data)))
    (made,) = import_model(requantized(data, suffix, tmp_path), tmp_path / "b", ImportRequest(labels=labels(data)))
    (spec,) = made.manifest.inputs
    assert (spec.mean, spec.std, spec.zero_point) == ([127.5], [127.5], LOW)
    assert spec.scale == pytest.approx(COARSE)
    assert any("not those of plain pixels" in note for note in made.notes)
    before, now = (scores_of(data, each.folder, RUNTIMES[suffix]) for each in (plain, made))
    without_scaling(made.folder)
    unscaled = scores_of(data, made.folder, RUNTIMES[suffix])
    assert np.array_equal(now.argmax(axis=1), before.argmax(axis=1))
    assert np.abs(now - before).sum() < np.abs(unscaled - before).sum() / 2


@pytest.mark.parametrize("suffix", RUNTIMES)
def test_validate_names_a_package_that_lacks_them(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    (made,) = import_model(requantized(data, suffix, tmp_path), tmp_path / "b", ImportRequest(labels=labels(data)))

    def doubts() -> list[str]:
        main(["model", "validate", str(made.folder), "--no-run", "--json"])
        return [each["text"] for each in json.loads(capsys.readouterr().out)["findings"] if "plain pixels" in each["text"]]

    assert doubts() == []
    without_scaling(made.folder)
    (text,) = doubts()
    assert "has scale 0.015625 and zero point 90, which are not those of plain pixels; set mean = [127.5], std = [127.5]" in text


def test_what_it_advises_is_valid(data: Path, tmp_path: Path) -> None:
    (made,) = import_model(requantized(data, ".onnx", tmp_path), tmp_path / "b", ImportRequest(labels=labels(data)))
    text = manifest_text(made.folder)
    for before, after, fault in (
        ("zero_point = 90", "zero_point = 89", "zero_point 89, the file has 0.015625 and 90"),
        ("scale = ", "# scale = ", "specify scale = 0.015625"),
        ("std = [127.5]", "std = [127.5, 1.0]", "mean and std need 1 or 3 finite numbers"),
        ("std = [127.5]", "std = [0.0]", "std above 0"),
    ):
        (made.folder / "model.toml").write_text(text.replace(before, after, 1), encoding="utf-8")
        assert [each.text for each in lint(made.folder)[1] if each.level == "error" and fault in each.text], before
    (made.folder / "model.toml").write_text(text, encoding="utf-8")
    assert [each for each in lint(made.folder)[1] if each.level == "error"] == []


def manifest_text(folder: Path) -> str:
    return (folder / "model.toml").read_text(encoding="utf-8")


def manifest_of(folder: Path) -> Manifest:
    return read_manifest(manifest_text(folder), "model.toml")


@pytest.mark.parametrize(("mean", "std"), [([127.0], [128.0]), ([], [])])
def test_a_variant_takes_the_scaling_of_its_package(tmp_path: Path, mean: list[float], std: list[float]) -> None:
    """Of a float package, what the user has written; without that, what fits the new file."""
    float_file = write_echo(tmp_path / "m.onnx", "float32", [1, 8, 8, 3], 0.0, 0)
    (made,) = import_model(float_file, tmp_path / "p", ImportRequest(family="segmentation"))
    text = manifest_text(made.folder)
    written = f"mean = {mean}\nstd = {std}\n" if mean else ""
    (made.folder / "model.toml").write_text(text.replace("[[inputs]]\n", f"[[inputs]]\n{written}"), encoding="utf-8")
    joined = add_variant(write_echo(tmp_path / "q.tflite", "int8", [1, 8, 8, 3], SCALE, -5), made.folder, ImportRequest())
    (spec,) = joined.manifest.variants[-1].inputs
    assert (spec.mean, spec.std) == (mean or [127.5], std or [127.5])
    assert (round(spec.scale, 6), spec.zero_point) == (SCALE, -5)
    assert any("is fed with mean" in note for note in joined.notes)


def test_a_float_variant_takes_the_scaling_of_a_quantized_package(tmp_path: Path) -> None:
    file = write_echo(tmp_path / "q.onnx", "uint8", [1, 8, 8, 3], SCALE, ZERO_POINT)
    (made,) = import_model(file, tmp_path / "p", ImportRequest(family="segmentation"))
    float_file = write_echo(tmp_path / "m.tflite", "float32", [1, 8, 8, 3], 0.0, 0)
    (spec,) = add_variant(float_file, made.folder, ImportRequest()).manifest.variants[-1].inputs
    assert (spec.dtype, spec.mean, spec.std, spec.scale) == ("float32", [127.5], [127.5], 0.0)


@pytest.mark.parametrize(
    ("family", "dtype", "scale", "zero_point", "expected"),
    [
        ("classification", "uint8", 1 / 128, 128, None),
        ("classification", "uint8", 1 / 127.5, 127, None),
        ("classification", "int8", 1 / 127.5, -1, None),
        ("classification", "uint8", 1.0, 0, None),
        ("classification", "int8", 1.0, -128, None),
        ("classification", "int8", 1 / 255, -128, None),
        ("classification", "int8", 1 / 255, 0, None),  # -0.5 to 0.5
        ("classification", "uint8", 0.01157, 123, SIGNED),
        ("classification", "uint8", 0.012566, 131, SIGNED),
        ("classification", "uint8", (2.64 + 2.118) / 255, 114, IMAGENET),
        ("classification", "int8", 2.64 / 127, 0, IMAGENET),
        ("classification", "uint8", 0.5, 17, None),
        ("yolo", "int8", 1 / 255, -128, None),
        ("yolo", "int8", 0.98 / 255, -128, UNIT),
        ("yolo", "uint8", 1.2 / 255, 0, UNIT),
        ("nanodet", "int8", (2.64 + 2.118) / 255, -15, IMAGENET.reversed()),
        ("embedding", "uint8", (2.64 + 2.118) / 255, 114, IMAGENET),
        ("yolox", "uint8", 1.0, 0, None),
        ("ultraface", "uint8", 1 / 128, 127, None),
    ],
)
def test_the_scaling_that_fits(family: str, dtype: str, scale: float, zero_point: int, expected: Scaling | None) -> None:
    found = find_scaling(FAMILIES[family].input, Quantization(dtype, scale, zero_point))
    assert found.scaling == expected
    assert (found.source == "unknown") == (scale == 0.5)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "float16", "float32"])
@pytest.mark.parametrize("layout", ["nhwc", "nchw"])
@pytest.mark.parametrize("family", ["classification", "yolo", "nanodet", "embedding", "yolox"])
@pytest.mark.parametrize("channels", [1, 3])
def test_what_the_importer_writes_has_no_finding(dtype: str, layout: str, family: str, channels: int) -> None:
    """And what it writes of files with any quantization is the same when the package is checked."""
    shape = (1, 8, 8, channels) if layout == "nhwc" else (1, channels, 8, 8)
    for scale, zero_point in ((0.0, 0), (1 / 127.5, 127), (0.0186, 114), (SCALE, 100), (1 / 255, 0), (1.0, 0), (0.5, 17)):
        shift = 128 if dtype == "int8" else 0
        whole = not dtype.startswith("float")
        tensor = Tensor("x", shape, dtype, scale if whole else 0.0, zero_point - shift if whole else 0)
        spec, notes = picture_spec(FAMILIES[family].input, tensor)
        assert scaling_faults(spec, tensor, ["lite_rt", "onnx_runtime", "open_vino"]) == []
        doubt = scaling_doubt(spec, tensor, FAMILIES[family].input, [spec])
        assert bool(doubt) == (whole and scale == 0.5), (scale, zero_point, notes)
        assert not (spec.scale and not (spec.mean or spec.std))
        assert len(spec.mean) in (0, 1, channels)


def test_a_file_that_states_its_scaling(data: Path, tmp_path: Path) -> None:
    """The metadata of a real TFLite file, and of one whose quantization needs it."""
    source = data / "models/tflite/mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant.tflite"
    (tensor,) = read_model_file(source).inputs
    assert (tensor.mean, tensor.std) == ((127.5,), (127.5,))
    spec, notes = picture_spec(InputSpec(), Tensor("x", (1, 8, 8, 3), "uint8", SCALE, ZERO_POINT, (100.0,), (120.0,)))
    assert (spec.mean, spec.std) == ([100.0], [120.0])
    assert "as the file states" in notes[0]
    absurd, _ = picture_spec(InputSpec(), Tensor("x", (1, 8, 8, 3), "uint8", SCALE, ZERO_POINT, (0.0,), (1.0,)))
    assert absurd.mean == [127.5]  # 0 to 255 cannot be stored
    float_spec, _ = picture_spec(InputSpec(), Tensor("x", (1, 8, 8, 3), "float32", 0.0, 0, (127.5,), (127.5,)))
    assert (float_spec.mean, float_spec.std, float_spec.scale) == ([127.5], [127.5], 0.0)


@pytest.mark.parametrize("suffix", [".tflite", ".onnx", ".xml", ".ort"])
@pytest.mark.parametrize(("dtype", "zero_point"), [("uint8", 123), ("int8", -5)])
def test_the_quantization_of_an_input_is_read_from_every_format(tmp_path: Path, suffix: str, dtype: str, zero_point: int) -> None:
    if suffix == ".ort":
        file = as_ort(write_echo(tmp_path / "m.onnx", dtype, [1, 8, 8, 3], SCALE, zero_point), tmp_path / "m.ort")
    else:
        file = write_echo(tmp_path / f"m{suffix}", dtype, [1, 8, 8, 3], SCALE, zero_point)
    (tensor,) = read_model_file(file).inputs
    assert (tensor.dtype, tensor.zero_point) == (dtype, zero_point)
    assert tensor.scale == pytest.approx(SCALE)


def as_ort(source: Path, target: Path) -> Path:
    """The file in ONNX Runtime's own format."""
    import onnxruntime

    options: Any = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(target)
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])
    return target


@pytest.mark.parametrize("dtype", ["uint8", "int8", "float16", "float32"])
@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize(
    ("mean", "std"), [("127", "128"), ("123.675,116.28,103.53", "58.395,57.12,57.375"), ("123", "86.4"), ("0", "1")]
)
def test_the_scaling_that_the_user_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], dtype: str, channels: int, mean: str, std: str
) -> None:
    """It is written as given, also where it equals plain pixels, and validate has no doubt then."""
    whole = not dtype.startswith("float")
    zero_point = ZERO_POINT - (128 if dtype == "int8" else 0)
    file = write_echo(tmp_path / "m.onnx", dtype, [1, 8, 8, channels], SCALE, zero_point)
    command = ["model", "import", str(file), "--into", str(tmp_path / "p"), "--head", "reconstruction"]
    assert main([*command, "--param", "threshold=1.0", "--mean", mean, "--std", std]) == 0
    (spec,) = manifest_of(tmp_path / "p/m/1.0.0").inputs
    averaged = channels == 1 and "," in mean
    assert spec.mean == pytest.approx([114.495] if averaged else [float(each) for each in mean.split(",")])
    assert len(spec.std) == (1 if averaged else len(std.split(",")))
    assert (spec.scale, spec.zero_point) == ((pytest.approx(SCALE), zero_point) if whole else (0.0, 0))
    assert [each.text for each in lint(tmp_path / "p/m/1.0.0")[1] if "plain pixels" in each.text or each.level == "error"] == []
    LoadedModel.open(tmp_path / "p/m/1.0.0", runtimes=["onnx_runtime"], threads=1).close()


def test_a_given_scaling_that_is_that_of_plain_pixels_is_not_written(tmp_path: Path) -> None:
    file = write_echo(tmp_path / "m.tflite", "uint8", [1, 8, 8, 3], 1 / 128, 128)
    given = ImportRequest(family="segmentation", scaling=Scaling((127.5,), (127.5,)))
    (made,) = import_model(file, tmp_path / "p", given)
    assert (made.manifest.inputs[0].mean, made.manifest.inputs[0].scale) == ([], 0.0)


def test_a_given_scaling_needs_a_known_quantization(data: Path, tmp_path: Path) -> None:
    """MoveNet takes bytes that its graph converts itself."""
    name = "movenet_single_pose_lightning_ptq"
    request = ImportRequest(scaling=Scaling((127.5,), (127.5,)))
    with pytest.raises(ManifestError, match="does not show its quantization; leave out --mean and --std"):
        import_model(data / f"models/tflite/{name}/{name}.tflite", tmp_path, request)


@pytest.mark.parametrize(("mean", "std", "doubt"), [([100.0], [57.0], False), ([10.0], [30.0], True)])
def test_the_scaling_of_a_float_variant_explains_that_of_its_quantized_one(
    mean: list[float], std: list[float], doubt: bool
) -> None:
    """`quantize` makes int8 variants that take plain pixels of models with any mean and std."""
    tensor = Tensor("x", (1, 8, 8, 3), "int8", 1 / 57, 100 - 128)
    spec, other = InputSpec(dtype="int8"), InputSpec(dtype="float32", mean=mean, std=std)
    assert bool(scaling_doubt(spec, tensor, FAMILIES["classification"].input, [other, spec])) == doubt


@pytest.mark.parametrize(
    ("option", "value"), [("--mean", "1,2"), ("--mean", "a"), ("--std", "nan"), ("--std", "0"), ("--std", "")]
)
def test_scalings_that_are_none(tmp_path: Path, option: str, value: str) -> None:
    try:
        code: Any = main(["model", "import", str(tmp_path / "m.onnx"), option, value])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
