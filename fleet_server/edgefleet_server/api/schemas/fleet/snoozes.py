"""Snoozes of alerts."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import CursorPage, DeviceId, Name, StrictModel


class SnoozeRequest(StrictModel):
    """No notices of the alerts that match all of `rule` (null = every rule), `group` (null = every device) and `device`, until
    `until_at`, seconds since 1970. At least one of the three is needed."""

    rule: Annotated[int, Field(ge=1, le=2**62)] | None = None
    group: Name | None = None
    device: DeviceId | None = None
    until_at: float
    reason: Annotated[str, Field(min_length=1, max_length=500)]


class Snooze(BaseModel):
    """A snooze that goes on; it ends by itself at `until_at`."""

    id: int
    rule: int | None
    rule_name: str
    group: str | None
    device: str | None
    until_at: float
    reason: str
    created_at: float
    created_by: str


class SnoozeList(CursorPage):
    """The next one to end first."""

    items: list[Snooze]
