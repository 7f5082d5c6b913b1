"""Embeddings: a picture as a vector whose direction identifies a person or thing (re-identification, retrieval)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, check_family_params, find_output
from edgefleet_agent.vision.heads.output_tensors import OutputTensors
from edgefleet_agent.vision.results import Embedding, normalised
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class EmbeddingHead(Head):
    """Output `embedding` [1, size] (also [1, size, 1, 1]); it is scaled to length 1, so that the dot product of two is their
    cosine. No params.
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["embedding"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "embedding")
        spec = find_output(context, "embedding", 0)
        self._tensors = OutputTensors(context, "embedding")
        self._tensor = self._tensors.add(spec, "1, 1 + further", "1, 1 + further, 1, 1", "1, 1 + further, 1")

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Embedding:  # noqa: ARG002 - a vector has no score
        (stored,) = self._tensors.arrays(outputs)
        return Embedding(normalised(self._tensor.real(stored)))
