"""Inputs that are the same in every run: the boxes that a model computes from them, in every runtime, type and batch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.isolated.session import open_isolated
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.constant_arrays import constant_arrays
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.manifest import InputSpec, read_manifest
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, import_model
from edgefleet_server.registry.importers.package_lint import lint
from tests.sized_models import BOX, HEIGHT, WIDTH, write_listed, write_scalar, write_table

SIZE = (640, 400)
EXPECTED = BOX * [*SIZE, *SIZE]
RUNTIMES = ["onnx_runtime", "open_vino"]


def gray(brightness: int) -> Frame:
    """A picture of one brightness, 0 to 255."""
    return Frame(0, 0.0, 0.0, *SIZE, "rgb", (np.full((SIZE[1], SIZE[0], 3), brightness, np.uint8),))


def imported(file: Path) -> Path:
    (made,) = import_model(file, file.parent / "made", ImportRequest())
    assert isinstance(made, Imported)
    assert made.manifest.head.family == "detr"
    assert [each.text for each in lint(made.folder)[1] if each.level == "error"] == []
    return made.folder


@pytest.fixture
def opened() -> Iterator[Callable[..., LoadedModel]]:
    models: list[LoadedModel] = []

    def make(folder: Path, runtime: str = "onnx_runtime") -> LoadedModel:
        models.append(LoadedModel.open(folder, runtimes=[runtime], threads=1))
        return models[-1]

    yield make
    for model in models:
        model.close()


def assert_found(result: Any, brightness: int, count: int = 1) -> None:
    assert isinstance(result, Detections)
    assert np.allclose(result.boxes, [EXPECTED] * count, atol=0.5)
    assert np.allclose(result.scores, brightness / 255, atol=2e-3)
    assert result.class_ids.tolist() == [round(brightness / 25.5)] * count


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("rows", [1, "n"])
@pytest.mark.parametrize(("write", "count"), [(write_listed, 1), (write_table, 2)])
def test_boxes_are_those_of_the_picture(
    runtime: str, dtype: str, rows: int | str, write: Any, count: int, tmp_path: Path, opened: Callable[..., LoadedModel]
) -> None:
    model = opened(imported(write(tmp_path / f"{write.__name__[6:]}.onnx", dtype, rows)), runtime)
    assert_found(model.infer(gray(204), 0.1).result, 204, count)
    for brightness, result in zip((51, 102, 255), model.infer_many([gray(51), gray(102), gray(255)], 0.1), strict=True):
        assert_found(result, brightness, count)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_crops_run_at_once(
    runtime: str, tmp_path: Path, opened: Callable[..., LoadedModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = opened(imported(write_listed(tmp_path / "listed.onnx")), runtime)
    shapes: list[dict[str, tuple[int, ...]]] = []
    infer = model.session.infer

    def counted(inputs: Any) -> Any:
        shapes.append({name: array.shape for name, array in inputs.items()})
        return infer(inputs)

    monkeypatch.setattr(model.session, "infer", counted)
    model.infer_many([gray(51), gray(102), gray(255)], 0.1)
    assert shapes == [{"images": (3, 3, HEIGHT, WIDTH), "orig_target_sizes": (3, 2)}]


@pytest.mark.parametrize("write", [write_listed, write_table])
def test_a_file_without_a_manifest_gets_them(write: Any, tmp_path: Path) -> None:
    model = LoadedModel.from_file(write(tmp_path / f"{write.__name__[6:]}.onnx"))
    try:
        assert model.manifest.head.family == "detr"
        assert_found(model.infer(gray(204), 0.1).result, 204, 2 if write is write_table else 1)
    finally:
        model.close()


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_number_without_sides(runtime: str, tmp_path: Path, opened: Callable[..., LoadedModel]) -> None:
    folder = imported(write_listed(tmp_path / "listed.onnx"))
    write_scalar(folder / "listed.onnx")
    path = folder / "model.toml"
    text = path.read_text(encoding="utf-8").replace('"orig_target_sizes"', '"side"').replace("[64, 32]", "[64]")
    path.write_text(text.replace("shape = [1, 2]\n", "shape = []\n"), encoding="utf-8")
    assert np.allclose(opened(folder, runtime).infer(gray(255), 0.1).result.boxes, [EXPECTED], atol=0.5)


def test_another_value_moves_the_boxes(tmp_path: Path, opened: Callable[..., LoadedModel]) -> None:
    folder = imported(write_listed(tmp_path / "listed.onnx"))
    path = folder / "model.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("value = [64, 32]", "value = [32, 32]"), encoding="utf-8")
    result = opened(folder).infer(gray(204), 0.1).result
    assert np.allclose(result.boxes, [EXPECTED * [0.5, 1, 0.5, 1]], atol=0.5)


def test_a_model_in_a_process_of_its_own(tmp_path: Path) -> None:
    folder = imported(write_listed(tmp_path / "listed.onnx"))
    manifest = read_manifest((folder / "model.toml").read_text(encoding="utf-8"), "model.toml")
    session = open_isolated("onnx_runtime", (folder / "listed.onnx",), LoadOptions(threads=1), 60.0)
    model = LoadedModel(manifest, manifest.variants[0], session, ())
    try:
        assert_found(model.infer(gray(204), 0.1).result, 204)
        assert_found(model.infer_many([gray(51), gray(102)], 0.1)[1], 102)
    finally:
        model.close()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "sizes"}, "the model has"),
        ({"dtype": "int32"}, r"a value of int32 \[1, 2\], the model takes int64 \[-1, 2\]"),
        ({"shape": [2]}, r"a value of int64 \[2\], the model takes"),
        ({"shape": [2, 1]}, r"a value of int64 \[2, 1\], the model takes"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    model = LoadedModel.from_file(write_listed(tmp_path / "listed.onnx"))
    fields = {"kind": "tensor", "name": "orig_target_sizes", "shape": [-1, 2], "dtype": "int64", "value": [64, 32], **change}
    try:
        with pytest.raises(ManifestError, match=message):
            constant_arrays([InputSpec(**fields)], model.session.inputs)
    finally:
        model.close()


def test_bench_and_calibration_feed_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = imported(write_table(tmp_path / "table.onnx"))
    assert main(["bench", str(folder), "--seconds", "0.01", "--batch", "2", "--backend", "onnx_runtime", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"]
    picture = tmp_path / "gray.ppm"
    picture.write_bytes(b"P6\n4 4\n255\n" + bytes([204] * 48))
    (tmp_path / "list.txt").write_text(f"{picture}\n")
    (tmp_path / "inputs").mkdir()
    arguments = ["--samples", str(tmp_path / "list.txt"), "--into", str(tmp_path / "inputs"), "--inputs"]
    variant = read_manifest((folder / "model.toml").read_text(encoding="utf-8"), "model.toml").variants[0].name
    assert main(["outputs", str(folder), "--variant", variant, "--runtime", "onnx_runtime", *arguments]) == 0
    with np.load(tmp_path / "inputs/00000.npz") as stored:
        found = {name: stored[name].tolist() for name in stored.files if name != "t:image"}
    assert found == {"t:im_shape": [[HEIGHT, WIDTH]], "t:scale_factor": [[1, 1]]}
