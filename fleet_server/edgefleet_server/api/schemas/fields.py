"""Types of single fields, and the base of every body that we read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from edgefleet_contract.encoding.names import DEVICE_PATTERN, LABEL_KEY_PATTERN, NAME_PATTERN, VERSION_PATTERN


def _number(value: object) -> object:
    """The whole number that a text of an address says; anything else as it is. A choice of numbers takes no text by itself."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


DeviceId = Annotated[str, Field(pattern=DEVICE_PATTERN)]
Name = Annotated[str, Field(pattern=NAME_PATTERN)]
Version = Annotated[str, Field(pattern=VERSION_PATTERN)]
LabelKey = Annotated[str, Field(pattern=LABEL_KEY_PATTERN)]
LabelValue = Annotated[str, Field(max_length=200)]
Title = Annotated[str, Field(min_length=1, max_length=120)]
Span = Annotated[Literal[60, 3600], BeforeValidator(_number)]
"""Seconds of a minute or an hour, in an address."""

DeviceFilter = Literal["online", "offline", "updating", "attention", "on_target", "off_target", "degraded", "flapping", "pinned"]
DeviceStatus = Literal["online", "offline", "updating", "attention"]
AttemptState = Literal[
    "queued", "offered", "accepted", "fetching", "verified", "staged", "waiting_window", "trial", "committed", "regressed",
    "rejected", "rolled_back", "rollback_failed", "timed_out", "superseded", "cancelled", "incompatible", "already_installed",
]  # fmt: skip
WaveState = Literal["pending", "running", "soaking", "passed", "failed", "skipped"]
RolloutState = Literal[
    "draft", "awaiting_approval", "running", "paused", "completed", "aborting", "aborted", "rolling_back", "rolled_back",
]  # fmt: skip


class StrictModel(BaseModel):
    """A body that we read: a misspelt field is an error, not a silent default."""

    model_config = ConfigDict(extra="forbid")
