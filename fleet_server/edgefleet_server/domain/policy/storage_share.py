"""Shares of devices in a table with a limited number of rows: the device with the most gives way first. Pure."""

from __future__ import annotations

from collections.abc import Mapping


def share(counts: Mapping[str, int], rows_max: int) -> int:
    """The largest number of rows of one device with which all together have at most `rows_max`."""
    left, level = rows_max, 0
    for number, count in enumerate(sorted(counts.values())):
        level = left // (len(counts) - number)
        if count > level:
            return level
        left -= count
    return max(counts.values(), default=0)


def surplus(counts: Mapping[str, int], rows_max: int) -> dict[str, int]:
    """Number of rows to delete of each device that has more than its share, the largest first; empty if all rows have room."""
    level = share(counts, rows_max)
    found = {device: count - level for device, count in counts.items() if count > level}
    return dict(sorted(found.items(), key=lambda item: -item[1]))
