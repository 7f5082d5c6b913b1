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
from fleet_server.domain.bundle import PARTS_MAX
from fleet_server.domain.terms import WEIGHT

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
    stands on the device, by slot; `other` = it trusts another package there. Empty for a rollout of one package."""

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


class Selector(Request):
    """Which devices: all of them, or those named in `ids` together with those that carry every one of `labels`; or a `group`, and
    nobody else."""

    all: bool = False
    ids: Annotated[list[DeviceId], Field(max_length=100_000)] = Field(default_factory=list)
    labels: Annotated[dict[LabelKey, LabelValue], Field(max_length=32)] = Field(default_factory=dict)
    group: Name | None = None


class WaveSpec(Request):
    """A share of the fleet, in percent or as a number of devices, or those that carry every one of `labels`. The last wave takes
    the rest, whatever it says. `approval`: a person has to let it begin."""

    name: Title
    percent: Annotated[float, Field(gt=0, le=100)] | None = None
    count: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    labels: Annotated[dict[LabelKey, LabelValue], Field(max_length=32)] = Field(default_factory=dict)
    approval: bool = Field(default_factory=bool)


class RegressionSpec(Request):
    """How much worse than before its update a device may do; null = not looked at. Latency (median of p95) in percent, dropped
    frames and mean confidence in points of percent, temperature in degrees; `samples_min` of either side.
    `agreement_percent_min`: of a candidate (slot `shadow-NAME`) with what runs."""

    latency_percent: Annotated[float, Field(gt=0, le=10_000)] | None = 50.0
    dropped_points: Annotated[float, Field(gt=0, le=100)] | None = 10.0
    confidence_points: Annotated[float, Field(gt=0, le=100)] | None = 10.0
    temperature_c: Annotated[float, Field(gt=0, le=100)] | None = 10.0
    samples_min: Annotated[int, Field(ge=1, le=10_000)] = 5
    agreement_percent_min: Annotated[float, Field(ge=0, le=100)] | None = None


class GateSpec(Request):
    """When a rollout stops itself, and how long a wave is watched after its last device has finished.

    `test`: the limit on a wave's reported devices (`threshold`), evidence over the whole rollout, overall and per profile, that
    more than `tolerated_percent` fail (`sequential`; null = the limit), or that evidence and the limit on whole waves (`both`;
    null = the limit, at most 1 %). `regressions`: a device that does worse than before by more than that has failed (null = not
    looked at).
    """

    error_percent_max: Annotated[float, Field(ge=0, le=100)] = 10.0
    reported_min: Annotated[int, Field(ge=1, le=1_000_000)] = 3
    offline_s: Annotated[float, Field(ge=1, le=86_400)] = 120.0
    soak_s: Annotated[float, Field(ge=0, le=604_800)] = 10.0
    test: Literal["threshold", "sequential", "both"] = "both"
    tolerated_percent: Annotated[float, Field(ge=0, le=100)] | None = None
    confidence_percent: Annotated[float, Field(ge=50, le=99.999)] = 99.0
    regressions: RegressionSpec | None = None


class PolicySpec(Request):
    """How each device tries the model before it trusts it."""

    trial_s: Annotated[float, Field(ge=0, le=86_400)] = 20.0
    trial_frames_min: Annotated[int, Field(ge=0, le=1_000_000)] = 10


class RetrySpec(Request):
    """Failures on the way to the device (full disk, lost bytes) are tried again; those of the version never."""

    tries_max: Annotated[int, Field(ge=1, le=10)] = 3
    back_off_s: Annotated[float, Field(ge=1, le=86_400)] = 60.0
    factor: Annotated[float, Field(ge=1, le=10)] = 4.0


class RateSpec(Request):
    """At most so many devices begin in a minute; `factor` times as many each time another `grow_after` have committed."""

    per_minute: Annotated[int, Field(ge=1, le=1_000_000)]
    factor: Annotated[float, Field(ge=1, le=5)] = 1.0
    grow_after: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    per_minute_max: Annotated[int, Field(ge=1, le=1_000_000)] = 1000


Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class WindowSpec(Request):
    """When a device may begin, by the clock where it stands: its label `timezone`, else `timezone` here. `days` 0 = Monday; none
    = every day. A window that ends before it begins goes over midnight."""

    start: Clock
    end: Clock
    days: Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(max_length=7)] = Field(default_factory=list)
    timezone: Annotated[str, Field(pattern=r"^[A-Za-z0-9_+/-]{1,64}$")] = "UTC"


class TermsSpec(Request):
    """How a rollout treats devices. `follow`: those that come to match later get the version, under the same gate. `prestage`:
    all fetch and verify at once, and switch when their wave begins."""

    retry: RetrySpec = RetrySpec()
    rate: RateSpec | None = None
    window: WindowSpec | None = None
    follow: bool = False
    prestage: bool = False


class PartSpec(Request):
    """A further package and the slot it goes to; a pipeline of the fleet is one, in the slot `pipeline-NAME`."""

    package: Name
    version: Version | Name
    slot: Name


Parts = Annotated[list[PartSpec], Field(max_length=PARTS_MAX - 1)]


class PreviewRequest(Request):
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


class SetAside(BaseModel):
    """A device that failed again and again: it takes part once its time is over, or somebody releases it."""

    device: str
    until_at: float


class WaveForecast(BaseModel):
    name: str
    p50_s: float
    p95_s: float


class Forecast(BaseModel):
    """How long it would take, in the middle and at worst of twenty, from how long updates took before and from when devices were
    there in the last week. `waves`: each from its own beginning. `total_*`: until the last wave has passed;
    `reached_24h_percent`: devices done within a day, stragglers included. `based_on`: updates that were
    looked at; 0 = only the trial and the bytes."""

    waves: list[WaveForecast]
    total_p50_s: float
    total_p95_s: float
    reached_24h_percent: float
    based_on: int


class Preview(BaseModel):
    """What would happen. `eligible` = to be updated = sum of the waves; `already` run the version and are left alone."""

    eligible: int
    ineligible: list[IneligibleDevice]
    already: int
    offline: int
    waves: list[WaveCount]
    bytes_total: int
    set_aside: list[SetAside]
    needs_second_person: bool
    forecast: Forecast


class RolloutRequest(Request):
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
    weight: Annotated[int, Field(ge=0, le=1000, default_factory=lambda: WEIGHT)]
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
    """`approval`: a person has to let it begin. `lane`: not of the plan, but devices that came to match later."""

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
    lane: bool


class Part(BaseModel):
    """A package of a rollout and its slot."""

    slot: str
    package: str
    version: str
    digest: str


class EvidenceState(BaseModel):
    """How strongly all waves together speak against the version: `failed` of `tried` devices that have begun, overall or of the
    `profile` that speaks loudest. The rollout stops itself when `e_value` reaches `e_needed` (`domain.evidence`); `more`: so many
    more failures among them would do it, null = more than there are."""

    profile: str
    failed: int
    tried: int
    tolerated_percent: float
    confidence_percent: float
    e_value: float
    e_needed: float
    more: int | None


class Rollout(BaseModel):
    """`parts`: every package, the first one (`package`, `slot`) first; more than one is a bundle. `evidence`: of one that runs;
    null where only the limit on waves counts."""

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
    weight: int
    created_by: str
    approved_by: str | None
    wave_timeout_s: float
    total: int
    counts: dict[str, int]
    waves: list[Wave]
    evidence: EvidenceState | None


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


class ActionRequest(Request):
    reason: Annotated[str, Field(max_length=500)] = ""


class ApproveRequest(Request):
    """`wave`: its index; null = the rollout itself, which waits for a second person."""

    wave: Annotated[int, Field(ge=0, le=100)] | None = None
    reason: Annotated[str, Field(max_length=500)] = ""


class SkipRequest(Request):
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
    """`usual`: the name of the one that a new rollout begins with where nobody chooses."""

    usual: str
    items: list[RolloutTemplate]
