"""Runs several pictures at once through a model with a dynamic batch dimension, which reduces the time for crops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_agent.backends.base import Session
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.heads.base import Head
from edgefleet_agent.vision.heads.output_tensors import check_numbers
from edgefleet_agent.vision.image.constant_arrays import repeated
from edgefleet_agent.vision.image.preprocess import Preprocessor, Workspace
from edgefleet_agent.vision.results import Result

BATCH_MAX = 8
"""Pictures in one run; more would only delay the first."""


class CropBatch:
    """One model's input of `BATCH_MAX` rows. Used by the thread that runs the model. constants: its other inputs, for one
    picture."""

    def __init__(
        self, preprocessor: Preprocessor, head: Head, input_name: str, constants: Mapping[str, npt.NDArray[Any]]
    ) -> None:
        self._preprocessor = preprocessor
        self._head = head
        self._input = input_name
        self._constants = constants
        self._size = (preprocessor.width, preprocessor.height)
        self._tensor: npt.NDArray[Any] = np.empty((BATCH_MAX, *preprocessor.shape[1:]), preprocessor.dtype)
        self._rows: list[Workspace] = [preprocessor.workspace(self._tensor[row : row + 1]) for row in range(BATCH_MAX)]

    def run(self, session: Session, frames: Sequence[Frame], min_score: float) -> list[Result] | None:
        """One answer for each of at most `BATCH_MAX` frames; None if the outputs have not one row for each: the first axis
        is no batch axis.

        Raises:
            ModelError: the runtime failed, or computed NaN.
        """
        geometries = [self._preprocessor.run(frame, row) for frame, row in zip(frames, self._rows, strict=False)]
        constants = repeated(self._constants, session.inputs, len(frames))
        outputs = session.infer({self._input: self._tensor[: len(frames)], **constants})
        if any(array.shape[:1] != (len(frames),) for array in outputs.values()):
            return None
        check_numbers(outputs)
        return [
            geometry.place(
                self._head.decode({name: array[row : row + 1] for name, array in outputs.items()}, min_score), self._size
            )
            for row, geometry in enumerate(geometries)
        ]
