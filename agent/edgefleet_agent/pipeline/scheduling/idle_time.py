"""How long nothing will be asked of the models: the time in which calls of the inference API may run.

Cameras are clocks whose ticks come late, never early. From the times of a camera's frames follows when its next one is due at the
earliest, and from past calls how long the next one will take; a call that would not be over by then does not begin, because a run
cannot be interrupted. A camera that is late is waited for until it is certain that this frame does not come. Pure: times are
arguments, in monotonic seconds.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Hashable

FRAMES = 12
"""Of each camera that are remembered."""
ANCHORS = 4
"""Of them, the last ones tell where the clock stands: over more an error of the period adds up."""
MARGIN_S = 0.001
"""Before a frame is due."""
GONE_PERIODS = 2.0
"""A camera without a frame for so long is not waited for."""
STARVED_FRAMES = 50
"""After so many frames without a call one begins anyway: one frame in fifty that waits for a call moves no 95th percentile, and
callers of a busy device are answered slowly instead of never."""
_RISE, _FALL, _FADE = 0.3, 0.1, 0.99
"""What calls take is believed sooner when it grows. It fades with every frame: what is never tried cannot get better."""


class _Camera:
    __slots__ = ("due_s", "last_s", "period_s", "times_s")

    def __init__(self) -> None:
        self.times_s: collections.deque[float] = collections.deque(maxlen=FRAMES)
        self.last_s = self.period_s = self.due_s = 0.0

    def frame(self, at_s: float) -> None:
        if self.times_s and at_s <= self.last_s:
            return  # another stage looks at the same frame
        self.times_s.append(at_s)
        self.last_s = at_s
        times_s = list(self.times_s)
        intervals_s = [later - earlier for earlier, later in itertools.pairwise(times_s)]
        if not intervals_s:
            return
        # Where frames were left out an interval is several periods, and one that came late makes two of them wrong.
        usual_s = sorted(intervals_s)[len(intervals_s) // 2]
        ticks = [max(1, round(interval_s / usual_s)) for interval_s in intervals_s]
        each_s = sorted(interval_s / tick for interval_s, tick in zip(intervals_s, ticks, strict=True))
        self.period_s = each_s[len(each_s) // 2]
        # The tick that was least late tells the clock; the next one is due one period after where it puts the last one.
        due_s, passed = self.last_s, 0
        for time_s, tick in list(zip(reversed(times_s[:-1]), reversed(ticks), strict=True))[:ANCHORS]:
            passed += tick
            due_s = min(due_s, time_s + passed * self.period_s)
        self.due_s = due_s + self.period_s

    def free_s(self, now_s: float) -> float:
        """Until its next frame has to find nothing in its way; infinite when none comes."""
        if not self.period_s or now_s >= self.gone_at_s:
            return float("inf")
        return self.due_s - MARGIN_S - now_s

    @property
    def gone_at_s(self) -> float:
        """When it is not waited for any more."""
        return self.last_s + GONE_PERIODS * self.period_s


class IdleTime:
    """The cameras of one process and its guests. The caller keeps threads apart."""

    def __init__(self) -> None:
        self._cameras: dict[Hashable, _Camera] = {}
        self._guests_s: dict[Hashable, float] = {}
        self._frames = 0
        self._served: dict[Hashable, int] = {}

    def frame(self, camera: Hashable, captured_at_s: float) -> None:
        """A frame of this camera is computed now."""
        self._cameras.setdefault(camera, _Camera()).frame(captured_at_s)
        self._frames += 1
        for guest in self._guests_s:
            self._guests_s[guest] *= _FADE

    def keep(self, cameras: set[Hashable]) -> None:
        """Forget all others."""
        self._cameras = {camera: known for camera, known in self._cameras.items() if camera in cameras}

    def guest(self, guest: Hashable, took_s: float) -> None:
        """A call of this guest took so long."""
        self._served[guest] = self._frames
        known_s = self._guests_s.get(guest, took_s)
        self._guests_s[guest] = known_s + (_RISE if took_s > known_s else _FALL) * (took_s - known_s)

    def wait_s(self, guest: Hashable, now_s: float, *, patient: bool = False) -> float:
        """0: a call of this guest may begin. Otherwise when to ask again, unless a frame comes first. `patient`: it would rather
        never be served than hold a frame up."""
        if not patient and self._frames - self._served.setdefault(guest, self._frames) >= STARVED_FRAMES:
            return 0.0
        needed_s = self._guests_s.get(guest, 0.0)
        waits = [camera.gone_at_s - now_s for camera in self._cameras.values() if camera.free_s(now_s) < needed_s]
        return max(min(waits), MARGIN_S) if waits else 0.0
