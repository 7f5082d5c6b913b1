"""Predicts the idle time of the models, in which calls of the inference API may run.

Cameras are modelled as clocks whose ticks come late, never early. The times of a camera's past frames give the earliest time of
its next one, and past calls give the expected duration of the next call. A call that would not end in time does not start,
because a run cannot be interrupted. Calls wait for a late camera until its frame can no longer come. Pure: times are arguments,
in monotonic seconds.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Hashable

FRAMES = 12
"""Stored frame times of each camera."""
ANCHORS = 4
"""Last frames that set the phase of the clock; over more of them an error of the period adds up."""
MARGIN_S = 0.001
"""Safety margin before a frame is due."""
STALLED_PERIODS = 2.0
"""Periods without a frame after which a camera is not waited for."""
STARVED_FRAMES = 50
"""Frames without a call after which one starts anyway: one late frame in fifty does not change the 95th percentile, and callers
of a busy device get slow answers instead of none."""
_RISE, _FALL, _FADE = 0.3, 0.1, 0.99
"""Weights of a new call duration if it rises or falls. The estimate decreases with every frame, so that calls are retried."""


class _Camera:
    __slots__ = ("_due_s", "_period_s", "last_s", "times_s")

    def __init__(self) -> None:
        self.times_s: collections.deque[float] = collections.deque(maxlen=FRAMES)
        self.last_s = 0.0
        self._period_s: float | None = None  # None: of times before the last one
        self._due_s = 0.0

    def frame(self, at_s: float) -> None:
        if self.times_s and at_s <= self.last_s:
            return  # another stage computes the same frame
        self.times_s.append(at_s)
        self.last_s = at_s
        self._period_s = None

    @property
    def period_s(self) -> float:
        """Seconds between its frames; 0 before the second one."""
        if self._period_s is None:
            self._period_s, self._due_s = self._clock()
        return self._period_s

    @property
    def due_s(self) -> float:
        """Time of its next frame."""
        return self._due_s if self.period_s else 0.0

    def _clock(self) -> tuple[float, float]:
        """The period, and the time of the next frame; computed only when a call waits."""
        times_s = list(self.times_s)
        intervals_s = [later - earlier for earlier, later in itertools.pairwise(times_s)]
        if not intervals_s:
            return 0.0, 0.0
        # Skipped frames give an interval of several periods, and a late frame makes two intervals wrong.
        usual_s = sorted(intervals_s)[len(intervals_s) // 2]
        ticks = [max(1, round(interval_s / usual_s)) for interval_s in intervals_s]
        each_s = sorted(interval_s / tick for interval_s, tick in zip(intervals_s, ticks, strict=True))
        period_s = each_s[len(each_s) // 2]
        # The least late tick sets the phase; the next frame is due one period after the last tick of that phase.
        due_s, passed = self.last_s, 0
        for time_s, tick in list(zip(reversed(times_s[:-1]), reversed(ticks), strict=True))[:ANCHORS]:
            passed += tick
            due_s = min(due_s, time_s + passed * period_s)
        return period_s, due_s + period_s

    def free_s(self, now_s: float) -> float:
        """Seconds until its next frame is due; infinite if none is expected."""
        if not self.period_s or now_s >= self.stalled_at_s:
            return float("inf")
        return self.due_s - MARGIN_S - now_s

    @property
    def stalled_at_s(self) -> float:
        """Time from which it is not waited for."""
        return self.last_s + STALLED_PERIODS * self.period_s


class IdleTime:
    """Cameras and callers of one process. Not thread-safe: callers hold a lock."""

    def __init__(self) -> None:
        self._cameras: dict[Hashable, _Camera] = {}
        self._calls_s: dict[Hashable, float] = {}
        self._frames = 0
        self._served: dict[Hashable, int] = {}

    def frame(self, camera: Hashable, captured_at_s: float) -> None:
        """Record that a frame of this camera is computed now."""
        self._cameras.setdefault(camera, _Camera()).frame(captured_at_s)
        self._frames += 1
        for caller in self._calls_s:
            self._calls_s[caller] *= _FADE

    def retain(self, cameras: set[Hashable]) -> None:
        """Forget all cameras but these."""
        self._cameras = {camera: known for camera, known in self._cameras.items() if camera in cameras}

    def add_call(self, caller: Hashable, took_s: float) -> None:
        """Record the duration of a call."""
        self._served[caller] = self._frames
        known_s = self._calls_s.get(caller, took_s)
        self._calls_s[caller] = known_s + (_RISE if took_s > known_s else _FALL) * (took_s - known_s)

    def starved(self, caller: Hashable) -> bool:
        """Whether a waiting call has to start now, before any frame: too many were computed since the last call."""
        return self._frames - self._served.setdefault(caller, self._frames) >= STARVED_FRAMES

    def wait_s(self, caller: Hashable, now_s: float, *, patient: bool = False) -> float:
        """0 if a call may start now, otherwise seconds until the next try unless a frame comes first. `patient`: never start a
        call that delays a frame."""
        if not patient and self.starved(caller):
            return 0.0
        needed_s = self._calls_s.get(caller, 0.0)
        waits = [camera.stalled_at_s - now_s for camera in self._cameras.values() if camera.free_s(now_s) < needed_s]
        return max(min(waits), MARGIN_S) if waits else 0.0
