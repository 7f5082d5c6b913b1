"""Bodies of a rollout request: devices, waves, gate and terms. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from edgefleet_server.api.schemas.fields import DeviceId, LabelKey, LabelValue, Name, QueryText, StrictModel, Title
from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.domain.policy.grants import GRANTS_MAX


class Selector(StrictModel):
    """Selects all devices; or those named in `ids` together with those that carry every one of `labels` and match the `query`; or
    exactly those of a `group`. With `within`, only those of them that are in one of these groups. A query:
    `site = lyon and not (ring = canary or state = offline)`."""

    all: bool = False
    ids: Annotated[list[DeviceId], Field(max_length=100_000)] = Field(default_factory=list)
    labels: Annotated[dict[LabelKey, LabelValue], Field(max_length=32)] = Field(default_factory=dict)
    group: Name | None = None
    query: QueryText | None = None
    within: Annotated[list[Name], Field(max_length=GRANTS_MAX)] = Field(default_factory=list)

    def stored(self) -> dict[str, Any]:
        """The selector as it is stored: without the fields `query` and `within` if they are empty, so that equal selectors are
        equal as text."""
        return self.model_dump(exclude={name for name in ("query", "within") if not getattr(self, name)})


class WaveSpec(StrictModel):
    """A share of the fleet, in percent or as a number of devices, or those that carry every one of `labels`. The last wave
    takes the rest, so it has none of these, or 100 percent. `approval`: its start has to be approved."""

    name: Title
    percent: Annotated[float, Field(gt=0, le=100)] | None = None
    count: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    labels: Annotated[dict[LabelKey, LabelValue], Field(max_length=32)] = Field(default_factory=dict)
    approval: bool = Field(default_factory=bool)


class RegressionSpec(StrictModel):
    """Largest accepted degradations of a device by its update; null = not checked. Latency (median of p95) in percent, dropped
    frames and mean confidence in percentage points, temperature in degrees Celsius; `detections_factor`: so many times as many
    detections per frame, or as few; class mix: boxes of another class in place of those before, in percent of all;
    memory in percent, and its growth; `samples_min`: of each period. A device is compared with devices of its profile and site
    that were not updated; with fewer than five of them, with its own past.
    `agreement_percent_min`: of a shadow candidate (slot `shadow-NAME`) with the incumbent."""

    latency_percent: Annotated[float, Field(gt=0, le=10_000)] | None = defaults.LATENCY_PERCENT
    dropped_points: Annotated[float, Field(gt=0, le=100)] | None = defaults.DROPPED_POINTS
    confidence_points: Annotated[float, Field(gt=0, le=100)] | None = defaults.CONFIDENCE_POINTS
    temperature_c: Annotated[float, Field(gt=0, le=100)] | None = defaults.TEMPERATURE_C
    detections_factor: Annotated[float, Field(gt=1, le=1_000)] | None = defaults.DETECTIONS_FACTOR
    class_mix_percent: Annotated[float, Field(gt=0, lt=100)] | None = defaults.CLASS_MIX_PERCENT
    memory_percent: Annotated[float, Field(gt=0, le=10_000)] | None = defaults.MEMORY_PERCENT
    memory_mb_per_hour: Annotated[float, Field(gt=0, le=100_000)] | None = defaults.MEMORY_MB_PER_HOUR
    samples_min: Annotated[int, Field(ge=1, le=10_000)] = defaults.SAMPLES_MIN
    agreement_percent_min: Annotated[float, Field(ge=0, le=100)] | None = None


class GateSpec(StrictModel):
    """The conditions under which a rollout stops itself, and the time for which a wave is observed after its last device has
    finished.

    `test`: the limit on a wave's reported devices (`threshold`), a sequential test over the whole rollout, overall and per
    profile, of whether more than `tolerated_percent` fail (`sequential`; null = the limit), or that test, with small steps
    instead of whole waves while the limit is exceeded (`both`; null = the limit, at most 1 %). `regressions`: a device that
    performs worse than before by more than these limits has failed; null = not checked, and nothing compares quality.
    `frames_required`: a device whose model was committed without a frame, because no pipeline used it, has shown nothing.
    """

    error_percent_max: Annotated[float, Field(ge=0, le=100)] = defaults.ERROR_PERCENT_MAX
    reported_min: Annotated[int, Field(ge=1, le=1_000_000)] = defaults.REPORTED_MIN
    offline_s: Annotated[float, Field(ge=1, le=86_400)] = defaults.OFFLINE_S
    soak_s: Annotated[float, Field(ge=0, le=604_800)] = defaults.SOAK_S
    test: defaults.Test = defaults.TEST
    tolerated_percent: Annotated[float, Field(ge=0, le=100)] | None = None
    confidence_percent: Annotated[float, Field(ge=50, le=99.999)] = defaults.CONFIDENCE_PERCENT
    regressions: RegressionSpec | None = RegressionSpec()
    frames_required: bool = Field(default_factory=bool)


class PolicySpec(StrictModel):
    """The trial of the model on each device before the device commits it. `shadow_s`: on devices of the first wave, and of a
    rollout without another, the model runs beside the committed one for so long before its trial, on the same frames and
    without effect, and has to agree with it by `shadow_agreement_percent_min`; 0 = not at all. Devices without an earlier
    version, frames or the memory for both leave it out, and say so."""

    trial_s: Annotated[float, Field(ge=0, le=86_400)] = defaults.TRIAL_S
    trial_frames_min: Annotated[int, Field(ge=0, le=1_000_000)] = defaults.TRIAL_FRAMES_MIN
    shadow_s: Annotated[float, Field(ge=0, le=86_400)] = defaults.SHADOW_S
    shadow_agreement_percent_min: Annotated[float, Field(ge=0, le=100)] = defaults.SHADOW_AGREEMENT_PERCENT_MIN


class RetrySpec(StrictModel):
    """Retries after failures of the delivery (full disk, lost bytes); failures of the version are never retried."""

    tries_max: Annotated[int, Field(ge=1, le=10)] = defaults.TRIES_MAX
    back_off_s: Annotated[float, Field(ge=1, le=86_400)] = defaults.BACK_OFF_S
    factor: Annotated[float, Field(ge=1, le=10)] = defaults.BACK_OFF_FACTOR


class RateSpec(StrictModel):
    """At most `per_minute` devices start per minute; `factor` times as many each time another `grow_after` have committed."""

    per_minute: Annotated[int, Field(ge=1, le=1_000_000)]
    factor: Annotated[float, Field(ge=1, le=5)] = defaults.RATE_FACTOR
    grow_after: Annotated[int, Field(ge=1, le=1_000_000)] = defaults.RATE_GROW_AFTER
    per_minute_max: Annotated[int, Field(ge=1, le=1_000_000)] = defaults.RATE_PER_MINUTE_MAX


Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class WindowSpec(StrictModel):
    """The times at which a device may start, in its local time: by its label `timezone`, else by `timezone` here. `days` 0 =
    Monday; none = every day. A window that ends before it starts spans midnight."""

    start: Clock
    end: Clock
    days: Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(max_length=7)] = Field(default_factory=list)
    timezone: Annotated[str, Field(pattern=r"^[A-Za-z0-9_+/-]{1,64}$")] = "UTC"


class TermsSpec(StrictModel):
    """The terms of the delivery to devices. `follow`: devices that match the selector later get the version, under the same gate.
    `prestage`: all devices fetch and verify the version at once, and switch when their wave starts."""

    retry: RetrySpec = RetrySpec()
    rate: RateSpec | None = None
    window: WindowSpec | None = None
    follow: bool = False
    prestage: bool = False
