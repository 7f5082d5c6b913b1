"""Recognizes the head of a detector from the tensors of its loaded file, for model files without a manifest.

Each head refuses outputs that do not fit it, so the heads are tried in an order in which the more specific ones come first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import commonprefix
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import Session
from edgefleet_agent.core import plugins
from edgefleet_agent.vision.heads.base import Head, HeadContext, TensorSpec
from edgefleet_agent.vision.image.preprocess import picture_input
from edgefleet_contract.core.errors import ManifestError, ModelError
from edgefleet_contract.encoding.codec import from_plain
from edgefleet_contract.model_kinds import FAMILY_TABLE, find_family
from edgefleet_contract.package.constant_inputs import known_constant
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec

DETECTORS = (
    "yolo_segmentation",
    "yolo_pose",
    "yolox",
    "yolo",
    "yolo_obb",
    "detection_output",
    "ultraface",
    "ssd",
    "nanodet",
    "efficientdet",
    "detr",
    "ssd_anchors",
    "fcos",
)
"""Built-in heads of detectors. `yolo_pose` is before `yolo`, which takes its key points for classes. `yolox` is before `yolo`,
which also accepts its layout, and before `detection_output`, because a YOLOX of two classes has seven columns, too."""
SSD_OUTPUTS = (3, 4)
POSE_COLUMNS = (56, 57)
"""Columns of a box with the 17 key points of a body, before and after suppression in the model. Other poses need labels."""
POSE_CLASSES_MAX = 5
"""Most labels of a pose that is recognized; more are those of another model."""
QUERIES = (100, 300, 900)
"""Usual numbers of queries, by which one tensor of boxes and scores is known."""
QUERIES_MAX = 1000
COCO_CLASSES = 91
"""Class numbers of COCO with those that are not in use, as DETR has them."""
SHOWN_MAX = 4
"""Outputs that an error names."""


@dataclass(frozen=True, slots=True)
class RecognizedHead:
    """A head and its parameters. usual_input: the preprocessing that is usual for it."""

    name: str
    family: type[Head]
    params: dict[str, Any] = field(default_factory=dict)


def recognize_detector(session: Session, labels: tuple[str, ...], params: Mapping[str, Any]) -> RecognizedHead | None:
    """The head that decodes the outputs of `session` to boxes, of several that fit the one with as many classes as `labels`, then
    the first; None if none fits.

    Raises:
        ManifestError: the input is not a picture. ModelError: the runtime fails in a run that distinguishes corners and deltas.
    """
    picture, others = picture_tensor(session), other_inputs(session)
    fed = {spec.feedback for spec in others}
    width, height = _sides(picture)
    outputs = tuple(spec for spec in session.outputs if spec.name not in fed)
    context = HeadContext({spec.name: spec for spec in outputs}, {}, params, width, height, labels, picture)
    fitting: list[tuple[str, type[Head], int]] = []
    # Detectors that get the size of the picture have their post-processing inside.
    sized = any(spec.value for spec in others)
    for name in dict.fromkeys((*(("detr",) if sized else ()), *DETECTORS, *_installed_detectors())):
        if _may_fit(name, outputs, labels=len(labels), sized=sized):
            family = plugins.load("heads", name, ManifestError)
            head = _made(family, context)
            if head is not None:
                fitting.append((name, family, head.classes))
    if not fitting:
        return None
    name, family, _ = next((each for each in fitting if labels and each[2] == len(labels)), fitting[0])
    return RecognizedHead(name, family, shown_params(name, session, len(labels), params))


def shown_params(name: str, session: Session, labels: int, params: Mapping[str, Any]) -> dict[str, Any]:
    """`params`, and those of the head `name` that the outputs show, as `edgefleet model import` writes them. labels: their
    number, 0: unknown.

    Raises:
        ModelError: the runtime fails in a run that distinguishes corners and deltas.
    """
    shapes = {spec.name: spec.shape for spec in session.outputs}
    found = dict(params)
    if name == "ultraface" and "decoded" not in found and not _gives_corners(session):
        found["decoded"] = False
    if name == "segmentation" and "layout" not in found and len(shapes) == 1:
        (shape,) = shapes.values()
        if len(shape) == 4 and shape[1] < min(shape[2:]):
            found["layout"] = "nchw"
    if name == "detr" and "activation" not in found and len(shapes) == 2:
        columns = {shape[-1] for output, shape in shapes.items() if len(shape) == 3 and output != "labels"}
        # DETR has one more column than classes; its relatives have not.
        if columns & ({COCO_CLASSES + 1} | ({labels + 1} - {4} if labels else set())):
            found["activation"] = "softmax"
    return found


def picture_tensor(session: Session) -> TensorSpec:
    """The input that is a picture: the first of four dimensions with one or three channels, or else the first of all."""
    pictures = (spec for spec in session.inputs if len(spec.shape) == 4 and {spec.shape[1], spec.shape[3]} & {1, 3})
    return next(pictures, session.inputs[0])


def other_inputs(session: Session) -> list[InputSpec]:
    """The inputs beside the picture: constants that are known by name, or else states, each fed by the output of its shape whose
    name ends most like its own.

    Raises:
        ManifestError: no output feeds one of them, or the picture has no fixed size, on which a constant depends.
    """
    picture, others = picture_tensor(session), []
    for spec in session.inputs:
        if spec is picture:
            continue
        if known_constant(spec.name, spec.shape, str(spec.dtype), 1, 1):
            constant = known_constant(spec.name, spec.shape, str(spec.dtype), *_sides(picture))
            assert constant is not None
            others.append(constant)
            continue
        alike = [each.name for each in session.outputs if each.shape == spec.shape and each.dtype == spec.dtype]
        if not alike:
            raise ManifestError(
                f"input {spec.name!r} {list(spec.shape)} is no picture, and no output feeds it; write a model.toml"
            )
        feeding = max(alike, key=lambda name: len(commonprefix([name[::-1], spec.name[::-1]])))
        plain = {"kind": "tensor", "name": spec.name, "shape": list(spec.shape), "dtype": str(spec.dtype), "feedback": feeding}
        others.append(from_plain(plain, InputSpec))
    return others


def _installed_detectors() -> list[str]:
    """Heads of plug-ins whose family is one of detectors."""
    installed = plugins.installed("heads")
    return [name for name in installed if name in FAMILY_TABLE.names() and find_family(name).task == "detection"]


def _made(family: type[Head], context: HeadContext) -> Head | None:
    """The head; None if it refuses the outputs."""
    try:
        return family(context)
    except ManifestError:
        return None


def _may_fit(name: str, outputs: tuple[TensorSpec, ...], *, labels: int, sized: bool) -> bool:
    """Whether the number of outputs and their ranks fit a head that does not check them, because a manifest names them. labels:
    their number, 0: unknown. sized: the model gets the size of the picture."""
    first = outputs[0].shape
    if name == "ssd":
        return len(outputs) in SSD_OUTPUTS and len(first) == 3 and all(len(spec.shape) <= 2 for spec in outputs[1:])
    if name == "ultraface":
        return len(outputs) == 2 and any(spec.shape[-1:] == (2,) for spec in outputs)
    if name == "detection_output":
        return len(outputs) == 1 and len(first) == 4 and first[1] == 1
    if name == "detr":
        if len(outputs) <= 2 and any(len(spec.shape) == 2 for spec in outputs):
            return sized  # a table of rows, whose shape a classifier may have, too
        joined = len(outputs) == 1 and len(first) == 3 and first[1] in QUERIES and outputs[0].dtype.kind == "f"
        return joined or (len(outputs) in (2, 3) and all(spec.shape[1:2] <= (QUERIES_MAX,) for spec in outputs))
    if name in ("yolo", "yolo_obb", "yolox"):
        return len(outputs) == 1
    if name == "yolo_pose":
        other = 0 < labels <= POSE_CLASSES_MAX and first[1:2] not in {(count,) for count in QUERIES}
        return len(outputs) == 1 and (bool(set(POSE_COLUMNS) & set(first[1:])) or other)
    return name not in FAMILIES or len(outputs) > 1


def _gives_corners(session: Session) -> bool:
    """Whether the boxes of an UltraFace are corners, decoded in the file, and not deltas of priors: of corners, the second is
    never before the first. A blank picture shows it, because every prior has its box."""
    blank = {spec.name: np.zeros([max(1, side) for side in spec.shape], spec.dtype) for spec in session.inputs}
    outputs = session.infer(blank)
    boxes = next((outputs[spec.name].reshape(-1, 4) for spec in session.outputs if spec.shape[-1:] == (4,)), None)
    return boxes is None or bool((boxes[:, 2:] >= boxes[:, :2]).all())


def _sides(picture: TensorSpec) -> tuple[int, int]:
    """Width and height of the picture input.

    Raises:
        ManifestError: it is no picture of a fixed size.
    """
    spec = picture_input(FAMILIES["yolo"].input, picture)
    height, width = picture.shape[1:3] if spec.layout == "nhwc" else picture.shape[2:]
    if min(width, height) < 1:
        raise ManifestError(f"input {picture.name!r} of shape {list(picture.shape)} has no fixed size; export it with one")
    return width, height


def unrecognized(file: str, session: Session) -> ModelError:
    """The error for a file that no detector's head fits."""
    shapes = ", ".join(f"{spec.name} {list(spec.shape)}" for spec in session.outputs[:SHOWN_MAX])
    more = ", ..." if len(session.outputs) > SHOWN_MAX else ""
    return ModelError(
        f"{file}: not a detector that is recognized: its outputs are {shapes}{more}; use a detector, or give its --head"
    )
