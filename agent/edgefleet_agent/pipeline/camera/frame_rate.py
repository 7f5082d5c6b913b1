"""Limits the analyzed frames a second of a pipeline; occupied zones may raise the limit."""

from __future__ import annotations

EARLY = 0.2
"""Share of the period by which a frame may be early: frames do not come in even steps."""


class FrameRate:
    """One pipeline. base_fps: limit while no zone raises it; 0 = every frame, independent of zones."""

    def __init__(self, base_fps: float) -> None:
        self._base_fps = base_fps
        self._last_s: float | None = None

    def due(self, media_s: float, rate: float) -> bool:
        """Whether to analyze the frame of that time. rate: highest `fps` of the occupied zones, or 0."""
        fps = max(self._base_fps, rate) if self._base_fps else 0.0
        last_s = self._last_s
        if fps and last_s is not None and -1.0 / fps <= media_s - last_s < (1.0 - EARLY) / fps:
            return False
        # Delays do not add up: the next frame is due one period after this one was due.
        on_time = last_s is not None and fps > 0 and media_s - last_s < 2.0 / fps
        self._last_s = max(last_s + 1.0 / fps, media_s - EARLY / fps) if on_time and last_s is not None else media_s
        return True
