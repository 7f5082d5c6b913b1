"""Semantic segmentation: a class for every pixel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, check_params, find_output
from edgefleet_agent.vision.results import Mask
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class SegmentationHead(Head):
    """Output `mask`, one of

        [1, rows, columns] or [1, rows, columns, 1]    whole numbers: the class (ArgMax inside the model)
        [1, rows, columns, classes]                    a score for each class; the largest wins
        [1, classes, rows, columns]                    the same, if params.layout is nchw

    params:
        layout  nhwc or nchw of scores (default nhwc)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["segmentation"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_params(context, ("layout",))
        spec = find_output(context, "mask", 0)
        layout = context.params.get("layout", "nhwc")
        if layout not in ("nhwc", "nchw"):
            raise ManifestError(f"head segmentation: param 'layout' must be nhwc or nchw, got {layout!r}")
        if len(spec.shape) not in (3, 4) or spec.shape[0] not in (1, -1):
            raise ManifestError(
                f"head segmentation: output {spec.name!r} has shape {list(spec.shape)}, expected [1, rows, columns, ...]"
            )
        self._axis = 0 if layout == "nchw" else 2
        self._scored = len(spec.shape) == 4 and spec.shape[-1 if layout == "nhwc" else 1] != 1
        if self._scored:
            self.classes = max(0, spec.shape[-1 if layout == "nhwc" else 1])
        if not self._scored and spec.dtype.kind not in "iu":
            raise ManifestError(
                f"head segmentation: output {spec.name!r} is {spec.dtype} without scores; class numbers are whole"
            )
        self._name = spec.name

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Mask:  # noqa: ARG002 - every pixel has a class
        stored = outputs[self._name][0]
        # Stored scores have the same order as real ones: the largest is found without dequantization.
        if self._scored:
            stored = stored.argmax(axis=self._axis)
        elif stored.ndim == 3:
            stored = stored.squeeze(self._axis)
        return Mask(np.maximum(stored, 0).astype(np.int32))
