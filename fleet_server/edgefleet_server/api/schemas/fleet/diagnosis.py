"""Request and response bodies of logs and support bundles."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

LogSource = Literal["service", "worker", "pipeline", "journal"]
LogLevel = Literal["debug", "info", "warning", "error"]


class LogRecord(BaseModel):
    """A line of a device's log, from which the device has removed secrets. `at`: wall time of the device; 0 = unknown."""

    at: float
    level: LogLevel
    source: str
    logger: str
    text: str


class DeviceLog(BaseModel):
    """`records`: oldest first. `cursor`: value of `since` that continues with the next lines; empty = this device cannot. `lost`:
    lines that were dropped since the request before. `limited`: the agent is too old to select and follow; these are the last
    lines of its service."""

    device: str
    source: LogSource
    pipeline: str
    level: LogLevel
    search: str
    received_at: float
    records: list[LogRecord]
    cursor: str
    lost: int
    limited: bool


class SupportBundleRow(BaseModel):
    """A support bundle. `id`: that of the command. `requested_by`: empty if no longer known. `delete_at`: when the server deletes
    it."""

    id: str
    state: Literal["pending", "done", "failed", "expired"]
    detail: str
    requested_by: str
    requested_at: float
    received_at: float | None
    length_bytes: int | None
    delete_at: float | None


class SupportBundleList(BaseModel):
    """Newest first."""

    items: Annotated[list[SupportBundleRow], Field(max_length=32)]
