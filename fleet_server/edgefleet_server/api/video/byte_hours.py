"""Bytes of live video of each device within an hour."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

HOUR_S: Final = 3600.0
DEVICES_MAX: Final = 10_000


class ByteHours:
    """Counts by device. An hour begins with the first byte after the last one. `now` is monotonic time."""

    def __init__(self) -> None:
        self._hours: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def used(self, device: str, now: float) -> int:
        """Bytes of the current hour."""
        began_s, count = self._hours.get(device, (now, 0))
        return count if now - began_s < HOUR_S else 0

    def add(self, device: str, count: int, now: float) -> int:
        """Count bytes; returns those of the current hour."""
        used = self.used(device, now)
        began_s = self._hours[device][0] if used else now
        self._hours[device] = (began_s, used + count)
        while len(self._hours) > DEVICES_MAX:
            self._hours.popitem(last=False)
        return used + count
