"""Files of ONNX models as exporters write them: weights beside the model, odd names, types and batches that no picture fits."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, find_backend
from edgefleet_server.core.errors import EdgefleetError, ManifestError
from edgefleet_server.registry.importers.add_variant import add_variant
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, import_model
from edgefleet_server.registry.importers.package_lint import lint
from edgefleet_server.registry.importers.read_model import read_model_file

PIXELS = np.full((1, 3, 8, 8), 2, np.float32)


def classifier(path: Path, kind: int = TensorProto.FLOAT, batch: int = 1, weights: str = "") -> Path:
    """A model that multiplies the mean of each channel by numbers of its own. weights: the file for them; empty: the model's."""
    nodes = [
        helper.make_node("Cast", ["x"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["real"], ["means"], axes=[2, 3], keepdims=0),
        helper.make_node("MatMul", ["means", "w"], ["y"]),
    ]
    x = helper.make_tensor_value_info("x", kind, [batch, 3, 8, 8])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [batch, 10])
    stored = [numpy_helper.from_array(np.arange(30, dtype=np.float32).reshape(3, 10), "w")]
    graph = helper.make_graph(nodes, "classifier", [x], [y], stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside: dict[str, Any] = {"save_as_external_data": True, "location": weights, "size_threshold": 0} if weights else {}
    onnx.save_model(model, str(path), **beside)
    return path


def with_place(path: Path, place: str, length: int = 120) -> Path:
    """The model in `path`, whose weights are said to be at `place`."""
    model = onnx.load(str(path), load_external_data=False)
    (tensor,) = model.graph.initializer
    entries = {each.key: each for each in tensor.external_data}
    entries["location"].value, entries["length"].value = place, str(length)
    path.write_bytes(model.SerializeToString())
    return path


def imported(source: Path, into: Path, **given: Any) -> Imported:
    (made,) = import_model(source, into, ImportRequest(**given))
    assert isinstance(made, Imported)
    return made


def errors(folder: Path) -> list[str]:
    return [each.text for each in lint(folder)[1] if each.level == "error"]


@pytest.mark.parametrize("runtime", ["onnx_runtime", "open_vino"])
def test_weights_beside_the_model_are_files_of_the_package(tmp_path: Path, runtime: str) -> None:
    source = classifier(tmp_path / "m" / "my model.onnx", weights="my_model.onnx.data")
    made = imported(source, tmp_path / "p")
    assert made.manifest.variants[0].files == ["my_model.onnx", "my_model.onnx.data"]
    assert errors(made.folder) == []
    shutil.rmtree(source.parent)
    files = tuple(made.folder / name for name in made.manifest.variants[0].files)
    session = find_backend(runtime).load(files, LoadOptions("cpu"))
    assert list(session.infer({"x": PIXELS})["y"][0]) == list(2 * np.arange(30, dtype=np.float32).reshape(3, 10).sum(axis=0))
    session.close()


def test_weights_in_a_folder_and_a_variant_with_weights_beside_it(tmp_path: Path) -> None:
    made = imported(classifier(tmp_path / "m.onnx"), tmp_path / "p")
    manifest = made.folder / "model.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"onnx-f32"', '"first"'), encoding="utf-8")
    half = classifier(tmp_path / "half.onnx", TensorProto.FLOAT16, weights="half.bin")
    (tmp_path / "parts").mkdir()
    (tmp_path / "half.bin").rename(tmp_path / "parts/half.bin")
    with_place(half, "parts/half.bin")
    after = add_variant(half, made.folder, ImportRequest())
    assert after.manifest.variants[-1].files == ["half.onnx", "parts/half.bin"]
    assert (made.folder / "parts/half.bin").stat().st_size == 120
    assert errors(made.folder) == []


def test_a_served_file_finds_its_weights(tmp_path: Path) -> None:
    source = classifier(tmp_path / "m.onnx", weights="m.onnx.data")
    LoadedModel.from_file(source, "classification").close()


@pytest.mark.parametrize(
    ("place", "length", "reason"),
    [
        ("no.data", 120, "'no.data', which does not exist; put that file beside it"),
        ("../m.data", 120, "'../m.data', which is not a file beside it"),
        ("/etc/hostname", 1, "'/etc/hostname', which is not a file beside it"),
        ("linked", 120, "'linked', which is a link to another folder"),
        ("m.data", 121, "'m.data', which has 120 bytes of 121"),
        ("m.data", -5, "'m.data', at a place that no file has"),
        ("my weights", 120, "'my weights', which no file of a package can be called"),
        ("model.toml", 120, "'model.toml', which no file of a package can be called"),
    ],
)
def test_weights_that_cannot_be_taken_are_refused(tmp_path: Path, place: str, length: int, reason: str) -> None:
    source = classifier(tmp_path / "m" / "m.onnx", weights="m.data")
    data = source.with_name("m.data")
    for copy in (tmp_path / "m.data", data.with_name("my weights"), data.with_name("model.toml")):
        shutil.copyfile(data, copy)
    data.with_name("linked").symlink_to(tmp_path / "m.data")
    with pytest.raises(EdgefleetError, match="its weights are in ") as caught:
        imported(with_place(source, place, length), tmp_path / "p")
    assert reason in str(caught.value)
    assert not (tmp_path / "p").exists()


def test_weights_that_the_manifest_does_not_list(tmp_path: Path) -> None:
    made = imported(classifier(tmp_path / "m.onnx", weights="m.data"), tmp_path / "p")
    manifest = made.folder / "model.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"m.onnx", "m.data"', '"m.onnx"'), encoding="utf-8")
    assert errors(made.folder) == ["its weights are in m.data, which it does not list; add it to files"]


def test_weights_of_a_branch_are_found(tmp_path: Path) -> None:
    """In a graph that is an attribute of a node."""
    inner = onnx.load(str(classifier(tmp_path / "m.onnx", weights="m.data")), load_external_data=False).graph
    branch = helper.make_graph([helper.make_node("Identity", ["w"], ["b"])], "branch", [], [], list(inner.initializer))
    node = helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)
    graph = helper.make_graph([node], "g", list(inner.input), list(inner.output))
    onnx.save(helper.make_model(graph), str(tmp_path / "if.onnx"))
    assert read_model_file(tmp_path / "if.onnx").files == (tmp_path / "if.onnx", tmp_path / "m.data")


