"""Guesses the family of a model from the shapes of its outputs. If a shape fits two families, the notes say so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from edgefleet_contract.package.formats import ModelFile, Tensor

DETECTION_POST_PROCESS = "custom:TFLite_Detection_PostProcess"
_POSE_POINTS = 17
_QUERIES_MAX = 1000
_POINTS = (10, 70, 136)
_FACE_SIDE_MAX = 128
_SOFTMAX = {"Softmax", "SoftMax", "LogSoftmax", "builtin 25"}
_EXPONENTIAL = {"Exp", "builtin 47"}
_EMBEDDINGS = (64, 128, 256, 512, 768, 1024, 1280, 2048)


@dataclass(frozen=True, slots=True)
class Guess:
    """family "": unknown. outputs: names used by the head → tensor names. notes: facts that the user should check."""

    family: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    params: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def guess(model: ModelFile, width: int, height: int, labels: int) -> Guess:
    """The family of `model` with an image input of this size (pixels); labels: number of known labels, 0 = none."""
    outputs = model.outputs
    cells = sum(-(-width // stride) * -(-height // stride) for stride in (8, 16, 32))
    if DETECTION_POST_PROCESS in model.operators or _named(outputs, "TFLite_Detection_PostProcess"):
        return Guess("ssd", _in_order(outputs, ("boxes", "classes", "scores", "count")))
    if len(outputs) == 1:
        if _is_points(model, outputs[0], labels, max(width, height)):
            note = "taken for points of a face; if they are classes, give --head classification"
            return Guess("landmarks", {"points": outputs[0].name}, notes=(note,))
        return _single(outputs[0], cells, labels, (width, height))
    if len(outputs) == 2:
        return _pair(outputs, decodes=decodes_boxes(model))
    widths = {tensor.shape[-1] for tensor in outputs if tensor.shape}
    if len(outputs) in (6, 8) and len(widths) == 2:
        return Guess("nanodet", notes=("taken for NanoDet by its pairs of outputs; check strides and bins",))
    if len(outputs) == 10 and all(len(tensor.shape) == 4 for tensor in outputs):
        return Guess("efficientdet", notes=("taken for EfficientDet by its five pairs of outputs; check the anchors",))
    return Guess()


def _single(output: Tensor, cells: int, labels: int, size: tuple[int, int]) -> Guess:
    shape, name = output.shape, output.name
    if len(shape) == 4 and shape[-1] == 7 and shape[1] == 1:
        return Guess("detection_output", {"detections": name})
    if len(shape) == 4 and shape[1:] == (1, _POSE_POINTS, 3):
        return Guess("movenet", {"keypoints": name})
    if len(shape) == 3 and (shape[2] == cells or shape[1] == 3 * cells or (shape[2] == 6 and 0 < shape[1] <= _QUERIES_MAX)):
        return Guess("yolo", {"predictions": name}, notes=("boxes are taken for pixels; set params.normalized if they are 0..1",))
    if len(shape) == 3 and shape[1] == cells:
        note = "taken for YOLOX; if its boxes are decoded inside the model, the family is yolo"
        return Guess("yolox", {"predictions": name}, notes=(note,))
    if len(shape) in (3, 4) and _is_map(shape, size):
        nchw = len(shape) == 4 and shape[1] < min(shape[2:])
        return Guess("segmentation", {"mask": name}, {"layout": "nchw"} if nchw else {})
    wide = [side for side in shape[1:] if side != 1]
    if len(wide) > 1 or not shape:
        return Guess()
    count = wide[0] if wide else 1
    if output.dtype.startswith("float") and count in _EMBEDDINGS and labels != count:
        return Guess("embedding", {"embedding": name})
    notes = ("scores are taken as they are; set params.softmax = true if the model gives logits",)
    return Guess("classification", {"scores": name}, notes=notes)


def decodes_boxes(model: ModelFile) -> bool:
    """Whether the graph has an exponential, which decodes the sides of boxes from deltas."""
    return bool(_EXPONENTIAL & model.operators)


def _is_points(model: ModelFile, output: Tensor, labels: int, side: int) -> bool:
    """Whether an output has 5, 35 or 68 points of a small image, without softmax. An output of ten classes differs by its flat
    shape only."""
    wide = [each for each in output.shape[1:] if each != 1]
    if len(wide) != 1 or wide[0] not in _POINTS or labels == wide[0] or side > _FACE_SIDE_MAX or _SOFTMAX & model.operators:
        return False
    return output.dtype.startswith("float") and (wide[0] != 10 or len(output.shape) == 4)


def _pair(outputs: tuple[Tensor, ...], *, decodes: bool) -> Guess:
    boxes = [tensor for tensor in outputs if tensor.shape[-1:] == (4,)]
    scores = [tensor for tensor in outputs if tensor.shape[-1:] != (4,)]
    if len(boxes) != 1 or len(scores[0].shape) != 3:
        return Guess()
    columns, rows = scores[0].shape[-1], boxes[0].shape[-2]
    if columns == 2:
        note = (
            "boxes are taken for corners, because the file decodes them"
            if decodes
            else "boxes are taken for deltas of the priors"
        )
        params = {} if decodes else {"decoded": False}
        return Guess("ultraface", {"boxes": boxes[0].name, "scores": scores[0].name}, params, notes=(note,))
    if 0 < rows <= _QUERIES_MAX:
        return Guess("detr", {"boxes": boxes[0].name, "logits": scores[0].name})
    note = "taken for an SSD without post-processing; check the params of its anchors"
    return Guess("ssd_anchors", {"boxes": boxes[0].name, "scores": scores[0].name}, notes=(note,))


def _is_map(shape: tuple[int, ...], size: tuple[int, int]) -> bool:
    sides = shape[1:3] if len(shape) == 3 or shape[1] >= shape[3] else shape[2:4]
    return min(sides) >= 8 and min(sides) * 32 >= min(size)


def _named(outputs: tuple[Tensor, ...], start: str) -> bool:
    return any(tensor.name.startswith(start) for tensor in outputs)


def _in_order(outputs: tuple[Tensor, ...], roles: tuple[str, ...]) -> dict[str, str]:
    return {role: tensor.name for role, tensor in zip(roles, outputs, strict=False)}
