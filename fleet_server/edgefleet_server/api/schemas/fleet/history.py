"""Bodies of the REST API v1 about the history of devices."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import AttemptState
from edgefleet_server.api.schemas.fleet.alerts import FigureSummary
from edgefleet_server.db.telemetry.device_history import UPDATES_MAX

DEVICES_MAX: Final = 10
FIGURES_MAX: Final = 11
POINTS_MAX: Final = 2_000

FigureName = Literal[
    "fps", "latency_p95_ms", "dropped_percent", "temperature_c", "cpu_percent", "confidence", "memory_bytes",
    "detections_per_frame", "shadow_agreement", "shadow_latency_percent", "shadow_confidence_points",
]  # fmt: skip
Values = Annotated[list[float | None], Field(max_length=POINTS_MAX)]


class FigureCurve(BaseModel):
    """One figure over time: a value for each of `at`, null where no sample arrived. `summary`: of the whole period."""

    name: FigureName
    count: Annotated[list[int], Field(max_length=POINTS_MAX)]
    mean: Values
    low: Values
    high: Values
    p95: Values
    summary: FigureSummary


class UpdateMark(BaseModel):
    """The offer of an update, or its end with the state in which it ended."""

    at: float
    state: AttemptState
    rollout: int
    slot: str
    package: str
    version: str


class DeviceHistory(BaseModel):
    """The figures that the device has in the period, and its updates, oldest first. `updates_left_out`: whether the period has
    earlier ones."""

    device: str
    figures: Annotated[list[FigureCurve], Field(max_length=FIGURES_MAX)]
    updates: Annotated[list[UpdateMark], Field(max_length=2 * UPDATES_MAX)]
    updates_left_out: bool


class FigureHistory(BaseModel):
    """`span_s`: length of each span; of a day in UTC. `at`: their starts, the first of which may lie before `since_at`.
    `stored_since_at`: spans of this length before that time have been deleted. `devices`: in the order of the request."""

    since_at: float
    until_at: float
    span_s: Literal[60, 3600, 86400]
    stored_since_at: float
    at: Annotated[list[int], Field(max_length=POINTS_MAX)]
    devices: Annotated[list[DeviceHistory], Field(max_length=DEVICES_MAX)]
