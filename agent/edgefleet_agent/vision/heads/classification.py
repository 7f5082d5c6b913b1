"""Classifiers: one score a class for the whole picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Classes
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    Quantity,
    check_params,
    find_output,
    flag_param,
    number_param,
)
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class ClassificationHead(Head):
    """Outputs: `scores` [1, classes] (also [1, 1, 1, classes]).

    params:
        softmax     true if the model gives logits (default false: scores are used unchanged)
        scale       of a quantized output whose runtime does not report it (default 1)
        zero_point  of such an output (default 0)
        background  true if the first score is that of the background, for which there is no label (default false): it is left out
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["classification"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_params(context, ("softmax", "scale", "zero_point", "background"))
        spec = find_output(context, "scores", 0)
        batch = len(spec.shape) > 1 and spec.shape[0] == -1
        wide = [side for side in spec.shape[batch:] if side != 1]
        if len(wide) > 1:
            raise ManifestError(f"head classification: output {spec.name!r} has shape {list(spec.shape)}, expected [1, classes]")
        self._background = flag_param(context, "background", False)
        self.classes = max(0, wide[0] - self._background) if wide else 0
        self._softmax = bool(context.params.get("softmax", False))
        self._name = spec.name
        # An 8-bit output of unknown scale can only be a probability: 1/256 a step, as in TensorFlow's own softmax.
        usual = 1 / 256 if spec.dtype.itemsize == 1 and not self._softmax else 1.0
        lowest = -128 if spec.dtype == np.int8 and not self._softmax else 0
        self._scores = Quantity(
            spec,
            number_param(context, "scale", usual, 1e-12, 1e6),
            int(number_param(context, "zero_point", lowest, -(2**31), 2**31)),
        )

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Classes:  # noqa: ARG002 - a classifier has no threshold
        scores = self._scores.real(outputs[self._name].reshape(-1))
        if self._softmax:
            raised = np.exp(scores - scores.max())
            scores = raised / raised.sum()
        return Classes(np.array(scores[int(self._background) :], np.float32))
