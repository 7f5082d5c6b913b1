"""Bodies of the REST API v1 about the registry: channels, coverage, retention, uploads in pieces."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from edgefleet_contract.encoding.names import DIGEST_PATTERN
from edgefleet_server.api.schemas.fields import AttemptState, CursorPage, Name, RolloutState, StrictModel, Version

CHANNEL_PATTERN = r"^[a-z][a-z0-9_-]{0,31}$"
ChannelName = Annotated[str, Field(pattern=CHANNEL_PATTERN)]
Note = Annotated[str, Field(max_length=500)]
DAY_S = 86_400.0


class ChannelRequest(StrictModel):
    version: Version
    note: Note = ""


class Channel(BaseModel):
    """A name of a model that points to a version."""

    model: str
    channel: str
    version: str
    digest: str
    changed_at: float
    changed_by: str
    note: str


class ChannelList(CursorPage):
    items: list[Channel]


class ChannelMove(BaseModel):
    """`version` empty: removed; `before` empty: it was new."""

    id: int = Field(default_factory=int)
    version: str
    before: str
    at: float
    by: str
    note: str


class ChannelHistory(BaseModel):
    """Newest first. `next_before_id`: the `before_id` of the next page, if there may be one."""

    items: list[ChannelMove]
    next_before_id: int | None = None


class Measured(BaseModel):
    """The chosen setting of a machine of a profile."""

    machine: str
    variant: str
    runtime: str
    device: str
    p50_ms: float
    p95_ms: float
    per_s: float
    measured_at: float


class CoverageRow(BaseModel):
    """Devices of one profile that have the same runtimes. `variant`, `runtime`: those that they would take; null = none, for
    the reason in `reason`. `running`: number of them that run this version. `measured`: machines of this profile, the lowest
    latency first."""

    profile: str
    runtimes: list[str]
    devices: int
    online: int
    running: int
    variant: str | None
    runtime: str | None
    precision: str
    length_bytes: int
    reason: str
    measured: list[Measured]


class RolledOut(BaseModel):
    """A rollout of the version, with the states of the latest try of each device."""

    id: int
    name: str
    state: RolloutState
    created_at: float
    finished_at: float | None
    counts: dict[AttemptState, int]


class Coverage(BaseModel):
    """`covered` of `devices` have a variant. `measured_elsewhere`: measurements of profiles that no device has."""

    devices: int
    covered: int
    rows: list[CoverageRow]
    measured_elsewhere: dict[str, list[Measured]]
    rollouts: list[RolledOut]


class PruneRequest(StrictModel):
    """Of each model (or of `model`), the newest `keep` versions stay, and those pushed within `age_s`, and those still needed."""

    model: Name | None = None
    keep: Annotated[int, Field(ge=1, le=1_000)] = 5
    age_s: Annotated[float, Field(ge=0, le=3650 * DAY_S)] = 30 * DAY_S
    dry_run: bool = True


class Judged(BaseModel):
    """A version and the reason why it stays (`reason`); empty = it is retired."""

    model: str
    version: str
    digest: str
    length_bytes: int
    reason: str


class Pruned(BaseModel):
    """`freed_bytes`: size of the deleted blobs that no other version needs; blobs that an upload may be using are deleted
    within the hour."""

    dry_run: bool
    retired: list[Judged]
    retained: list[Judged]
    freed_bytes: int


class UploadRequest(StrictModel):
    """The announcement of an upload: a .tar of a package folder."""

    length_bytes: Annotated[int, Field(ge=1, le=2**40)]
    sha256: Annotated[str, Field(pattern=DIGEST_PATTERN)]


class UploadState(BaseModel):
    """`offset_bytes`: number of received bytes, where the next piece of at most `piece_bytes_max` starts."""

    id: str
    offset_bytes: int
    length_bytes: int
    piece_bytes_max: int
