"""One picture of a source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

PixelLayout = Literal["i420", "rgb", "bgr", "gray"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture with its time. Pixels are borrowed from the decoder: never write to them, never store them.

    layout `i420`: `planes` are Y (height, width), U and V (ceil(height/2), ceil(width/2)), uint8, limited range unless
    `full_range`; rows may have a stride. `rgb`, `bgr`: one plane (height, width, 3). `gray`: one plane (height, width).

    index: number of the frame in its source, from 0, skipped ones included. media_s: time within the source, by which durations
    are measured. captured_at_s: monotonic time at which the process received it.
    """

    index: int
    media_s: float
    captured_at_s: float
    width: int
    height: int
    layout: PixelLayout
    planes: tuple[npt.NDArray[np.uint8], ...]
    full_range: bool = False
