"""Expected results of the shared models, and the comparison at their tolerance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.nms import iou_matrix

CASES: dict[str, tuple[str, str, str, float, float, float]] = {
    "mobilenet_v2 LiteRT": ("mobilenet_v2", "cpu-int8", "tflite/mobilenet_v2_1.0_224_quant", 0.0, 0.0, 0.05),
    "mobilenet_v2 ONNX Runtime": ("mobilenet_v2", "onnx-int8", "onnx/mobilenet_v2_1.0_224_quant", 0.0, 0.0, 0.05),
    "mobilenet_v2 OpenVINO": ("mobilenet_v2", "openvino-int8", "openvino/mobilenet_v2_1.0_224_quant", 0.0, 0.0, 0.10),
    "yolox_nano ONNX Runtime": ("yolox_nano", "onnx-f32", "onnx/yolox_nano", 0.3, 0.90, 0.02),
    "yolox_nano OpenVINO": ("yolox_nano", "openvino-f16", "openvino/yolox_nano", 0.3, 0.90, 0.02),
    "person-detection-retail-0013 FP16": (
        "person_detection_retail_0013",
        "openvino-f16",
        "openvino/person-detection-retail-0013",
        0.5,
        0.90,
        0.02,
    ),
    "ssd_mobilenet_v1 LiteRT": ("ssd_mobilenet_v1", "cpu-int8", "tflite/ssd_mobilenet_v1_coco_quant", 0.5, 0.85, 0.05),
}
"""Title to package, variant, folder under models/, lowest score, lowest IoU, tolerance of the score, as in expected.json."""


def expected_cases(data: Path, folder: str) -> list[dict[str, Any]]:
    """Cases of one model; of a file with variants those of FP16."""
    text = json.loads((data / "models" / folder / "expected.json").read_text(encoding="utf-8"))
    cases: list[dict[str, Any]] = text.get("variants", {}).get("FP16", text)["cases"]
    return cases


def check(case: dict[str, Any], found: list[ModelOutput], iou_min: float, score_tolerance: float) -> None:
    """Assert that `found` (best first) equals the expected results of `case`."""
    if "top3" in case:
        best = case["top3"][0]
        assert (found[0].class_id, found[0].label) == (best["class_id"], best["label"]), case["image"]
        assert abs(found[0].score - best["score"]) <= score_tolerance, case["image"]
        return
    expected = case["detections"]
    assert len(found) == len(expected), f"{case['image']}: expected {len(expected)} boxes, found {len(found)}"
    overlaps = iou_matrix(_boxes([each["box_xyxy"] for each in expected]), _boxes([each.box for each in found]))
    partners = set()
    for row, each in enumerate(expected):
        same = [index for index, other in enumerate(found) if (other.class_id, other.label) == (each["class_id"], each["label"])]
        best_index = max(same, key=lambda index: float(overlaps[row, index]), default=-1)
        assert best_index >= 0, f"{case['image']}: no {each['label']}"
        assert overlaps[row, best_index] >= iou_min, f"{case['image']}: {each['label']} overlaps {overlaps[row, best_index]:.3f}"
        assert abs(found[best_index].score - each["score"]) <= score_tolerance, f"{case['image']}: {each['label']}"
        partners.add(best_index)
    assert len(partners) == len(expected), f"{case['image']}: two expected boxes met the same found one"


def _boxes(boxes: list[Any]) -> np.typing.NDArray[np.float32]:
    return np.array(boxes, np.float32).reshape(-1, 4)
