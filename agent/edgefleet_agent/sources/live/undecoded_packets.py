"""Notices that packets come, but no picture does. Pure: the caller provides the time."""

from __future__ import annotations

from typing import Final

REPORTED_S: Final = 2.0
"""Time after which packets without a picture are reported: a decoder that waits for a key frame needs a second or two."""
GIVEN_UP_S: Final = 30.0
"""Time after which the connection is given up. Cameras with adaptive codecs send a key frame every 20 s."""
PACKETS_MIN: Final = 3


class UndecodedPackets:
    """The packets since the last picture."""

    def __init__(self) -> None:
        self._count = 0
        self._since_s = 0.0

    def add(self, pictures: int, now_s: float) -> float:
        """Process a packet and the number of its pictures. Returns for how many seconds packets have given no picture; 0 until
        that is worth a report."""
        if pictures:
            self._count = 0
            return 0.0
        if not self._count:
            self._since_s = now_s
        self._count += 1
        spent_s = now_s - self._since_s
        return spent_s if spent_s >= REPORTED_S and self._count >= PACKETS_MIN else 0.0
