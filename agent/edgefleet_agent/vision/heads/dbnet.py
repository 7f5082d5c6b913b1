"""Text detection by a map of probabilities: rotated boxes around the regions of the map, without reading them.

Liao et al., Real-time Scene Text Detection with Differentiable Binarization, AAAI 2020: models are trained on regions that are
shrunk, so that lines do not touch; each found region is grown again by its area * `unclip` / its perimeter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

import cv2
import numpy as np

from edgefleet_agent.vision.box_parts import BoxParts
from edgefleet_agent.vision.detections import Detections, Floats
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, check_family_params, find_output, number_param
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, refusal, sound_boxes
from edgefleet_agent.vision.nms import best_first
from edgefleet_agent.vision.rotated_boxes import quads_of, upright
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec

REGIONS_MAX: Final = 1000
"""Most regions of a picture; the largest."""
SIDE_MIN: Final = 3.0
"""Shortest side of a region, in cells of the map: smaller ones are noise."""


class DbnetHead(Head):
    """Output `map` [1, 1, rows, columns], also [1, rows, columns, 1] and [1, rows, columns]: the probability that a cell is text.

    The result is the upright boxes around the regions, of one class, with the corners of the rotated ones. The score of a box is
    the mean of its cells.

    params:
        threshold  probability from which on a cell belongs to a region (default 0.3)
        unclip     how far a region grows (default 1.5)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["dbnet"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "dbnet")
        spec = find_output(context, "map", 0)
        self._threshold = number_param(context, "threshold", 0.3, 0.0, 1.0)
        self._unclip = number_param(context, "unclip", 1.5, 0.0, 10.0)
        self._tensors = OutputTensors(context, "dbnet")
        self._map = self._tensors.add(spec, "1, 1, rows, columns", "1, rows, columns, 1", "1, rows, columns")
        if min(context.input_width, context.input_height) < 1:
            raise refusal("dbnet", "is a map of a picture, and the model has no picture input of a fixed size", (spec,))
        self.classes = 1

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        (stored,) = self._tensors.arrays(outputs)
        channel_last = stored.ndim == 4 and stored.shape[1] != 1
        sides_of_map = stored.shape[1:3] if channel_last else stored.shape[-2:]
        cells = np.nan_to_num(self._map.real(stored.reshape(sides_of_map)))
        sides, angles, scores = self._regions(cells, min_score)
        order = best_first(scores)
        rows, columns = cells.shape
        scale = np.array([self.context.input_width / columns, self.context.input_height / rows], np.float32)
        quads = quads_of(sides[order], angles[order]) * scale
        boxes, sound = sound_boxes(upright(quads), scores[order], np.zeros(len(order), np.int32))
        return Detections(boxes.boxes, boxes.scores, boxes.class_ids, parts=BoxParts(corners=quads[sound]))

    def _regions(self, cells: Floats, min_score: float) -> tuple[Floats, Floats, Floats]:
        """Regions in cells of the map: (n, 4) centre, width, height; (n,) radians clockwise, -pi/4 to pi/4; (n,) scores."""
        mask = (cells >= self._threshold).astype(np.uint8)
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        if len(outlines) > REGIONS_MAX:
            outlines = sorted(outlines, key=cv2.contourArea, reverse=True)[:REGIONS_MAX]
        found = []
        for outline in outlines:
            rectangle = cv2.minAreaRect(outline)
            (x, y), (width, height), degrees = rectangle
            if min(width, height) < SIDE_MIN:
                continue
            score = _mean_within(cells, np.asarray(cv2.boxPoints(rectangle), np.float32))
            if score < min_score:
                continue
            turns = round(degrees / 90)  # versions of OpenCV differ in which side is the width
            width, height = (height, width) if turns % 2 else (width, height)
            grown = width * height * self._unclip / (width + height)  # on both sides together
            found.append((x + 0.5, y + 0.5, width + grown, height + grown, np.radians(degrees - 90 * turns), score))
        table = np.array(found, np.float32).reshape(-1, 6)
        return table[:, :4], table[:, 4], table[:, 5]


def _mean_within(cells: Floats, corners: Floats) -> float:
    """Mean of the cells in a rotated rectangle."""
    rows, columns = cells.shape
    left, top = np.clip(np.floor(corners.min(axis=0)), 0, [columns - 1, rows - 1]).astype(int)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)), 0, [columns - 1, rows - 1]).astype(int)
    within = np.zeros((bottom - top + 1, right - left + 1), np.uint8)
    cv2.fillPoly(within, [np.rint(corners - [left, top]).astype(np.int32)], 1)
    return float(cv2.mean(cells[top : bottom + 1, left : right + 1], within)[0])
