"""Guesses the family of a model from the shapes of its outputs, and finds the outputs of a family that is given. If a shape fits
two families, the notes say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from edgefleet_contract.package.constant_inputs import known_constant
from edgefleet_contract.package.formats import ModelFile, Tensor

DETECTION_POST_PROCESS = "custom:TFLite_Detection_PostProcess"
_POSE_POINTS = 17
_QUERIES_MAX = 1000
_LETTERS_MIN = 10
"""Letters of the smallest alphabet: digits."""
_OPEN = -1
_POINTS = (10, 70, 136)
_QUERIES = (100, 300, 900)
_COCO_CLASSES = 91
_POINTS_MIN = 2
_POSE_CLASSES_MAX = 5
_NUMBERS_MAX = 8
_ENDED = {6: "yolo", 7: "yolo_obb", 6 + 3 * _POSE_POINTS: "yolo_pose"}
"""Columns of YOLO models that suppress by themselves."""
_YOLO_NOTES = {
    "yolo_pose": "taken for boxes with key points; if these columns are classes, give --head yolo",
    "yolo_obb": "taken for rotated boxes, with an angle in the last column; if it is a class, give --head yolo",
}
_FACE_SIDE_MAX = 128
_SOFTMAX = {"Softmax", "SoftMax", "LogSoftmax", "builtin 25"}
_EXPONENTIAL = {"Exp", "builtin 47"}
_EMBEDDINGS = (64, 128, 256, 512, 768, 1024, 1280, 2048)


@dataclass(frozen=True, slots=True)
class Guess:
    """family "": unknown; the notes name candidates. outputs: names used by the head → tensor names. notes: facts that the user
    should check."""

    family: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    params: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def guess(model: ModelFile, width: int, height: int, labels: int) -> Guess:
    """The family of `model` with an image input of this size (pixels); labels: number of known labels, 0 = none."""
    family, notes = _family(model, width, height, labels)
    found = outputs_for(family, model, labels)
    return Guess(family, found.outputs, found.params, (*notes, *found.notes))


def outputs_for(family: str, model: ModelFile, labels: int) -> Guess:
    """The outputs of `model` by their roles for the head of `family`, and its params, where names and shapes show them. A role
    that several outputs could have is left out: the head then goes by its own rules. labels: number of known labels, 0 = none."""
    roles = _ROLES.get(family, ())
    if family == "detr" and _has_table(model.outputs):
        roles = _TABLE
    elif family == "detr" and len(model.outputs) != 2:
        roles = _LISTED if len(model.outputs) == 3 else _one("predictions", ranks=(3,))
    outputs = _ssd_outputs(model) if family == "ssd" else _named_outputs(roles, model.outputs)
    described = _PARAMS.get(family)
    params, notes = described(model, outputs, labels) if described is not None else ({}, ())
    return Guess(family, {role: tensor.name for role, tensor in outputs.items()}, params, notes)


def _family(model: ModelFile, width: int, height: int, labels: int) -> tuple[str, tuple[str, ...]]:
    """The family, "" if none is known, and notes."""
    outputs = model.outputs
    if _is_sized(model, width, height) and (_has_table(outputs) or _has_listed(outputs)):
        return "detr", ("boxes are taken for corners in pixels of the size that the model gets",)
    cells = sum(-(-width // stride) * -(-height // stride) for stride in (8, 16, 32))
    if _is_post_processed(model):
        return "ssd", ()
    if len(outputs) == 1:
        if _is_points(model, outputs[0], labels, max(width, height)):
            return "landmarks", ("taken for points of a face; if they are classes, give --head classification",)
        return _single(outputs[0], cells, labels, (width, height))
    if len(outputs) == 2 and not all(map(_is_number, outputs)):
        return _pair(outputs, cells)
    if _has_listed(outputs):
        return "detr", ("boxes are taken for corners in pixels of the input; set params.normalized = true if they are 0..1",)
    if len(outputs) >= 2 and all(map(_is_number, outputs)):
        return "regression", ("taken for named numbers; give unit, scale or labels of each in params of the head",)
    widths = {tensor.shape[-1] for tensor in outputs if tensor.shape}
    if len(outputs) in (6, 8) and len(widths) == 2:
        return "nanodet", ("taken for NanoDet by its pairs of outputs; check strides and bins",)
    if len(outputs) == 10 and all(len(tensor.shape) == 4 for tensor in outputs):
        return "efficientdet", ("taken for EfficientDet by its five pairs of outputs; check the anchors",)
    return "", ()


def _is_sized(model: ModelFile, width: int, height: int) -> bool:
    """Whether the model gets the size of the picture, as detectors with their post-processing inside do."""
    return any(known_constant(each.name, each.shape, each.dtype, width, height) for each in model.inputs)


def _has_table(outputs: tuple[Tensor, ...]) -> bool:
    """Whether the outputs are rows of class, score and box, and perhaps their number."""
    return len(outputs) <= 2 and sum(map(_TABLE[0].fits, outputs)) == 1


def _has_listed(outputs: tuple[Tensor, ...]) -> bool:
    """Whether the outputs are boxes, labels and scores by their names."""
    return len(outputs) == 3 and all(sum(role.fits(each) and role.called(each) for each in outputs) == 1 for role in _LISTED)


def _single(output: Tensor, cells: int, labels: int, size: tuple[int, int]) -> tuple[str, tuple[str, ...]]:
    shape = output.shape
    if _is_line(output, cells, labels, size):
        return "ctc", ("taken for a line of text, with the blank first; set params.blank if it is another class",)
    if len(shape) == 3:  # an open size follows from that of the picture
        shape = (shape[0], *(cells if side < 0 else side for side in shape[1:]))
    if len(shape) == 4 and shape[-1] == 7 and shape[1] == 1:
        return "detection_output", ()
    if len(shape) == 4 and shape[1:] == (1, _POSE_POINTS, 3):
        return "movenet", ()
    if len(shape) == 3 and (found := _yolo(shape, cells, labels)):
        note = "boxes are taken for pixels; set params.normalized if they are 0..1"
        return found, (_YOLO_NOTES[found], note) if found in _YOLO_NOTES else (note,)
    if len(shape) == 3 and shape[1] == cells:
        return "yolox", ("taken for YOLOX; if its boxes are decoded inside the model, the family is yolo",)
    queries = len(shape) == 3 and output.dtype.startswith("float") and shape[1] in _QUERIES and shape[2] > 5
    if queries and labels in (0, shape[2] - 4):
        return "detr", ('taken for boxes and scores of queries (RT-DETR); set params.activation = "sigmoid" for logits',)
    if len(shape) in (3, 4) and _is_map(shape, size):
        lone = len(shape) == 4 and 1 in (shape[1], shape[3]) and output.dtype.startswith("float")
        return "segmentation", ("taken for a mask; if it is the probability of text, give --head dbnet",) * lone
    wide = [side for side in shape[1:] if side != 1]
    if len(shape) == 4 and wide == [_OPEN, _OPEN] and output.dtype.startswith("float"):
        return "", ("for one map of probabilities, --head dbnet finds text, and --head segmentation a mask",)
    if len(wide) > 1 or not shape:
        return "", ()
    count = wide[0] if wide else 1
    if output.dtype.startswith("float") and count in _EMBEDDINGS and labels != count:
        return "embedding", ()
    return "classification", ("scores are taken as they are; set params.softmax = true if the model gives logits",)


def decodes_boxes(model: ModelFile) -> bool:
    """Whether the graph has an exponential, which decodes the sides of boxes from deltas."""
    return bool(_EXPONENTIAL & model.operators)


def _is_line(output: Tensor, cells: int, labels: int, size: tuple[int, int]) -> bool:
    """Whether an output has a score of each label, of the blank and perhaps of the space at each place of a line of text."""
    shape, (width, height) = output.shape, size
    if len(shape) != 3 or labels < _LETTERS_MIN or width <= height or not output.dtype.startswith("float"):
        return False
    return shape[2] - labels in (1, 2) and shape[1] not in (cells, 3 * cells)


def _is_points(model: ModelFile, output: Tensor, labels: int, side: int) -> bool:
    """Whether an output has 5, 35 or 68 points of a small image, without softmax. An output of ten classes differs by its flat
    shape only."""
    wide = [each for each in output.shape[1:] if each != 1]
    if len(wide) != 1 or wide[0] not in _POINTS or labels == wide[0] or side > _FACE_SIDE_MAX or _SOFTMAX & model.operators:
        return False
    return output.dtype.startswith("float") and (wide[0] != 10 or len(output.shape) == 4)


def _yolo(shape: tuple[int, ...], cells: int, labels: int) -> str:
    """The family of YOLO whose layout `shape` has: the number of labels decides whether columns after the boxes are classes, key
    points or an angle. "": none."""
    _, first, second = shape
    if first < 1 or second < 1:
        return ""
    if second in _ENDED and first <= _QUERIES_MAX and cells not in (first, second) and first != 3 * cells:
        return _ENDED[second]
    if second != cells and first not in (cells, 3 * cells):
        return ""
    columns, beside = (first, 4) if second == cells != first else (second, 5 if first == 3 * cells else 4)
    points, rest = divmod(columns - beside - max(labels, 1), 3) if labels <= _POSE_CLASSES_MAX else (0, 0)
    if not rest and points >= _POINTS_MIN and (labels not in (columns - 4, columns - 5) if labels else points == _POSE_POINTS):
        return "yolo_pose"
    if second == cells and labels and labels == columns - 5:
        return "yolo_obb"
    # One row a cell is the layout of YOLOX, too.
    return "yolo" if first != cells else ""


def _pair(outputs: tuple[Tensor, ...], cells: int) -> tuple[str, tuple[str, ...]]:
    flat, maps = ([tensor for tensor in outputs if len(tensor.shape) == rank] for rank in (3, 4))
    if len(flat) == len(maps) == 1 and (cells in flat[0].shape[1:] or 3 * cells == flat[0].shape[1] or _ends(flat[0], maps[0])):
        return "yolo_segmentation", ("boxes are taken for pixels; set params.normalized if they are 0..1",)
    boxes = [tensor for tensor in outputs if tensor.shape[-1:] == (4,)]
    scores = [tensor for tensor in outputs if tensor.shape[-1:] != (4,)]
    if len(boxes) == 2 and len(_named_outputs(_ROLES["detr"], outputs)) == 2:
        return "detr", ("logits of four classes and boxes are distinguished by their names",)
    if len(boxes) != 1 or len(scores[0].shape) != 3:
        return "", ()
    if scores[0].shape[-1] == 2:
        return "ultraface", ()
    if 0 < boxes[0].shape[-2] <= _QUERIES_MAX:
        return "detr", ()
    return "ssd_anchors", ("taken for an SSD without post-processing; check the params of its anchors",)


def _ends(flat: Tensor, maps: Tensor) -> bool:
    """Whether boxes that are already suppressed have a coefficient for each of the maps."""
    return 0 < flat.shape[1] <= _QUERIES_MAX and flat.shape[2] - 6 in (maps.shape[1], maps.shape[3])


def _is_number(output: Tensor) -> bool:
    """Whether an output is a few numbers for the whole picture."""
    wide = [side for side in output.shape[1:] if side != 1]
    return (
        bool(output.shape) and output.dtype.startswith("float") and (not wide or (len(wide) == 1 and 1 < wide[0] <= _NUMBERS_MAX))
    )


def _is_map(shape: tuple[int, ...], size: tuple[int, int]) -> bool:
    sides = shape[1:3] if len(shape) == 3 or shape[1] >= shape[3] else shape[2:4]
    return min(sides) >= 8 and min(sides) * 32 >= min(size)


def _is_post_processed(model: ModelFile) -> bool:
    """Whether the outputs are those of TensorFlow's operator for detections, in its order."""
    named = any(tensor.name.startswith("TFLite_Detection_PostProcess") for tensor in model.outputs)
    return named or DETECTION_POST_PROCESS in model.operators


