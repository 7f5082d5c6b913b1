"""Bodies of the REST API v1 about experiments. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import LabelKey, LabelValue, Name, StrictModel, Title, Version
from edgefleet_server.api.schemas.rollouts.rollout_terms import GateSpec, PolicySpec, Selector, WaveSpec
from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.domain.statistics.experiment import ARMS_MAX, Verdict


class ArmSpec(StrictModel):
    """A version and its part of the devices: its `share` of the sum of all shares, or the devices whose label has `value`."""

    name: Name
    package: Name
    version: Version
    share: Annotated[float, Field(gt=0, le=1000)] = 1.0
    value: LabelValue = ""


FigureName = Literal["latency_p95_ms", "dropped_percent", "confidence", "events_per_hour", "failures"]
REVIEW_S_MAX: Final = 366 * 86_400.0


def _waves() -> list[WaveSpec]:
    return [WaveSpec(name=name, percent=percent) for name, percent in defaults.EXPERIMENT_WAVES]


class ExperimentRequest(StrictModel):
    """`split`: by a stable hash of the device, or by the label `label_key`. All other arms are compared with the first one. A
    separate rollout under `gate` brings each arm's version to the devices that do not run it yet. `compared`: the figures to
    compare, none = all; fewer figures have narrower intervals. `review_after_s`: time after which the result is due for review;
    this has no automatic effect."""

    name: Title
    slot: Name = "detector"
    selector: Selector
    arms: Annotated[list[ArmSpec], Field(min_length=2, max_length=ARMS_MAX)]
    split: Literal["hash", "label"] = "hash"
    label_key: LabelKey | None = None
    compared: Annotated[list[FigureName], Field(max_length=5)] = Field(default_factory=list)
    review_after_s: Annotated[float, Field(ge=60, le=REVIEW_S_MAX)] | None = None
    waves: Annotated[list[WaveSpec], Field(min_length=1, max_length=20, default_factory=_waves)]
    gate: GateSpec = Field(default_factory=GateSpec)
    policy: PolicySpec = Field(default_factory=PolicySpec)


class Arm(BaseModel):
    """`devices` were assigned to it; `on_version` of them run its version now and have committed it. `rollout` is null if all
    did at the start."""

    name: str
    package: str
    version: str
    digest: str
    share: float
    value: str
    devices: int
    on_version: int
    rollout: int | None
    rollout_state: str | None


class Estimate(BaseModel):
    """A mean over devices (or a share of them) with its confidence limits; null if there are too few devices."""

    arm: str
    devices: int
    value: float
    low: float | None
    high: float | None


class DifferenceFrom(Estimate):
    """Difference of this arm to the first one (this minus first)."""

    verdict: Verdict


class Figure(BaseModel):
    """`lower_is_better` null = neither direction is better; the difference is only reported."""

    name: str
    unit: str
    lower_is_better: bool | None
    arms: list[Estimate]
    differences: list[DifferenceFrom]


class ExperimentSummary(BaseModel):
    """`chosen_arm`: the arm whose version was chosen at the end, and rolled out by `chosen_rollout`; empty while the experiment
    runs, or if it ended without a winner."""

    id: int
    name: str
    slot: str
    state: Literal["running", "ended"]
    split: Literal["hash", "label"]
    label_key: str
    created_at: float
    created_by: str
    ended_at: float | None
    ended_by: str
    chosen_arm: str
    chosen_rollout: int | None
    compared: list[FigureName]
    review_after_s: float | None
    arms: list[Arm]


class Experiment(ExperimentSummary):
    """An experiment with its comparison. All intervals hold together with a confidence of `confidence_percent`."""

    confidence_percent: float
    figures: list[Figure]


class LeftOut(BaseModel):
    device: str
    reason: str


class ExperimentCreated(Experiment):
    """`left_out`: selected devices that cannot run every arm's version; with them, the arms could not be compared."""

    left_out: list[LeftOut]


class ArmPreview(BaseModel):
    """`devices` would be assigned to it, `to_update` of them do not run its version yet."""

    name: str
    devices: int
    to_update: int


class ExperimentPreview(BaseModel):
    """Preview of the assignment of devices to arms. `elsewhere`: devices that could take part and carry no arm's label."""

    arms: list[ArmPreview]
    elsewhere: int
    left_out: list[LeftOut]
    needs_second_person: bool


class ExperimentPage(BaseModel):
    items: list[ExperimentSummary]
    total: int


class ChooseRequest(StrictModel):
    """`arm`: the arm whose version is rolled out to all devices of the experiment, in `waves` under `gate`."""

    arm: Name
    waves: Annotated[list[WaveSpec], Field(min_length=1, max_length=20, default_factory=_waves)]
    gate: GateSpec = Field(default_factory=GateSpec)
    policy: PolicySpec = Field(default_factory=PolicySpec)
