"""State machine of a live source and its reconnects: the same states for every kind, without any I/O.

    opening ──► running ──► ended          the end of the source; a live camera never ends
                  │  ▲
                  ▼  │ a frame
       stalled, source_lost ── pause ──► the next attempt; the state stays until a frame comes

`stalled`: the source is there, but sends nothing. `source_lost`: it is not there, refuses, or sends what is no video. State
and cause change as soon as another cause is found; the last causes are remembered with their times.

Cameras come back at any moment, and an attempt costs little more than a connection, so the pauses between attempts grow only to
`PAUSE_S_MAX`: a camera that answers again is seen again within three seconds. Jitter desynchronises the cameras behind one
switch. Until frames have come for `STEADY_S` each cause is reported once, and `REPORTED_MAX` causes at most: a source that flaps
does not fill the log. Pure: the caller provides the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
REPORTED_MAX = 8
"""Limit of causes that are reported before the source has recovered."""
REPEAT_S = 60.0
"""A cause is not reported again within this time, though the source had recovered meanwhile."""
REMEMBERED_MAX = 8
"""Limit of causes that are remembered, each with the time of its last occurrence."""
SENDS_NOTHING = "the source is open, but sends nothing; restart it if this lasts"


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


@dataclass(frozen=True, slots=True)
class SourceFault:
    """A cause for which a source gave no frames. since_s, until_s: its last occurrence, None while it lasts. times: number of
    occurrences."""

    state: ReconnectState
    text: str
    since_s: float
    until_s: float | None = None
    times: int = 1


class ReconnectMachine:
    """One source. jitter: gives 0..1. Times are monotonic seconds. `state`, `reason` and `faults` may be read by any thread."""

    def __init__(self, jitter: Callable[[], float]) -> None:
        self._jitter = jitter
        self._state = ReconnectState.OPENING
        self._began_s = 0.0
        self._frame_s: float | None = None
        self._seen_s: float | None = None
        self._steady_since_s: float | None = None
        self._period_s = 0.0
        self._failures = 0
        self._reported: set[str] = set()  # causes, until the source has recovered
        self._reported_s: dict[str, float] = {}  # those of the last `REPEAT_S`
        self._blind = False
        self.faults: tuple[SourceFault, ...] = ()
        self.pause_s = 0.0
        self.losses_total = 0

    def opening(self, now_s: float) -> None:
        """An attempt starts. Until its first frame a lost source stays lost."""
        self._began_s, self._frame_s, self._steady_since_s = now_s, None, None
        if self._fault is None:
            self._state = ReconnectState.OPENING

    def opened(self, now_s: float, fps: float) -> None:
        """The source is open, with its frame rate."""
        self._began_s = now_s
        self._frame_s = now_s
        self._period_s = 1.0 / fps if fps > 0 else 0.0

    def frame(self, now_s: float) -> Edge | None:
        """A frame arrived."""
        self._frame_s = self._seen_s = now_s
        self._state = ReconnectState.RUNNING
        self._blind = False
        self._end_fault(now_s)
        if self._steady_since_s is None:
            self._steady_since_s = now_s
        steady = (self._failures or self._reported) and now_s - self._steady_since_s >= STEADY_S
        return self._recovered() if steady else None

    def waiting(self, now_s: float, why: str = "") -> Edge | None:
        """No frame has come up to now, and no error. why: the source's own reason for that, if it has one."""
        if self._frame_s is None or now_s - self._frame_s <= self._stall_s():
            return None
        if not why and (self._fault is not None or self.state(now_s) is not ReconnectState.STALLED):
            return None
        self._steady_since_s = None
        return self._begin_fault(ReconnectState.STALLED, why or SENDS_NOTHING, now_s)

    def state(self, now_s: float) -> ReconnectState:
        """The state at this moment."""
        if self._state is ReconnectState.RUNNING and self._frame_s is not None and now_s - self._frame_s > self._stall_s():
            return ReconnectState.STALLED
        return self._state

    def reason(self, now_s: float) -> str:
        """The reason for which no frames come at this moment; empty while they do, or before the first attempt has failed."""
        fault = self._fault
        if fault is not None:
            return fault.text
        return SENDS_NOTHING if self.state(now_s) is ReconnectState.STALLED else ""

    def blind_for(self, now_s: float) -> float:
        """Seconds since the last frame, returned once, when nothing is known of the scene any more; otherwise 0."""
        if self._blind or self._seen_s is None or now_s - self._seen_s <= self._stall_s():
            return 0.0
        self._blind = True
        return now_s - self._seen_s

    def hangs(self, now_s: float, alive_at_s: float = 0.0) -> bool:
        """Whether the source hangs: it gives no frame, no error and no end. alive_at_s: time of its last other activity."""
        if self._frame_s is None:
            return now_s - max(self._began_s, alive_at_s) > OPEN_S
        return now_s - max(self._frame_s, alive_at_s) > self._stall_s() + HANG_S - STALL_S

    def lost(self, why: str, now_s: float, *, silent: bool = False) -> Edge | None:
        """The attempt failed or the connection broke; wait `pause_s` before the next. silent: the source is there, but sends
        nothing. Each cause of a row is reported once."""
        self._steady_since_s = None
        self.losses_total += 1
        pause_s = min(PAUSE_S_MAX, PAUSE_S_FIRST * 2.0 ** min(self._failures, 16))
        self.pause_s = pause_s * (1.0 - 0.5 * self._jitter())
        self._failures += 1
        return self._begin_fault(ReconnectState.STALLED if silent else ReconnectState.LOST, why, now_s)

    @property
    def over(self) -> bool:
        """Whether the source has ended."""
        return self._state is ReconnectState.ENDED

    def ended(self, now_s: float) -> Edge | None:
        """The source has ended regularly."""
        self._state = ReconnectState.ENDED
        self._end_fault(now_s)
        return self._recovered() if self._steady_since_s is not None else None

    @property
    def _fault(self) -> SourceFault | None:
        """The present fault."""
        faults = self.faults
        return faults[-1] if faults and faults[-1].until_s is None else None

    def _begin_fault(self, state: ReconnectState, text: str, now_s: float) -> Edge | None:
        self._state = state
        fault = self._fault
        if fault is None or (fault.state, fault.text) != (state, text):
            self._end_fault(now_s)
            times = next((one.times for one in self.faults if (one.state, one.text) == (state, text)), 0)
            others = [one for one in self.faults if (one.state, one.text) != (state, text)]
            self.faults = (*others, SourceFault(state, text, now_s, times=times + 1))[-REMEMBERED_MAX:]
        self._reported_s = {cause: at_s for cause, at_s in self._reported_s.items() if now_s - at_s < REPEAT_S}
        if text in self._reported or text in self._reported_s or len(self._reported) >= REPORTED_MAX:
            return None
        self._reported.add(text)
        self._reported_s[text] = now_s
        return Edge(text, False)

    def _end_fault(self, now_s: float) -> None:
        fault = self._fault
        if fault is not None:
            self.faults = (*self.faults[:-1], replace(fault, until_s=now_s))

    def _recovered(self) -> Edge | None:
        self._failures = 0
        reported, self._reported = bool(self._reported), set()
        return Edge("the source delivers frames again", True) if reported else None

    def _stall_s(self) -> float:
        return max(STALL_S, FRAMES_MISSED_MIN * self._period_s)
