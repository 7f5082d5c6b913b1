"""Types of the operations about rollout_requests.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from edgefleet_client.not_required import NotRequired
from edgefleet_client.schemas.core import Selector


class ActionRequest(TypedDict):
    """Fields of ActionRequest."""

    reason: NotRequired[str]


class ApproveRequest(TypedDict):
    """`wave`: its index; null = the rollout itself, which waits for a second person."""

    reason: NotRequired[str]
    wave: NotRequired[int | None]


class GateSpec(TypedDict):
    """The conditions under which a rollout stops itself, and the time for which a wave is observed after its last device has
    finished.

    `test`: the limit on a wave's reported devices (`threshold`), a sequential test over the whole rollout, overall and
    per profile, of whether more than `tolerated_percent` fail (`sequential`; null = the limit), or that test, with small
    steps instead of whole waves while the limit is exceeded (`both`; null = the limit, at most 1 %). `regressions`: a
    device that performs worse than before by more than these limits has failed; null = not checked, and nothing compares
    quality. `frames_required`: a device whose model was committed without a frame, because no pipeline used it, has shown
    nothing."""

    confidence_percent: NotRequired[float]
    error_percent_max: NotRequired[float]
    frames_required: NotRequired[bool]
    offline_s: NotRequired[float]
    regressions: NotRequired[RegressionSpec | None]
    reported_min: NotRequired[int]
    soak_s: NotRequired[float]
    test: NotRequired[Literal["threshold", "sequential", "both"]]
    tolerated_percent: NotRequired[float | None]


class PartSpec(TypedDict):
    """A further package and its slot; a pipeline of the fleet is a package for the slot `pipeline-NAME`."""

    package: str
    slot: str
    version: str


class PolicySpec(TypedDict):
    """The trial of the model on each device before the device commits it. `shadow_s`: on devices of the first wave, and of a
    rollout without another, the model runs beside the committed one for so long before its trial, on the same frames and
    without effect, and has to agree with it by `shadow_agreement_percent_min`; 0 = not at all. Devices without an earlier
    version, frames or the memory for both leave it out, and say so."""

    shadow_agreement_percent_min: NotRequired[float]
    shadow_s: NotRequired[float]
    trial_frames_min: NotRequired[int]
    trial_s: NotRequired[float]


class PreviewRequest(TypedDict):
    """`version`: a version of the package, or one of its channels, which is resolved when the rollout is created. `parts`:
    further packages of a bundle. A device takes all of them or none."""

    gate: NotRequired[GateSpec]
    package: str
    parts: NotRequired[list[PartSpec]]
    policy: NotRequired[PolicySpec]
    selector: Selector
    slot: NotRequired[str]
    terms: NotRequired[TermsSpec]
    version: str
    waves: list[WaveSpec]


class RateSpec(TypedDict):
    """At most `per_minute` devices start per minute; `factor` times as many each time another `grow_after` have committed."""

    factor: NotRequired[float]
    grow_after: NotRequired[int]
    per_minute: int
    per_minute_max: NotRequired[int]


class RegressionSpec(TypedDict):
    """Largest accepted degradations of a device by its update; null = not checked. Latency (median of p95) in percent,
    dropped frames and mean confidence in percentage points, temperature in degrees Celsius; `detections_factor`: so many
    times as many detections per frame, or as few; class mix: boxes of another class in place of those before, in percent
    of all; memory in percent, and its growth; `samples_min`: of each period. A device is compared with devices of its
    profile and site that were not updated; with fewer than five of them, with its own past. `agreement_percent_min`: of a
    shadow candidate (slot `shadow-NAME`) with the incumbent."""

    agreement_percent_min: NotRequired[float | None]
    class_mix_percent: NotRequired[float | None]
    confidence_points: NotRequired[float | None]
    detections_factor: NotRequired[float | None]
    dropped_points: NotRequired[float | None]
    latency_percent: NotRequired[float | None]
    memory_mb_per_hour: NotRequired[float | None]
    memory_percent: NotRequired[float | None]
    samples_min: NotRequired[int]
    temperature_c: NotRequired[float | None]


class RetrySpec(TypedDict):
    """Retries after failures of the delivery (full disk, lost bytes); failures of the version are never retried."""

    back_off_s: NotRequired[float]
    factor: NotRequired[float]
    tries_max: NotRequired[int]


class RolloutRequest(TypedDict):
    """`parts`: further packages of a bundle. A device takes all of them or none. `key`: a name that the client chooses; if
    there is a rollout with this key, it is returned and nothing is created."""

    gate: NotRequired[GateSpec]
    key: NotRequired[str | None]
    name: str
    package: str
    parts: NotRequired[list[PartSpec]]
    policy: NotRequired[PolicySpec]
    priority: NotRequired[int]
    selector: Selector
    slot: NotRequired[str]
    start: NotRequired[bool]
    terms: NotRequired[TermsSpec]
    version: str
    wave_timeout_s: NotRequired[float]
    waves: list[WaveSpec]


class SkipRequest(TypedDict):
    """`wave`: its index."""

    reason: NotRequired[str]
    wave: int


class TermsSpec(TypedDict):
    """The terms of the delivery to devices. `follow`: devices that match the selector later get the version, under the same
    gate. `prestage`: all devices fetch and verify the version at once, and switch when their wave starts."""

    follow: NotRequired[bool]
    prestage: NotRequired[bool]
    rate: NotRequired[RateSpec | None]
    retry: NotRequired[RetrySpec]
    window: NotRequired[WindowSpec | None]


class WaveSpec(TypedDict):
    """A share of the fleet, in percent or as a number of devices, or those that carry every one of `labels`. The last wave
    takes the rest, so it has none of these, or 100 percent. `approval`: its start has to be approved."""

    approval: NotRequired[bool]
    count: NotRequired[int | None]
    labels: NotRequired[dict[str, str]]
    name: str
    percent: NotRequired[float | None]


class WindowSpec(TypedDict):
    """The times at which a device may start, in its local time: by its label `timezone`, else by `timezone` here. `days` 0 =
    Monday; none = every day. A window that ends before it starts spans midnight."""

    days: NotRequired[list[int]]
    end: str
    start: str
    timezone: NotRequired[str]
