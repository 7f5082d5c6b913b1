"""Metadata of exporters, and pictures of open size: read at import, and run by the runtimes."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import model_outputs
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.package.formats import ExportFacts, ModelFile, Tensor
from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import InputError
from edgefleet_server.registry.importers.formats.export_metadata import mapping_in, with_metadata
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, import_model
from edgefleet_server.registry.importers.package_lint import lint
from edgefleet_server.registry.importers.read_model import read_model_file

NAMES = {0: "it's a dent", 1: "scratch", 2: 'a "rust" spot'}
METADATA = {
    "description": "Ultralytics YOLO11n model trained on parts.yaml",
    "author": "Ultralytics",
    "license": "AGPL-3.0 License (https://ultralytics.com/license)",
    "stride": "32",
    "task": "detect",
    "imgsz": "[96, 128]",
    "names": str(NAMES),
}


def detector(path: Path, metadata: dict[str, str], sides: tuple[object, object] = ("height", "width"), batch: object = 1) -> Path:
    """A file with the shapes of a YOLO detector of three classes, which sees its first class in bright cells."""
    nodes, parts = [], []
    weights = np.zeros((7, 3, 1, 1), np.float32)
    weights[4] = 1 / 3
    initializers = [
        helper.make_tensor("weights", TensorProto.FLOAT, weights.shape, weights.ravel()),
        helper.make_tensor("rest", TensorProto.INT64, (2,), (7, -1)),
        helper.make_tensor("start", TensorProto.INT64, (1,), (0,)),
        helper.make_tensor("end", TensorProto.INT64, (1,), (1,)),
    ]
    # As exporters write it: the shape depends on that of the batch, so that a graph of open batch says no size of its output.
    nodes += [
        helper.make_node("Shape", ["images"], ["shape"]),
        helper.make_node("Slice", ["shape", "start", "end"], ["first"]),
        helper.make_node("Concat", ["first", "rest"], ["flat"], axis=0),
    ]
    for stride in (8, 16, 32):
        nodes += [
            helper.make_node(
                "AveragePool", ["images"], [f"pool{stride}"], kernel_shape=[stride, stride], strides=[stride, stride]
            ),
            helper.make_node("Conv", [f"pool{stride}", "weights"], [f"map{stride}"]),
            helper.make_node("Reshape", [f"map{stride}", "flat"], [f"part{stride}"]),
        ]
        parts.append(f"part{stride}")
    nodes.append(helper.make_node("Concat", parts, ["output0"], axis=2))
    picture = helper.make_tensor_value_info("images", TensorProto.FLOAT, [batch, 3, *sides])
    output = helper.make_tensor_value_info("output0", TensorProto.FLOAT, [batch, 7, "anchors"])
    graph = helper.make_graph(nodes, "detector", [picture], [output], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    helper.set_model_props(model, metadata)
    onnx.save(model, path)
    return path


def imported(path: Path, into: Path, **request: object) -> Imported:
    (made,) = import_model(path, into, ImportRequest(**request))  # type: ignore[arg-type]  # passed on as they are
    assert isinstance(made, Imported)
    return made


@pytest.mark.parametrize("batch", [1, "batch"], ids=["one picture", "open batch"])
@pytest.mark.parametrize("runtime", ["onnx_runtime", "open_vino"])
def test_an_export_of_open_size_runs_at_the_size_that_it_states(tmp_path: Path, data: Path, runtime: str, batch: object) -> None:
    made = imported(detector(tmp_path / "parts.onnx", METADATA, batch=batch), tmp_path / "packages")
    manifest = made.manifest
    assert manifest.head.family == "yolo"
    assert manifest.licence == "AGPL-3.0"
    assert manifest.inputs[0].shape == [1, 3, 96, 128]
    assert (manifest.inputs[0].mean, manifest.inputs[0].std) == ([0.0], [255.0])
    assert (made.folder / "labels.txt").read_text().splitlines() == list(NAMES.values())
    assert any("any size" in note and "3 x 96 x 128" in note for note in made.notes)
    assert [each.text for each in lint(made.folder)[1] if "open dimensions" in each.text] == []
    model = LoadedModel.open(made.folder, runtimes=(runtime,))
    shapes = [spec.shape[1:] for spec in model.session.outputs]
    assert shapes == [(7, (96 * 128) // 64 + (96 * 128) // 256 + (96 * 128) // 1024)]
    bright = np.full((96, 128, 3), 250, np.uint8)
    result = model.infer(Frame(0, 0.0, 0.0, 128, 96, "bgr", (bright,)), 0.5).result
    assert {each.label for each in model_outputs(result, model.label, 300)} == {NAMES[0]}
    assert model.infer(read_picture(data / "media/images/cat_720p.jpg"), 0.99).result is not None
    model.close()


def test_the_example_of_a_size_fits_the_input(tmp_path: Path) -> None:
    line = detector(tmp_path / "line.onnx", {}, (64, "width"))
    with pytest.raises(InputError, match="--input-shape 1,3,64,640"):
        imported(line, tmp_path / "packages")


def test_the_size_on_the_command_line_wins_and_an_unknown_one_is_an_error(tmp_path: Path) -> None:
    stated = detector(tmp_path / "stated.onnx", METADATA)
    made = imported(stated, tmp_path / "packages", input_shape=(1, 3, 64, 64))
    assert made.manifest.inputs[0].shape == [1, 3, 64, 64]
    silent = detector(tmp_path / "silent.onnx", {})
    with pytest.raises(InputError, match=r"input images \[1, 3, -1, -1\] has an open size; .*--input-shape 1,3,640,640"):
        imported(silent, tmp_path / "packages")
    made = imported(silent, tmp_path / "packages", input_shape=(1, 3, 64, 64), family="yolo")
    assert made.manifest.inputs[0].shape == [1, 3, 64, 64]
    fixed = detector(tmp_path / "fixed.onnx", {}, sides=(64, 96))
    with pytest.raises(InputError, match=r"input images is \[1, 3, 64, 96\]; --input-shape 1,3,64,64 does not fit it"):
        imported(fixed, tmp_path / "packages", input_shape=(1, 3, 64, 64))


def test_labels_that_are_given_win(tmp_path: Path) -> None:
    made = imported(detector(tmp_path / "parts.onnx", METADATA), tmp_path / "packages", labels=("a", "b", "c"), licence="MIT")
    assert (made.folder / "labels.txt").read_text().split() == ["a", "b", "c"]
    assert made.manifest.licence == "MIT"


@pytest.mark.parametrize("form", ["json", "python"])
def test_metadata_behind_a_tflite_file_is_no_list_of_labels(tmp_path: Path, data: Path, form: str) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes((data / "models/tflite/mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant.tflite").read_bytes())
    entries = {**METADATA, "task": "classify", "names": {str(number): f"kind {number}" for number in range(1001)}}
    with zipfile.ZipFile(path, "a") as archive:
        text = json.dumps(entries) if form == "json" else str(entries)
        archive.writestr("metadata.json" if form == "json" else "temp_meta.txt", text)
    model = read_model_file(path)
    assert model.labels[:2] == ("kind 0", "kind 1")
    assert model.exported == ExportFacts("classify", 128, 96, "AGPL-3.0")


@pytest.mark.parametrize(
    ("entries", "labels"),
    [
        ({"names": "['a', 'b']"}, ("a", "b")),
        ({"names": "{0: 'a', 2: 'c'}"}, ()),
        ({"names": "{0: 'a', 1: ['b']}"}, ()),
        ({"names": "[" * 10_000}, ()),
        ({"names": "{0: 'a\\nb'}"}, ()),
        ({"names": "person"}, ()),
        ({"character": "'\n(\n\u3000\n\u758f\n"}, ("'", "(", "\u3000", "\u758f")),
        ({"character": "a\n\nb"}, ()),
        ({"character": ["a"]}, ()),
        ({"names": None, "imgsz": "[0, -5]"}, ()),
        ({}, ()),
    ],
)
def test_damaged_metadata_is_left_out(entries: dict[str, object], labels: tuple[str, ...]) -> None:
    model = with_metadata(ModelFile(Path("x.onnx"), "onnx", (Tensor("in", (1, 3, 8, 8), "float32"),), ()), entries)
    assert model.labels == labels
    assert model.exported == ExportFacts()
    assert model.inputs[0].mean == ()


@given(
    st.dictionaries(
        st.sampled_from(sorted([*METADATA, "character"])), st.text() | st.integers() | st.none() | st.lists(st.text())
    ),
    st.text(),
)
def test_any_metadata_is_read(entries: dict[str, object], text: str) -> None:
    model = with_metadata(ModelFile(Path("x.onnx"), "onnx", (Tensor("in", (1, 3, 8, 8), "float32"),), ()), entries)
    assert all(label == "\u3000" or (label == label.strip() and label) for label in model.labels)
    assert isinstance(mapping_in(text), dict)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--labels", "{empty}"), "empty.txt: no labels; specify a file with one label per line, or leave --labels out"),
        (("--into", "{packages}/parts/1.0.0"), "1.0.0: no such package; --into takes a package, or the folder of all packages"),
        (("--param", "colour=1"), "--param: head yolo: unknown param 'colour'; known are strides, objectness, normalized, iou"),
    ],
)
def test_what_is_mistyped_is_named_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], text: str
) -> None:
    (tmp_path / "empty.txt").write_text("\n\n")
    places = {"empty": tmp_path / "empty.txt", "packages": tmp_path / "packages"}
    source = detector(tmp_path / "parts.onnx", METADATA)
    given = [word.format(**places) for word in words]
    usual = [] if "--into" in words else ["--into", str(tmp_path / "packages")]
    assert main(["model", "import", str(source), *given, *usual]) == InputError.exit_code
    assert text in capsys.readouterr().err
    assert not (tmp_path / "packages").exists()


def test_a_name_that_is_changed_is_noted(tmp_path: Path) -> None:
    made = imported(detector(tmp_path / "parts.onnx", METADATA), tmp_path / "packages", name="My Parts")
    assert "called my_parts: names have a to z, 0 to 9, - and _" in made.notes
