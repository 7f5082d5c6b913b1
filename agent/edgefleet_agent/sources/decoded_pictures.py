"""Times of decoded pictures, and how many pictures of a stream were lost before each.

Pure: packets and pictures are given as numbers.
"""

from __future__ import annotations

from fractions import Fraction

STEPS_KNOWN = 8
"""Equal steps after which a stream has a constant rate."""
UNEVEN = 0.3
"""Difference of a step, as a share of the usual one, that a constant rate may have: containers round times."""
FORGET_PICTURES = 64
"""A packet without a picture that left no gap within this many pictures was none of a picture that is shown."""


def seconds(ticks: int, base: Fraction) -> float:
    """`ticks` of `base` seconds: the float nearest to the exact product, in a tenth of the time of computing that."""
    return ticks * base.numerator / base.denominator


class PictureTimes:
    """Display times of the pictures of one decoder, in its time base.

    Of both rows of times, display and decoding, that with fewer steps backwards is used, as FFmpeg's players do. decoding_only:
    the container stores none of display, such as AVI, and what is given as such is a guess.
    """

    def __init__(self, *, decoding_only: bool = False) -> None:
        self._decoding_only = decoding_only
        self._last_pts: int | None = None
        self._last_dts: int | None = None
        self._pts_faults = self._dts_faults = 0
        self._delay: int | None = None

    def ticks(self, pts: int | None, dts: int | None) -> int | None:
        """The time of the next picture; None if it has none. dts: of the packet after which the picture came out."""
        if self._decoding_only:
            return dts
        if dts is not None:
            self._dts_faults += self._last_dts is not None and dts <= self._last_dts
            self._last_dts = dts
        if pts is None:
            self._pts_faults += dts is not None
        else:
            self._pts_faults += self._last_pts is not None and pts <= self._last_pts
            self._last_pts = pts
            if self._delay is None and dts is not None:
                self._delay = dts - pts
        if dts is None or (pts is not None and self._pts_faults <= self._dts_faults):
            return pts
        return dts - (self._delay or 0)


class DecodeLosses:
    """Counts the pictures that one decoder did not give: damaged ones, and those that depend on them.

    Not every packet is a picture, and not every gap is a loss. A gap of times counts in full where packets were marked as
    damaged, or where all steps before were equal and none was declared to last that long; otherwise as far as there were packets
    without a picture. frame_s: the stream's own step, 0 if unknown. live: a gap without packets is a camera that paused.
    """

    def __init__(self, frame_s: float = 0.0, *, live: bool = False) -> None:
        self._step_s = frame_s
        self._live = live
        self._even_steps = 0
        self._last_s: float | None = None
        self._shown_s = 0.0
        self._ahead = 0
        self._usual_ahead: int | None = None
        self._without = self._age = 0
        self._damaged = False

    def packet(self, *, damaged: bool) -> None:
        """A packet is given to the decoder. damaged: marked as incomplete by its container."""
        self._ahead += 1
        self._damaged |= damaged

    def picture(self, time_s: float, shown_s: float = 0.0) -> int:
        """A picture came out, in display order: returns how many were lost before it. shown_s: how long it is shown, as its
        container says; 0 if unknown."""
        self._ahead -= 1
        usual = self._usual_ahead
        self._without += max(0, self._ahead - usual) if usual is not None else 0
        self._usual_ahead = self._ahead
        last_s, self._last_s = self._last_s, time_s
        lost = self._lost_before_first(time_s) if last_s is None else self._lost_in(time_s - last_s)
        self._shown_s = shown_s
        if lost:
            self._without, self._damaged, self._age = max(0, self._without - lost), False, 0
        elif self._without or self._damaged:
            self._age += 1
            if self._age > FORGET_PICTURES:
                self._without, self._damaged, self._age = 0, False, 0
        return lost

    def end(self, end_s: float | None = None) -> int:
        """The stream has ended, and its decoder gave all: returns how many were lost after the last picture. end_s: the end that
        the container declares."""
        without = self._without + max(0, self._ahead)
        if not (without or self._damaged) or self._last_s is None or not self._step_s or end_s is None:
            return 0
        missing = round((end_s - self._last_s) / self._step_s) - 1
        return max(0, missing if self._damaged else min(missing, without))

    def _lost_before_first(self, time_s: float) -> int:
        """Packets before the first picture are those that the decoder holds back, or lost; its time decides."""
        missing = round(time_s / self._step_s) if self._step_s else 0
        return max(0, missing if self._damaged else min(missing, self._ahead))

    def _lost_in(self, gap_s: float) -> int:
        if not self._step_s:
            self._step_s = gap_s
            return 0
        steps = gap_s / self._step_s
        missing = round(steps) - 1
        if missing <= 0:
            self._learn(gap_s)
            return 0
        if self._damaged:
            return missing
        even = self._even_steps >= STEPS_KNOWN and abs(steps - round(steps)) < UNEVEN
        declared = gap_s < self._shown_s * (1.0 + UNEVEN)
        if even and not declared and not self._live:
            self._learn(gap_s)
            return missing
        if self._without:
            return min(missing, self._without)
        self._learn(gap_s)
        return 0

    def _learn(self, gap_s: float) -> None:
        """The usual step follows the stream: declared rates may be wrong, and cameras change theirs in the dark."""
        if abs(gap_s - self._step_s) <= UNEVEN * self._step_s:
            self._even_steps = min(self._even_steps + 1, 2 * STEPS_KNOWN)
            self._step_s += (gap_s - self._step_s) / 16
        else:
            self._even_steps -= min(self._even_steps, 4)
            if self._even_steps < STEPS_KNOWN:
                self._step_s += (gap_s - self._step_s) / 4
