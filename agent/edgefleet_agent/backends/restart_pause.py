"""The pause before a model's lost process starts again: the first restarts follow at once, each further one after a pause that
doubles; a process that lived for `STABLE_S` starts the row anew."""

from __future__ import annotations

import math

from edgefleet_agent.core.clock import Clock
from edgefleet_contract.wire.backoff import full_jitter

PAUSE_S_MIN = 1.0
PAUSE_S_MAX = 60.0
STABLE_S = 60.0
FAILED_MAX = 3
"""Failed runs in a row in one process, of any of its models, after which the next load on its device starts it again: what fails
may be the state of its library."""


class RestartPause:
    """Counts losses in a row. prompt: restarts in a row without a pause."""

    def __init__(self, clock: Clock, prompt: int) -> None:
        self._clock = clock
        self._prompt = prompt
        self._loss = ""
        self._due_s = self._started_s = 0.0
        self.losses = 0
        self.pause_s = 0.0

    @property
    def wait_s(self) -> float:
        """Seconds until a restart is due; at most 0 if it is."""
        return self._due_s - self._clock.monotonic()

    def started(self) -> None:
        """Note that a process runs."""
        self._started_s = self._clock.monotonic()

    def lost(self, why: str, *, ran: bool) -> None:
        """Count a lost process and choose the pause before the next one. ran: there was one; otherwise its start failed."""
        now_s = self._clock.monotonic()
        if ran and now_s - self._started_s >= STABLE_S:
            self.losses = 0
        tries = self.losses - self._prompt
        self.pause_s = full_jitter(tries, PAUSE_S_MIN, PAUSE_S_MAX, 1.0) if tries >= 0 else 0.0
        self.losses += 1
        self._loss = why
        self._due_s = now_s + self.pause_s

    def reason(self) -> str:
        """The last loss, how many there were, and the time of the next start."""
        return f"{self._loss}, {self.losses} times; it starts again in {math.ceil(self.wait_s)} s"
