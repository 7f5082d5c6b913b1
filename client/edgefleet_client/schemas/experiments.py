"""Types of the operations about experiments.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from edgefleet_client.not_required import NotRequired
from edgefleet_client.schemas.core import Selector
from edgefleet_client.schemas.rollout_requests import GateSpec, PolicySpec, WaveSpec


class Arm(TypedDict):
    """`devices` were assigned to it; `on_version` of them run its version now and have committed it. `rollout` is null if
    all did at the start."""

    devices: int
    digest: str
    name: str
    on_version: int
    package: str
    rollout: int | None
    rollout_state: str | None
    share: float
    value: str
    version: str


class ArmPreview(TypedDict):
    """`devices` would be assigned to it, `to_update` of them do not run its version yet."""

    devices: int
    name: str
    to_update: int


class ArmSpec(TypedDict):
    """A version and its part of the devices: its `share` of the sum of all shares, or the devices whose label has `value`."""

    name: str
    package: str
    share: NotRequired[float]
    value: NotRequired[str]
    version: str


class ChooseRequest(TypedDict):
    """`arm`: the arm whose version is rolled out to all devices of the experiment, in `waves` under `gate`."""

    arm: str
    gate: NotRequired[GateSpec]
    policy: NotRequired[PolicySpec]
    waves: NotRequired[list[WaveSpec]]


class DifferenceFrom(TypedDict):
    """Difference of this arm to the first one (this minus first)."""

    arm: str
    devices: int
    high: float | None
    low: float | None
    value: float
    verdict: Literal["better", "worse", "different", "no_difference_seen", "too_few"]


class Estimate(TypedDict):
    """A mean over devices (or a share of them) with its confidence limits; null if there are too few devices."""

    arm: str
    devices: int
    high: float | None
    low: float | None
    value: float


ExperimentCompared: TypeAlias = Literal["latency_p95_ms", "dropped_percent", "confidence", "events_per_hour", "failures"]


class Experiment(TypedDict):
    """An experiment with its comparison. All intervals hold together with a confidence of `confidence_percent`."""

    arms: list[Arm]
    chosen_arm: str
    chosen_rollout: int | None
    compared: list[ExperimentCompared]
    confidence_percent: float
    created_at: float
    created_by: str
    ended_at: float | None
    ended_by: str
    figures: list[Figure]
    id: int
    label_key: str
    name: str
    review_after_s: float | None
    slot: str
    split: Literal["hash", "label"]
    state: Literal["running", "ended"]


ExperimentCreatedCompared: TypeAlias = Literal["latency_p95_ms", "dropped_percent", "confidence", "events_per_hour", "failures"]


class ExperimentCreated(TypedDict):
    """`left_out`: selected devices that cannot run every arm's version; with them, the arms could not be compared."""

    arms: list[Arm]
    chosen_arm: str
    chosen_rollout: int | None
    compared: list[ExperimentCreatedCompared]
    confidence_percent: float
    created_at: float
    created_by: str
    ended_at: float | None
    ended_by: str
    figures: list[Figure]
    id: int
    label_key: str
    left_out: list[LeftOut]
    name: str
    review_after_s: float | None
    slot: str
    split: Literal["hash", "label"]
    state: Literal["running", "ended"]


class ExperimentPage(TypedDict):
    """Fields of ExperimentPage."""

    items: list[ExperimentSummary]
    total: int


class ExperimentPreview(TypedDict):
    """Preview of the assignment of devices to arms. `elsewhere`: devices that could take part and carry no arm's label."""

    arms: list[ArmPreview]
    elsewhere: int
    left_out: list[LeftOut]
    needs_second_person: bool


ExperimentRequestCompared: TypeAlias = Literal["latency_p95_ms", "dropped_percent", "confidence", "events_per_hour", "failures"]


class ExperimentRequest(TypedDict):
    """`split`: by a stable hash of the device, or by the label `label_key`. All other arms are compared with the first one.
    A separate rollout under `gate` brings each arm's version to the devices that do not run it yet. `compared`: the
    figures to compare, none = all; fewer figures have narrower intervals. `review_after_s`: time after which the result
    is due for review; this has no automatic effect."""

    arms: list[ArmSpec]
    compared: NotRequired[list[ExperimentRequestCompared]]
    gate: NotRequired[GateSpec]
    label_key: NotRequired[str | None]
    name: str
    policy: NotRequired[PolicySpec]
    review_after_s: NotRequired[float | None]
    selector: Selector
    slot: NotRequired[str]
    split: NotRequired[Literal["hash", "label"]]
    waves: NotRequired[list[WaveSpec]]


ExperimentSummaryCompared: TypeAlias = Literal["latency_p95_ms", "dropped_percent", "confidence", "events_per_hour", "failures"]


class ExperimentSummary(TypedDict):
    """`chosen_arm`: the arm whose version was chosen at the end, and rolled out by `chosen_rollout`; empty while the
    experiment runs, or if it ended without a winner."""

    arms: list[Arm]
    chosen_arm: str
    chosen_rollout: int | None
    compared: list[ExperimentSummaryCompared]
    created_at: float
    created_by: str
    ended_at: float | None
    ended_by: str
    id: int
    label_key: str
    name: str
    review_after_s: float | None
    slot: str
    split: Literal["hash", "label"]
    state: Literal["running", "ended"]


class Figure(TypedDict):
    """`lower_is_better` null = neither direction is better; the difference is only reported."""

    arms: list[Estimate]
    differences: list[DifferenceFrom]
    lower_is_better: bool | None
    name: str
    unit: str


class LeftOut(TypedDict):
    """Fields of LeftOut."""

    device: str
    reason: str
