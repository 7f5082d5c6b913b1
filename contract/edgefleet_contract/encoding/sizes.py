"""Sizes in bytes as readable text."""

from __future__ import annotations


def size(count_bytes: float) -> str:
    """A size with three digits and one unit: `1.2 GB`, `340 MB`, `3.4 kB`."""
    unit, length = next(
        ((name, bytes_) for name, bytes_ in (("GB", 1e9), ("MB", 1e6)) if count_bytes >= 0.99995 * bytes_), ("kB", 1e3)
    )
    value = count_bytes / length
    return f"{value:.0f} {unit}" if value >= 99.95 else f"{value:.1f} {unit}"
