"""The number of classes of every variant against the labels and the other variants, in every place that takes a package."""

from __future__ import annotations

import io
import json
import logging
import struct
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.cli.measure.selftest import examine
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import model_outputs
from edgefleet_contract.core.errors import InputError, ManifestError
from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_contract.package.manifest import HeadSpec, InputSpec, Manifest, Variant, read_manifest
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.__main__ import main
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.importers.add_variant import add_variant
from edgefleet_server.registry.importers.formats.tflite_metadata import flex_integer
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, import_model, read_labels
from edgefleet_server.registry.importers.label_count import fit_labels, label_lines, possible_counts
from edgefleet_server.registry.importers.read_model import read_model_file
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.agent.serving.onnx_file import chain
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.quantized_files import write_ir

CLASSES = 5
LABELS = {"equal": CLASSES, "too few": CLASSES - 2, "too many": CLASSES + 2, "none": 0}
FAULT = {
    "equal": "",
    "too few": f"has {CLASSES - 2} labels, the file {CLASSES} classes; specify one label per class",
    "too many": f"has {CLASSES + 2} labels, the file {CLASSES} classes; specify one label per class",
    "none": "",
}


def classifier(path: Path, classes: int) -> Path:
    """A model of so many scores."""
    weights = np.random.default_rng(classes).normal(size=(3, classes)).astype(np.float32)
    steps = [("GlobalAveragePool", ["image"], "mean"), ("Reshape", ["mean", "flat"], "row"), ("MatMul", ["row", "w"], "scores")]
    constants = {"flat": np.array([1, 3], np.int64), "w": weights}
    path.write_bytes(chain(steps, constants, {"image": (1, 3, 8, 8)}, {"scores": (1, classes)}))
    return path


def names(count: int) -> tuple[str, ...]:
    return tuple(f"name {number}" for number in range(count))


def imported(folder: Path, classes: int, labels: tuple[str, ...] = ()) -> Imported:
    (made,) = import_model(
        classifier(folder / f"m{classes}.onnx", classes),
        folder / "models",
        ImportRequest(name=f"m{classes}", family="classification", labels=labels, licence="MIT"),
    )
    assert isinstance(made, Imported)
    return made


def relabelled(made: Imported, count: int) -> Path:
    """The package with another number of labels, as a user may write it, or an earlier version has imported it."""
    (made.folder / "labels.txt").write_text("".join(f"{name}\n" for name in names(count)), encoding="utf-8")
    path = made.folder / "model.toml"
    text = path.read_text(encoding="utf-8")
    if "labels_file" not in text:
        path.write_text(text.replace("[[inputs]]", 'labels_file = "labels.txt"\n\n[[inputs]]', 1), encoding="utf-8")
    return made.folder


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[PackageRegistry]:
    folder = tmp_path / "server"
    folder.mkdir()
    database = Database(migrated_file(folder / "fleet.db"))
    database.migrate()
    opened = PackageRegistry(BlobStore(folder / "blobs"), database, TufRepository(folder / "trust"), upload_bytes_max=64_000_000)
    opened.open()
    yield opened
    database.close()


def pushed(registry: PackageRegistry, folder: Path) -> None:
    spool = io.BytesIO()
    with tarfile.open(fileobj=spool, mode="w") as archive:
        for path in sorted(folder.iterdir()):
            archive.add(path, path.name)
    spool.seek(0)
    registry.push(spool, 1.0)


