"""Models with the outputs of published exports: the family that is found, by the import and on the device, and the objects that
come out of `infer`, in text, JSON and drawn, and pass their golden sample."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.vision.answers import ModelOutput, model_outputs
from edgefleet_agent.vision.image.preprocess import fit_geometry
from edgefleet_contract.package.families import FAMILIES
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, import_model
from edgefleet_server.registry.importers.package_lint import lint
from tests.agent.serving import onnx_file
from tests.agent.vision.pictures import frame_of, scene

Array = npt.NDArray[Any]

FRAME = (320, 240)
BOX = np.array([80.0, 60.0, 200.0, 180.0])
"""Corners of the object in the frame."""
DOTA = 15


def logit(score: float) -> float:
    return float(np.log(score / (1 - score)))


@dataclass(frozen=True)
class Export:
    """One export. side: of its input; labels: their number, 0 for none; make: its outputs with the object at `box`, corners in
    pixels of the input; number: the class of the object."""

    family: str
    side: int
    make: Callable[[Array, int], dict[str, Array]]
    labels: int = 0
    number: int = 0
    params: dict[str, Any] = field(default_factory=dict)
    recognized: bool = True


def centred(box: Array) -> Array:
    return np.concatenate([(box[:2] + box[2:]) / 2, box[2:] - box[:2]])


def columns(count: int, number: int, extra: Callable[[Array], Array]) -> Callable[[Array, int], dict[str, Array]]:
    """[1, columns, cells]: centre, width, height, classes, and what follows."""

    def make(box: Array, side: int) -> dict[str, Array]:
        further = extra(box)
        rows = np.zeros((21 * (side // 32) ** 2, count), np.float32)
        rows[77, :4], rows[77, 4 + number], rows[77, count - len(further) :] = centred(box), 0.9, further
        return {"output0": np.ascontiguousarray(rows.T[None])}

    return make


def ended(number: int, extra: Callable[[Array], Array], *, corners: bool = True) -> Callable[[Array, int], dict[str, Array]]:
    """[1, 300, 6 and more]: suppressed in the model."""

    def make(box: Array, _side: int) -> dict[str, Array]:
        further = extra(box)
        rows = np.zeros((1, 300, 6 + len(further)), np.float32)
        rows[0, 3] = [*(box if corners else centred(box)), 0.9, number, *further]
        return {"output0": rows}

    return make


def with_prototypes(made: Callable[[Array, int], dict[str, Array]]) -> Callable[[Array, int], dict[str, Array]]:
    """The same with 32 prototypes, of which the first is the object's area."""

    def make(box: Array, side: int) -> dict[str, Array]:
        maps = np.full((1, 32, side // 4, side // 4), -1, np.float32)
        left, top, right, bottom = np.rint(box / 4).astype(int)
        maps[0, 0, top:bottom, left:right] = 1
        return {**made(box, side), "output1": maps}

    return make


def queries(
    names: tuple[str, str], counts: tuple[int, int], number: int, *, no_object: bool = False
) -> Callable[[Array, int], dict[str, Array]]:
    """Boxes and logits."""

    def make(box: Array, side: int) -> dict[str, Array]:
        boxes, logits = np.zeros((1, counts[0], 4), np.float32), np.full((1, *counts), -9, np.float32)
        boxes[0, 5] = centred(box) / side
        logits[0, 5, number] = logit(0.9)
        if no_object:
            logits[0, :, -1], logits[0, 5, -1] = 9, 0
        return {names[0]: boxes, names[1]: logits}

    return make


def joined(number: int) -> Callable[[Array, int], dict[str, Array]]:
    def make(box: Array, side: int) -> dict[str, Array]:
        rows = np.zeros((1, 300, 84), np.float32)
        rows[0, 5, :4], rows[0, 5, 4 + number] = centred(box) / side, 0.9
        return {"output0": rows}

    return make


def listed(box: Array, _side: int) -> dict[str, Array]:
    scores, boxes = np.zeros((1, 300), np.float32), np.zeros((1, 300, 4), np.float32)
    labels = np.zeros((1, 300), np.int64)
    scores[0, 7], boxes[0, 7], labels[0, 7] = 0.9, box, 12
    return {"labels": labels, "boxes": boxes, "scores": scores}


def body(box: Array) -> Array:
    """17 points from the upper left to the lower right corner."""
    share = np.linspace(0, 1, 17)[:, None]
    return np.concatenate([box[:2] + share * (box[2:] - box[:2]), np.full((17, 1), 0.8)], axis=1).ravel()


def coefficients(_box: Array) -> Array:
    return np.eye(32)[0]


def angle(_box: Array) -> Array:
    return np.zeros(1)


EXPORTS = {
    "yolov8-pose": Export("yolo_pose", 640, columns(56, 0, body), labels=1),
    "yolov8-pose without labels": Export("yolo_pose", 640, columns(56, 0, body)),
    "yolo11-pose, suppressed": Export("yolo_pose", 640, ended(0, body), labels=1),
    "yolov8-seg": Export("yolo_segmentation", 640, with_prototypes(columns(116, 16, coefficients)), labels=80, number=16),
    "yolo11-seg, suppressed": Export("yolo_segmentation", 640, with_prototypes(ended(16, coefficients)), number=16),
    "yolov8-obb": Export("yolo_obb", 1024, columns(20, 9, angle), labels=DOTA, number=9),
    "yolo11-obb, suppressed": Export("yolo_obb", 1024, ended(9, angle, corners=False), number=9),
    "yolov8": Export("yolo", 640, columns(84, 16, lambda _box: np.empty(0)), labels=80, number=16),
    "rt-detr of transformers": Export("detr", 640, queries(("pred_boxes", "logits"), (300, 80), 16), labels=80, number=16),
    "d-fine of transformers": Export("detr", 640, queries(("pred_boxes", "logits"), (300, 80), 16), number=16),
    "detr of transformers": Export(*("detr", 800, queries(("pred_boxes", "logits"), (100, 92), 17, no_object=True)), number=17),
    "rf-detr": Export("detr", 560, queries(("dets", "labels"), (300, 91), 17), number=17),
    "rf-detr of three classes": Export("detr", 384, queries(("dets", "labels"), (300, 4), 2), number=2, recognized=False),
    "rt-detr in one tensor": Export("detr", 640, joined(16), labels=80, number=16),
    "d-fine with its post-processing": Export("detr", 640, listed, number=12),
}


def in_input(export: Export) -> Array:
    """The object in pixels of the input."""
    geometry, _ = fit_geometry(FAMILIES[export.family].input.fit, FRAME, (export.side, export.side))
    scale, offset = [geometry.scale_x, geometry.scale_y] * 2, [geometry.offset_x, geometry.offset_y] * 2
    return np.asarray(BOX * scale + offset)


def write(export: Export, path: Path) -> Path:
    path.write_bytes(onnx_file.fixed(export.make(in_input(export), export.side), (1, 3, export.side, export.side)))
    return path


def names(count: int) -> tuple[str, ...]:
    return tuple(f"label {number}" for number in range(count))


def assert_object(export: Export, answers: list[ModelOutput]) -> None:
    (answer,) = answers
    assert (answer.class_id, answer.score) == (export.number, pytest.approx(0.9, abs=2e-3))
    assert answer.box == pytest.approx(BOX.tolist(), abs=0.2)
    if export.family == "yolo_pose":
        assert [point.name for point in answer.keypoints][::16] == ["nose", "right_ankle"]
        assert (answer.keypoints[0].x, answer.keypoints[0].y) == pytest.approx(BOX[:2].tolist(), abs=0.2)
        assert (answer.keypoints[16].x, answer.keypoints[16].y) == pytest.approx(BOX[2:].tolist(), abs=0.2)
    if export.family == "yolo_obb":
        x1, y1, x2, y2 = BOX.tolist()
        assert np.allclose(answer.corners, [(x1, y1), (x2, y1), (x2, y2), (x1, y2)], atol=0.2)
        assert answer.angle == pytest.approx(0, abs=0.1)
    if export.family == "yolo_segmentation":
        assert answer.mask is not None
        inside = answer.mask.mask().at(np.array([70.0, 90, 140, 190, 210]), np.array([50.0, 70, 120, 170, 190]))
        assert inside.astype(int).tolist() == [
            [0, 0, 0, 0, 0],
            [0, 1, 1, 1, 0],
            [0, 1, 1, 1, 0],
            [0, 1, 1, 1, 0],
            [0, 0, 0, 0, 0],
        ]


@pytest.mark.parametrize("title", EXPORTS)
def test_an_import_finds_the_family_and_the_object(title: str, tmp_path: Path) -> None:
    export = EXPORTS[title]
    source = write(export, tmp_path / "model.onnx")
    (made,) = import_model(source, tmp_path / "made", ImportRequest(labels=names(export.labels)))
    assert isinstance(made, Imported)
    assert made.manifest.head.family == export.family
    assert not [finding for finding in lint(made.folder)[1] if finding.level == "error"]
    model = LoadedModel.open(made.folder, runtimes=["onnx_runtime"], threads=1)
    try:
        assert_object(export, model_outputs(model.infer(frame_of(scene(*FRAME), "rgb"), 0.5).result, model.label, 5))
    finally:
        model.close()


@pytest.mark.parametrize("title", [title for title, export in EXPORTS.items() if export.recognized])
def test_the_device_recognizes_the_same(title: str, tmp_path: Path) -> None:
    export = EXPORTS[title]
    labels = tmp_path / "labels.txt"
    labels.write_text("\n".join(names(export.labels)))
    model = LoadedModel.from_file(write(export, tmp_path / "model.onnx"), labels=labels if export.labels else None)
    try:
        assert model.manifest.head.family == export.family
        assert_object(export, model_outputs(model.infer(frame_of(scene(*FRAME), "rgb"), 0.5).result, model.label, 5))
    finally:
        model.close()


REGRESSIONS = {
    "age and gender": (
        62,
        {"age_conv3": np.array([0.341]).reshape(1, 1, 1, 1), "prob": np.array([0.2, 0.8]).reshape(1, 2, 1, 1)},
        {"age_conv3": {"scale": 100, "unit": "years"}, "prob": {"labels": ["female", "male"]}},
        {"age_conv3": 34.1, "prob": "male"},
    ),
    "pose of a head": (
        60,
        {f"angle_{axis}_fc": np.array([[value]]) for axis, value in (("p", 5.0), ("r", -30.0), ("y", 12.5))},
        {},
        {"angle_p_fc": 5.0, "angle_r_fc": -30.0, "angle_y_fc": 12.5},
    ),
}


def regression(title: str, folder: Path) -> tuple[Imported, dict[str, Any]]:
    side, arrays, params, expected = REGRESSIONS[title]
    stored = {name: array.astype(np.float32) for name, array in arrays.items()}
    (folder / "values.onnx").write_bytes(onnx_file.fixed(stored, (1, 3, side, side)))
    (made,) = import_model(folder / "values.onnx", folder / "made", ImportRequest(params=params))
    assert isinstance(made, Imported)
    assert (made.manifest.head.family, made.manifest.task) == ("regression", "regression")
    return made, expected


def picture(folder: Path) -> Path:
    path = folder / "picture.png"
    cv2.imwrite(str(path), scene(*FRAME)[:, :, ::-1])
    return path


@pytest.mark.parametrize("title", REGRESSIONS)
def test_values_in_text_and_json(title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, expected = regression(title, tmp_path)
    arguments = ["infer", "--package", str(made.folder), str(picture(tmp_path))]
    assert main([*arguments, "--json"]) == 0
    ((answer,),) = (row["values"] for row in json.loads(capsys.readouterr().out))
    assert answer["values"] == {
        name: value if isinstance(value, str) else pytest.approx(value, rel=1e-4) for name, value in expected.items()
    }
    assert main([*arguments, "--draw", str(tmp_path / "drawn")]) == 0
    text = capsys.readouterr().out
    assert all(f"    {name} {value}" in text for name, value in expected.items() if isinstance(value, str))
    assert (tmp_path / "drawn/picture.png").stat().st_size > 0


@pytest.mark.parametrize("title", ["yolov8-pose", "yolov8-seg", "yolov8-obb", "rf-detr"])
def test_objects_are_drawn_and_printed(title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = EXPORTS[title]
    source, shown = write(export, tmp_path / "model.onnx"), picture(tmp_path)
    (made,) = import_model(source, tmp_path / "made", ImportRequest(labels=names(export.labels)))
    assert isinstance(made, Imported)
    assert main(["infer", "--package", str(made.folder), str(shown), "--draw", str(tmp_path / "drawn")]) == 0
    text = capsys.readouterr().out
    assert {"yolov8-pose": "    nose ", "yolov8-seg": " on the object", "yolov8-obb": "angle 0.0 degrees", "rf-detr": "class 17"}[
        title
    ] in text
    before, after = cv2.imread(str(shown)).astype(int), cv2.imread(str(tmp_path / "drawn/picture.png")).astype(int)
    changed = np.abs(after - before).sum(axis=2) > 0
    share = changed[65:175, 85:195].mean()
    assert share > 0.95 if title == "yolov8-seg" else 0 <= share < 0.3
    assert changed[60, 85:195].mean() > 0.9


@pytest.mark.parametrize("title", ["yolov8-pose", "yolov8-seg", "yolov8-obb"])
def test_a_tracker_follows_the_upright_boxes(title: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(EXPORTS[title], tmp_path / "model.onnx")
    (made,) = import_model(source, tmp_path / "made", ImportRequest(labels=names(EXPORTS[title].labels)))
    assert isinstance(made, Imported)
    video = data / "media/videos/one-by-one-person-detection.mp4"
    assert main(["try", str(video), "--model", str(made.folder), "--seconds", "2", "--min-score", "0.5"]) == 0
    assert f"seen      1 (label {EXPORTS[title].number} 1)" in capsys.readouterr().out


@pytest.mark.parametrize("title", ["yolov8-pose", "yolov8-seg", "yolov8-obb", "d-fine with its post-processing", *REGRESSIONS])
def test_a_golden_sample_passes_and_a_changed_one_does_not(
    title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if title in REGRESSIONS:
        folder = regression(title, tmp_path)[0].folder
    else:
        export = EXPORTS[title]
        (made,) = import_model(
            write(export, tmp_path / "model.onnx"), tmp_path / "made", ImportRequest(labels=names(export.labels))
        )
        assert isinstance(made, Imported)
        folder = made.folder
    shown = picture(folder)
    assert main(["infer", "--package", str(folder), str(shown), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    (answers,) = (value for key, value in row.items() if key in ("detections", "values"))
    manifest = (folder / "model.toml").read_text()
    (folder / "model.toml").write_text(manifest + '\n[[golden]]\ninput = "picture.png"\nexpect = "expected.json"\n')

    def passes(expected: list[dict[str, Any]]) -> bool:
        (folder / "expected.json").write_text(json.dumps(expected))
        code = main(["selftest", str(folder), "--json"])
        capsys.readouterr()
        return code == 0

    assert passes(answers)
    (answer,) = answers
    if "keypoints" in answer:
        answer["keypoints"][3]["x"] += 40
    elif "mask" in answer:
        rows, columns_of = answer["mask"]["size"]
        answer["mask"]["runs"] = [rows * columns_of // 2, rows * columns_of - rows * columns_of // 2]
    elif "corners" in answer:
        answer["corners"] = [[140, 20], [240, 120], [140, 220], [40, 120]]
    elif "values" in answer:
        name = next(iter(answer["values"]))
        answer["values"][name] += 5
    else:
        answer["box"][0] += 60
    assert not passes(answers)
