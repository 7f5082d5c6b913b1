"""The time by which data is deleted. A clock that leaps ahead, such as one whose battery is empty or whose time server is wrong,
would make everything old at once."""

from __future__ import annotations

import threading
import time
from typing import Final

LEAP_S: Final = 86_400.0
"""A longer gap since the last run may be a leap of the clock, or a server that was stopped."""
HOLD_S: Final = 86_400.0
"""How long a server runs with a time that leapt before it deletes data by it."""


class RetentionClock:
    """Follows the clock, except after a leap: then time goes on from where it was, until the clock comes back or `HOLD_S` are
    over. Any thread."""

    def __init__(self, last_at: float | None) -> None:
        """last_at: the time of the last run by an earlier process; None if there was none."""
        self._at = last_at
        self._read_s = time.monotonic()
        self._held_s: float | None = None
        self._ahead_s = 0.0
        self._lock = threading.Lock()

    def read(self, now: float) -> float:
        """The time by which data may be deleted. now: of the clock."""
        with self._lock:
            read_s = time.monotonic()
            expected = now if self._at is None else self._at + read_s - self._read_s
            self._ahead_s = now - expected
            if self._ahead_s <= LEAP_S:
                self._held_s = None
            elif self._held_s is None:
                self._held_s = read_s
            elif read_s - self._held_s >= HOLD_S:
                self._held_s = None
            self._at, self._read_s = (now if self._held_s is None else expected), read_s
            return self._at

    @property
    def warning(self) -> str:
        """The reason why old data is not deleted, with what to do; empty if it is."""
        with self._lock:
            if self._held_s is None:
                return ""
            days, hours = self._ahead_s / 86_400.0, (HOLD_S - time.monotonic() + self._held_s) / 3600.0
        return (
            f"the clock is {days:.1f} days ahead of the last run of this server: the server was stopped, or the clock is wrong;"
            f" check it with `date`. No old data is deleted for another {max(hours, 0.0):.0f} hours"
        )
