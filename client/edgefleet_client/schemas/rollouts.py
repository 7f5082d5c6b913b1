"""Types of the operations about rollouts.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from edgefleet_client.not_required import NotRequired
from edgefleet_client.schemas.core import AttemptRow, Selector
from edgefleet_client.schemas.rollout_requests import GateSpec, PolicySpec, TermsSpec, WaveSpec


class AgentUpdate(TypedDict):
    """Devices that take the package after an update of their agent: their number, and the first version of the agent that
    suffices. `package`, `version`: of the newest agent in the registry; null: none there suffices."""

    devices: int
    needed: str
    package: str | None
    version: str | None


class AttemptPage(TypedDict):
    """Fields of AttemptPage."""

    items: list[AttemptRow]
    total: int


class ExcludedDevice(TypedDict):
    """A device that failed again and again: excluded until then, or until an operator releases it."""

    device: str
    excluded_until: float


class Forecast(TypedDict):
    """The expected duration (median and 95th percentile), from the durations of earlier updates and the online hours of
    devices in the last week. `waves`: each from its own start. `total_*`: until the last wave has passed;
    `reached_24h_percent`: devices done within a day, those that return later included. `based_on`: number of updates in
    the sample; 0 = estimated from trial and size only."""

    based_on: int
    reached_24h_percent: float
    total_p50_s: float
    total_p95_s: float
    waves: list[WaveForecast]


class GateState(TypedDict):
    """The figures of the gate; `text`: the reason why it waits or why it fired; `following`: its next decision.
    `comparison`: with what the figures of updated devices were compared for regressions; empty while none is updated."""

    comparison: NotRequired[str]
    error_percent: float
    error_percent_max: float
    failed: int
    following: NotRequired[str]
    reported: int
    reported_min: int
    text: str
    verdict: Literal["waiting", "holding", "breached", "passed"]


class HistoryPoint(TypedDict):
    """`waves`: in the order of `names`."""

    at: float
    state: Literal[
        "draft",
        "awaiting_approval",
        "running",
        "paused",
        "completed",
        "aborting",
        "aborted",
        "rolling_back",
        "rolled_back",
    ]
    waves: list[WaveSnapshot]


class IneligibleDevice(TypedDict):
    """Fields of IneligibleDevice."""

    device: str
    reason: str


class Outcomes(TypedDict):
    """Numbers of devices: each has one outcome. `faulted`: ended by a fault of the device, the transfer or the set-up, which
    says nothing about the version; gates leave it out. `restored`: took the version, and an operator rolled it back; not
    failed. `untried`: committed without a frame in its trial, because no pipeline used it; `unproven`: the same under a
    gate with `frames_required`, which leaves it out. `fetching`: offered and without all files. `staged`: with all files,
    before its trial."""

    already_installed: int
    cancelled: int
    failed: int
    faulted: int
    fetching: int
    incompatible: int
    queued: int
    restored: int
    staged: int
    succeeded: int
    superseded: int
    trial: int
    unproven: int
    untried: int


class Part(TypedDict):
    """A package of a rollout and its slot."""

    digest: str
    package: str
    slot: str
    version: str


class Preview(TypedDict):
    """The effect of a rollout. `eligible`: devices to update, the sum of the waves; `already`: devices that run the version
    and are not changed. `rules`: what the gate does, in sentences. `notes`: remarks about the packages and the gate;
    `warnings`: reasons not to start it so. `agent_update`: null if no device needs one."""

    agent_update: NotRequired[AgentUpdate | None]
    already: int
    bytes_total: int
    eligible: int
    excluded: list[ExcludedDevice]
    forecast: Forecast
    ineligible: list[IneligibleDevice]
    needs_second_person: bool
    notes: list[str]
    offline: int
    rules: NotRequired[list[str]]
    warnings: NotRequired[list[str]]
    waves: list[WaveCount]


class Rollout(TypedDict):
    """`parts`: all packages, starting with `package` in `slot`; more than one is a bundle. `sequential_test`: of a running
    rollout; null if only the limit on waves counts. `results`: `outcomes` that have ended, in words, as the gates count
    them: without those that an operator accepted by a resume. `notes`: remarks about the packages for the operator; empty
    in lists."""

    approved_by: str | None
    counts: dict[str, int]
    created_at: float
    created_by: str
    digest: str
    finished_at: float | None
    gate: GateSpec
    id: int
    name: str
    notes: NotRequired[list[str]]
    outcomes: NotRequired[Outcomes]
    package: str
    parts: list[Part]
    policy: PolicySpec
    priority: int
    results: NotRequired[str]
    selector: Selector
    sequential_test: SequentialTestState | None
    slot: str
    started_at: float | None
    state: Literal[
        "draft",
        "awaiting_approval",
        "running",
        "paused",
        "completed",
        "aborting",
        "aborted",
        "rolling_back",
        "rolled_back",
    ]
    state_reason: str
    terms: TermsSpec
    total: int
    version: str
    wave_timeout_s: float
    waves: list[Wave]


class RolloutDefaults(TypedDict):
    """The values of fields that a request for a rollout leaves out. `waves`: proposed ones, each request has its own."""

    gate: GateSpec
    policy: PolicySpec
    priority: int
    terms: TermsSpec
    wave_timeout_s: float
    waves: list[WaveSpec]


class RolloutHistory(TypedDict):
    """The states of a rollout in even steps, and at every change of it or of a wave, oldest first."""

    names: list[str]
    points: list[HistoryPoint]


class RolloutPage(TypedDict):
    """Fields of RolloutPage."""

    items: list[Rollout]
    total: int


class RolloutTemplate(TypedDict):
    """A predefined plan, with the fields of a rollout request."""

    gate: GateSpec
    name: str
    policy: PolicySpec
    terms: TermsSpec
    title: str
    waves: list[WaveSpec]


class SequentialTestState(TypedDict):
    """Evidence of all waves together against the version: `failed` of `tried` devices that have begun, overall or of the
    `profile` that speaks loudest. The rollout stops itself when `e_value` reaches `e_value_needed`
    (`domain.statistics.sequential_test`); `failures_to_stop`: how many more failures among them would reach it, null =
    more than there are. `step`: how many devices may be on their way at once while that is limited, null = a whole wave.
    `accepted`: devices that had reported when an operator resumed, `accepted_failed` of them failed: no gate counts them
    any more."""

    accepted: NotRequired[int]
    accepted_failed: NotRequired[int]
    confidence_percent: float
    e_value: float
    e_value_needed: float
    failed: int
    failures_to_stop: int | None
    profile: str
    step: int | None
    tolerated_percent: float
    tried: int


class ShadowDevice(TypedDict):
    """One device; `samples`: number of samples so far."""

    agreement_percent: float | None
    confidence_points: float | None
    device: str
    latency_percent: float | None
    profile: str
    samples: int


class ShadowReport(TypedDict):
    """The comparison of a shadow candidate with the incumbent of `slot`. `agreement_percent_min`: the gate's limit, null if
    it does not check agreement; it applies to a device from `samples_min` on. `worst`: devices with the lowest agreement.
    For a large rollout: the 400 devices that took it last, and their last hour."""

    agreement_percent_min: float | None
    overall: ShadowSummary
    profiles: list[ShadowSummary]
    samples_min: int
    slot: str
    worst: list[ShadowDevice]


class ShadowSummary(TypedDict):
    """Devices of one `profile` (empty: all), each counted once. Agreement in percent of frames, with the 95 % confidence
    limits of its mean (null: fewer than two devices); latency in percent of the incumbent's; confidence as the difference
    to the incumbent's in percentage points. `below`: devices that the gate counts as failed because their agreement is
    too low."""

    agreement_percent: float | None
    below: int
    confidence_points: float | None
    devices: int
    high: float | None
    latency_percent: float | None
    low: float | None
    measured: int
    profile: str


class TemplateList(TypedDict):
    """`default`: the name of the default template. `defaults`: of a request without a template."""

    default: str
    defaults: NotRequired[RolloutDefaults]
    items: list[RolloutTemplate]


class Timeline(TypedDict):
    """Oldest first."""

    items: list[TimelineItem]


class TimelineItem(TypedDict):
    """Fields of TimelineItem."""

    at: float
    device: str | None
    kind: str
    text: str
    wave: int | None


class Wave(TypedDict):
    """`approval`: its start has to be approved. `late_joiners`: not a wave of the plan, but the devices that matched the
    selector later. `soak_ends_at`: the earliest end of a wave that soaks, a device that reports later moves it."""

    approval: bool
    approved_by: str | None
    committed: int
    counts: dict[str, int]
    failed: int
    finished_at: float | None
    gate: GateState
    index: int
    late_joiners: bool
    name: str
    outcomes: NotRequired[Outcomes]
    reported: int
    soak_ends_at: NotRequired[float | None]
    started_at: float | None
    state: Literal["pending", "running", "soaking", "passed", "failed", "skipped"]
    total: int


class WaveCount(TypedDict):
    """Fields of WaveCount."""

    count: int
    name: str


class WaveForecast(TypedDict):
    """Fields of WaveForecast."""

    name: str
    p50_s: float
    p95_s: float


class WaveSnapshot(TypedDict):
    """The states of a wave's devices at a time. `in_progress`: offered and not ended. `faulted`: ended by a fault of device,
    transfer or set-up. `skipped`: ended without a try, or restored by an operator."""

    done: int
    failed: int
    faulted: NotRequired[int]
    in_progress: int
    queued: int
    skipped: int
    state: Literal["pending", "running", "soaking", "passed", "failed", "skipped"]
