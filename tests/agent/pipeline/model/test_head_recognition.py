"""Recognition of detectors without a manifest: the same heads as `edgefleet model import` finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import Placement, Session
from edgefleet_agent.core import plugins
from edgefleet_agent.pipeline.model.head_recognition import other_inputs, recognize_detector, shown_params
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import Head, HeadContext, TensorSpec
from edgefleet_contract.core.errors import EdgefleetError, ManifestError, ModelError
from edgefleet_contract.model_kinds import FAMILY_TABLE
from edgefleet_contract.package.families import FAMILIES, Family, Task
from edgefleet_contract.package.manifest import InputSpec
from edgefleet_server.registry.importers.import_model import ImportRequest, make_manifest
from edgefleet_server.registry.importers.read_model import read_model_file

DETECTORS = [
    "onnx/nanodet_320/nanodet.onnx",
    "onnx/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.onnx",
    "onnx/ultraface_rfb_320/version-RFB-320.onnx",
    "onnx/ultraface_rfb_320/version-RFB-320_without_postprocessing.onnx",
    "onnx/yolox_nano/yolox_nano.onnx",
    "openvino/face-detection-adas-0001/FP16-INT8/face-detection-adas-0001.xml",
    "openvino/person-detection-retail-0013/FP16/person-detection-retail-0013.xml",
    "openvino/yolox_nano/FP16/yolox_nano.xml",
    "tflite/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.tflite",
    "tflite/traffic_ssd_lstm/traffic_model.tflite",
    "tflite/ultraface_rfb_320/version-RFB-320_without_postprocessing.tflite",
]
OTHERS = [
    "onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx",
    "onnx/osnet_x0_25_msmt17/osnet_x0_25_msmt17.onnx",
    "openvino/landmarks-regression-retail-0009/FP16-INT8/landmarks-regression-retail-0009.xml",
    "tflite/deeplabv3_mnv2_dm05_pascal_quant/deeplabv3_mnv2_dm05_pascal_quant.tflite",
    "tflite/movenet_single_pose_lightning_ptq/movenet_single_pose_lightning_ptq.tflite",
]


class Shapes(Session):
    """A session of which only the shapes are known."""

    def __init__(self, side: int, *outputs: tuple[int, ...], states: tuple[tuple[int, ...], ...] = ()) -> None:
        kind = np.dtype(np.float32)
        picture = TensorSpec("picture", (1, 3, side, side), kind)
        self.inputs = (picture, *(TensorSpec(f"state{number}", shape, kind) for number, shape in enumerate(states)))
        self.outputs = tuple(TensorSpec(f"out{number}", shape, kind) for number, shape in enumerate(outputs))
        self.placement = Placement("none", "0", "cpu")

    def infer(self, inputs: object) -> dict[str, np.ndarray]:
        raise AssertionError("shapes suffice")

    def close(self) -> None:
        pass


@pytest.mark.parametrize("file", DETECTORS)
def test_the_same_head_as_the_import_finds(file: str, data: Path) -> None:
    imported, _ = make_manifest(read_model_file(data / "models" / file), ImportRequest())
    model = LoadedModel.from_file(data / "models" / file)
    try:
        assert (model.manifest.head.family, model.manifest.head.params) == (imported.head.family, imported.head.params)
        assert model.manifest.task == imported.task == "detection"
        assert [spec.feedback for spec in model.manifest.inputs] == [spec.feedback for spec in imported.inputs]
    finally:
        model.close()


@pytest.mark.parametrize("file", OTHERS)
def test_what_is_no_detector_is_refused_with_its_outputs(file: str, data: Path) -> None:
    with pytest.raises(ModelError, match=r"not a detector that is recognized: its outputs are .*; use a detector, or give its"):
        LoadedModel.from_file(data / "models" / file)


@pytest.mark.parametrize(
    ("side", "outputs", "labels", "head", "classes"),
    [
        (640, [(1, 84, 8400)], 0, "yolo", 80),
        (640, [(1, 25200, 85)], 0, "yolo", 80),
        (640, [(1, 300, 6)], 0, "yolo", 0),
        (640, [(1, 8400, 85)], 0, "yolox", 80),
        (640, [(1, 8400, 84)], 80, "yolo", 80),
        (416, [(1, 3549, 7)], 0, "yolox", 2),
        (640, [(1, 300, 4), (1, 300, 91)], 0, "detr", 91),
        (300, [(1, 1917, 4), (1, 1917, 91)], 0, "ssd_anchors", 90),
        (300, [(1, 10, 4), (1, 10), (1, 10), (1,)], 0, "ssd", 0),
        (300, [(1, 1, 200, 7)], 0, "detection_output", 0),
    ],
)
def test_heads_by_their_shapes(side: int, outputs: list[tuple[int, ...]], labels: int, head: str, classes: int) -> None:
    session = Shapes(side, *outputs)
    names = tuple(f"label {number}" for number in range(labels))
    found = recognize_detector(session, names, {})
    assert found is not None
    assert found.name == head
    specs = {spec.name: spec for spec in session.outputs}
    assert found.family(HeadContext(specs, {}, found.params, side, side, names, session.inputs[0])).classes == classes


def test_an_input_that_no_output_feeds_is_refused() -> None:
    with pytest.raises(ManifestError, match="no output feeds it"):
        other_inputs(Shapes(300, (1, 10, 4), states=((1, 8),)))


class PluggedHead(Head):
    """A head of a plug-in: three columns."""

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        if [spec.shape[-1] for spec in context.outputs.values()] != [3, 3]:
            raise ManifestError("head plugged: not three columns")

    def decode(self, outputs: object, min_score: float) -> Detections:
        raise AssertionError("shapes suffice")


@pytest.mark.parametrize(("task", "found"), [("detection", True), ("classification", False)])
def test_heads_of_plug_ins_whose_family_is_one_of_detectors(task: Task, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = plugins.load

    def load(table: str, name: str, *more: type[EdgefleetError]) -> object:
        return PluggedHead if name == "plugged" else plain(table, name, *more)

    monkeypatch.setattr(plugins, "installed", lambda table: {"plugged": "toy 1.0"} if table == "heads" else {})
    monkeypatch.setattr(plugins, "load", load)
    monkeypatch.setitem(FAMILIES, "plugged", Family(task, InputSpec()))
    monkeypatch.setattr(FAMILY_TABLE, "_built_in", dict.fromkeys(FAMILIES, ""))
    head = recognize_detector(Shapes(300, (1, 9, 3), (1, 9, 3)), (), {})
    assert (head is not None and head.name == "plugged") is found
    assert recognize_detector(Shapes(300, (1, 9, 5), (1, 9, 5)), (), {}) is None


@pytest.mark.parametrize("name", ["version-RFB-320", "version-RFB-320_without_postprocessing"])
def test_a_head_given_by_hand_has_the_params_that_the_file_shows(name: str, data: Path) -> None:
    file = data / f"models/onnx/ultraface_rfb_320/{name}.onnx"
    imported, _ = make_manifest(read_model_file(file), ImportRequest(family="ultraface"))
    model = LoadedModel.from_file(file, "ultraface")
    model.close()
    given = LoadedModel.from_file(file, "ultraface", params={"decoded": True})
    given.close()
    assert model.manifest.head.params == imported.head.params == ({} if name.endswith("320") else {"decoded": False})
    assert given.manifest.head.params == {"decoded": True}


@pytest.mark.parametrize(
    ("name", "outputs", "labels", "params"),
    [
        ("segmentation", [(1, 21, 64, 64)], 0, {"layout": "nchw"}),
        ("segmentation", [(1, 64, 64, 21)], 0, {}),
        ("detr", [(1, 100, 4), (1, 100, 92)], 0, {"activation": "softmax"}),
        ("detr", [(1, 100, 4), (1, 100, 8)], 7, {"activation": "softmax"}),
        ("detr", [(1, 100, 4), (1, 100, 7)], 7, {}),
        ("detr", [(1, 100, 4), (1, 100, 80)], 3, {}),
        ("ultraface", [(1, 9)], 0, {}),
    ],
)
def test_params_that_shapes_show(name: str, outputs: list[tuple[int, ...]], labels: int, params: dict[str, object]) -> None:
    class Blank(Shapes):
        def infer(self, inputs: object) -> dict[str, np.ndarray]:
            return {spec.name: np.zeros(spec.shape, spec.dtype) for spec in self.outputs}

    assert shown_params(name, Blank(640, *outputs), labels, {}) == params
