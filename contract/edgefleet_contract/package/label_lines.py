"""The text of a file of labels."""

from __future__ import annotations


def labels_in(text: str) -> tuple[str, ...]:
    """The labels by line, the line number being the class. A byte-order mark and empty lines at the end are none."""
    text = text.removeprefix("\ufeff").rstrip()
    return tuple(line.strip() for line in text.split("\n")) if text else ()
