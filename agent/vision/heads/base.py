"""What a model family is to the rest of the house: outputs by name in, detections or classes out.

A head knows no runtime. It is built once per loaded model from the manifest's `[head]` and the tensors the session really has;
a wrong layout is refused then, not at the first frame. Boxes leave a head in pixels of the model's *input*; the geometry of
the preprocessing turns them into pixels of the frame.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from agent.vision.detections import Classes, Detections

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """One tensor of a loaded model. `scale` 0 means: not quantized. real = (stored - zero_point) * scale."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    scale: float = 0.0
    zero_point: int = 0


@dataclass(frozen=True, slots=True)
class HeadContext:
    """What a head is built from. input_width, input_height: pixels of the model's picture input."""

    outputs: Mapping[str, TensorSpec]
    names: Mapping[str, str]
    params: Mapping[str, Any]
    input_width: int
    input_height: int
    labels: tuple[str, ...] = field(default=())


class Head(ABC):
    """Decodes one model's outputs.

    Constructors take a `HeadContext` and raise `agent.errors.ManifestError` when outputs or parameters do not fit the family.
    """

    def __init__(self, context: HeadContext) -> None:
        self.context = context

    @abstractmethod
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections | Classes:
        """Outputs of one picture (as the runtime gave them, still quantized where the model is) to boxes scoring >= min_score.

        A classifier ignores `min_score` and returns every class.
        """
