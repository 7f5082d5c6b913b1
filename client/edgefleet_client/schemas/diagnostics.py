"""Types of the operations about diagnostics.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class DeviceLog(TypedDict):
    """`records`: oldest first. `cursor`: value of `since` that continues with the next lines; empty = this device cannot.
    `lost`: lines that were dropped since the request before. `limited`: the agent is too old to select and follow; these
    are the last lines of its service."""

    cursor: str
    device: str
    level: Literal["debug", "info", "warning", "error"]
    limited: bool
    lost: int
    pipeline: str
    received_at: float
    records: list[LogRecord]
    search: str
    source: Literal["service", "worker", "pipeline", "journal"]


class LogRecord(TypedDict):
    """A line of a device's log, from which the device has removed secrets. `at`: wall time of the device; 0 = unknown."""

    at: float
    level: Literal["debug", "info", "warning", "error"]
    logger: str
    source: str
    text: str


class SupportBundleList(TypedDict):
    """Newest first."""

    items: list[SupportBundleRow]


class SupportBundleRow(TypedDict):
    """A support bundle. `id`: that of the command. `requested_by`: empty if no longer known. `delete_at`: when the server
    deletes it."""

    delete_at: float | None
    detail: str
    id: str
    length_bytes: int | None
    received_at: float | None
    requested_at: float
    requested_by: str
    state: Literal["pending", "done", "failed", "expired"]
