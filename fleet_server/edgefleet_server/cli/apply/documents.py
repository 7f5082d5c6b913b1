"""The keys of `fleet.yaml`. The text under a field is what the reference and the editors show."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from edgefleet_contract.encoding.names import DEVICE_PATTERN, LABEL_KEY_PATTERN, NAME_PATTERN, VERSION_PATTERN

Name = Annotated[str, Meta(pattern=NAME_PATTERN)]
Version = Annotated[str, Meta(pattern=VERSION_PATTERN)]
DeviceId = Annotated[str, Meta(pattern=DEVICE_PATTERN)]
LabelKey = Annotated[str, Meta(pattern=LABEL_KEY_PATTERN)]
LabelValue = Annotated[str, Meta(max_length=200)]
Title = Annotated[str, Meta(min_length=1, max_length=120)]
QueryText = Annotated[str, Meta(max_length=2000)]
Note = Annotated[str, Meta(max_length=500)]
Percent = Annotated[float, Meta(ge=0, le=100)]
Seconds = Annotated[float, Meta(ge=0, le=2_592_000)]


class Part(msgspec.Struct, forbid_unknown_fields=True):
    """Base of every struct of the file: unknown keys are refused."""


class PackageVersion(Part):
    """A version of a model. Packages are immutable: a version is added, never changed and never deleted."""

    folder: str = ""
    """Package folder with a `model.toml`, relative to the file. It is pushed if the server does not have the version. Empty: the
    server must have it."""


class FleetModel(Part):
    """Versions of a model that the registry must have, and the channels that point to them."""

    versions: dict[Version, PackageVersion] = field(default_factory=dict)
    channels: dict[Name, Version] = field(default_factory=dict)
    """Channel to the version that it points to."""


class FleetGroup(Part):
    """A group of devices: those that carry all `labels` and match the `query` now, together with those named in `devices`."""

    labels: dict[LabelKey, LabelValue] = field(default_factory=dict)
    """Labels; a device must carry every one."""
    query: QueryText = ""
    """Query: `profile = coral* and not ring = canary`."""
    devices: list[DeviceId] = field(default_factory=list)
    """Device IDs, whatever their labels."""
    all: bool = False
    """All devices."""
    note: Note = ""
    """Description."""


class FleetWave(Part):
    """In place of `waves`: a share of the devices with a name. The last wave takes the rest: it has only a name."""

    name: Title
    """Name of the wave."""
    percent: Annotated[float, Meta(gt=0, le=100)] | UnsetType = UNSET
    """Share of the devices."""
    count: Annotated[int, Meta(ge=1, le=1_000_000)] | UnsetType = UNSET
    """Number of devices."""
    labels: dict[LabelKey, LabelValue] | UnsetType = UNSET
    """Devices that carry every one of these labels."""
    approval: bool = False
    """The start of the wave has to be approved."""


class Regressions(Part):
    """Largest accepted degradations of a device by its update: one that performs worse than before by more has
    failed. `regressions: null`: nothing is compared."""

    latency_percent: Annotated[float, Meta(gt=0, le=10000)] | UnsetType | None = UNSET
    """Latency, in percent. `null`: not checked."""
    dropped_points: Annotated[float, Meta(gt=0, le=100)] | UnsetType | None = UNSET
    """Dropped frames, in percentage points. `null`: not checked."""
    confidence_points: Annotated[float, Meta(gt=0, le=100)] | UnsetType | None = UNSET
    """Mean confidence, in percentage points. `null`: not checked."""
    temperature_c: Annotated[float, Meta(gt=0, le=100)] | UnsetType | None = UNSET
    """Temperature, in degrees Celsius. `null`: not checked."""
    detections_factor: Annotated[float, Meta(gt=1, le=1000)] | UnsetType | None = UNSET
    """So many times as many detections per frame, or as few. `null`: not checked."""
    class_mix_percent: Annotated[float, Meta(gt=0, lt=100)] | UnsetType | None = UNSET
    """Boxes of another class in place of those before, in percent of all. `null`: not checked, for a version with new labels."""
    memory_percent: Annotated[float, Meta(gt=0, le=10000)] | UnsetType | None = UNSET
    """Memory, in percent. `null`: not checked."""
    memory_mb_per_hour: Annotated[float, Meta(gt=0, le=100_000)] | UnsetType | None = UNSET
    """Growth of the memory, in MB. `null`: not checked."""
    samples_min: Annotated[int, Meta(ge=1, le=10_000)] | UnsetType = UNSET
    """Least number of samples before and after."""
    agreement_percent_min: Annotated[float, Meta(ge=0, le=100)] | UnsetType | None = UNSET
    """Of a shadow version: least agreement with the running one."""


class FleetGate(Part):
    """Conditions under which a rollout stops itself. Keys that are not set have the server's defaults."""

    error_percent_max: Percent | UnsetType = UNSET
    """Largest failure rate of the devices of a wave that have reported."""
    reported_min: Annotated[int, Meta(ge=1, le=1_000_000)] | UnsetType = UNSET
    """Least number of devices that have reported."""
    offline_s: Annotated[float, Meta(ge=1, le=86_400)] | UnsetType = UNSET
    """Time offline after the update that counts as failure."""
    soak_s: Annotated[float, Meta(ge=0, le=604_800)] | UnsetType = UNSET
    """Time for which a wave is observed after its last device."""
    test: Literal["threshold", "sequential", "both"] | UnsetType = UNSET
    """What stops it: the limit on each wave, the sequential test over the whole rollout, or that test, with small steps over the
    limit (`both`)."""
    tolerated_percent: Percent | UnsetType | None = UNSET
    """Failure rate that the sequential test tolerates."""
    confidence_percent: Annotated[float, Meta(ge=50, le=99.999)] | UnsetType = UNSET
    """Confidence of the sequential test."""
    frames_required: bool | UnsetType = UNSET
    """A device counts only if its model analyzed frames in the trial."""
    regressions: Regressions | UnsetType | None = UNSET


