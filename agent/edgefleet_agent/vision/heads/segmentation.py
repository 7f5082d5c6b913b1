"""Semantic segmentation: a class for every pixel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, check_family_params, find_output
from edgefleet_agent.vision.heads.output_tensors import CLASS_MAX, OutputTensors
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
        check_family_params(context, "segmentation")
        spec = find_output(context, "mask", 0)
        layout = context.params.get("layout", "nhwc")
        if layout not in ("nhwc", "nchw"):
            raise ManifestError(f"head segmentation: param 'layout' must be nhwc or nchw, got {layout!r}")
        self._axis = 0 if layout == "nchw" else 2
        self._scored = len(spec.shape) == 4 and spec.shape[-1 if layout == "nhwc" else 1] != 1
        self._tensors = OutputTensors(context, "segmentation")
        if self._scored:
            self._tensors.add(spec, "1, rows, columns, classes" if layout == "nhwc" else "1, classes, rows, columns")
            self.classes = self._tensors.count("classes")
        else:
            numbered = "1, rows, columns, 1" if layout == "nhwc" else "1, 1, rows, columns"
            self._tensors.add(spec, numbered, "1, rows, columns", kinds="iu", hint=" (without scores; class numbers are whole)")

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Mask:  # noqa: ARG002 - every pixel has a class
        (stored,) = self._tensors.arrays(outputs)
        stored = stored[0]
        # Stored scores have the same order as real ones: the largest is found without dequantization.
        if self._scored:
            return Mask(stored.argmax(axis=self._axis).astype(np.int32))
        if stored.ndim == 3:
            stored = stored.squeeze(self._axis)
        return Mask(np.clip(stored.astype(np.int64), 0, CLASS_MAX).astype(np.int32))
