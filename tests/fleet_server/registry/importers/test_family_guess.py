"""The family that is guessed, and the outputs of a family that is given, from names and shapes alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_server.registry.importers.family_guess import guess, outputs_for
from edgefleet_server.registry.importers.import_model import ImportRequest, make_manifest
from edgefleet_server.registry.importers.read_model import read_model_file

SIDE = 640


def file_of(*outputs: tuple[str, tuple[int, ...]], operators: tuple[str, ...] = (), dtype: str = "float32") -> ModelFile:
    """A model with a picture of 640 x 640 and these outputs."""
    picture = Tensor("images", (1, 3, SIDE, SIDE), "float32")
    made = tuple(Tensor(name, shape, dtype) for name, shape in outputs)
    return ModelFile(Path("model.onnx"), "onnx", (picture,), made, frozenset(operators), files=(Path("model.onnx"),))


def head_of(model: ModelFile, family: str = "", labels: int = 0) -> tuple[str, dict[str, str], dict[str, object]]:
    """Family, outputs and params in the manifest of an import."""
    names = tuple(f"label {number}" for number in range(labels))
    manifest, _ = make_manifest(model, ImportRequest(family=family, labels=names))
    return manifest.head.family, manifest.head.outputs, manifest.head.params


@pytest.mark.parametrize(
    "file",
    [
        "onnx/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.onnx",
        "onnx/ultraface_rfb_320/version-RFB-320.onnx",
        "onnx/ultraface_rfb_320/version-RFB-320_without_postprocessing.onnx",
        "onnx/yolox_nano/yolox_nano.onnx",
        "openvino/landmarks-regression-retail-0009/FP16-INT8/landmarks-regression-retail-0009.xml",
        "tflite/deeplabv3_mnv2_dm05_pascal_quant/deeplabv3_mnv2_dm05_pascal_quant.tflite",
        "tflite/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.tflite",
        "tflite/traffic_ssd_lstm/traffic_model.tflite",
    ],
)
def test_a_head_given_by_hand_gets_the_outputs_and_params_that_a_guessed_one_has(data: Path, file: str) -> None:
    model = read_model_file(data / "models" / file)
    guessed = head_of(model)
    found = outputs_for(guessed[0], model, 0)
    assert (found.family, found.outputs, found.params) == guessed
    assert guessed[1]


@pytest.mark.parametrize(
    ("family", "outputs", "expected", "params"),
    [
        ("ssd_anchors", [("a", (1, 300, 4)), ("b", (1, 300, 91))], {"boxes": "a", "scores": "b"}, {}),
        ("detr", [("b", (1, 8400, 91)), ("a", (1, 8400, 4))], {"boxes": "a", "logits": "b"}, {}),
        ("detr", [("labels", (1, 300, 4)), ("dets", (1, 300, 4))], {"boxes": "dets", "logits": "labels"}, {}),
        ("detr", [("x", (1, 300, 4)), ("y", (1, 300, 4))], {}, {}),
        (
            "ultraface",
            [("scores", (1, 17640, 3)), ("boxes", (1, 17640, 4))],
            {"boxes": "boxes", "scores": "scores"},
            {"decoded": False},
        ),
        ("segmentation", [("out", (1, 21, 160, 160))], {"mask": "out"}, {"layout": "nchw"}),
        ("classification", [("age", (1, 1, 1, 1)), ("prob", (1, 2, 1, 1))], {"scores": "prob"}, {}),
        ("classification", [("features", (1, 1280, 7, 7)), ("out", (1, 10))], {"scores": "out"}, {}),
        ("embedding", [("features", (1, 512)), ("logits", (1, 512))], {"embedding": "features"}, {}),
        ("yolo", [("out", (1, 8400, 85))], {"predictions": "out"}, {}),
        (
            "ssd",
            [
                ("num_detections", (1,)),
                ("detection_scores", (1, 10)),
                ("detection_boxes", (1, 10, 4)),
                ("detection_classes", (1, 10)),
            ],
            {
                "boxes": "detection_boxes",
                "classes": "detection_classes",
                "scores": "detection_scores",
                "count": "num_detections",
            },
            {},
        ),
        ("nanodet", [("out", (1, 8400, 112))], {}, {}),
    ],
)
def test_outputs_of_a_given_family_are_found_by_shape_then_by_name(
    family: str, outputs: list[tuple[str, tuple[int, ...]]], expected: dict[str, str], params: dict[str, object]
) -> None:
    assert head_of(file_of(*outputs), family) == (family, expected, params)
    assert head_of(file_of(*reversed(outputs)), family) == (family, expected, params)


CELLS = 8400


@pytest.mark.parametrize(
    ("shape", "labels", "family"),
    [
        ((1, 84, CELLS), 80, "yolo"),
        ((1, 84, CELLS), 0, "yolo"),
        ((1, 56, CELLS), 0, "yolo_pose"),
        ((1, 56, CELLS), 1, "yolo_pose"),
        ((1, 56, CELLS), 52, "yolo"),
        ((1, 56, CELLS), 51, "yolo_obb"),
        ((1, 20, CELLS), 15, "yolo_obb"),
        ((1, 20, CELLS), 16, "yolo"),
        ((1, 20, CELLS), 1, "yolo_pose"),
        ((1, 20, CELLS), 0, "yolo"),
        ((1, 84, CELLS), 40, "yolo"),
        ((1, CELLS, 56), 0, "yolo_pose"),
        ((1, CELLS, 85), 80, "yolox"),
        ((1, 3 * CELLS, 85), 80, "yolo"),
        ((1, 3 * CELLS, 57), 1, "yolo_pose"),
        ((1, 300, 6), 80, "yolo"),
        ((1, 300, 7), 15, "yolo_obb"),
        ((1, 300, 57), 1, "yolo_pose"),
        ((1, 300, 84), 80, "detr"),
        ((1, 300, 84), 0, "detr"),
    ],
)
def test_the_number_of_labels_decides_what_columns_are(shape: tuple[int, ...], labels: int, family: str) -> None:
    found = guess(file_of(("output0", shape)), SIDE, SIDE, labels)
    assert (found.family, found.outputs) == (family, {"predictions": "output0"})
    assert any("--head yolo" in note for note in found.notes) is (family in ("yolo_pose", "yolo_obb"))


BOXES, ROW, ONE = (1, 10, 4), (1, 10), (1,)
CALL = "StatefulPartitionedCall:"


@pytest.mark.parametrize(
    ("outputs", "roles", "noted"),
    [
        ({f"{CALL}0": BOXES, f"{CALL}1": ROW, f"{CALL}2": ROW, f"{CALL}3": ONE}, (0, 1, 2, 3), True),
        ({f"{CALL}0": ROW, f"{CALL}1": BOXES, f"{CALL}2": ONE, f"{CALL}3": ROW}, (1, 0, 3, 2), True),
        ({f"{CALL}0": BOXES, f"{CALL}1": ROW, f"{CALL}2": ROW}, (0, 1, 2), True),
        ({"a": BOXES, "scores": ROW, "c": ROW, "d": ONE}, (0, 2, 1, 3), False),
        ({"a": ROW, "class_ids": ROW, "c": ONE, "d": BOXES}, (3, 1, 0, 2), False),
        ({"TFLite_Detection_PostProcess": BOXES, "p:1": ROW, "p:2": ROW, "p:3": ONE}, (0, 1, 2, 3), False),
    ],
)
def test_outputs_of_an_ssd_that_are_taken_by_their_order_are_noted(
    outputs: dict[str, tuple[int, ...]], roles: tuple[int, ...], noted: bool
) -> None:
    found, names = outputs_for("ssd", file_of(*outputs.items()), 0), list(outputs)
    assert found.outputs == dict(zip(("boxes", "classes", "scores", "count"), (names[place] for place in roles), strict=False))
    classes, scores = found.outputs["classes"], found.outputs["scores"]
    assert any(f"by their order, {classes} is taken for classes, {scores} for scores" in note for note in found.notes) is noted


def test_whole_numbers_are_the_classes_of_an_ssd() -> None:
    model = file_of(("a", BOXES), ("b", ROW), ("c", ROW))
    model = replace(model, outputs=(*model.outputs[:2], replace(model.outputs[2], dtype="int64")))
    found = outputs_for("ssd", model, 0)
    assert (found.outputs, found.notes) == ({"boxes": "a", "classes": "c", "scores": "b"}, ())


@pytest.mark.parametrize(
    ("shape", "labels", "size", "family"),
    [
        ((-1, -1, 6625), 6623, (320, 48), "ctc"),
        ((1, 26, 37), 36, (100, 32), "ctc"),
        ((26, 1, 37), 36, (100, 32), "ctc"),
        ((-1, -1, 6625), 0, (320, 48), "yolox"),
        ((-1, -1, 85), 80, (320, 48), "yolox"),
        ((1, 8400, 85), 84, (640, 640), "yolox"),
    ],
)
def test_an_alphabet_with_a_blank_is_text(shape: tuple[int, ...], labels: int, size: tuple[int, int], family: str) -> None:
    found = guess(file_of(("softmax_11.tmp_0", shape)), *size, labels)
    assert found.family == family
    if family == "ctc":
        assert (found.outputs, found.params) == ({"logits": "softmax_11.tmp_0"}, {"softmax": False})
        assert guess(file_of(("logits", shape)), *size, labels).params == {}


@pytest.mark.parametrize(("shape", "family"), [((-1, 1, -1, -1), ""), ((-1, -1, -1, 1), ""), ((1, 1, 640, 640), "segmentation")])
def test_a_single_map_may_be_text(shape: tuple[int, ...], family: str) -> None:
    found = guess(file_of(("sigmoid_0.tmp_0", shape)), SIDE, SIDE, 0)
    assert found.family == family
    assert any("--head dbnet" in note for note in found.notes)


@pytest.mark.parametrize(
    ("outputs", "labels", "family", "params"),
    [
        ({"pred_boxes": (1, 300, 4), "logits": (1, 300, 80)}, 80, "detr", {}),
        ({"pred_boxes": (1, 100, 4), "logits": (1, 100, 92)}, 0, "detr", {"activation": "softmax"}),
        ({"pred_boxes": (1, 125, 4), "logits": (1, 125, 3)}, 2, "detr", {"activation": "softmax"}),
        ({"dets": (1, 300, 4), "labels": (1, 300, 91)}, 90, "detr", {}),
        ({"labels": (1, 300), "boxes": (1, 300, 4), "scores": (1, 300)}, 80, "detr", {}),
        ({"a": (1, 300), "b": (1, 300, 4), "c": (1, 300)}, 80, "", {}),
        ({"output0": (1, 116, CELLS), "output1": (1, 32, 160, 160)}, 80, "yolo_segmentation", {}),
        ({"output1": (1, 160, 160, 32), "output0": (1, 300, 38)}, 80, "yolo_segmentation", {}),
        ({"age_conv3": (1, 1, 1, 1), "prob": (1, 2, 1, 1)}, 0, "regression", {}),
        ({"angle_p_fc": (1, 1), "angle_r_fc": (1, 1), "angle_y_fc": (1, 1)}, 0, "regression", {}),
    ],
)
def test_families_of_several_outputs(
    outputs: dict[str, tuple[int, ...]], labels: int, family: str, params: dict[str, object]
) -> None:
    for ordered in (outputs, dict(reversed(outputs.items()))):
        found = guess(file_of(*ordered.items()), SIDE, SIDE, labels)
        assert (found.family, found.params) == (family, params)
        assert set(found.outputs.values()) == (set() if family in ("", "regression") else set(outputs))


_SIDES = st.lists(st.sampled_from([-1, 0, 1, 2, 4, 7, 17, 100, 8400]), max_size=5).map(tuple)
_NAMES = st.sampled_from(["boxes", "scores", "classes", "out", "TFLite_Detection_PostProcess", "logits", "count", "a", "b"])


@given(
    st.dictionaries(_NAMES, _SIDES, min_size=1, max_size=6),
    st.sampled_from([*FAMILIES, "of a plug-in"]),
    st.sampled_from([0, 1, 3, 80]),
    st.booleans(),
)
def test_any_outputs_have_roles_or_none(shapes: dict[str, tuple[int, ...]], family: str, labels: int, decodes: bool) -> None:
    model = file_of(*shapes.items(), operators=("Exp",) if decodes else ())
    for found in (guess(model, SIDE, SIDE, labels), outputs_for(family, model, labels)):
        assert set(found.outputs.values()) <= shapes.keys()
        assert len(set(found.outputs.values())) == len(found.outputs)