# Roles of outputs.


@dataclass(frozen=True, slots=True)
class _Role:
    """One output of a head. width: of its last side, 0: any; ranks: numbers of its dimensions; flat: at most one side is more
    than 1. words: parts of the names that outputs of this role have."""

    name: str
    words: tuple[str, ...]
    width: int = 0
    ranks: tuple[int, ...] = (1, 2, 3, 4)
    flat: bool = False

    def fits(self, tensor: Tensor) -> bool:
        """Whether the shape of `tensor` is possible."""
        shape = tensor.shape
        if len(shape) not in self.ranks or (self.flat and sum(side != 1 for side in shape[1:]) > 1):
            return False
        return self.width in (0, shape[-1] if shape else 0)

    def called(self, tensor: Tensor) -> bool:
        """Whether its name has one of the words."""
        return any(word in tensor.name.lower() for word in self.words)


_BOXES, _SCORES = ("box", "loc", "delta", "dets", "regress"), ("score", "conf", "prob", "cls", "class", "logit", "label")


def _one(role: str, *words: str, width: int = 0, ranks: tuple[int, ...] = (1, 2, 3, 4), flat: bool = False) -> tuple[_Role, ...]:
    return (_Role(role, (role, *words), width, ranks, flat),)


_LISTED = (
    _Role("boxes", _BOXES, 4, (2, 3)),
    _Role("labels", ("label", "class"), 0, (1, 2), flat=True),
    _Role("scores", ("score", "conf", "prob"), 0, (1, 2), flat=True),
)
"""Outputs of a transformer detector with its post-processing."""
_TABLE = _one("rows", width=6, ranks=(2,))
"""Output of a detector of PaddleDetection."""
_ROLES: Mapping[str, tuple[_Role, ...]] = {
    "classification": _one("scores", *_SCORES, "softmax", flat=True),
    "ctc": _one("logits", "prob", ranks=(2, 3)),
    "dbnet": _one("map", "sigmoid", "prob", ranks=(3, 4)),
    "detection_output": _one("detections", width=7),
    "detr": (_Role("boxes", _BOXES, 4, (3,)), _Role("logits", _SCORES, 0, (3,))),
    "embedding": _one("embedding", "feature", flat=True),
    "fcos": (_Role("boxes", _BOXES, 4, (4,)), _Role("scores", _SCORES, 0, (4,))),
    "heatmap": _one("heatmaps", "heatmap", ranks=(4,)),
    "landmarks": _one("landmarks", "point", ranks=(2, 3, 4)),
    "movenet": _one("keypoints", width=3, ranks=(4,)),
    "reconstruction": _one("reconstruction", "decoded"),
    "segmentation": _one("mask", "seg", "argmax", ranks=(3, 4)),
    "ssd": (
        _Role("boxes", _BOXES, 4, (2, 3)),
        _Role("classes", ("class", "label"), 0, (1, 2), flat=True),
        _Role("scores", ("score", "conf", "prob"), 0, (1, 2), flat=True),
        _Role("count", ("num", "count"), 0, (0, 1, 2), flat=True),
    ),
    "ssd_anchors": (_Role("boxes", _BOXES, 4, (2, 3)), _Role("scores", _SCORES, 0, (2, 3))),
    "ultraface": (_Role("boxes", _BOXES, 4, (2, 3)), _Role("scores", _SCORES, 0, (2, 3))),
    "yolo": _one("predictions", ranks=(3,)),
    "yolo_obb": _one("predictions", ranks=(3,)),
    "yolo_pose": _one("predictions", ranks=(3,)),
    "yolo_segmentation": (_Role("predictions", ("output0", "pred"), 0, (3,)), _Role("prototypes", ("output1", "proto"), 0, (4,))),
    "yolox": _one("predictions", ranks=(3,)),
}
"""Roles of the outputs of each family. `nanodet` and `efficientdet` go by the shapes of theirs."""


