"""What a live source is doing, and when it is worth another attempt: the same few states for every kind, without any I/O.

    opening ──► running ⇄ stalled          a loss from any of them ──► source_lost ── pause ──► opening
                   └──► ended              (nothing more will come; a live camera never does this)

Cameras come back at any moment, and an attempt costs little more than a connection, so the pauses between attempts grow only to
`PAUSE_S_MAX`: a camera that answers again is seen again within three seconds. Jitter keeps the cameras behind one switch from
returning in step. A source that comes and goes is told once: its recovery counts after `STEADY_S` of frames. Pure: the caller
brings the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

PAUSE_S_FIRST, PAUSE_S_MAX = 0.25, 1.5
"""Pauses between attempts, doubled each time, before jitter takes up to half of them away."""
STEADY_S = 1.0
"""Frames for so long are a recovery: it is told, and pauses begin at the first one again."""
STALL_S = 4.0
"""A source that gave nothing for so long has stalled; longer where its frames are rare."""
HANG_S = 6.0
"""A source that neither gave nor failed for so long never will (a decoder that does not return) and is abandoned."""
OPEN_S = 15.0
"""The same for one that does not come back from being opened."""
RARE = 5
"""Frames that must be missing before a source of rare frames has stalled."""


class ReconnectState(str, Enum):
    """Told in `PipelineGauges.state`."""

    OPENING = "opening"
    RUNNING = "running"
    STALLED = "stalled"
    LOST = "source_lost"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Edge:
    """Something a person should read: a trouble that begins or (`over`) ends."""

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
        self._told = False
        self.pause_s = 0.0
        self.losses_total = 0

    def opening(self, now_s: float) -> None:
        """An attempt begins. Until its first frame a lost source stays lost."""
        self._began_s, self._frame_s, self._steady_since_s = now_s, None, None
        self._period_s = 0.0
        if self._state is not ReconnectState.LOST:
            self._state = ReconnectState.OPENING

    def opened(self, now_s: float, fps: float) -> None:
        """The source answered and says how often frames come."""
        self._began_s = now_s
        self._frame_s = now_s
        self._period_s = 1.0 / fps if fps > 0 else 0.0

    def frame(self, now_s: float) -> Edge | None:
        """A frame came."""
        self._frame_s = now_s
        self._state = ReconnectState.RUNNING
        if self._steady_since_s is None:
            self._steady_since_s = now_s
        steady = self._failures and now_s - self._steady_since_s >= STEADY_S
        return self._recovered() if steady else None

    def state(self, now_s: float) -> ReconnectState:
        """What to say about the source at this moment."""
        if self._state is ReconnectState.RUNNING and self._frame_s is not None and now_s - self._frame_s > self._stall_s():
            return ReconnectState.STALLED
        return self._state

    def hangs(self, now_s: float, alive_at_s: float = 0.0) -> bool:
        """Whether what was asked of the source will not come back: it gives no frame, no error and no end. alive_at_s: when it
        last showed that it works on it."""
        if self._frame_s is None:
            return now_s - max(self._began_s, alive_at_s) > OPEN_S
        return now_s - max(self._frame_s, alive_at_s) > self._stall_s() + HANG_S - STALL_S

    def lost(self, why: str) -> Edge | None:
        """The attempt failed or the connection broke; wait `pause_s` before the next. Only the first of a row is told."""
        self._state = ReconnectState.LOST
        self._steady_since_s = None
        self.losses_total += 1
        pause_s = min(PAUSE_S_MAX, PAUSE_S_FIRST * 2.0 ** min(self._failures, 16))
        self.pause_s = pause_s * (1.0 - 0.5 * self._jitter())
        self._failures += 1
        if self._told:
            return None
        self._told = True
        return Edge(why, False)

    @property
    def over(self) -> bool:
        """Nothing more will come."""
        return self._state is ReconnectState.ENDED

    def ended(self) -> Edge | None:
        """Nothing more will come, as announced."""
        self._state = ReconnectState.ENDED
        return self._recovered() if self._steady_since_s is not None else None

    def _recovered(self) -> Edge | None:
        self._failures = 0
        told, self._told = self._told, False
        return Edge("the source gives frames again", True) if told else None

    def _stall_s(self) -> float:
        return max(STALL_S, RARE * self._period_s)
