"""A frame to a model's input tensor, and the way back for boxes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agent.vision.detections import Floats


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where a frame of `width` x `height` pixels lies in the model's input: input = frame * scale + offset, per axis."""

    width: int
    height: int
    scale_x: float
    scale_y: float
    offset_x: float = 0.0
    offset_y: float = 0.0

    def to_frame(self, boxes: Floats) -> Floats:
        """Boxes (n, 4) x1, y1, x2, y2 in pixels of the input to pixels of the frame, clipped to it."""
        offset = np.array([self.offset_x, self.offset_y] * 2, np.float32)
        scale = np.array([self.scale_x, self.scale_y] * 2, np.float32)
        limit = np.array([self.width, self.height] * 2, np.float32)
        return np.clip((boxes - offset) / scale, np.float32(0), limit)
