"""Bodies of the REST API v1 about shadow candidates. Conventions as in `schemas`."""

from __future__ import annotations

from pydantic import BaseModel


class ShadowSummary(BaseModel):
    """Devices of one `profile` (empty: all), each counted once. Agreement in percent of frames, with the 95 % confidence limits
    of its mean (null: fewer than two devices); latency in percent of the incumbent's; confidence as the difference to the
    incumbent's in percentage points. `below`: devices that the gate counts as failed because their agreement is too low."""

    profile: str
    devices: int
    measured: int
    below: int
    agreement_percent: float | None
    low: float | None
    high: float | None
    latency_percent: float | None
    confidence_points: float | None


class ShadowDevice(BaseModel):
    """One device; `samples`: number of samples so far."""

    device: str
    profile: str
    samples: int
    agreement_percent: float | None
    latency_percent: float | None
    confidence_points: float | None


class ShadowReport(BaseModel):
    """The comparison of a shadow candidate with the incumbent of `slot`. `agreement_percent_min`: the gate's limit, null if it
    does not check agreement; it applies to a device from `samples_min` on. `worst`: devices with the lowest agreement. For a
    large rollout: the 400 devices that took it last, and their last hour."""

    slot: str
    agreement_percent_min: float | None
    samples_min: int
    overall: ShadowSummary
    profiles: list[ShadowSummary]
    worst: list[ShadowDevice]
