"""Text recognition: class scores for each position along the text line, decoded by connectionist temporal classification.

Greedy decoding (Graves et al., 2006): the best class of each position; repeats of one class are one character, and the blank
separates characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, check_family_params, find_output, flag_param, number_param
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, refusal
from edgefleet_agent.vision.results import Text
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class CtcHead(Head):
    """Output `logits` [1, places, classes], also [places, 1, classes] and [places, classes]. The alphabet is the package's
    labels, in the order of the classes without the blank; one class more than labels and blank, the last, is the space.

    params:
        blank    class of the blank (default 0; -1 is the last)
        softmax  whether the model gives logits (default true) or probabilities
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["ctc"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "ctc")
        spec = find_output(context, "logits", 0)
        letters = list(context.labels)
        if not letters:
            raise refusal("ctc", "has no alphabet: the alphabet is missing; specify it as `labels`, one character each", (spec,))
        more = int(spec.shape[-1:] == (len(letters) + 2,))
        self._classes = len(letters) + 1 + more
        self._tensors = OutputTensors(context, "ctc")
        self._scores = self._tensors.add(
            spec,
            *(f"{sides}, {self._classes}" for sides in ("1, places", "places, 1", "places")),
            hint=f" for {len(letters)} labels and a blank",
        )
        blank = int(number_param(context, "blank", 0, -1, self._classes - 1))
        self._blank = blank % self._classes
        self._letters = [*letters, *[" "] * more]
        self._letters.insert(self._blank, "")
        self._softmax = flag_param(context, "softmax", True)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Text:  # noqa: ARG002 - text has no threshold
        (stored,) = self._tensors.arrays(outputs)
        scores = self._scores.real(stored).reshape(-1, self._classes)
        if self._softmax:
            raised = np.exp(scores - scores.max(axis=1, keepdims=True))
            scores = raised / raised.sum(axis=1, keepdims=True)
        best = scores.argmax(axis=1)
        sure = np.clip(np.nan_to_num(scores[np.arange(len(best)), best]), 0, 1)
        starts = np.flatnonzero(np.diff(best, prepend=-1))
        if not len(starts):
            return Text("", np.empty(0, np.float32))
        most = np.maximum.reduceat(sure, starts)  # best score among the positions of one character
        read = best[starts] != self._blank
        text = "".join(self._letters[number] for number in best[starts][read].tolist())
        return Text(text, np.clip(most[read], 0.0, 1.0).astype(np.float32))
