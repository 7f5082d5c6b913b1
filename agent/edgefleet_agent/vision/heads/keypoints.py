"""Key points: of one body in the picture (MoveNet, heat maps), or of one face (landmark regression)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, TensorSpec, check_family_params, find_output, flag_param
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, found_points, refusal
from edgefleet_agent.vision.heads.scores import sigmoid
from edgefleet_agent.vision.results import Keypoints
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec

BODY = (
    *("nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow", "right_elbow"),
    *("left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle", "right_ankle"),
)
"""The 17 key points of COCO, in its order."""


POINTS_MAX = 4096
"""Most key points of an object; a mesh of a face has 478."""


class MoveNetHead(Head):
    """Output `keypoints` [1, 1, 17, 3]: y, x in 0..1 of the input and a score, for each point of the body. Labels of the package
    name the points; without labels, COCO's names. No params.
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["movenet"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "movenet")
        spec = find_output(context, "keypoints", 0)
        self._tensors = OutputTensors(context, "movenet")
        self._tensor = self._tensors.add(spec, "1, 1, points, 3")
        self._names = point_names(context, "movenet", spec, self._tensors.known("points")[0], BODY)
        self._scale = np.array([context.input_width, context.input_height], np.float32)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Keypoints:  # noqa: ARG002 - returns all points
        (stored,) = self._tensors.arrays(outputs)
        rows = self._tensor.real(stored).reshape(1, -1, 3)
        return Keypoints(*found_points(rows[:, :, 1::-1] * self._scale, rows[:, :, 2]), self._names)


class LandmarksHead(Head):
    """Output `landmarks` of 2 k numbers: x, y in 0..1 of the input for each point, all with score 1. Labels of the package name
    the points; five points without labels are the eyes, the tip of the nose and the corners of the mouth.

    params:
        object  what the points belong to (default "face")
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["landmarks"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "landmarks")
        spec = find_output(context, "landmarks", 0)
        self._tensors = OutputTensors(context, "landmarks")
        self._tensor = self._tensors.add(spec, "1, 2 * points", "1, 2 * points, 1, 1", "1, points, 2", "1, 2 * points, 1")
        usual = ("left_eye", "right_eye", "nose", "left_mouth", "right_mouth")
        self._names = point_names(context, "landmarks", spec, self._tensors.known("points")[0], usual)
        self._object = str(context.params.get("object", "face"))
        self._scale = np.array([context.input_width, context.input_height], np.float32)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Keypoints:  # noqa: ARG002 - a regression has no scores
        (stored,) = self._tensors.arrays(outputs)
        points = self._tensor.real(stored).reshape(1, -1, 2) * self._scale
        return Keypoints(*found_points(points, np.ones(points.shape[:2], np.float32)), self._names, self._object)


class HeatmapHead(Head):
    """Output `heatmaps`: one map a point, [1, points, rows, columns] or [1, rows, columns, points] (the points are fewer than the
    rows). A point lies at the peak, moved a quarter of a cell towards the higher neighbour (Newell et al., "Stacked Hourglass
    Networks for Human Pose Estimation", section 3.3); its score is the peak.

    params:
        sigmoid  the maps are logits (default false)
        object   what the points belong to (default "person")
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["heatmap"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "heatmap")
        spec = find_output(context, "heatmaps", 0)
        self._tensors = OutputTensors(context, "heatmap")
        self._last = len(spec.shape) == 4 and spec.shape[3] < spec.shape[1]
        self._tensor = self._tensors.add(spec, "1, rows, columns, points" if self._last else "1, points, rows, columns")
        points, rows, columns = self._tensors.known("points", "rows", "columns")
        self._sigmoid = flag_param(context, "sigmoid", False)
        self._object = str(context.params.get("object", "person"))
        self._names = point_names(context, "heatmap", spec, points, BODY)
        self._cell = np.array([context.input_width / columns, context.input_height / rows], np.float32)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Keypoints:  # noqa: ARG002 - returns all points
        (stored,) = self._tensors.arrays(outputs)
        maps = self._tensor.real(stored[0])
        maps = np.moveaxis(maps, 2, 0) if self._last else maps
        count, _, columns = maps.shape
        peaks = maps.reshape(count, -1).argmax(axis=1)
        down, across = np.divmod(peaks, columns)
        each = np.arange(count)
        padded = np.pad(maps, ((0, 0), (1, 1), (1, 1)))
        right = padded[each, down + 1, across + 2] - padded[each, down + 1, across]
        below = padded[each, down + 2, across + 1] - padded[each, down, across + 1]
        places = np.stack([across + 0.5 + 0.25 * np.sign(right), down + 0.5 + 0.25 * np.sign(below)], axis=1)
        scores = maps[each, down, across]
        scores = sigmoid(scores) if self._sigmoid else np.clip(scores, 0, 1)
        return Keypoints(*found_points((places * self._cell)[None], scores[None]), self._names, self._object)


def point_names(context: HeadContext, family: str, spec: TensorSpec, count: int, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the points.

    Raises:
        ManifestError: the package has labels, but not one for each point, or there are more than `POINTS_MAX`.
    """
    if count > POINTS_MAX:
        raise refusal(family, f"has {count} keypoints, more than {POINTS_MAX}; check the head", (spec,))
    names = context.labels or (usual if len(usual) == count else tuple(f"point_{index}" for index in range(count)))
    if len(names) != count:
        text = f"has {count} keypoints, the package has {len(names)} labels; specify one label per keypoint"
        raise refusal(family, text, (spec,))
    return names
