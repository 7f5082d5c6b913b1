"""A limit for a thread that computes for long beside threads that must answer soon."""

from __future__ import annotations

import time
from typing import Final

SHARE: Final = 0.4
WORK_S: Final = 0.002
CALLS: Final = 16
"""The clock is read in each so many calls: it is a system call."""


class BackgroundShare:
    """Keeps the calling thread to a share of a processor. Python runs one thread at a time, and gives every one that computes the
    same time: those that answer would wait for this one."""

    def __init__(self) -> None:
        self._began_s = time.thread_time()
        self._calls = 0

    def pause(self) -> None:
        """Wait, if the thread has computed for `WORK_S` since the last wait. Called in each turn of a loop."""
        self._calls += 1
        if self._calls % CALLS:
            return
        worked_s = time.thread_time() - self._began_s
        if worked_s >= WORK_S:
            time.sleep(worked_s * (1.0 / SHARE - 1.0))
            self._began_s = time.thread_time()
