"""Types of the operations about models.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from edgefleet_client.not_required import NotRequired


class Channel(TypedDict):
    """A name of a model that points to a version."""

    changed_at: float
    changed_by: str
    channel: str
    digest: str
    model: str
    note: str
    version: str


class ChannelHistory(TypedDict):
    """Newest first. `next_before_id`: the `before_id` of the next page, if there may be one."""

    items: list[ChannelMove]
    next_before_id: NotRequired[int | None]


class ChannelList(TypedDict):
    """Fields of ChannelList."""

    items: list[Channel]
    next_after: NotRequired[str | None]


class ChannelMove(TypedDict):
    """`version` empty: removed; `before` empty: it was new."""

    at: float
    before: str
    by: str
    id: NotRequired[int]
    note: str
    version: str


class ChannelRequest(TypedDict):
    """Fields of ChannelRequest."""

    note: NotRequired[str]
    version: str


class Coverage(TypedDict):
    """`covered` of `devices` have a variant. `measured_elsewhere`: measurements of profiles that no device has."""

    covered: int
    devices: int
    measured_elsewhere: dict[str, list[Measured]]
    rollouts: list[RolledOut]
    rows: list[CoverageRow]


class CoverageRow(TypedDict):
    """Devices of one profile that have the same runtimes. `variant`, `runtime`: those that they would take; null = none, for
    the reason in `reason`. `running`: number of them that run this version. `measured`: machines of this profile, the
    lowest latency first."""

    devices: int
    length_bytes: int
    measured: list[Measured]
    online: int
    precision: str
    profile: str
    reason: str
    running: int
    runtime: str | None
    runtimes: list[str]
    variant: str | None


class FieldReport(TypedDict):
    """By profile, those with the most devices first."""

    items: list[FieldRow]


class FieldRow(TypedDict):
    """Devices of one profile that run the version now. Figures are the latest of the connected ones (`measured`), null if
    there are none; the figures of a device cover all its pipelines."""

    devices: int
    dropped_per_s_mean: float | None
    fps_mean: float | None
    latency_p95_median_ms: float | None
    latency_p95_worst_ms: float | None
    measured: int
    online: int
    profile: str
    temperature_mean_c: float | None


class HeadInfo(TypedDict):
    """Fields of HeadInfo."""

    family: str
    params: dict[str, Any]


class Judged(TypedDict):
    """A version and the reason why it stays (`reason`); empty = it is retired."""

    digest: str
    length_bytes: int
    model: str
    reason: str
    version: str


class Measured(TypedDict):
    """The chosen setting of a machine of a profile."""

    device: str
    machine: str
    measured_at: float
    p50_ms: float
    p95_ms: float
    per_s: float
    runtime: str
    variant: str


class MeasuredSetting(TypedDict):
    """One setting and its figures. `threads` 0: the default number. `per_s`: samples per second, all instances together."""

    batch: int
    best: NotRequired[bool]
    device: str
    instances: int
    load_ms: float
    memory_bytes: int
    p50_ms: float
    p95_ms: float
    per_s: float
    runtime: str
    streams: int
    threads: int
    variant: str


class MeasurementList(TypedDict):
    """By profile and machine, the lowest latency first."""

    items: list[MeasurementRow]


class MeasurementRow(TypedDict):
    """Fields of MeasurementRow."""

    batch: int
    best: NotRequired[bool]
    device: str
    instances: int
    load_ms: float
    machine: str
    measured_at: float
    memory_bytes: int
    p50_ms: float
    p95_ms: float
    per_s: float
    profile: str
    runtime: str
    streams: int
    threads: int
    variant: str


class MeasurementUpload(TypedDict):
    """Benchmark results of one version on one machine. `digest`: that of the measured package."""

    digest: str
    machine: str
    profile: str
    rows: list[MeasuredSetting]


class ModelDetail(TypedDict):
    """Fields of ModelDetail."""

    card: dict[str, Any]
    created_at: float
    description: str
    digest: str
    epoch: int
    files: list[ModelFile]
    golden_count: int
    head: HeadInfo
    labels: list[str]
    labels_file: NotRequired[str | None]
    length_bytes: int
    licence: str
    name: str
    provenance: dict[str, Any]
    requires: NotRequired[list[str]]
    rollouts: list[RolloutRef]
    running_on: int
    task: str
    title: str
    variants: list[ModelVariant]
    version: str


class ModelFile(TypedDict):
    """Fields of ModelFile."""

    length: int
    path: str
    sha256: str


class ModelList(TypedDict):
    """Fields of ModelList."""

    items: list[ModelRow]
    next_after: NotRequired[str | None]


class ModelRow(TypedDict):
    """A model and its versions, newest version first."""

    latest: str
    name: str
    task: str
    title: str
    versions: list[ModelVersion]


class ModelVariant(TypedDict):
    """Fields of ModelVariant."""

    format: str
    length_bytes: int
    name: str
    precision: str
    profiles: list[str]
    runtimes: list[str]


class ModelVersion(TypedDict):
    """`requires`: capabilities that a device needs. `labels_file`: the package's file with the labels, if they are not in
    `labels`."""

    card: dict[str, Any]
    created_at: float
    description: str
    digest: str
    epoch: int
    golden_count: int
    labels: list[str]
    labels_file: NotRequired[str | None]
    length_bytes: int
    licence: str
    name: str
    requires: NotRequired[list[str]]
    running_on: int
    task: str
    title: str
    variants: list[ModelVariant]
    version: str


class PruneRequest(TypedDict):
    """Of each model (or of `model`), the newest `keep` versions stay, and those pushed within `age_s`, and those still
    needed."""

    age_s: NotRequired[float]
    dry_run: NotRequired[bool]
    keep: NotRequired[int]
    model: NotRequired[str | None]


class Pruned(TypedDict):
    """`freed_bytes`: size of the deleted blobs that no other version needs; blobs that an upload may be using are deleted
    within the hour."""

    dry_run: bool
    freed_bytes: int
    retained: list[Judged]
    retired: list[Judged]


class RolledOut(TypedDict):
    """A rollout of the version, with the states of the latest try of each device."""

    counts: dict[str, int]
    created_at: float
    finished_at: float | None
    id: int
    name: str
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


class RolloutRef(TypedDict):
    """Fields of RolloutRef."""

    created_at: float
    id: int
    name: str
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


class UploadRequest(TypedDict):
    """The announcement of an upload: a .tar of a package folder."""

    length_bytes: int
    sha256: str


class UploadState(TypedDict):
    """`offset_bytes`: number of received bytes, where the next piece of at most `piece_bytes_max` starts."""

    id: str
    length_bytes: int
    offset_bytes: int
    piece_bytes_max: int
