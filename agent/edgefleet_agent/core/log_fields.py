"""Structured fields for log records, for searches by name. A handler without support for them writes the text only."""

from __future__ import annotations

from typing import Any

FIELDS = "edgefleet_fields"
"""Attribute of a log record."""


def log_extra(**fields: str) -> dict[str, Any]:
    """Value of `extra=`: `log.info("…", extra=log_extra(slot=slot, reason=reason.value))`. Names are letters and `_`."""
    return {FIELDS: fields}
