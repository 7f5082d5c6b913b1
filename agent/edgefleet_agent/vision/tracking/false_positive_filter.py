"""Filters false detections of one camera by known properties of its scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.geometry import Place, inside
from edgefleet_contract.pipeline.spec import FilterSpec

Zones = Mapping[str, Sequence[Place]]


def anchor_of(box: Sequence[float], anchor: str) -> Place:
    """The point of a box (x1, y1, x2, y2) that counts for zones and lines: `bottom` or `center`."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2 if anchor == "center" else box[3]


class FalsePositiveFilter:
    """The filter of one stage. zones: polygons by name, in pixels. labels: class number -> name, may grow."""

    def __init__(self, spec: FilterSpec, zones: Zones, width: int, height: int, labels: Sequence[str]) -> None:
        self._spec = spec
        self._area = (spec.min_area * width * height, spec.max_area * width * height)
        self._inside = [zones[name] for name in spec.inside]
        self._outside = [zones[name] for name in spec.outside]
        self._labels = labels

    def __call__(self, found: Detections) -> Detections:
        """The boxes of `found` that pass the filter."""
        if not len(found):
            return found
        spec = self._spec
        sides = np.maximum(found.boxes[:, 2:] - found.boxes[:, :2], 1e-6)
        area, ratio = sides[:, 0] * sides[:, 1], sides[:, 0] / sides[:, 1]
        passed: npt.NDArray[np.bool_] = (area >= self._area[0]) & (area <= self._area[1])
        passed &= (ratio >= spec.min_ratio) & (ratio <= spec.max_ratio)
        if spec.scores:
            least = [spec.scores.get(self._labels[number], 0.0) for number in found.class_ids.tolist()]
            passed &= found.scores >= np.array(least, np.float32)
        if self._inside or self._outside:
            passed &= np.array([self._placed(box) for box in found.boxes.tolist()])
        return found if passed.all() else found[passed]

    def _placed(self, box: Sequence[float]) -> bool:
        place = anchor_of(box, self._spec.anchor)
        if self._inside and not any(inside(place, zone) for zone in self._inside):
            return False
        return not any(inside(place, zone) for zone in self._outside)
