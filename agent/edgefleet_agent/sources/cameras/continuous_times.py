"""Continuous times of the packets of a file. Files whose times begin again, jump or are damaged exist: joined recordings,
recordings of motion only, transport streams with broken packets.

Pure: packets are given as numbers, in decoding order.
"""

from __future__ import annotations

from fractions import Fraction

JUMP_S = 10.0
"""A longer step forwards that the packet before does not declare is a jump."""
BACK_S = 0.5
"""A longer step backwards is a jump; files without decoding times step back by some pictures, which refer to later ones."""
USUAL_STEPS = 20
"""A step of up to this many of the one before is none: a time lapse."""


class ContinuousTimes:
    """Removes jumps: after each the next packet follows one frame after the last, as in players. base: seconds of a tick."""

    def __init__(self, base: Fraction, frame_s: float) -> None:
        self._base = base
        self._frame = max(1, round(frame_s / base))
        self._jump, self._back = round(JUMP_S / base), round(BACK_S / base)
        self._step = self._frame
        self._last: int | None = None
        self._next = self._shift = 0

    @property
    def shift_s(self) -> float:
        """Seconds that are added to the file's own times now."""
        return float(self._shift * self._base)

    def place(self, pts: int | None, dts: int | None, duration: int) -> tuple[int | None, int | None]:
        """The times of the next packet, in ticks. A time of display that cannot be is None. duration: 0 if unknown."""
        raw = dts if dts is not None else pts
        if raw is None:
            return None, None
        at, step_max = raw + self._shift, max(self._jump, USUAL_STEPS * self._step)
        if self._last is not None:
            step = at - self._last
            if step < -self._back or at - self._next > step_max:
                self._shift += self._next - at
                at = self._next
            self._step = max(self._frame, step)
        self._last, self._next = at, at + (duration or self._frame)
        if pts is not None and abs(pts - raw) > step_max:
            pts = None
        return pts if pts is None else pts + self._shift, dts if dts is None else dts + self._shift
