"""Classifiers: one score a class for the whole picture."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Classes
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, check_family_params, find_output, flag_param, number_param
from edgefleet_agent.vision.heads.output_tensors import OutputTensors
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
        check_family_params(context, "classification")
        spec = find_output(context, "scores", 0)
        self._background = flag_param(context, "background", False)
        self._softmax = flag_param(context, "softmax", False)
        # An 8-bit output of unknown scale can only be a probability: 1/256 a step, as in TensorFlow's own softmax.
        usual = 1 / 256 if spec.dtype.itemsize == 1 and not self._softmax else 1.0
        lowest = -128 if spec.dtype == np.int8 and not self._softmax else 0
        first = "1 + " * self._background
        self._tensors = OutputTensors(context, "classification")
        self._scores = self._tensors.add(
            spec,
            *(f"{before}{first}classes{after}" for before, after in (("1, ", ""), ("1, ", ", 1, 1"), ("1, ", ", 1"), ("", ""))),
            scale=number_param(context, "scale", usual, 1e-12, 1e6),
            zero_point=int(number_param(context, "zero_point", lowest, -(2**31), 2**31)),
            undeclared=True,
        )
        self.classes = self._tensors.count("classes")

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Classes:  # noqa: ARG002 - a classifier has no threshold
        (stored,) = self._tensors.arrays(outputs)
        scores = self._scores.real(stored.reshape(-1))
        if self._softmax:
            raised = np.exp(scores - scores.max())
            scores = raised / raised.sum()
        scores = np.array(scores[int(self._background) :], np.float32)
        # A damaged score counts as none. It makes the sum one; testing each takes longer.
        return Classes(scores if isfinite(scores.sum()) else np.nan_to_num(scores))
