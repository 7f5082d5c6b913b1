"""State machine of a live source and its reconnects: the same states for every kind, without any I/O.

    opening ──► running ⇄ stalled          a loss from any of them ──► source_lost ── pause ──► opening
                   └──► ended              (the end of the source; a live camera never ends)

Cameras come back at any moment, and an attempt costs little more than a connection, so the pauses between attempts grow only to
`PAUSE_S_MAX`: a camera that answers again is seen again within three seconds. Jitter desynchronises the cameras behind one
switch. A flapping source is reported once: its recovery counts after `STEADY_S` of frames. Pure: the caller provides the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

PAUSE_S_FIRST, PAUSE_S_MAX = 0.25, 1.5
"""Pauses between attempts, doubled each time, before jitter reduces them by up to half."""
STEADY_S = 1.0
"""Frames for this time are a recovery: it is reported, and the pauses are reset."""
STALL_S = 4.0
"""A source without frames for this time has stalled; longer if its frames are rare."""
HANG_S = 6.0
"""A source with neither frame nor error for this time hangs (a decoder that does not return) and is abandoned."""
OPEN_S = 15.0
"""The same for opening a source."""
FRAMES_MISSED_MIN = 5
"""Frames that must be missing before a source of rare frames has stalled."""


class ReconnectState(str, Enum):
    """Published in `PipelineGauges.state`."""

    OPENING = "opening"
    RUNNING = "running"
    STALLED = "stalled"
    LOST = "source_lost"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Edge:
    """The start or (`over`) end of a fault, for the log."""

    text: str
    over: bool


class ReconnectMachine:
    """One source. jitter: gives 0..1. Times are monotonic seconds."""

    def __init__(self, jitter: Callable[[], float]) -> None:
        self._jitter = jitter
        self._state = ReconnectState.OPENING
        self._began_s = 0.0
        self._frame_s: float | None = None
        self._steady_since_s: float | None = None
        self._period_s = 0.0
        self._failures = 0
        self._reported = False
        self.pause_s = 0.0
        self.losses_total = 0

    def opening(self, now_s: float) -> None:
        """An attempt starts. Until its first frame a lost source stays lost."""
        self._began_s, self._frame_s, self._steady_since_s = now_s, None, None
        self._period_s = 0.0
        if self._state is not ReconnectState.LOST:
            self._state = ReconnectState.OPENING

    def opened(self, now_s: float, fps: float) -> None:
        """The source is open, with its frame rate."""
        self._began_s = now_s
        self._frame_s = now_s
        self._period_s = 1.0 / fps if fps > 0 else 0.0

    def frame(self, now_s: float) -> Edge | None:
        """A frame arrived."""
        self._frame_s = now_s
        self._state = ReconnectState.RUNNING
        if self._steady_since_s is None:
            self._steady_since_s = now_s
        steady = self._failures and now_s - self._steady_since_s >= STEADY_S
        return self._recovered() if steady else None

    def state(self, now_s: float) -> ReconnectState:
        """The state at this moment."""
        if self._state is ReconnectState.RUNNING and self._frame_s is not None and now_s - self._frame_s > self._stall_s():
            return ReconnectState.STALLED
        return self._state

    def hangs(self, now_s: float, alive_at_s: float = 0.0) -> bool:
        """Whether the source hangs: it gives no frame, no error and no end. alive_at_s: time of its last other activity."""
        if self._frame_s is None:
            return now_s - max(self._began_s, alive_at_s) > OPEN_S
        return now_s - max(self._frame_s, alive_at_s) > self._stall_s() + HANG_S - STALL_S

    def lost(self, why: str) -> Edge | None:
        """The attempt failed or the connection broke; wait `pause_s` before the next. Only the first of a row is reported."""
        self._state = ReconnectState.LOST
        self._steady_since_s = None
        self.losses_total += 1
        pause_s = min(PAUSE_S_MAX, PAUSE_S_FIRST * 2.0 ** min(self._failures, 16))
        self.pause_s = pause_s * (1.0 - 0.5 * self._jitter())
        self._failures += 1
        if self._reported:
            return None
        self._reported = True
        return Edge(why, False)

    @property
    def over(self) -> bool:
        """Whether the source has ended."""
        return self._state is ReconnectState.ENDED

    def ended(self) -> Edge | None:
        """The source has ended regularly."""
        self._state = ReconnectState.ENDED
        return self._recovered() if self._steady_since_s is not None else None

    def _recovered(self) -> Edge | None:
        self._failures = 0
        reported, self._reported = self._reported, False
        return Edge("the source delivers frames again", True) if reported else None

    def _stall_s(self) -> float:
        return max(STALL_S, FRAMES_MISSED_MIN * self._period_s)
