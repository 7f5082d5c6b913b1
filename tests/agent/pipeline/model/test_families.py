"""Every family of heads on the real models of the test data, against their expected results."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import ModelOutput, model_outputs
from edgefleet_agent.vision.detections import Classes
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.results import Embedding, Keypoints, Mask
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.vision.pictures import Picture
from tests.expected import check
from tests.packages import MakePackage

FACE = "background\nface\n"
DETECTORS = [
    # folder, file, head, params, labels (text, or a file of the folder), lowest score, IoU, tolerance of the score
    ("onnx/ultraface_rfb_320", "version-RFB-320.onnx", "ultraface", {}, FACE, 0.7, 0.9, 0.02),
    (
        "onnx/ultraface_rfb_320",
        "version-RFB-320_without_postprocessing.onnx",
        *("ultraface", {"decoded": False}, FACE, 0.7, 0.9, 0.02),
    ),
    (
        "tflite/ultraface_rfb_320",
        "version-RFB-320_without_postprocessing.tflite",
        *("ultraface", {"decoded": False}, FACE, 0.7, 0.9, 0.02),
    ),
    ("onnx/nanodet_320", "nanodet.onnx", "nanodet", {}, "coco.names", 0.4, 0.85, 0.05),
    ("onnx/ssd_mobilenet_v1_coco_quant", "ssd_mobilenet_v1_coco_quant.onnx", "ssd", {}, "coco_labels.txt", 0.5, 0.85, 0.05),
    (
        *("openvino/face-detection-adas-0001", "FP16/face-detection-adas-0001.xml", "detection_output"),
        *({}, FACE, 0.5, 0.9, 0.02),
    ),
    (
        *("openvino/face-detection-adas-0001", "FP16-INT8/face-detection-adas-0001.xml", "detection_output"),
        *({}, FACE, 0.5, 0.9, 0.02),
    ),
]


def expected(data: Path, folder: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads((data / "models" / folder / "expected.json").read_text(encoding="utf-8"))
    return parsed


def load(data: Path, folder: str, file: str, head: str, labels: Path | None = None, **params: Any) -> LoadedModel:
    return LoadedModel.from_file(data / "models" / folder / file, head, labels, threads=1, params=params)


@pytest.mark.parametrize(
    ("folder", "file", "head", "params", "labels", "min_score", "iou_min", "tolerance"),
    DETECTORS,
    ids=[f"{row[2]}-{Path(row[1]).stem}-{row[0].split('/')[0]}-{Path(row[1]).parent}" for row in DETECTORS],
)
def test_detectors(
    data: Path,
    tmp_path: Path,
    folder: str,
    file: str,
    head: str,
    params: dict[str, Any],
    labels: str,
    min_score: float,
    iou_min: float,
    tolerance: float,
) -> None:
    names = data / "models" / folder / labels
    if "\n" in labels:
        names = tmp_path / "labels.txt"
        names.write_text(labels, encoding="utf-8")
    model = load(data, folder, file, head, names, **params)
    whole = expected(data, folder)
    cases = whole.get("variants", {}).get(Path(file).parent.name, whole)["cases"]
    assert len(cases) >= 4
    for case in cases:
        done = model.infer(read_picture(data / "media/images" / case["image"]), min_score)
        check(case, settled(model_outputs(done.result, model.label, 5), case, min_score + tolerance), iou_min, tolerance)
    model.close()


def test_a_very_small_classifier(data: Path) -> None:
    folder = "tflite/mobilenet_v1_0.25_128_quant"
    labels = data / "models" / folder / "imagenet_labels.txt"
    model = load(data, folder, "mobilenet_v1_0.25_128_quant.tflite", "classification", labels)
    cases = expected(data, folder)["cases"]
    assert len(cases) >= 4
    for case in cases:
        done = model.infer(read_picture(data / "media/images" / case["image"]), 0.5)
        check(case, model_outputs(done.result, model.label, 5), 0.0, 0.05)
    model.close()


def test_an_ssd_cut_off_before_its_post_processing(data: Path, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="the package onnx cuts a model in two for this test")
    folder = "onnx/ssd_mobilenet_v1_coco_quant"
    whole = onnx.load(str(data / "models" / folder / "ssd_mobilenet_v1_coco_quant.onnx"))
    del whole.graph.output[:]
    for name, columns in (("concat_1_dequant", 91), ("Squeeze_dequant", 4)):
        whole.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 1917, columns]))
    onnx.save(whole, str(tmp_path / "raw.onnx"))
    model = LoadedModel.from_file(tmp_path / "raw.onnx", "ssd_anchors", data / "models" / folder / "coco_labels.txt", threads=1)
    # Two of the pedestrians overlap by almost exactly the limit of 0.6, and the model rounds boxes to 8 bits before it compares.
    cases = [case for case in expected(data, folder)["cases"] if case["image"] != "pedestrians.jpg"]
    for case in cases:
        done = model.infer(read_picture(data / "media/images" / case["image"]), 0.5)
        check(case, settled(model_outputs(done.result, model.label, 5), case, 0.55), 0.85, 0.05)


def settled(found: list[ModelOutput], case: dict[str, Any], sure: float) -> list[ModelOutput]:
    """The results without those so near the threshold that the tolerance decides, unless they are expected."""
    expected_labels = [each["label"] for each in case["detections"] if each["score"] <= sure + 0.1]
    return [answer for answer in found if answer.score > sure or answer.label in expected_labels]


def test_segmentation_covers_the_picture(data: Path) -> None:
    folder = "tflite/deeplabv3_mnv2_dm05_pascal_quant"
    model = load(
        data,
        folder,
        "deeplabv3_mnv2_dm05_pascal_quant.tflite",
        "segmentation",
        data / "models" / folder / "pascal_voc_segmentation_labels.txt",
    )
    (case,) = expected(data, folder)["cases"]
    frame = read_picture(data / "media/images" / case["image"])
    mask = model.infer(frame, 0.5).result
    assert isinstance(mask, Mask)
    assert (mask.width, mask.height) == (frame.width, frame.height)
    shares = {each.label: each.score for each in model_outputs(mask, model.label, 5)}
    assert sum(shares.values()) == pytest.approx(1.0, abs=0.001)
    for label, share in case["pixel_share"].items():
        assert shares[label] == pytest.approx(share, abs=0.02), label
    truth = cv2.imread(str(data / "media/images/bird_segmentation_mask.bmp"), cv2.IMREAD_GRAYSCALE)
    cells = cv2.resize(mask.class_ids.astype(np.uint8), truth.shape[::-1], interpolation=cv2.INTER_NEAREST)
    bird, real = cells == model.labels.index("bird"), truth == model.labels.index("bird")
    iou = (bird & real).sum() / (bird | real).sum()
    assert iou == pytest.approx(case["iou_bird_vs_mask"], abs=0.03)
    runs = mask.runs()
    assert np.array_equal(np.repeat(runs[::2], runs[1::2]).reshape(mask.class_ids.shape), mask.class_ids)


def test_a_body(data: Path) -> None:
    folder = "tflite/movenet_single_pose_lightning_ptq"
    model = load(data, folder, "movenet_single_pose_lightning_ptq.tflite", "movenet")
    (case,) = expected(data, folder)["cases"]
    frame = read_picture(data / "media/images" / case["image"])
    pose = model.infer(frame, 0.5).result
    assert isinstance(pose, Keypoints)
    (answer,) = model_outputs(pose, model.label, 5)
    assert [point.name for point in answer.keypoints] == [each["name"] for each in case["keypoints"]]
    for point, each in zip(answer.keypoints, case["keypoints"], strict=True):
        assert point.x / frame.width == pytest.approx(each["x"], abs=0.05), point.name
        assert point.y / frame.height == pytest.approx(each["y"], abs=0.05), point.name
    reference = data / "models" / folder / "movenet_single_pose_lightning_ptq_reference.csv"
    rows = list(csv.DictReader(reference.read_text(encoding="utf-8").splitlines()))
    upstream = np.array([[float(row["keypoint_x"]), float(row["keypoint_y"])] for row in rows])
    places = np.array([[point.x / frame.width, point.y / frame.height] for point in answer.keypoints])
    assert np.abs(places - upstream).max() < 0.05


def test_landmarks_of_a_face(data: Path) -> None:
    folder = "openvino/landmarks-regression-retail-0009"
    model = load(data, folder, "FP16-INT8/landmarks-regression-retail-0009.xml", "landmarks")
    for case in expected(data, folder)["cases"]:
        whole = read_picture(data / "media/images" / case["image"]).planes[0]
        for face in case["faces"]:
            frame = crop(whole, face["box_xyxy"])
            found = model.infer(frame, 0.5).result
            assert isinstance(found, Keypoints)
            assert found.label == "face"
            places = found.points[0] / [frame.width, frame.height]
            assert np.abs(places.ravel() - face["landmarks_in_crop_0_1"]).max() < 0.05


@pytest.mark.parametrize(
    ("folder", "file", "usual"),
    [
        ("onnx/osnet_x0_25_msmt17", "osnet_x0_25_msmt17.onnx", True),
        ("openvino/person-reidentification-retail-0277", "FP16/person-reidentification-retail-0277.xml", False),
    ],
)
def test_a_person_is_known_again(data: Path, tmp_path: Path, folder: str, file: str, usual: bool) -> None:
    case = expected(data, folder)
    model = (
        load(data, folder, file, "embedding")
        if usual
        else LoadedModel.open(plain_bgr(data, tmp_path, folder, file), runtimes=["open_vino"])
    )
    vectors = {}
    for number, picture in pictures(data / "media/videos" / case["video"], {int(each) for each in case["crops"]}):
        found = model.infer(crop(picture, case["crops"][str(number)]), 0.5).result
        assert isinstance(found, Embedding)
        assert found.vector.shape == (case["embedding"],)
        assert np.linalg.norm(found.vector) == pytest.approx(1, abs=1e-5)
        vectors[number] = found
    for pair, cosine in case["cosine_same_visit"].items():
        first, second = (vectors[int(number)] for number in pair.split("-"))
        assert first.cosine(second) == pytest.approx(cosine, abs=0.03), pair
    for visit in case["visits"]:
        for number, partner in (visit, visit[::-1]):
            others = {other: vectors[number].cosine(vectors[other]) for other in vectors if other != number}
            assert max(others, key=lambda other: others[other]) == partner


def test_person_or_none_in_grey(data: Path) -> None:
    folder = "tflite/person_detect"
    model = load(data, folder, "person_detect_model.tflite", "classification", softmax=True)
    raw = load(data, folder, "person_detect_model.tflite", "classification")
    for case in expected(data, folder)["cases"]:
        frame = read_picture(data / "media/images" / case["image"])
        shares, logits = model.infer(frame, 0.5).result, raw.infer(frame, 0.5).result
        assert isinstance(shares, Classes)
        assert isinstance(logits, Classes)
        assert (shares.scores[1] > shares.scores[2]) == case["person"], case["image"]
        assert shares.scores.sum() == pytest.approx(1, abs=1e-5)
        stored = logits.scores / 0.01627892255783081 + 113
        assert np.abs(stored - case["raw_uint8"]).max() <= 8, case["image"]


def test_a_model_that_remembers(data: Path, package: MakePackage) -> None:
    model = LoadedModel.open(package("traffic_ssd_lstm"), runtimes=["lite_rt"], threads=1)
    cases = {case["frame"]: case for case in expected(data, "tflite/traffic_ssd_lstm")["cases"]}
    seen = 0
    for frame in video(data / "media/videos/traffic_frames.mp4"):
        done = model.infer(frame, 0.4, stream="north")
        if case := cases.get(frame.index):
            check({**case, "image": f"frame {frame.index}"}, model_outputs(done.result, model.label, 5), 0.85, 0.05)
            seen += 1
        if frame.index >= max(cases):
            break
    assert seen == len(cases)


def test_a_state_needs_its_source(package: MakePackage) -> None:
    folder = package("traffic_ssd_lstm", copy=True)
    path = folder / "model.toml"
    text = path.read_text(encoding="utf-8")
    for before, after, message in (
        ('feedback = "raw_outputs/lstm_c"\n', "", "name the output that feeds it"),
        ('feedback = "raw_outputs/lstm_c"', 'feedback = "nothing"', "fed from 'nothing'"),
        ('feedback = "raw_outputs/lstm_c"', 'feedback = "TFLite_Detection_PostProcess"', "cannot be fed"),
        ('kind = "tensor"', 'kind = "image"', "one input"),
    ):
        path.write_text(text.replace(before, after, 1), encoding="utf-8")
        with pytest.raises(ManifestError, match=message):
            LoadedModel.open(folder, runtimes=["lite_rt"])


def crop(picture: Picture, box: list[float]) -> Frame:
    """A part of a bgr picture as a frame."""
    x1, y1, x2, y2 = (round(side) for side in box)
    part = np.ascontiguousarray(picture[max(y1, 0) : y2, max(x1, 0) : x2])
    return Frame(0, 0.0, 0.0, part.shape[1], part.shape[0], "bgr", (part,))


def pictures(path: Path, numbers: set[int]) -> Iterator[tuple[int, Picture]]:
    """The frames with these numbers, bgr."""
    with av.open(str(path)) as container:
        for index, decoded in enumerate(container.decode(video=0)):
            if index in numbers:
                yield index, decoded.to_ndarray(format="bgr24")
            if index >= max(numbers):
                return


def video(path: Path) -> Iterator[Frame]:
    source = FileSource(SourceSpec(kind="file", uri=str(path), pace="fast"))
    source.open()
    try:
        yield from source.frames()
    finally:
        source.close()


def plain_bgr(data: Path, tmp_path: Path, folder: str, file: str) -> Path:
    """A package for an embedding model that takes pixels unchanged."""
    for suffix in (".xml", ".bin"):
        (tmp_path / f"model{suffix}").symlink_to((data / "models" / folder / file).with_suffix(suffix))
    (tmp_path / "model.toml").write_text(
        """
name = "reid"
version = "1.0.0"
task = "embedding"
head = { family = "embedding" }
[[inputs]]
shape = [1, 3, 256, 128]
dtype = "float32"
layout = "nchw"
color = "bgr"
resize = "linear"
[[variants]]
name = "f16"
format = "openvino_ir"
files = ["model.xml", "model.bin"]
runtimes = ["open_vino"]
""",
        encoding="utf-8",
    )
    return tmp_path