class FleetPolicy(Part):
    """The trial on each device."""

    trial_s: Annotated[float, Meta(ge=0, le=86_400)] | UnsetType = UNSET
    """Duration of the trial."""
    trial_frames_min: Annotated[int, Meta(ge=0, le=1_000_000)] | UnsetType = UNSET
    """Least number of frames of the trial."""
    shadow_s: Annotated[float, Meta(ge=0, le=86_400)] | UnsetType = UNSET
    """On devices of the first wave: time beside the committed version before the trial, on the same frames. 0: not at all."""
    shadow_agreement_percent_min: Percent | UnsetType = UNSET
    """Least agreement with the committed version in that time."""


class FleetRetry(Part):
    """Retries after failures of the delivery."""

    tries_max: Annotated[int, Meta(ge=1, le=10)] | UnsetType = UNSET
    """Attempts for each device."""
    back_off_s: Annotated[float, Meta(ge=1, le=86_400)] | UnsetType = UNSET
    """Pause before the second attempt."""
    factor: Annotated[float, Meta(ge=1, le=10)] | UnsetType = UNSET
    """Factor of each further pause."""


class FleetRate(Part):
    """Speed of a rollout."""

    per_minute: Annotated[int, Meta(ge=1, le=1_000_000)]
    """Devices that start in a minute."""
    factor: Annotated[float, Meta(ge=1, le=5)] | UnsetType = UNSET
    """Factor of the rate after each `grow_after` updated devices."""
    grow_after: Annotated[int, Meta(ge=1, le=1_000_000)] | UnsetType = UNSET
    """Updated devices after which the rate grows."""
    per_minute_max: Annotated[int, Meta(ge=1, le=1_000_000)] | UnsetType = UNSET
    """Largest rate."""


class FleetWindow(Part):
    """Times at which devices may start, in their local time."""

    start: Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    """Begin, `22:00`."""
    end: Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    """End, `05:00`."""
    days: Annotated[list[Annotated[int, Meta(ge=0, le=6)]], Meta(max_length=7)] | UnsetType = UNSET
    """Days, 0 = Monday. None: every day."""
    timezone: str | UnsetType = UNSET
    """Time zone of devices without the label `timezone`."""


class FleetTerms(Part):
    """Terms of the delivery. Keys that are not set have the server's defaults."""

    retry: FleetRetry | UnsetType = UNSET
    rate: FleetRate | UnsetType = UNSET
    window: FleetWindow | UnsetType = UNSET
    follow: bool | UnsetType = UNSET
    """Devices that match later get the version, too."""
    prestage: bool | UnsetType = UNSET
    """All devices download at once, and switch wave by wave."""


class Assignment(Part):
    """Devices, and the plan by which they get the newest version. A changed plan or version is a new rollout."""

    group: Name | None = None
    """Group; then no `labels`, `query`, `devices` or `all`."""
    labels: dict[LabelKey, LabelValue] = field(default_factory=dict)
    """Devices that carry every one of these labels."""
    query: QueryText = ""
    """Devices that match, and carry the labels if there are any: `agent >= 0.3 and state = online`."""
    devices: list[DeviceId] = field(default_factory=list)
    """Device IDs."""
    all: bool = False
    """All devices."""
    template: Name | None = None
    """Template, as listed by `edgefleet rollout templates`."""
    waves: str = ""
    """Sizes of the waves: `1,25%,rest`; a trailing `!` requires approval. Default: those of the template, or `5%,25%,rest`."""
    wave_list: list[FleetWave] = field(default_factory=list)
    gate: FleetGate = field(default_factory=FleetGate)
    policy: FleetPolicy = field(default_factory=FleetPolicy)
    terms: FleetTerms = field(default_factory=FleetTerms)
    priority: Annotated[int, Meta(ge=0, le=1000)] | UnsetType = UNSET
    """Priority over other rollouts for the same device."""
    wave_timeout_s: Annotated[float, Meta(ge=1, le=2_592_000)] | UnsetType = UNSET
    """Time limit of a wave."""
    start: bool = True
    """`false`: create a draft, which `edgefleet rollout start` starts."""
    repeat: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """Another number is another rollout of the same version, for example after one that was aborted."""


