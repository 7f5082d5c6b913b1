"""Pacing of frames for sources without a clock of their own."""

from __future__ import annotations

import math
import threading
import time

LATE_S_MAX = 1.0
"""A realtime source that is later than this (the machine slept) continues from now instead of catching up."""


class Pacer:
    """Delays frames until their media time."""

    def __init__(self, closing: threading.Event) -> None:
        self._closing = closing
        self._started_s: float | None = None

    def wait_for(self, media_s: float) -> bool:
        """False when the source was closed while waiting."""
        now_s = time.monotonic()
        if self._started_s is None or now_s - self._started_s - media_s > LATE_S_MAX:
            self._started_s = now_s - media_s
        return not self._closing.wait(max(0.0, self._started_s + media_s - now_s))


class Thinner:
    """Limits frames to `fps` in a second of media; 0: no limit."""

    def __init__(self, fps: float) -> None:
        self._fps = fps
        self._last = -1

    def takes(self, media_s: float) -> bool:
        """Whether the frame of this media time passes."""
        if not self._fps:
            return True
        # The half of a microsecond keeps k/fps, which floats cannot hold exactly, in its own interval.
        interval = math.floor(media_s * self._fps + 5e-7 * self._fps)
        fresh = interval != self._last
        self._last = interval
        return fresh