def _named_outputs(roles: tuple[_Role, ...], outputs: tuple[Tensor, ...]) -> dict[str, Tensor]:
    """The output of each role of which only one is possible."""
    found: dict[str, Tensor] = {}
    for _ in roles:
        for role in roles:
            free = [tensor for tensor in outputs if tensor not in found.values() and role.fits(tensor)]
            others = [each for each in roles if each is not role and each.name not in found]
            called = [tensor for tensor in free if role.called(tensor)]
            own = [tensor for tensor in called if not any(each.called(tensor) and each.fits(tensor) for each in others)]
            alone = next((each for each in (own, called, free) if len(each) == 1), [])
            if role.name not in found and alone:
                found[role.name] = alone[0]
    return found


def _ssd_outputs(model: ModelFile) -> dict[str, Tensor]:
    """The outputs of an SSD with its post-processing: by names, then by shape and type, else in the usual order."""
    roles = _ROLES["ssd"]
    if _is_post_processed(model) and not any(map(roles[1].called, model.outputs)):
        return {role.name: tensor for role, tensor in zip(roles, model.outputs, strict=False)}
    found = _named_outputs(roles, model.outputs)
    rest = [tensor for tensor in model.outputs if tensor not in found.values()]
    single = [tensor for tensor in rest if tensor.shape and not any(side != 1 for side in tensor.shape)]
    if "count" not in found and len(single) == 1 and len(model.outputs) >= len(roles):
        found["count"] = single[0]
        rest.remove(single[0])
    whole = [tensor for tensor in rest if "int" in tensor.dtype]
    if "classes" not in found and len(whole) == 1 and not whole[0].scale:
        found["classes"] = whole[0]
        rest.remove(whole[0])
    for role in roles:
        free = [tensor for tensor in rest if role.fits(tensor) or not tensor.shape]
        if role.name not in found and free:
            found[role.name] = free[0]
            rest.remove(free[0])
    return found


