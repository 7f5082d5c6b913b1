"""Bodies of the REST API v1 about rollouts. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fleet_server.api.fields import (
    AttemptState,
    DeviceId,
    LabelKey,
    LabelValue,
    Name,
    Request,
    RolloutState,
    Title,
    Version,
    WaveState,
)


class AttemptRow(BaseModel):
    """One try of one device. `why` is one sentence: why it is not done, or what happened."""

    id: str
    rollout: int
    device: str
    wave: int
    number: int
    state: AttemptState
    reason: str
    detail: str
    why: str
    bytes_done: int
    bytes_total: int
    offered_at: float | None
    updated_at: float
    finished_at: float | None
    online: bool


class Selector(Request):
    """Which devices: all of them, or those named in `ids` together with those that carry every one of `labels`."""

    all: bool = False
    ids: Annotated[list[DeviceId], Field(max_length=100_000)] = Field(default_factory=list)
    labels: Annotated[dict[LabelKey, LabelValue], Field(max_length=32)] = Field(default_factory=dict)


class WaveSpec(Request):
    """A share of the fleet, in percent or as a number of devices. The last wave takes the rest, whatever it says."""

    name: Title
    percent: Annotated[float, Field(gt=0, le=100)] | None = None
    count: Annotated[int, Field(ge=1, le=1_000_000)] | None = None


class GateSpec(Request):
    """When a rollout stops itself, and how long a wave is watched after its last device has finished.

    `test`: the limit on a wave's reported devices (`threshold`), evidence over the whole rollout, overall and per profile, that
    more than `tolerated_percent` fail (`sequential`; null = the limit), or that evidence and the limit on whole waves (`both`;
    null = the limit, at most 1 %).
    """

    error_percent_max: Annotated[float, Field(ge=0, le=100)] = 10.0
    reported_min: Annotated[int, Field(ge=1, le=1_000_000)] = 3
    offline_s: Annotated[float, Field(ge=1, le=86_400)] = 120.0
    soak_s: Annotated[float, Field(ge=0, le=604_800)] = 10.0
    test: Literal["threshold", "sequential", "both"] = "both"
    tolerated_percent: Annotated[float, Field(ge=0, le=100)] | None = None
    confidence_percent: Annotated[float, Field(ge=50, le=99.999)] = 99.0


class PolicySpec(Request):
    """How each device tries the model before it trusts it."""

    trial_s: Annotated[float, Field(ge=0, le=86_400)] = 20.0
    trial_frames_min: Annotated[int, Field(ge=0, le=1_000_000)] = 10


class PreviewRequest(Request):
    package: Name
    version: Version
    slot: Name = "detector"
    selector: Selector
    waves: Annotated[list[WaveSpec], Field(min_length=1, max_length=20)]


class IneligibleDevice(BaseModel):
    device: str
    reason: str


class WaveCount(BaseModel):
    name: str
    count: int


class Preview(BaseModel):
    """What would happen. `eligible` = to be updated = sum of the waves; `already` run the version and are left alone."""

    eligible: int
    ineligible: list[IneligibleDevice]
    already: int
    offline: int
    waves: list[WaveCount]
    bytes_total: int


class RolloutRequest(Request):
    name: Title
    package: Name
    version: Version
    slot: Name = "detector"
    selector: Selector
    waves: Annotated[list[WaveSpec], Field(min_length=1, max_length=20)]
    gate: GateSpec = GateSpec()
    policy: PolicySpec = PolicySpec()
    wave_timeout_s: Annotated[float, Field(ge=1, le=2_592_000)] = 3600.0
    start: bool = True


class GateState(BaseModel):
    """The gate's arithmetic, and in `text` what it waits for or why it fired."""

    failed: int
    reported: int
    reported_min: int
    error_percent: float
    error_percent_max: float
    verdict: Literal["waiting", "holding", "breached", "passed"]
    text: str


class Wave(BaseModel):
    index: int
    name: str
    state: WaveState
    total: int
    counts: dict[str, int]
    committed: int
    failed: int
    reported: int
    gate: GateState
    started_at: float | None
    finished_at: float | None


class Rollout(BaseModel):
    id: int
    name: str
    package: str
    version: str
    digest: str
    slot: str
    state: RolloutState
    state_reason: str
    created_at: float
    started_at: float | None
    finished_at: float | None
    selector: Selector
    gate: GateSpec
    policy: PolicySpec
    wave_timeout_s: float
    total: int
    counts: dict[str, int]
    waves: list[Wave]


class RolloutPage(BaseModel):
    items: list[Rollout]
    total: int


class AttemptPage(BaseModel):
    items: list[AttemptRow]
    total: int


class TimelineItem(BaseModel):
    at: float
    kind: str
    text: str
    wave: int | None
    device: str | None


class Timeline(BaseModel):
    """Oldest first."""

    items: list[TimelineItem]


class ActionRequest(Request):
    reason: Annotated[str, Field(max_length=500)] = ""