@pytest.mark.parametrize("stem", ["a" * 200, "模型", "-", "a.b" * 40])
def test_names_of_files_keep_their_ending(tmp_path: Path, stem: str) -> None:
    made = imported(classifier(tmp_path / f"{stem}.onnx"), tmp_path / "p")
    (name,) = made.manifest.variants[0].files
    assert name.endswith(".onnx")
    assert len(name) <= 64
    assert errors(made.folder) == []


@pytest.mark.parametrize(
    ("kind", "batch", "given", "reason"),
    [
        (
            TensorProto.INT64,
            1,
            (),
            "input x is int64, which no frame can be made into; export it with one of uint8, int8, float16",
        ),
        (TensorProto.BOOL, 1, (), "input x is bool, which no frame can be made into"),
        (TensorProto.STRING, 1, (), "input x is string, which no frame can be made into"),
        (TensorProto.UINT16, 1, (), "input x is uint16, which no frame can be made into"),
        (
            TensorProto.FLOAT,
            4,
            (),
            "input x is [4, 3, 8, 8], 4 pictures in every run; export it with a batch of 1, or an open one",
        ),
        (TensorProto.FLOAT, 1, (4, 3, 8, 8), "--input-shape 4,3,8,8: devices feed one picture a run; specify a batch of 1"),
    ],
)
def test_inputs_that_no_picture_fits_are_refused(
    tmp_path: Path, kind: int, batch: int, given: tuple[int, ...], reason: str
) -> None:
    source = classifier(tmp_path / "m.onnx", kind, batch)
    with pytest.raises(EdgefleetError) as caught:
        imported(source, tmp_path / "p", input_shape=given)
    assert reason in str(caught.value)


@pytest.mark.parametrize(("kind", "batch"), [(TensorProto.INT64, 1), (TensorProto.FLOAT, 4), (TensorProto.BOOL, 1)])
def test_packages_and_files_with_such_inputs_say_why(tmp_path: Path, kind: int, batch: int) -> None:
    made = imported(classifier(tmp_path / "m.onnx"), tmp_path / "p")
    source = classifier(tmp_path / "n.onnx", kind, batch)
    shutil.copyfile(source, made.folder / "m.onnx")
    manifest = made.folder / "model.toml"
    if kind == TensorProto.INT64:
        manifest.write_text(manifest.read_text(encoding="utf-8").replace('"float32"', '"int64"'), encoding="utf-8")
    texts = {TensorProto.INT64: "is int64, which no frame", TensorProto.BOOL: "is bool, which no frame"}
    reason = texts.get(kind, "4 pictures in every run")
    assert any(reason in text for text in errors(made.folder))
    with pytest.raises(EdgefleetError, match=reason):
        LoadedModel.open(made.folder, runtimes=["onnx_runtime"])
    with pytest.raises(EdgefleetError, match=reason):
        LoadedModel.from_file(source, "classification")