def findings(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Errors of `validate`."""
    code = main(["model", "validate", str(folder), "--no-run", "--json"])
    found = [each["text"] for each in json.loads(capsys.readouterr().out)["findings"] if each["level"] == "error"]
    assert code == (2 if found else 0)
    return found


@pytest.mark.parametrize("state", LABELS)
def test_import(tmp_path: Path, state: str) -> None:
    if FAULT[state]:
        with pytest.raises(InputError, match=FAULT[state]):
            imported(tmp_path, CLASSES, names(LABELS[state]))
        assert not (tmp_path / "models").exists()
        return
    made = imported(tmp_path, CLASSES, names(LABELS[state]))
    assert any("no labels" in note for note in made.notes) == (state == "none")


@pytest.mark.parametrize("state", LABELS)
def test_validate(tmp_path: Path, capsys: pytest.CaptureFixture[str], state: str) -> None:
    found = findings(relabelled(imported(tmp_path, CLASSES), LABELS[state]), capsys)
    assert len(found) == bool(FAULT[state])
    assert not found or FAULT[state] in found[0]


@pytest.mark.parametrize("state", LABELS)
@pytest.mark.parametrize("embedded", [False, True])
def test_push(tmp_path: Path, registry: PackageRegistry, state: str, embedded: bool) -> None:
    """Labels in their file, or in the manifest."""
    folder = relabelled(imported(tmp_path, CLASSES), LABELS[state])
    if embedded:
        path = folder / "model.toml"
        listed = f"labels = {json.dumps(names(LABELS[state]))}"
        path.write_text(path.read_text(encoding="utf-8").replace('labels_file = "labels.txt"', listed), encoding="utf-8")
    if FAULT[state]:
        with pytest.raises(ManifestError, match=f"m5@1.0.0: variant 'onnx-f32': the package {FAULT[state]}"):
            pushed(registry, folder)
    else:
        pushed(registry, folder)


@pytest.mark.parametrize("state", LABELS)
def test_trial_and_load(tmp_path: Path, caplog: pytest.LogCaptureFixture, state: str) -> None:
    """A device refuses a new package with too many labels; one that ran before works on, and its log says what is wrong. Fewer
    labels than classes were valid in 0.2.0."""
    folder = relabelled(imported(tmp_path, CLASSES), LABELS[state])
    verdict = examine(folder, runtimes=["onnx_runtime"], variant=None, profile="", threads=1)
    wrong = f"{LABELS[state]} labels, but the model has {CLASSES} classes" if FAULT[state] else ""
    refused = state == "too many"
    assert (verdict.ok, verdict.reason) == ((False, Reason.MANIFEST_INVALID) if refused else (True, Reason.NONE))
    assert wrong in verdict.detail
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        model = LoadedModel.open(folder, runtimes=["onnx_runtime"], threads=1)
    assert model.classes == CLASSES
    assert (wrong in caplog.text) if wrong else not caplog.text
    assert model.label(CLASSES - 1) == ("name 4" if LABELS[state] >= CLASSES else "class 4")
    model.close()


@pytest.mark.parametrize("state", LABELS)
def test_a_bare_file_with_labels(tmp_path: Path, state: str) -> None:
    file, listed = classifier(tmp_path / "m.onnx", CLASSES), tmp_path / "labels.txt"
    listed.write_text("\n".join(names(LABELS[state])), encoding="utf-8")
    if FAULT[state]:
        with pytest.raises(ManifestError, match=f"labels.txt: {LABELS[state]} labels, but the model has {CLASSES} classes"):
            LoadedModel.from_file(file, "classification", listed, threads=1)
    else:
        LoadedModel.from_file(file, "classification", listed, threads=1).close()


@pytest.mark.parametrize("labels", [0, CLASSES])
@pytest.mark.parametrize("classes", [CLASSES - 1, CLASSES, CLASSES + 1])
def test_a_variant_of_another_number_of_classes(
    tmp_path: Path, registry: PackageRegistry, capsys: pytest.CaptureFixture[str], labels: int, classes: int
) -> None:
    """`--into` refuses it; so do validate, push and devices, where it got in before."""
    package = imported(tmp_path, CLASSES, names(labels)).folder
    before = (package / "model.toml").read_bytes()
    file = write_ir(tmp_path / "other.xml", classifier(tmp_path / "other.onnx", classes))
    request = ImportRequest(family="classification")
    if classes == CLASSES:
        add_variant(file, package, request)
        assert findings(package, capsys) == []
        pushed(registry, package)
    else:
        reason = (
            f"the package has {labels} labels, the file {classes}"
            if labels
            else f"it has {classes} classes, variant 'onnx-f32' 5"
        )
        with pytest.raises(InputError, match=reason):
            add_variant(file, package, request)
        assert (package / "model.toml").read_bytes() == before
        join_by_hand(package, file)
        (text,) = findings(package, capsys)
        assert reason in text
        with pytest.raises(ManifestError, match=reason):
            pushed(registry, package)
    for variant, runtime in (("onnx-f32", "onnx_runtime"), ("openvino-f32", "open_vino")):
        verdict = examine(package, runtimes=[runtime], variant=variant, profile="", threads=1)
        assert verdict.ok == (variant == "onnx-f32" or classes >= CLASSES or not labels), verdict


def join_by_hand(package: Path, file: Path) -> None:
    """A second variant, as an earlier version took it."""
    for path in (file, file.with_suffix(".bin")):
        (package / path.name).write_bytes(path.read_bytes())
    text = (package / "model.toml").read_text(encoding="utf-8")
    more = 'name = "openvino-f32"\nformat = "openvino_ir"\nfiles = ["other.xml", "other.bin"]\nruntimes = ["open_vino"]\n'
    (package / "model.toml").write_text(f"{text}\n[[variants]]\n{more}", encoding="utf-8")


def test_a_file_that_cannot_be_read_is_left_to_the_devices(tmp_path: Path, registry: PackageRegistry) -> None:
    folder = relabelled(imported(tmp_path, CLASSES), CLASSES + 1)
    (folder / "m5.onnx").write_bytes(b"damaged")
    pushed(registry, folder)


PLACES = {
    "imagenet": ("tflite/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.tflite", "imagenet_labels.txt", "parrot.jpg"),
    "ssd": ("tflite/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.tflite", "coco_labels.txt", "cat_720p.jpg"),
    "yolox": ("onnx/yolox_nano/yolox_nano.onnx", "coco.names", "cat_720p.jpg"),
    "person": ("openvino/person-detection-retail-0013/FP16/person-detection-retail-0013.xml", "", "people_detection.png"),
    "face": ("onnx/ultraface_rfb_320/version-RFB-320.onnx", "", "grace_hopper.bmp"),
}


@pytest.mark.parametrize(
    ("name", "change", "params", "first"),
    [
        ("imagenet", lambda labels: labels, {}, "macaw"),
        ("imagenet", lambda labels: labels[1:], {"background": True}, "macaw"),
        ("ssd", lambda labels: labels, {}, "cat"),
        ("ssd", lambda labels: ("???", *labels), {"class_offset": 1}, "cat"),
        ("yolox", lambda labels: ("background", *labels), {}, "cat"),
        ("person", lambda _: ("background", "person"), {}, "person"),
        ("person", lambda _: ("person",), {}, "person"),
        ("face", lambda _: ("background", "face"), {}, "face"),
        ("face", lambda _: ("face",), {}, "face"),
    ],
)
def test_a_background_more_or_less(
    data: Path, tmp_path: Path, name: str, change: Any, params: dict[str, Any], first: str
) -> None:
    """Real models with lists of labels that count the background otherwise find the same things by the same names."""
    file, listed, picture = PLACES[name]
    source = data / "models" / file
    labels = read_labels(source.parent / listed) if listed else ()
    (made,) = import_model(source, tmp_path, ImportRequest(labels=change(labels)))
    assert isinstance(made, Imported)
    assert made.manifest.head.params == params
    model = LoadedModel.open(made.folder, runtimes=["lite_rt", "onnx_runtime", "open_vino"], threads=1)
    found = model_outputs(model.infer(read_picture(data / "media/images" / picture), 0.5).result, model.label, 3)
    assert (found[0].label, model.label_fault) == (first, "")
    model.close()


@pytest.mark.parametrize(
    ("name", "count", "reason"),
    [
        ("imagenet", 965, "has 965 labels, the file 1001 classes; specify one label per class"),
        ("ssd", 80, "has 80 labels, the file 90 classes"),
        ("ssd", 91, "add --param class_offset=1"),
        ("yolox", 81, "has 81 labels, the file 80 classes.*taken for the family yolox; .* specify it with --head"),
        ("person", 3, "has 3 labels, the file 2 classes"),
        ("face", 3, "has 3 labels, the file 2 classes"),
    ],
)
def test_labels_of_another_model(data: Path, tmp_path: Path, name: str, count: int, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        import_model(data / "models" / PLACES[name][0], tmp_path, ImportRequest(labels=names(count)))


@pytest.mark.parametrize("name", ["imagenet", "person", "face"])
@pytest.mark.parametrize("more", [-1, 1])
def test_a_list_with_a_background_and_a_label_more_or_less_is_that_of_another_model(
    data: Path, tmp_path: Path, name: str, more: int
) -> None:
    """Nothing says which label is missing, or too many: it is not taken for one without a background."""
    count = {"imagenet": 1001}.get(name, 2) + more
    labels = ("background", *names(count - 1))
    with pytest.raises(InputError, match=f"has {count} label"):
        import_model(data / "models" / PLACES[name][0], tmp_path, ImportRequest(labels=labels))


FIVE_LEVELS = {f"{role}{side}": (1, side, side, 9 * each) for side in (64, 32, 16, 8, 4) for role, each in (("b", 4), ("s", 90))}


@pytest.mark.parametrize(
    ("family", "params", "outputs", "expected"),
    [
        ("classification", {}, {"scores": (1, 7)}, [7]),
        ("classification", {"background": True}, {"scores": (1, 1, 1, 7)}, [6]),
        ("classification", {}, {"scores": (-1, -1)}, []),
        ("ctc", {}, {"logits": (1, 20, 37)}, [36, 35]),
        ("detr", {}, {"boxes": (1, 100, 4), "logits": (1, 100, 91)}, [91]),
        ("detr", {"activation": "softmax"}, {"a": (1, 100, 4), "b": (1, 100, 92)}, [91]),
        ("efficientdet", {}, {"boxes": (1, 100, 4), "scores": (1, 100, 90)}, [90]),
        ("efficientdet", {}, FIVE_LEVELS, [90]),
        ("fcos", {}, {"scores": (1, 6, 8, 3), "boxes": (1, 6, 8, 4)}, [3]),
        ("nanodet", {}, {"a": (1600, 80), "b": (1600, 32)}, [80]),
        ("nanodet", {"bins": 7}, {"a": (1, 2100, 112)}, [84]),
        ("nanodet", {}, {"a": (1600, 32), "b": (1600, 32)}, []),
        ("segmentation", {}, {"mask": (1, 33, 33, 21)}, [21]),
        ("segmentation", {"layout": "nchw"}, {"mask": (1, 21, 33, 33)}, [21]),
        ("segmentation", {}, {"mask": (1, 33, 33)}, []),
        ("ssd_anchors", {}, {"boxes": (1, 1917, 4), "scores": (1, 1917, 91)}, [90]),
        ("ssd_anchors", {"background": False}, {"boxes": (1, 1917, 4), "scores": (1, 1917, 90)}, [90]),
        ("ultraface", {}, {"boxes": (1, 4420, 4), "scores": (1, 4420, 2)}, [2]),
        ("yolo", {}, {"p": (1, 84, 8400)}, [80]),
        ("yolo", {}, {"p": (1, 84, -1)}, [80]),
        ("yolo", {}, {"p": (1, 8400, 85)}, [81, 80]),
        ("yolo_obb", {}, {"p": (1, 20, 21504)}, [15]),
        ("yolo_obb", {}, {"p": (1, 300, 7)}, []),
        ("yolo_pose", {"points": 17}, {"p": (1, 56, 8400)}, [1]),
        ("yolo_pose", {"points": ["a", "b"], "visibility": False}, {"p": (1, 11, 8400)}, [3]),
        ("yolo_pose", {}, {"p": (1, 56, 8400)}, []),
        ("yolo_segmentation", {}, {"predictions": (1, 116, 8400), "prototypes": (1, 32, 160, 160)}, [80]),
        ("yolo_segmentation", {}, {"predictions": (1, 116, 8400), "prototypes": (1, 160, 160, 32)}, [80]),
        ("yolo_segmentation", {}, {"predictions": (1, 300, 38), "prototypes": (1, 32, 160, 160)}, []),
        ("yolo", {"objectness": True}, {"p": (1, 25200, 85)}, [80]),
        ("yolo", {}, {"p": (1, 300, 6)}, []),
        ("yolox", {}, {"p": (1, 3549, 85)}, [80]),
        ("embedding", {}, {"v": (1, 512)}, []),
        ("unheard_of", {}, {"v": (1, 512)}, []),
    ],
)
def test_what_the_shapes_of_each_family_show(
    family: str, params: dict[str, Any], outputs: dict[str, tuple[int, ...]], expected: list[int]
) -> None:
    tensors = tuple(Tensor(name, shape, "float32") for name, shape in outputs.items())
    assert possible_counts(ModelFile(Path("m.onnx"), "onnx", (), tensors), manifest(family, params), VARIANT) == expected


VARIANT = Variant(name="v", format="onnx", files=["m.onnx"], runtimes=["onnx_runtime"])


def manifest(family: str, params: dict[str, Any]) -> Manifest:
    head = HeadSpec(family=family, params=params)
    return Manifest(name="m", version="1.0.0", task="detection", head=head, variants=[VARIANT], inputs=[InputSpec()])


def test_files_and_loaded_models_agree(data: Path, tmp_path: Path) -> None:
    """The importer reads the number of classes that the head of the loaded model has, where both know it."""
    counted = set()
    for source in sorted((data / "models").rglob("*")):
        if source.suffix not in (".tflite", ".onnx", ".xml") or "invalid" in source.parts or "edgetpu" in source.name:
            continue
        family = "ultraface" if "RFB-320_without" in source.name else ""
        params = {"decoded": False} if family else {}
        into = tmp_path / str(len(list(tmp_path.iterdir())))
        (made,) = import_model(source, into, ImportRequest(name="m", family=family, params=params))
        assert isinstance(made, Imported)
        written = read_manifest((made.folder / "model.toml").read_text(encoding="utf-8"), "model.toml")
        shown = possible_counts(read_model_file(source), written, written.variants[0])
        model = LoadedModel.open(made.folder, runtimes=["lite_rt", "onnx_runtime", "open_vino"], threads=1)
        if model.classes and shown:
            assert [model.classes] == shown, source
            counted.add(written.head.family)
        assert not label_lines(made.folder, written) or not model.label_fault
        model.close()
    assert counted >= {"classification", "nanodet", "ultraface", "yolox"}


def test_backgrounds_are_fitted_by_the_rule_of_the_family() -> None:
    scores = (Tensor("scores", (1, 7), "float32"),)
    model = ModelFile(Path("m.onnx"), "onnx", (), scores)
    with pytest.raises(InputError, match="if the first class is the background, add --param background=true"):
        fit_labels(model, manifest("classification", {}), names(6))
    _, labels, notes = fit_labels(model, manifest("classification", {}), ("Background", *names(7)))
    assert (labels, len(notes)) == (names(7), 1)
    _, labels, notes = fit_labels(model, manifest("classification", {"background": True}), names(6))
    assert (labels, notes) == (names(6), ())


ONE = bytes.fromhex("6e756d5f636c617373657300010d0101015a04022401")
"""A FlexBuffer of `num_classes` 90, and one of three values with numbers of four bytes."""
THREE = bytes.fromhex(
    "6d61785f646574656374696f6e73006e756d5f636c617373657300785f7363616c65000324160b000400000001000000030000000a000000e8030000"
    "0000204106060e0f2601"
)
DAMAGED = (struct.error, IndexError, ValueError)
"""Errors that the reader of a file expects."""


@given(st.sampled_from([ONE, THREE, b""]), st.binary(max_size=6), st.integers(0, 80))
def test_options_of_a_post_processing_operator(whole: bytes, change: bytes, at: int) -> None:
    """Damaged ones give another number, or an error that the reader expects."""
    assert [flex_integer(each, b"num_classes") for each in (ONE, THREE, b"")] == [90, 1000, 0]
    assert (flex_integer(THREE, b"max_detections"), flex_integer(THREE, b"x_scale")) == (10, 0)
    with suppress(*DAMAGED):
        assert isinstance(flex_integer(whole[:at] + change + whole[at + len(change) :], b"num_classes"), int)
