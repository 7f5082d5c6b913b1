"""State of stateful models by stream: outputs of one frame that are inputs of the next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.manifest import InputSpec

Array = npt.NDArray[Any]

STREAMS_MAX = 64
"""Limit of stored streams of one model; the least recently used one is dropped and starts with zeros if it returns."""


class StateTensors:
    """States by stream. Used by the thread that runs the model.

    Raises:
        ManifestError: an input has no source, or does not match the output that feeds it.
    """

    def __init__(self, specs: Sequence[InputSpec], inputs: Sequence[TensorSpec], outputs: Sequence[TensorSpec]) -> None:
        tensors, sources = ({each.name: each for each in side} for side in (inputs, outputs))
        self._from: dict[str, str] = {}
        self._start: dict[str, Array] = {}
        self._states: OrderedDict[str, dict[str, Array]] = OrderedDict()
        for spec in specs:
            if spec.kind != "tensor" or not spec.feedback:
                text = 'name the output that feeds it: feedback = "...", or give its value = [...]'
                raise ManifestError(f"input {spec.name!r} is not an image; {text}")
            if spec.name not in tensors or spec.feedback not in sources:
                raise ManifestError(
                    f"input {spec.name!r} fed from {spec.feedback!r}: the model has {list(tensors)} and {list(sources)}"
                )
            tensor, source = tensors[spec.name], sources[spec.feedback]
            if tensor.shape != source.shape or tensor.dtype != source.dtype or min(tensor.shape, default=0) < 1:
                raise ManifestError(
                    f"input {spec.name!r} {tensor.dtype} {list(tensor.shape)} cannot be fed from {spec.feedback!r} "
                    f"{source.dtype} {list(source.shape)}"
                )
            self._from[spec.name] = spec.feedback
            self._start[spec.name] = np.full(tensor.shape, tensor.zero_point, tensor.dtype)

    @property
    def any(self) -> bool:
        """Whether the model is stateful."""
        return bool(self._from)

    def inputs(self, stream: str) -> Mapping[str, Array]:
        """The state of `stream` as inputs by name; zeros for a new stream."""
        return self._states.get(stream, self._start)

    def keep(self, stream: str, outputs: Mapping[str, Array]) -> None:
        """Store the state in `outputs`. It is copied, because a runtime may reuse its arrays."""
        if not self._from:
            return
        self._states[stream] = {name: np.array(outputs[source], order="C") for name, source in self._from.items()}
        self._states.move_to_end(stream)
        if len(self._states) > STREAMS_MAX:
            self._states.popitem(last=False)