# Params that the file shows.

_Params = tuple[dict[str, Any], tuple[str, ...]]


def _ultraface_params(model: ModelFile, _outputs: Mapping[str, Tensor], _labels: int) -> _Params:
    if decodes_boxes(model):
        return {}, ("boxes are taken for corners, because the file decodes them",)
    return {"decoded": False}, ("boxes are taken for deltas of the priors",)


def _segmentation_params(_model: ModelFile, outputs: Mapping[str, Tensor], _labels: int) -> _Params:
    shape = outputs["mask"].shape if "mask" in outputs else ()
    return ({"layout": "nchw"} if len(shape) == 4 and shape[1] < min(shape[2:]) else {}), ()


def _ctc_params(_model: ModelFile, outputs: Mapping[str, Tensor], _labels: int) -> _Params:
    logits = outputs.get("logits")
    if logits is None or "softmax" not in logits.name.lower():
        return {}, ()
    return {"softmax": False}, (f"{logits.name} is taken for probabilities; set params.softmax = true if it has logits",)


def _ssd_params(model: ModelFile, outputs: Mapping[str, Tensor], _labels: int) -> _Params:
    """Classes and scores have the same shape: where neither names nor types tell, a note says which is taken for which."""
    classes, scores = outputs.get("classes"), outputs.get("scores")
    if classes is None or scores is None or _is_post_processed(model):
        return {}, ()
    if any(role.called(outputs[role.name]) for role in _ROLES["ssd"][1:3]) or ("int" in classes.dtype) != ("int" in scores.dtype):
        return {}, ()
    return {}, (f"by their order, {classes.name} is taken for classes, {scores.name} for scores; else swap them in head.outputs",)


def _detr_params(_model: ModelFile, outputs: Mapping[str, Tensor], labels: int) -> _Params:
    """DETR has one more column than classes; RF-DETR, whose logits are called `labels`, and its other relatives have not."""
    logits = outputs.get("logits")
    if (
        logits is not None
        and logits.name != "labels"
        and logits.shape[-1] in (_COCO_CLASSES + 1, labels + 1)
        and logits.shape[-1] > 1
    ):
        note = 'its last column is taken for no object (DETR); if it is a class, set params.activation = "sigmoid"'
        return {"activation": "softmax"}, (note,)
    return {}, ()


_PARAMS: Mapping[str, Callable[[ModelFile, Mapping[str, Tensor], int], _Params]] = {
    "ctc": _ctc_params,
    "detr": _detr_params,
    "segmentation": _segmentation_params,
    "ssd": _ssd_params,
    "ultraface": _ultraface_params,
}
