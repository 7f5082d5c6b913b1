"""A package from folder to detections, on real models and pictures."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.pipeline.model.loaded_model import BUFFERS_MAX, LoadedModel, installed_runtimes
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import model_outputs
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import EdgefleetError, ManifestError, MissingError, ModelError
from edgefleet_contract.package.manifest import MANIFEST_FILE
from tests.agent.serving import onnx_file
from tests.agent.vision.pictures import frame_of
from tests.expected import CASES, check, expected_cases
from tests.packages import MakePackage

RUNTIMES = ["lite_rt", "onnx_runtime", "open_vino"]


@pytest.mark.parametrize("title", sorted(CASES))
def test_expected_results(data: Path, package: MakePackage, title: str) -> None:
    name, variant, folder, min_score, iou_min, score_tolerance = CASES[title]
    model = LoadedModel.open(package(name), runtimes=RUNTIMES, variant=variant, threads=1)
    cases = expected_cases(data, folder)
    assert len(cases) >= 2
    for case in cases:
        done = model.infer(read_picture(data / "media/images" / case["image"]), min_score)
        check(case, model_outputs(done.result, model.label, 5), iou_min, score_tolerance)
        assert min(done.pre_ms, done.invoke_ms, done.post_ms) > 0
    model.close()


@pytest.fixture
def ssd(package: MakePackage) -> LoadedModel:
    return LoadedModel.open(package("ssd_mobilenet_v1"), runtimes=RUNTIMES, threads=1)


@pytest.fixture
def people(data: Path) -> Frame:
    return read_picture(data / "media/images/people_detection.png")


def test_it_reports_what_was_loaded(ssd: LoadedModel) -> None:
    assert (ssd.manifest.id, ssd.variant.name, ssd.placement.runtime) == ("ssd_mobilenet_v1@1.0.0", "cpu-int8", "lite_rt")
    assert (ssd.label(0), ssd.label(89), ssd.label(-1), ssd.label(10_000)) == ("person", "toothbrush", "class -1", "class 10000")


def test_every_pixel_layout_finds_the_same_people(ssd: LoadedModel, people: Frame) -> None:
    rgb = np.ascontiguousarray(people.planes[0][:, :, ::-1])
    boxes = []
    for layout in ("bgr", "rgb", "i420"):
        found = ssd.infer(frame_of(rgb, layout, stride=16), 0.5).result
        assert isinstance(found, Detections)
        assert len(found) == 2
        boxes.append(found.boxes[np.argsort(found.boxes[:, 0])])
    assert np.array_equal(boxes[0], boxes[1])
    assert np.abs(boxes[0] - boxes[2]).max() < 12


def test_frames_prepared_ahead_keep_their_own_buffers(ssd: LoadedModel, data: Path, people: Frame) -> None:
    cat = read_picture(data / "media/images/cat_720p.jpg")
    held = [ssd.prepare(frame) for frame in (people, cat, people, cat, people)]
    labels = []
    for prepared in held:
        found = ssd.decode(ssd.invoke(prepared), prepared, 0.5)
        assert isinstance(found, Detections)
        labels.append([ssd.label(number) for number in found.class_ids])
    assert labels == [["person", "person"], ["cat"], ["person", "person"], ["cat"], ["person", "person"]]


def test_buffers_come_back_and_their_number_is_bounded(ssd: LoadedModel, people: Frame) -> None:
    tensors = set()
    for _ in range(20):
        prepared = ssd.prepare(people)
        (tensor,) = prepared.inputs.values()
        tensors.add(tensor.ctypes.data)
    assert len(tensors) <= 4
    crowd = [ssd.prepare(people) for _ in range(BUFFERS_MAX * 2)]
    assert len({prepared.inputs[next(iter(prepared.inputs))].ctypes.data for prepared in crowd}) == BUFFERS_MAX * 2
    crowd.clear()
    assert len(ssd._free) == BUFFERS_MAX


def test_cameras_prepare_in_threads_of_their_own(ssd: LoadedModel, data: Path, people: Frame) -> None:
    cat = read_picture(data / "media/images/cat_720p.jpg")
    expected = {id(frame): next(iter(ssd.prepare(frame).inputs.values())).copy() for frame in (people, cat)}
    wrong: list[str] = []

    def camera(frame: Frame) -> None:
        for _ in range(50):
            prepared = ssd.prepare(frame)
            if not np.array_equal(next(iter(prepared.inputs.values())), expected[id(frame)]):
                wrong.append("mixed")

    threads = [threading.Thread(target=camera, args=(frame,)) for frame in (people, cat, people, cat)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_bare_file_needs_only_its_head(data: Path, people: Frame) -> None:
    models = data / "models"
    yolox = LoadedModel.from_file(
        models / "onnx/yolox_nano/yolox_nano.onnx", "yolox", models / "onnx/yolox_nano/coco.names", threads=1
    )
    found = yolox.infer(people, 0.3)
    check(expected_cases(data, "onnx/yolox_nano")[3], model_outputs(found.result, yolox.label, 5), 0.90, 0.02)
    path = models / "openvino/person-detection-retail-0013/FP16/person-detection-retail-0013.xml"
    retail = LoadedModel.from_file(path, "detection_output", threads=1)
    assert len(model_outputs(retail.infer(people, 0.5).result, retail.label, 5)) == 2
    classifier = LoadedModel.from_file(
        models / "onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx", "classification"
    )
    scores = classifier.infer(read_picture(data / "media/images/parrot.jpg"), 0.5).result
    assert isinstance(scores, Classes)
    assert scores.top(1) == [(89, pytest.approx(0.996, abs=0.05))]


def test_pictures_are_computed_apart_where_outputs_have_no_row_for_each(tmp_path: Path) -> None:
    """The first axis of the output is open, but no batch axis: it is the sum of all pictures."""
    steps = [("ReduceSum", ["images", "axes"], "sums"), ("Reshape", ["sums", "shape"], "all"), ("ReduceSum", ["images"], "one")]
    steps += [("Reshape", ["one", "flat"], "number"), ("NonZero", ["number"], "found"), ("Reshape", ["found", "flat"], "places")]
    steps += [("Gather", ["all", "places"], "scores")]
    integers = {"axes": [0, 2, 3], "shape": [-1, 3], "flat": [-1]}
    constants = {name: np.array(values, np.int64) for name, values in integers.items()}
    model = tmp_path / "model.onnx"
    model.write_bytes(onnx_file.chain(steps, constants, {"images": ("n", 3, 4, 4)}, {"scores": ("k", 3)}))
    loaded = LoadedModel.from_file(model, "classification", threads=1)
    frames = [Frame(0, 0.0, 0.0, 4, 4, "rgb", (np.full((4, 4, 3), value, np.uint8),)) for value in (20, 40, 80)]
    alone = [loaded.infer(frame, 0.0).result for frame in frames]
    for _ in range(2):
        assert [each.top(3) for each in loaded.infer_many(frames, 0.0)] == [each.top(3) for each in alone]


def test_a_bare_file_in_another_runtime(data: Path, people: Frame) -> None:
    path = data / "models/onnx/yolox_nano/yolox_nano.onnx"
    model = LoadedModel.from_file(path, "yolox", runtime="open_vino", threads=1)
    assert model.placement.runtime == "open_vino"
    assert len(model_outputs(model.infer(people, 0.3).result, model.label, 5)) == 2


@pytest.mark.parametrize(
    ("file", "head", "error", "message"),
    [
        ("onnx/yolox_nano/yolox_nano.onnx", "yolo99", ManifestError, "unknown head 'yolo99'; known are .* yolox; installed"),
        ("onnx/yolox_nano/yolox_nano.onnx", "ssd", ManifestError, "head"),
        ("onnx/yolox_nano/none.onnx", "yolox", ModelError, "no such file"),
        ("onnx/yolox_nano/coco.names", "yolox", ModelError, "unknown model format"),
        ("onnx/osnet_x0_25_msmt17/osnet_x0_25_msmt17.onnx", "ssd", ManifestError, "head"),
    ],
)
def test_a_bare_file_that_does_not_fit(data: Path, file: str, head: str, error: type[EdgefleetError], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        LoadedModel.from_file(data / "models" / file, head)
    assert "\n" not in str(raised.value)


def test_a_runtime_the_variant_cannot_use(package: MakePackage) -> None:
    with pytest.raises(MissingError, match="onnx-f32: onnx_runtime, open_vino"):
        LoadedModel.open(package("yolox_nano"), runtimes=["lite_rt"])
    with pytest.raises(ManifestError, match="no variant 'x'; it has onnx-f32, openvino-f16"):
        LoadedModel.open(package("yolox_nano"), runtimes=RUNTIMES, variant="x")
    folder = edited(package("yolox_nano", copy=True), 'runtimes = ["onnx_runtime", "open_vino"]', 'runtimes = ["abacus"]')
    with pytest.raises(ModelError, match="unknown backend 'abacus'"):
        LoadedModel.open(folder, runtimes=["abacus"])


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('family = "yolox"', 'family = "yolo99"', "unknown head 'yolo99'"),
        ('predictions = "output"', 'predictions = "out"', "no output 'out'"),
        ("iou = 0.45", "iou = 45", "'iou' must be a number"),
        ("shape = [1, 3, 416, 416]", "shape = [1, 3, 320, 320]", "the model has"),
        ('dtype = "float32"', 'dtype = "uint8"', "the model has float32"),
        ('layout = "nchw"', 'layout = "nhwc"', "nhwc"),
        ('name = "images"', 'name = "pictures"', "'pictures', the file's is 'images'"),
        ('name = "yolox_nano"', 'name = "../yolox"', "name"),
        ("[[inputs]]", "[[inputs]", "not valid TOML"),
    ],
)
def test_a_damaged_manifest_gives_one_line(package: MakePackage, before: str, after: str, message: str) -> None:
    with pytest.raises(ManifestError, match=message) as raised:
        LoadedModel.open(edited(package("yolox_nano", copy=True), before, after), runtimes=RUNTIMES)
    assert "\n" not in str(raised.value)


def test_a_format_that_the_runtime_does_not_read(package: MakePackage) -> None:
    """Found before the file is opened; variants for other runtimes may have formats that are unknown here."""
    folder = edited(package("yolox_nano", copy=True), 'format = "onnx"', 'format = "tyo"')
    with pytest.raises(ModelError, match="variant 'onnx-f32' is of format 'tyo', and onnx_runtime reads onnx"):
        LoadedModel.open(folder, runtimes=RUNTIMES, variant="onnx-f32")
    assert LoadedModel.open(folder, runtimes=RUNTIMES, variant="openvino-f16").placement.runtime == "open_vino"


def test_options_belong_to_a_runtime(package: MakePackage) -> None:
    folder = edited(
        package("yolox_nano", copy=True),
        'runtimes = ["open_vino"]',
        'runtimes = ["open_vino"]\noptions = { open_vino = { precision = "bf17" } }',
    )
    with pytest.raises(ModelError, match="precision = 'bf17': must be one of f32, f16, bf16"):
        LoadedModel.open(folder, runtimes=RUNTIMES, variant="openvino-f16")
    assert LoadedModel.open(folder, runtimes=RUNTIMES, variant="onnx-f32").placement.runtime == "onnx_runtime"


def test_missing_parts_of_a_package(package: MakePackage, tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"specify a folder with model\.toml"):
        LoadedModel.open(tmp_path / "nothing", runtimes=RUNTIMES)
    folder = package("ssd_mobilenet_v1", copy=True)
    (folder / "ssd_mobilenet_v1.tflite").unlink()
    with pytest.raises(ModelError, match="no such file"):
        LoadedModel.open(folder, runtimes=RUNTIMES)
    for content in (b"\xff\xfe", b"a\n" * 1024 * 1024):
        (folder / "coco_labels.txt").write_bytes(content)
        with pytest.raises(ManifestError, match="one label per line"):
            LoadedModel.open(folder, runtimes=RUNTIMES)
    (folder / "coco_labels.txt").unlink()
    with pytest.raises(ManifestError, match=r"coco_labels.txt: cannot be read"):
        LoadedModel.open(folder, runtimes=RUNTIMES)


def test_runtimes_that_can_be_imported() -> None:
    assert installed_runtimes()[:3] == RUNTIMES


def edited(folder: Path, before: str, after: str) -> Path:
    path = folder / MANIFEST_FILE
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    return folder
