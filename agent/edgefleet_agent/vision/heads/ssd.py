"""SSD with post-processing inside the model: TFLite_Detection_PostProcess and similar operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, Quantity, check_params, find_output, number_param
from edgefleet_agent.vision.nms import best_first
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class SsdHead(Head):
    """Outputs: `boxes` [1, n, 4] ymin, xmin, ymax, xmax in 0..1 of the input · `classes` [1, n] · `scores` [1, n] · `count` [1]
    (optional). Without names in the manifest they are taken in this order.

    params:
        class_offset  added to the class number the model gives (default 0)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["ssd"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_params(context, ("class_offset",))
        roles = ("boxes", "classes", "scores")
        specs = {role: find_output(context, role, position) for position, role in enumerate(roles)}
        if specs["boxes"].shape[-1:] != (4,):
            shape = list(specs["boxes"].shape)
            raise ManifestError(f"head ssd: output {specs['boxes'].name!r} has shape {shape}, not [1, n, 4]; set [head.outputs]")
        self._tensors = {role: Quantity(spec) for role, spec in specs.items()}
        counted = "count" in context.names or len(context.outputs) > len(roles)
        self._count = Quantity(find_output(context, "count", 3)) if counted else None
        self._offset = int(number_param(context, "class_offset", 0, -1000, 1000))
        width, height = context.input_width, context.input_height
        self._scale = np.array([width, height, width, height], np.float32)

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        boxes, classes, scores = (outputs[tensor.name] for tensor in self._tensors.values())
        boxes, classes, scores = boxes.reshape(-1, 4), classes.reshape(-1), scores.reshape(-1)
        count = len(scores)
        if self._count is not None:
            count = min(count, int(self._count.real(outputs[self._count.name].reshape(-1)[:1])[0]))
        (chosen,) = np.nonzero(self._tensors["scores"].reaching(scores[:count], min_score))
        real = self._tensors["scores"].real(scores[chosen])
        chosen, real = chosen[order := best_first(real)], real[order]
        corners = self._tensors["boxes"].real(boxes[chosen])[:, [1, 0, 3, 2]] * self._scale
        numbers = np.rint(self._tensors["classes"].real(classes[chosen])).astype(np.int32) + self._offset
        return Detections(corners, np.array(real, np.float32), numbers.astype(np.int32))