class BundlePart(Part):
    """A further package of a rollout, installed together with the first or not at all."""

    package: Name
    """Model."""
    version: str
    """Version or channel."""
    slot: Name
    """Slot on the device."""


class FleetRollout(Assignment, kw_only=True):
    """A version of a model, the devices, and the plan by which they get it. A changed plan or version is a new rollout."""

    model: Name
    """Model."""
    version: str
    """Version, or channel: when the channel moves, the next apply creates a new rollout."""
    slot: Name = "detector"
    """Slot of the package on the device."""
    parts: list[BundlePart] = field(default_factory=list)


class FleetPipeline(Part):
    """A pipeline of the fleet; the name is that in its file."""

    file: str
    """Pipeline file, relative to this file. A changed file is stored as the next version."""
    note: Note = ""
    """Description of the change."""
    assign: dict[Name, Assignment] = field(default_factory=dict)


class FleetWebhook(Part):
    """An address for notifications."""

    url: Annotated[str, Meta(pattern=r"^https?://[^\s]{3,500}$")]
    """URL."""
    secret_env: str = ""
    """Environment variable with the secret that signs requests. A changed secret is not seen as a change."""


class FleetAlert(Part):
    """An alert rule."""

    kind: Literal[
        "threshold",
        "absence",
        "rate",
        "anomaly",
        "blind_camera",
        "memory",
        "rollout_paused",
        "rollout_failed",
        "rollout_approval",
    ]
    """Kind of condition."""
    figure: str | None = None
    """Metric: `fps`, `latency_p95_ms`, `temperature_c`, `memory_bytes`, `detections_per_hour`, `coverage_percent`, …"""
    above: float | None = None
    """Upper limit."""
    below: float | None = None
    """Lower limit."""
    clear: float | None = None
    """Value that ends the alert. Default: 5 % inside the limit."""
    for_s: Seconds = 60.0
    """Least duration."""
    window_s: Annotated[float, Meta(ge=10, le=86_400)] = 300.0
    """Window in which events are counted."""
    deviations: Annotated[float, Meta(ge=1, le=100)] = 4.0
    """Standard deviations from the device's own mean."""
    event_kind: str | None = None
    """Only events of this kind."""
    event_label: str | None = None
    """Only events with this label."""
    event_rule: str | None = None
    """Only events of this rule of a pipeline."""
    pipeline: str | None = None
    """Only this pipeline; for `rate` and `blind_camera`."""
    group: Name | None = None
    """Only devices of this group."""
    severity: Literal["info", "warning", "critical"] = "warning"
    """Severity of the alerts."""
    webhooks: Annotated[list[FleetWebhook], Meta(max_length=10)] = field(default_factory=list)
    emails: Annotated[list[str], Meta(max_length=10)] = field(default_factory=list)
    """Mail addresses for notifications."""
    enabled: bool = True
    """`false`: the rule is kept and evaluates nothing."""


class FleetRecipient(Part):
    """A recipient of the alerts of all rules. Browsers are added in the dashboard."""

    kind: Literal["webhook", "email", "slack", "teams", "pagerduty", "ntfy"]
    """Kind of recipient."""
    url: str = ""
    """URL of a `webhook`, or of the server of `ntfy` or `pagerduty`."""
    secret_env: str = ""
    """Environment variable with the secret: the address of the webhook (`slack`, `teams`), the integration key (`pagerduty`), the
    access token (`ntfy`), or what signs requests (`webhook`). A changed secret is not seen as a change."""
    emails: Annotated[list[str], Meta(max_length=20)] = field(default_factory=list)
    """Mail addresses."""
    topic: str = ""
    """Topic of `ntfy`."""
    groups: Annotated[list[Name], Meta(max_length=50)] = field(default_factory=list)
    """Only alerts about devices of these groups, and about rollouts for them. Default: all."""
    severities: list[Literal["info", "warning", "critical"]] = field(default_factory=list)
    """Only alerts of these severities. Default: all."""
    enabled: bool = True
    """`false`: it is kept and gets nothing."""


class Fleet(Part):
    """A fleet, or a part of it."""

    name: Name = "fleet"
    """Name of the configuration: what the files with this name made is theirs to delete (`--prune`)."""
    models: dict[Name, FleetModel] = field(default_factory=dict)
    groups: dict[Name, FleetGroup] = field(default_factory=dict)
    pipelines: dict[Name, FleetPipeline] = field(default_factory=dict)
    rollouts: dict[Name, FleetRollout] = field(default_factory=dict)
    alerts: dict[Title, FleetAlert] = field(default_factory=dict)
    recipients: dict[Title, FleetRecipient] = field(default_factory=dict)


def plain(part: Part) -> dict[str, Any]:
    """A part as plain values, without the keys that are not set."""
    found: dict[str, Any] = msgspec.to_builtins(part)
    return found
