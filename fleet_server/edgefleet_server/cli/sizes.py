"""Sizes of files as readable text."""

from __future__ import annotations


def size(count_bytes: int) -> str:
    """A size as readable text: `1.2 MB`, `3.4 kB`."""
    return f"{count_bytes / 1e6:.1f} MB" if count_bytes >= 1_000_000 else f"{count_bytes / 1e3:.1f} kB"
