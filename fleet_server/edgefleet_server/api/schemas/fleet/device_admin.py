"""Bodies of the REST API v1 about device administration: pins, groups, bulk actions. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from edgefleet_contract.encoding.names import NAME_PATTERN
from edgefleet_server.api.schemas.fields import CursorPage, LabelKey, LabelValue, Name, StrictModel, Version
from edgefleet_server.api.schemas.rollouts.rollout_terms import Selector


class PinRequest(StrictModel):
    """The pinned version of a slot: the one it runs now, or `package` and `version`, which is installed if the slot runs
    another."""

    package: Name | None = None
    version: Version | None = None
    reason: Annotated[str, Field(max_length=200)] = ""


class Pin(BaseModel):
    slot: str
    package: str
    version: str
    reason: str
    pinned_by: str
    pinned_at: float


class GroupRequest(StrictModel):
    selector: Selector
    note: Annotated[str, Field(max_length=500)] = ""


class Group(BaseModel):
    """A named group of devices: those that match the selector now. `warnings`: labels that no device has, when it is changed."""

    name: str
    selector: Selector
    note: str
    changed_at: float
    changed_by: str
    count: int
    warnings: list[str] = Field(default_factory=list)


class GroupList(CursorPage):
    items: list[Group]


class GroupMembers(CursorPage):
    """Device ids."""

    items: list[str]


class BulkRequest(StrictModel):
    """One action for many devices: those of the group or of the selector. `command` needs `op`; `label` sets and removes labels
    (null = remove); `release` ends the exclusion of devices; `pin` (to `package` and `version`, or to the version that each runs
    now) and `unpin` need `slot`; `block` and `decommission` end sessions and accept at most 500 devices. `reason`: for pins and
    blocks."""

    action: Literal["command", "label", "release", "pin", "unpin", "block", "decommission"]
    group: Name | None = None
    selector: Selector | None = None
    op: Annotated[str, Field(pattern=NAME_PATTERN, max_length=32)] | None = None
    args: dict[str, Any] = Field(default_factory=dict)
    deadline_s: Annotated[float, Field(gt=0, le=86_400)] = 300.0
    labels: Annotated[dict[LabelKey, LabelValue | None], Field(max_length=64)] = Field(default_factory=dict)
    slot: Name | None = None
    package: Name | None = None
    version: Version | None = None
    reason: Annotated[str, Field(max_length=200)] = ""


class BulkRefusal(BaseModel):
    device: str
    reason: str


class BulkResponse(BaseModel):
    """`commands`: the id of each device's command. `refused`: devices for which the action failed, with the reason."""

    devices: int
    done: int
    commands: dict[str, str]
    refused: list[BulkRefusal]
