"""Bodies of the REST API v1 about experiments. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fleet_server.api.fields import LabelKey, LabelValue, Name, Request, Title, Version
from fleet_server.api.rollout_schemas import GateSpec, PolicySpec, Selector, WaveSpec
from fleet_server.domain.experiment import ARMS_MAX, Verdict


class ArmSpec(Request):
    """A version and its part of the devices: its `share` of all shares, or those whose label has `value`."""

    name: Name
    package: Name
    version: Version
    share: Annotated[float, Field(gt=0, le=1000)] = 1.0
    value: LabelValue = ""


def _waves() -> list[WaveSpec]:
    return [WaveSpec(name="canary", percent=10), WaveSpec(name="rest")]


class ExperimentRequest(Request):
    """`split`: by a stable hash of the device, or by the label `label_key`. The first arm is the one that others are compared
    with. Each arm's version comes by a rollout of its own, under `gate`, where devices do not run it yet."""

    name: Title
    slot: Name = "detector"
    selector: Selector
    arms: Annotated[list[ArmSpec], Field(min_length=2, max_length=ARMS_MAX)]
    split: Literal["hash", "label"] = "hash"
    label_key: LabelKey | None = None
    waves: Annotated[list[WaveSpec], Field(min_length=1, max_length=20, default_factory=_waves)]
    gate: GateSpec = Field(default_factory=GateSpec)
    policy: PolicySpec = Field(default_factory=PolicySpec)


class Arm(BaseModel):
    """`devices` were assigned to it, `on_version` of them run and trust its version now. `rollout` is null where all did."""

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
    """A mean over devices (or a share of them) with its limits; null where so few devices allow none."""

    arm: str
    devices: int
    value: float
    low: float | None
    high: float | None


class DifferenceFrom(Estimate):
    """This arm less the first one."""

    verdict: Verdict


class Figure(BaseModel):
    """`lower_is_better` null = neither is better; the difference is only told."""

    name: str
    unit: str
    lower_is_better: bool | None
    arms: list[Estimate]
    differences: list[DifferenceFrom]


class ExperimentSummary(BaseModel):
    """`taken`: the arm whose version was taken at the end, by rollout `take_rollout`; empty while it runs, or when none was."""

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
    taken: str
    take_rollout: int | None
    arms: list[Arm]


class Experiment(ExperimentSummary):
    """With the comparison. All intervals hold together with `confidence_percent`."""

    confidence_percent: float
    figures: list[Figure]


class LeftOut(BaseModel):
    device: str
    reason: str


class ExperimentCreated(Experiment):
    """`left_out`: devices that were chosen and cannot run every arm's version; with them the arms could not be compared."""

    left_out: list[LeftOut]


class ExperimentPage(BaseModel):
    items: list[ExperimentSummary]
    total: int


class TakeRequest(Request):
    """`arm`: whose version all devices of the experiment get, by a rollout in `waves` under `gate`."""

    arm: Name
    waves: Annotated[list[WaveSpec], Field(min_length=1, max_length=20, default_factory=_waves)]
    gate: GateSpec = Field(default_factory=GateSpec)
    policy: PolicySpec = Field(default_factory=PolicySpec)
