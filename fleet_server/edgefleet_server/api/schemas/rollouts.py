"""Bodies of the REST API v1 about rollouts. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import AttemptState, Name, RolloutState, StrictModel, Title, Version, WaveState
from edgefleet_server.api.schemas.rollout_terms import GateSpec, PolicySpec, Selector, TermsSpec, WaveSpec
from edgefleet_server.domain.rollout.bundle import PARTS_MAX
from edgefleet_server.domain.terms import PRIORITY

PartStage = Literal[
    "absent",
    "fetching",
    "fetched",
    "verified",
    "staged",
    "waiting_window",
    "trial",
    "committed",
    "rolled_back",
    "refused",
    "rollback_failed",
    "other",
]


class AttemptRow(BaseModel):
    """One try of one device. `why` is one sentence: why it is not done, or what happened. `parts`: of a bundle, where each part
    stands on the device, by slot; `other` = another package is committed there. Empty for a rollout of one package."""

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
    parts: dict[str, PartStage]


class PartSpec(StrictModel):
    """A further package and the slot it goes to; a pipeline of the fleet is one, in the slot `pipeline-NAME`."""

    package: Name
    version: Version | Name
    slot: Name


Parts = Annotated[list[PartSpec], Field(max_length=PARTS_MAX - 1)]


class PreviewRequest(StrictModel):
    """`version`: one of the package's, or a channel of it, which counts as it points when the rollout is made. `parts`: further
    packages of a bundle. A device takes all of them or none."""

    package: Name
    version: Version | Name
    slot: Name = "detector"
    parts: Parts = Field(default_factory=list)
    selector: Selector
    waves: Annotated[list[WaveSpec], Field(min_length=1, max_length=20)]
    gate: GateSpec = Field(default_factory=GateSpec)
    policy: PolicySpec = Field(default_factory=PolicySpec)
    terms: TermsSpec = Field(default_factory=TermsSpec)


class IneligibleDevice(BaseModel):
    device: str
    reason: str


class WaveCount(BaseModel):
    name: str
    count: int


class ExcludedDevice(BaseModel):
    """A device that failed again and again: excluded until then, or until an operator releases it."""

    device: str
    excluded_until: float


class WaveForecast(BaseModel):
    name: str
    p50_s: float
    p95_s: float


class Forecast(BaseModel):
    """How long it would take, in the middle and at worst of twenty, from how long updates took before and from when devices were
    there in the last week. `waves`: each from its own beginning. `total_*`: until the last wave has passed;
    `reached_24h_percent`: devices done within a day, stragglers included. `based_on`: number of
    updates in the sample; 0 = only the trial and the bytes."""

    waves: list[WaveForecast]
    total_p50_s: float
    total_p95_s: float
    reached_24h_percent: float
    based_on: int


class Preview(BaseModel):
    """What would happen. `eligible` = to be updated = sum of the waves; `already` run the version and are left alone.
    `notes`: what a person should know about the packages."""

    eligible: int
    ineligible: list[IneligibleDevice]
    already: int
    offline: int
    waves: list[WaveCount]
    bytes_total: int
    excluded: list[ExcludedDevice]
    notes: list[str]
    needs_second_person: bool
    forecast: Forecast


class RolloutRequest(StrictModel):
    """`parts`: further packages of a bundle. A device takes all of them or none."""

    name: Title
    package: Name
    version: Version | Name
    slot: Name = "detector"
    parts: Parts = Field(default_factory=list)
    selector: Selector
    waves: Annotated[list[WaveSpec], Field(min_length=1, max_length=20)]
    gate: GateSpec = GateSpec()
    policy: PolicySpec = PolicySpec()
    terms: TermsSpec = Field(default_factory=TermsSpec)
    priority: Annotated[int, Field(ge=0, le=1000, default_factory=lambda: PRIORITY)]
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
    """`approval`: a person has to let it begin. `late_joiners`: not of the plan, but devices that came to match later."""

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
    approval: bool
    approved_by: str | None
    late_joiners: bool


class Part(BaseModel):
    """A package of a rollout and its slot."""

    slot: str
    package: str
    version: str
    digest: str


class SequentialTestState(BaseModel):
    """How strongly all waves together speak against the version: `failed` of `tried` devices that have begun, overall or of the
    `profile` that speaks loudest. The rollout stops itself when `e_value` reaches `e_value_needed`
    (`domain.statistics.sequential_test`); `failures_to_stop`: how many more failures among them would reach it, null = more than
    there are."""

    profile: str
    failed: int
    tried: int
    tolerated_percent: float
    confidence_percent: float
    e_value: float
    e_value_needed: float
    failures_to_stop: int | None


class Rollout(BaseModel):
    """`parts`: every package, the first one (`package`, `slot`) first; more than one is a bundle. `sequential_test`: of one that
    runs; null where only the limit on waves counts. `notes`: what a person should know about the packages; in lists none."""

    id: int
    name: str
    package: str
    version: str
    digest: str
    slot: str
    parts: list[Part]
    state: RolloutState
    state_reason: str
    created_at: float
    started_at: float | None
    finished_at: float | None
    selector: Selector
    gate: GateSpec
    policy: PolicySpec
    terms: TermsSpec
    priority: int
    created_by: str
    approved_by: str | None
    wave_timeout_s: float
    total: int
    counts: dict[str, int]
    waves: list[Wave]
    sequential_test: SequentialTestState | None
    notes: list[str] = Field(default_factory=list)


class WaveThen(BaseModel):
    """A wave at a moment: states of its devices. `moving`: offered, and not ended."""

    state: WaveState
    queued: int
    moving: int
    done: int
    failed: int
    left: int


class RolloutMoment(BaseModel):
    """`waves`: in the order of `names`."""

    at: float
    state: RolloutState
    waves: list[WaveThen]


class RolloutMoments(BaseModel):
    """The rollout's life in even steps, oldest first, and at every change of it or of a wave."""

    names: list[str]
    moments: list[RolloutMoment]


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


class ActionRequest(StrictModel):
    reason: Annotated[str, Field(max_length=500)] = ""


class ApproveRequest(StrictModel):
    """`wave`: its index; null = the rollout itself, which waits for a second person."""

    wave: Annotated[int, Field(ge=0, le=100)] | None = None
    reason: Annotated[str, Field(max_length=500)] = ""


class SkipRequest(StrictModel):
    """`wave`: its index."""

    wave: Annotated[int, Field(ge=0, le=100)]
    reason: Annotated[str, Field(max_length=500)] = ""


class RolloutTemplate(BaseModel):
    """A plan that comes with the product, in the words of a new rollout."""

    name: str
    title: str
    waves: list[WaveSpec]
    gate: GateSpec
    policy: PolicySpec
    terms: TermsSpec


class TemplateList(BaseModel):
    """`usual`: the name of the default template."""

    usual: str
    items: list[RolloutTemplate]
