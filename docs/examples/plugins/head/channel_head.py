"""The head of the family `channels`: the mean of each colour becomes the score of a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from channel_family import CHANNELS

from edgefleet_agent.vision.detections import Classes
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, Quantity, check_params, find_output, number_param
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.manifest import InputSpec


class ChannelHead(Head):
    """Outputs: `means` [1, channels], 0..1.

    params:
        power     exponent of the means before they are scaled to a sum of 1 (default 1; 0.1 to 10)
    """

    usual_input: ClassVar[InputSpec] = CHANNELS.input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_params(context, ("power",))
        spec = find_output(context, "means", 0)
        if len(spec.shape) != 2 or spec.shape[0] not in (1, -1):
            raise ManifestError(f"head channels: output {spec.name!r} has shape {list(spec.shape)}, expected [1, channels]")
        self._power = number_param(context, "power", 1.0, 0.1, 10.0)
        self._name = spec.name
        self._means = Quantity(spec)

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Classes:
        means = self._means.real(outputs[self._name].reshape(-1)).clip(0.0, None) ** np.float32(self._power)
        return Classes((means / max(float(means.sum()), 1e-9)).astype(np.float32))
