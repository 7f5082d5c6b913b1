"""Bodies of the REST API v1 about rollouts. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import (
    Against,
    AttemptOutcome,
    AttemptState,
    Name,
    RolloutState,
    StrictModel,
    Title,
    Version,
    WaveState,
)
from edgefleet_server.api.schemas.rollouts.rollout_terms import GateSpec, PolicySpec, Selector, TermsSpec, WaveSpec
from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.db.rollouts.rollouts import TIMELINE_MAX
from edgefleet_server.domain.outcomes import Outcome
from edgefleet_server.domain.rollout.bundle import PARTS_MAX

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
    """One try of one device. `outcome`: what it counts as (`Outcomes`). `against`: whom its reason speaks against; null without a
    reason. `explanation`: one sentence with the result, or the reason why it is not done. `parts`: for a
    bundle, the stage of each part on the device, by slot; `other` = another package is committed there. Empty for a rollout of
    one package."""

    id: str
    rollout: int
    device: str
    wave: int
    number: int
    state: AttemptState
    outcome: AttemptOutcome = Field(default_factory=lambda: Outcome.QUEUED.value)
    reason: str
    against: Against | None = None
    detail: str
    explanation: str
    bytes_done: int
    bytes_total: int
    offered_at: float | None
    updated_at: float
    finished_at: float | None
    online: bool
    parts: dict[str, PartStage]


class PartSpec(StrictModel):
    """A further package and its slot; a pipeline of the fleet is a package for the slot `pipeline-NAME`."""

    package: Name
    version: Version | Name
    slot: Name


Parts = Annotated[list[PartSpec], Field(max_length=PARTS_MAX - 1)]


class PreviewRequest(StrictModel):
    """`version`: a version of the package, or one of its channels, which is resolved when the rollout is created. `parts`:
    further packages of a bundle. A device takes all of them or none."""

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


class AgentUpdate(BaseModel):
    """Devices that take the package after an update of their agent: their number, and the first version of the agent that
    suffices. `package`, `version`: of the newest agent in the registry; null: none there suffices."""

    devices: int
    needed: str
    package: str | None
    version: str | None


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
    """The expected duration (median and 95th percentile), from the durations of earlier updates and the online hours of devices
    in the last week. `waves`: each from its own start. `total_*`: until the last wave has passed; `reached_24h_percent`:
    devices done within a day, those that return later included. `based_on`: number of updates in the sample; 0 = estimated from
    trial and size only."""

    waves: list[WaveForecast]
    total_p50_s: float
    total_p95_s: float
    reached_24h_percent: float
    based_on: int


class Preview(BaseModel):
    """The effect of a rollout. `eligible`: devices to update, the sum of the waves; `already`: devices that run the version and
    are not changed. `rules`: what the gate does, in sentences. `notes`: remarks about the packages and the gate; `warnings`:
    reasons not to start it so. `agent_update`: null if no device needs one."""

    eligible: int
    ineligible: list[IneligibleDevice]
    agent_update: AgentUpdate | None = None
    already: int
    offline: int
    waves: list[WaveCount]
    bytes_total: int
    excluded: list[ExcludedDevice]
    rules: list[str] = Field(default_factory=list)
    notes: list[str]
    warnings: list[str] = Field(default_factory=list)
    needs_second_person: bool
    forecast: Forecast


class RolloutRequest(StrictModel):
    """`parts`: further packages of a bundle. A device takes all of them or none. `key`: a name that the client chooses; if there
    is a rollout with this key, it is returned and nothing is created."""

    name: Title
    key: Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,300}$")] | None = None
    package: Name
    version: Version | Name
    slot: Name = "detector"
    parts: Parts = Field(default_factory=list)
    selector: Selector
    waves: Annotated[list[WaveSpec], Field(min_length=1, max_length=20)]
    gate: GateSpec = GateSpec()
    policy: PolicySpec = PolicySpec()
    terms: TermsSpec = Field(default_factory=TermsSpec)
    priority: Annotated[int, Field(ge=0, le=1000, default_factory=lambda: defaults.PRIORITY)]
    wave_timeout_s: Annotated[float, Field(ge=1, le=2_592_000)] = defaults.WAVE_TIMEOUT_S
    start: bool = True


class Outcomes(BaseModel):
    """Numbers of devices: each has one outcome. `faulted`: ended by a fault of the device, the transfer or the set-up, which says
    nothing about the version; gates leave it out. `restored`: took the version, and an operator rolled it back; not failed.
    `untried`: committed without a frame in its trial, because no pipeline used it; `unproven`: the same under a gate with
    `frames_required`, which leaves it out. `fetching`: offered and without all files. `staged`: with all files, before its trial.
    """

    queued: int
    fetching: int
    staged: int
    trial: int
    succeeded: int
    untried: int
    unproven: int
    already_installed: int
    failed: int
    faulted: int
    restored: int
    superseded: int
    cancelled: int
    incompatible: int


def no_outcomes() -> Outcomes:
    """Return the outcomes of no devices: the answers of servers before 0.3.0 have none."""
    return Outcomes(**dict.fromkeys((each.value for each in Outcome), 0))


class GateState(BaseModel):
    """The figures of the gate; `text`: the reason why it waits or why it fired; `following`: its next decision. `comparison`:
    with what the figures of updated devices were compared for regressions; empty while none is updated."""

    failed: int
    reported: int
    reported_min: int
    error_percent: float
    error_percent_max: float
    verdict: Literal["waiting", "holding", "breached", "passed"]
    text: str
    following: str = Field(default_factory=str)
    comparison: str = Field(default_factory=str)


class Wave(BaseModel):
    """`approval`: its start has to be approved. `late_joiners`: not a wave of the plan, but the devices that matched the selector
    later. `soak_ends_at`: the earliest end of a wave that soaks, a device that reports later moves it."""

    index: int
    name: str
    state: WaveState
    total: int
    counts: dict[str, int]
    outcomes: Outcomes = Field(default_factory=no_outcomes)
    committed: int
    failed: int
    reported: int
    gate: GateState
    started_at: float | None
    finished_at: float | None
    soak_ends_at: float | None = None
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
    """Evidence of all waves together against the version: `failed` of `tried` devices that have begun, overall or of the
    `profile` that speaks loudest. The rollout stops itself when `e_value` reaches `e_value_needed`
    (`domain.statistics.sequential_test`); `failures_to_stop`: how many more failures among them would reach it, null = more than
    there are. `step`: how many devices may be on their way at once while that is limited, null = a whole wave. `accepted`:
    devices that had reported when an operator resumed, `accepted_failed` of them failed: no gate counts them any more."""

    profile: str
    failed: int
    tried: int
    tolerated_percent: float
    confidence_percent: float
    e_value: float
    e_value_needed: float
    failures_to_stop: int | None
    step: int | None
    accepted: int = 0
    accepted_failed: int = 0


class Rollout(BaseModel):
    """`parts`: all packages, starting with `package` in `slot`; more than one is a bundle. `sequential_test`: of a running
    rollout; null if only the limit on waves counts. `results`: `outcomes` that have ended, in words, as the
    gates count them: without those that an operator accepted by a resume. `notes`: remarks about the packages for the operator;
    empty in lists."""

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
    outcomes: Outcomes = Field(default_factory=no_outcomes)
    results: str = Field(default_factory=str)
    waves: list[Wave]
    sequential_test: SequentialTestState | None
    notes: list[str] = Field(default_factory=list)


class WaveSnapshot(BaseModel):
    """The states of a wave's devices at a time. `in_progress`: offered and not ended. `faulted`: ended by a fault of device,
    transfer or set-up. `skipped`: ended without a try, or restored by an operator."""

    state: WaveState
    queued: int
    in_progress: int
    done: int
    failed: int
    faulted: int = Field(default_factory=int)
    skipped: int


class HistoryPoint(BaseModel):
    """`waves`: in the order of `names`."""

    at: float
    state: RolloutState
    waves: list[WaveSnapshot]


class RolloutHistory(BaseModel):
    """The states of a rollout in even steps, and at every change of it or of a wave, oldest first."""

    names: list[str]
    points: list[HistoryPoint]


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

    items: Annotated[list[TimelineItem], Field(max_length=TIMELINE_MAX)]


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
