"""A frame on its way through a model: its input, and its result with the duration of each step."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from edgefleet_agent.vision.image.preprocess import Geometry, Workspace
from edgefleet_agent.vision.results import Result

Array = npt.NDArray[Any]


class PreparedInput:
    """A frame as the model's input. Its buffer returns to the model when this object is deleted; hold it until decoded."""

    __slots__ = ("_free", "_workspace", "geometry", "inputs", "pre_ms")

    def __init__(
        self, workspace: Workspace, free: deque[Workspace], geometry: Geometry, inputs: Mapping[str, Array], pre_ms: float
    ) -> None:
        self.geometry = geometry
        self.inputs = inputs
        self.pre_ms = pre_ms
        self._workspace = workspace
        self._free = free

    def __del__(self) -> None:
        self._free.append(self._workspace)


@dataclass(frozen=True, slots=True)
class Inference:
    """The result of one frame and the duration of each step."""

    result: Result
    pre_ms: float
    invoke_ms: float
    post_ms: float
