"""What a log record says beside its text: names for machines to search by. Where nobody takes them, only the text is seen."""

from __future__ import annotations

from typing import Any

FIELDS = "edgefleet_fields"
"""Attribute of a log record."""


def log_extra(**fields: str) -> dict[str, Any]:
    """For `extra=`: `log.info("…", extra=told(slot=slot, reason=reason.value))`. Names are letters and `_`."""
    return {FIELDS: fields}
