"""The data that passes between the stages of a pipeline."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.box_parts import BoxParts

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Detections:
    """n boxes as parallel arrays, in pixels of the source frame.

    boxes (n, 4) float32 x1, y1, x2, y2 · scores (n,) float32 0..1 · class_ids (n,) int32 ·
    track_ids (n,) int32, -1 for untracked boxes · parts: key points, masks or rotated corners of the boxes, None without any.

    Raises:
        ValueError: the arrays do not match; the text gives the expected and the actual shape.
    """

    boxes: Floats
    scores: Floats
    class_ids: Ints
    track_ids: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    parts: BoxParts | None = None

    def __post_init__(self) -> None:
        count = len(self.scores)
        if self.boxes.shape != (count, 4):
            raise ValueError(f"boxes: expected shape {(count, 4)}, got {self.boxes.shape}")
        if self.class_ids.shape != (count,):
            raise ValueError(f"class_ids: expected shape {(count,)}, got {self.class_ids.shape}")
        if len(self.track_ids) != count:
            if len(self.track_ids):
                raise ValueError(f"track_ids: expected shape {(count,)}, got {self.track_ids.shape}")
            object.__setattr__(self, "track_ids", np.full(count, -1, np.int32))
        if self.parts is not None and not self.parts.fits(count):
            raise ValueError(f"parts: not those of {count} boxes")

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, chosen: Bools | Ints | slice) -> Detections:
        """The chosen rows: by mask, by indices or by slice."""
        parts = self.parts[chosen] if self.parts is not None else None
        return Detections(self.boxes[chosen], self.scores[chosen], self.class_ids[chosen], self.track_ids[chosen], parts)

    def with_tracks(self, track_ids: Ints) -> Detections:
        """The same boxes with their track numbers."""
        return replace(self, track_ids=track_ids)

    @staticmethod
    def empty() -> Detections:
        """No box."""
        return Detections(np.empty((0, 4), np.float32), np.empty(0, np.float32), np.empty(0, np.int32))


@dataclass(frozen=True, slots=True)
class Classes:
    """A classifier's result: scores (classes,) float32 for the whole picture."""

    scores: Floats

    def top(self, count: int) -> list[tuple[int, float]]:
        """The `count` best (class id, score), best first; equal scores in class order."""
        order = np.argsort(-self.scores, kind="stable")[:count]
        return [(int(index), float(self.scores[index])) for index in order]
