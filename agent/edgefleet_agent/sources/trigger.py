"""External trigger of a camera: full analysis for a time, started by a door contact, another camera or home automation."""

from __future__ import annotations

import time

SECONDS_MAX = 3600.0


class Trigger:
    """The trigger of one camera. Thread-safe."""

    def __init__(self) -> None:
        self._until_s = 0.0

    def pull(self, seconds: float) -> None:
        """Activate for this time from now, an hour at most; 0: deactivate."""
        self._until_s = time.monotonic() + min(max(seconds, 0.0), SECONDS_MAX)

    @property
    def active(self) -> bool:
        """Whether every frame is to be analysed."""
        return time.monotonic() < self._until_s
