"""Somebody outside says: look now. A door contact, another camera, a scene of home automation."""

from __future__ import annotations

import time

SECONDS_MAX = 3600.0


class Trigger:
    """One camera's. Pulled and asked from any thread."""

    def __init__(self) -> None:
        self._until_s = 0.0

    def pull(self, seconds: float) -> None:
        """Look at everything for so long from now, an hour at most; 0: no longer."""
        self._until_s = time.monotonic() + min(max(seconds, 0.0), SECONDS_MAX)

    @property
    def active(self) -> bool:
        """Whether everything is to be looked at."""
        return time.monotonic() < self._until_s
