"""Text recognition: class scores for each position along the text line, decoded by connectionist temporal classification.

Greedy decoding (Graves et al., 2006): the best class of each position; repeats of one class are one character, and the blank
separates characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

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
from edgefleet_agent.vision.results import Text
from edgefleet_contract.core.errors import ManifestError
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
        check_params(context, ("blank", "softmax"))
        spec = find_output(context, "logits", 0)
        if not context.labels:
            raise ManifestError("head ctc: the alphabet is missing; specify it as `labels`, one character each")
        self._classes = spec.shape[-1]
        letters, more = list(context.labels), self._classes - 1 - len(context.labels)
        if len(spec.shape) not in (2, 3) or (len(spec.shape) == 3 and not {1, -1} & set(spec.shape[:2])) or more not in (0, 1):
            expected = f"[1, places, {len(letters) + 1}] for {len(letters)} labels and a blank"
            raise ManifestError(f"head ctc: output {spec.name!r} has shape {list(spec.shape)}, expected {expected}")
        blank = int(number_param(context, "blank", 0, -1, self._classes - 1))
        self._blank = blank % self._classes
        self._letters = [*letters, *[" "] * more]
        self._letters.insert(self._blank, "")
        self._softmax = flag_param(context, "softmax", True)
        self._scores = Quantity(spec)

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Text:  # noqa: ARG002 - text has no threshold
        scores = self._scores.real(outputs[self._scores.name]).reshape(-1, self._classes)
        if self._softmax:
            raised = np.exp(scores - scores.max(axis=1, keepdims=True))
            scores = raised / raised.sum(axis=1, keepdims=True)
        best = scores.argmax(axis=1)
        sure = scores[np.arange(len(best)), best]
        starts = np.flatnonzero(np.diff(best, prepend=-1))
        if not len(starts):
            return Text("", np.empty(0, np.float32))
        most = np.maximum.reduceat(sure, starts)  # best score among the positions of one character
        read = best[starts] != self._blank
        text = "".join(self._letters[number] for number in best[starts][read].tolist())
        return Text(text, np.clip(most[read], 0.0, 1.0).astype(np.float32))
