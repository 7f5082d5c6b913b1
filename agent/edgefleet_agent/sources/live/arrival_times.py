"""Media times of a live stream. Pure: the caller provides the time."""

from __future__ import annotations

CLOCK_OFFSET_S_MAX = 2.0
"""Most difference between a camera's own time and the time of arrival."""
REPEATED_MAX = 8
"""Packets in a row with one time after which a camera has no clock."""


class RepeatedTimes:
    """Notices packets with the time of the packet before, which is none: some cameras and proxies send one time for ever."""

    def __init__(self) -> None:
        self._last: int | None = None
        self._count = 0

    @property
    def constant(self) -> bool:
        """Whether the times of the stream stand still."""
        return self._count >= REPEATED_MAX

    def repeats(self, pts: int | None) -> bool:
        """Whether the time of the next packet is that of the one before."""
        repeated = pts is not None and pts == self._last
        self._last, self._count = pts, self._count + 1 if repeated else 0
        return repeated


class ArrivalTimes:
    """Media time of each picture: the camera's own steps, anchored to arrival, always rising."""

    def __init__(self) -> None:
        self._origin_s: float | None = None
        self._shift_s = 0.0
        self._last_s = -1e-6

    @property
    def origin_s(self) -> float | None:
        """Monotonic time of the first picture; None before it."""
        return self._origin_s

    def expect(self, pts_s: float | None, arrived_s: float) -> float:
        """Expected media time of a picture that has arrived but is not decoded yet. Media time starts with the first of them.
        pts_s: the camera's time, None if there is none."""
        if self._origin_s is None:
            self._origin_s, self._shift_s = arrived_s, -(pts_s or 0.0)
        since_s = arrived_s - self._origin_s
        if pts_s is None:
            return since_s
        return pts_s + self._shift_s if abs(pts_s + self._shift_s - since_s) <= CLOCK_OFFSET_S_MAX else self._last_s

    def place(self, pts_s: float | None, arrived_s: float) -> float:
        """Media time of a picture: seconds since the first one. pts_s: the camera's time, None if there is none."""
        if self._origin_s is None:
            self._origin_s = arrived_s
            self._shift_s = -pts_s if pts_s is not None else 0.0
        since_s = arrived_s - self._origin_s
        media_s = since_s if pts_s is None else pts_s + self._shift_s
        if abs(media_s - since_s) > CLOCK_OFFSET_S_MAX and pts_s is not None:
            self._shift_s = since_s - pts_s
            media_s = since_s
        self._last_s = max(media_s, self._last_s + 1e-6)
        return self._last_s