def test_a_state_of_a_type_that_no_device_feeds(tmp_path: Path) -> None:
    model = onnx.load(str(classifier(tmp_path / "m.onnx")))
    model.graph.node.append(helper.make_node("Identity", ["before"], ["after"]))
    for name, ports in (("before", model.graph.input), ("after", model.graph.output)):
        ports.append(helper.make_tensor_value_info(name, TensorProto.BOOL, [1, 2]))
    onnx.save(model, str(tmp_path / "m.onnx"))
    with pytest.raises(EdgefleetError, match="input before is bool; export it with one of uint8"):
        imported(tmp_path / "m.onnx", tmp_path / "p", family="classification")


@pytest.mark.parametrize(
    ("kind", "weights", "name"),
    [
        (TensorProto.UINT8, np.float32, "onnx-f32"),
        (TensorProto.INT8, np.float32, "onnx-f32"),
        (TensorProto.FLOAT16, np.float32, "onnx-f32"),
        (TensorProto.FLOAT, np.float16, "onnx-f16"),
        (TensorProto.FLOAT, np.int8, "onnx-int8"),
    ],
)
def test_the_precision_is_that_of_the_weights(tmp_path: Path, kind: int, weights: type, name: str) -> None:
    model = onnx.load(str(classifier(tmp_path / "m.onnx", kind)))
    (stored,) = model.graph.initializer
    stored.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(stored).astype(weights), "w"))
    onnx.save(model, str(tmp_path / "m.onnx"))
    made = imported(tmp_path / "m.onnx", tmp_path / "p")
    assert made.manifest.variants[0].name == name


def test_the_weights_of_other_formats(data: Path) -> None:
    models = data / "models"
    found = [
        read_model_file(models / name).weights
        for name in (
            "openvino/face-detection-adas-0001/FP16-INT8/face-detection-adas-0001.xml",
            "openvino/yolox_nano/FP16/yolox_nano.xml",
            "tflite/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.tflite",
        )
    ]
    assert found == ["int8", "float16", "uint8"]


def damaged_ir(data: Path, folder: Path, pattern: str, damage: str) -> Path:
    source = data / "models/openvino/yolox_nano/FP16/yolox_nano.xml"
    shutil.copyfile(source.with_suffix(".bin"), folder / "damaged.bin")
    text = source.read_text(encoding="utf-8")
    damaged = re.sub(pattern, damage, text)
    assert damaged != text
    (folder / "damaged.xml").write_text(damaged, encoding="utf-8")
    return folder / "damaged.xml"


def test_constants_of_no_size_are_refused(data: Path, tmp_path: Path) -> None:
    path = damaged_ir(data, tmp_path, r'(type="Const"[^>]*>\s*<data[^>]*size=)"\d+"', r'\1"many"')
    with pytest.raises(ManifestError, match="not a whole OpenVINO IR"):
        read_model_file(path)


def test_constants_of_types_without_bits_are_not_counted(data: Path, tmp_path: Path) -> None:
    path = damaged_ir(data, tmp_path, 'element_type="f16"', 'element_type="f0"')
    assert read_model_file(path).weights == "float32"  # that of the few others


def test_params_of_another_type_are_refused_by_import_and_validate(tmp_path: Path) -> None:
    source = classifier(tmp_path / "m.onnx")
    reason = "head classification: param 'softmax' must be true or false, got 'perhaps'"
    with pytest.raises(EdgefleetError, match=reason):
        imported(source, tmp_path / "p", params={"softmax": "perhaps"})
    made = imported(source, tmp_path / "p", params={"softmax": True})
    manifest = made.folder / "model.toml"
    text = manifest.read_text(encoding="utf-8")
    assert "softmax = true" in text
    manifest.write_text(text.replace("softmax = true", 'softmax = "perhaps"'), encoding="utf-8")
    assert errors(made.folder) == [reason]
