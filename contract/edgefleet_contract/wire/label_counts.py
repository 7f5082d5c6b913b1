"""Counts by label, limited to the most frequent labels."""

from __future__ import annotations

from collections import Counter
from typing import Final

LABELS_MAX: Final = 32
LABEL_CHARS_MAX: Final = 64
OTHERS: Final = ""
"""In place of a label: the sum of all labels that are not listed."""


def most_frequent(counts: Counter[str]) -> dict[str, int]:
    """The counts of the most frequent labels, their names cut, and the sum of the others."""
    if not counts:
        return {}
    found = Counter[str]()
    for label, count in counts.most_common():
        name = label[:LABEL_CHARS_MAX]
        found[name if name in found or len(found) < LABELS_MAX else OTHERS] += count
    return dict(found)
