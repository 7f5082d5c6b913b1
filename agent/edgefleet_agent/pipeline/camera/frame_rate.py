"""How many looks a second a pipeline takes: fewer while nobody is where it matters."""

from __future__ import annotations

EARLY = 0.2
"""A frame may be this share of the wished period too early: frames do not come in even steps."""


class FrameRate:
    """One pipeline. base_fps: while no zone asks for more; 0 = every frame, whatever zones say."""

    def __init__(self, base_fps: float) -> None:
        self._base_fps = base_fps
        self._last_s: float | None = None

    def due(self, media_s: float, rate: float) -> bool:
        """Whether to look at the frame of that time. rate: what a zone with somebody in it asks for, or 0."""
        fps = max(self._base_fps, rate) if self._base_fps else 0.0
        last_s = self._last_s
        if fps and last_s is not None and -1.0 / fps <= media_s - last_s < (1.0 - EARLY) / fps:
            return False
        # Late frames do not add up: the next is due one period after this one should have come.
        on_time = last_s is not None and fps > 0 and media_s - last_s < 2.0 / fps
        self._last_s = max(last_s + 1.0 / fps, media_s - EARLY / fps) if on_time and last_s is not None else media_s
        return True
