"""Types of the operations about fleet.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from edgefleet_client.not_required import NotRequired
from edgefleet_client.schemas.alerts import FigureSummary
from edgefleet_client.schemas.devices import TelemetryPoint


class BlockTraffic(TypedDict):
    """Blocks of models sent over MQTT since the server started; a broadcast counts once, regardless of the number of
    receivers."""

    broadcasts: NotRequired[int]
    sent_alone: NotRequired[int]
    sent_bytes: NotRequired[int]


class BrokerHealth(TypedDict):
    """`devices_max`: limit of connected devices of the managed broker (open files); null = unknown."""

    devices_max: NotRequired[int | None]
    state: Literal["up", "down"]
    url: str


class ComponentCoverage(TypedDict):
    """The fleet that the answers are about. `unknown`: devices of which is not known what is installed, because their agent
    does not report it or has not yet been asked; `incomplete`: devices that had no room for all entries."""

    devices: int
    incomplete: int
    unknown: int


class ComponentDetail(TypedDict):
    """The devices that have a component, or had it. `uncompared`: versions that specifiers cannot be compared with; they are
    not in `items`."""

    coverage: ComponentCoverage
    items: list[ComponentDevice]
    name: str
    next_after: NotRequired[str | None]
    uncompared: list[str]
    version: str
    versions: list[ComponentVersion]


class ComponentDevice(TypedDict):
    """A version on a device. `since_at`: when the server learned it first, or, of a package, when it was committed.
    `until_at`: when that ended; null while it lasts (`current`), or if the end is unknown. `use`: of a library is known
    that it is `installed`, not that a program loads it. `evidence`: digest of the device's bill, or of the package."""

    current: bool
    device: str
    evidence: str
    kind: Literal["library", "agent", "runtime", "system", "kernel", "package"]
    since_at: float
    slot: str
    until_at: float | None
    use: Literal["running", "installed"]
    version: str


class ComponentList(TypedDict):
    """By kind, name and version."""

    coverage: ComponentCoverage
    items: list[ComponentVersion]
    next_after: NotRequired[str | None]


class ComponentVersion(TypedDict):
    """A version of a component. `devices`: those that have it now; `on_server`: this server has it, too."""

    devices: int
    kind: Literal["library", "agent", "runtime", "system", "kernel", "package"]
    name: str
    on_server: NotRequired[bool]
    version: str


class Configuration(TypedDict):
    """The objects that one set of files manages."""

    changed_at: float
    changed_by: str
    name: str
    resources: list[ConfigurationResource]
    revision: int


class ConfigurationList(TypedDict):
    """Fields of ConfigurationList."""

    items: list[Configuration]
    next_after: NotRequired[str | None]


class ConfigurationRequest(TypedDict):
    """`revision`: that of the configuration which is changed; 0 = a new one. Another revision is refused, so that two
    changes at once do not overwrite each other."""

    resources: list[ConfigurationResource]
    revision: int


class ConfigurationResource(TypedDict):
    """An object that a configuration manages. `made`: an apply created it, so that an apply may delete it. `digest`: of its
    last applied definition. `id`: of a rollout or an alert rule."""

    digest: NotRequired[str]
    id: NotRequired[int | None]
    kind: Literal["channel", "group", "alert", "recipient", "rollout"]
    made: bool
    name: str


class DeviceHistory(TypedDict):
    """The figures that the device has in the period, and its updates, oldest first. `updates_left_out`: whether the period
    has earlier ones."""

    device: str
    figures: list[FigureCurve]
    updates: list[UpdateMark]
    updates_left_out: bool


class DeviceLog(TypedDict):
    """`records`: oldest first. `cursor`: value of `since` that continues with the next lines; empty = this device cannot.
    `lost`: lines that were dropped since the request before. `limited`: the agent is too old to select and follow; these
    are the last lines of its service."""

    cursor: str
    device: str
    level: Literal["debug", "info", "warning", "error"]
    limited: bool
    lost: int
    pipeline: str
    received_at: float
    records: list[LogRecord]
    search: str
    source: Literal["service", "worker", "pipeline", "journal"]


class FigureCurve(TypedDict):
    """One figure over time: a value for each of `at`, null where no sample arrived. `summary`: of the whole period."""

    count: list[int]
    high: list[float | None]
    low: list[float | None]
    mean: list[float | None]
    name: Literal[
        "fps",
        "latency_p95_ms",
        "dropped_percent",
        "temperature_c",
        "cpu_percent",
        "confidence",
        "memory_bytes",
        "detections_per_frame",
        "shadow_agreement",
        "shadow_latency_percent",
        "shadow_confidence_points",
    ]
    p95: list[float | None]
    summary: FigureSummary


class FigureHistory(TypedDict):
    """`span_s`: length of each span; of a day in UTC. `at`: their starts, the first of which may lie before `since_at`.
    `stored_since_at`: spans of this length before that time have been deleted. `devices`: in the order of the request."""

    at: list[int]
    devices: list[DeviceHistory]
    since_at: float
    span_s: Literal[60, 3600, 86400]
    stored_since_at: float
    until_at: float


class Health(TypedDict):
    """`status`: degraded if the broker is down, the database damaged or not writable, or a folder of models or signed
    metadata missing or not writable. `database_fault`: what is damaged in the database, and what to do; it is not written
    to then. Empty = nothing found. `database_unwritable_since`: wall time of the first refused write, for example on a
    full disk; null if the latest one succeeded. `storage_warnings`: reasons why stored data is damaged or could be lost,
    or nothing is stored, with what to do. `address_warnings`: reasons why devices on other machines cannot reach the
    broker at the address that they are given, with what to do. `notices_waiting`: notices of alerts that are not
    delivered yet. `notices_summarized`: those that found no room in the queue of their recipient, and that the stored
    summaries count."""

    address_warnings: NotRequired[list[str]]
    blocks: NotRequired[BlockTraffic]
    broker: BrokerHealth
    database: NotRequired[Literal["ok"]]
    database_fault: NotRequired[str]
    database_unwritable_since: NotRequired[float | None]
    notices_summarized: NotRequired[int]
    notices_waiting: NotRequired[int]
    status: NotRequired[Literal["ok", "degraded"]]
    storage_warnings: NotRequired[list[str]]
    version: str


class LogRecord(TypedDict):
    """A line of a device's log, from which the device has removed secrets. `at`: wall time of the device; 0 = unknown."""

    at: float
    level: Literal["debug", "info", "warning", "error"]
    logger: str
    source: str
    text: str


class Overview(TypedDict):
    """Counts for the whole fleet. A device may count as online, updating and in need of attention at the same time.
    `on_target`: devices that run the assigned package in every slot with an assignment. `degraded`: connected devices
    whose latest sample has warnings (a stalled camera, few processed frames, high temperature, a full disk)."""

    alerts_open: int
    attention: int
    degraded: int
    devices_total: int
    events_24h: int
    flapping: int
    offline: int
    on_target: int
    online: int
    rollouts_active: int
    server: ServerInfo
    telemetry_per_s: float
    updating: int
    versions: list[VersionShare]


class ServerInfo(TypedDict):
    """`storage_warnings`: reasons why stored data is damaged or could be lost, `address_warnings`: why devices on other
    machines cannot reach the broker, `label_warnings`: labels that only devices report but a selection names, each with
    what to do."""

    address_warnings: NotRequired[list[str]]
    broker: BrokerHealth
    label_warnings: NotRequired[list[str]]
    started_at: float
    storage_warnings: NotRequired[list[str]]
    version: str


class SiteList(TypedDict):
    """The site with the most devices first. `unlocated`: number of devices without a position."""

    items: list[SiteSummary]
    unlocated: int


class SiteSummary(TypedDict):
    """Devices at one position. `labels` select them in `list_devices`; a site without any position is not listed."""

    attention: int
    devices: int
    labels: dict[str, str]
    lat: float
    lon: float
    name: str
    offline: int
    updating: int


class SupportBundleList(TypedDict):
    """Newest first."""

    items: list[SupportBundleRow]


class SupportBundleRow(TypedDict):
    """A support bundle. `id`: that of the command. `requested_by`: empty if no longer known. `delete_at`: when the server
    deletes it."""

    delete_at: float | None
    detail: str
    id: str
    length_bytes: int | None
    received_at: float | None
    requested_at: float
    requested_by: str
    state: Literal["pending", "done", "failed", "expired"]


class TelemetryMessage(TypedDict):
    """Data of a `telemetry` message; only with topic `device:ID`."""

    device: str
    point: TelemetryPoint


class UpdateMark(TypedDict):
    """The offer of an update, or its end with the state in which it ended."""

    at: float
    package: str
    rollout: int
    slot: str
    state: Literal[
        "queued",
        "offered",
        "accepted",
        "fetching",
        "verified",
        "staged",
        "waiting_window",
        "trial",
        "committed",
        "regressed",
        "rejected",
        "rolled_back",
        "rollback_failed",
        "timed_out",
        "superseded",
        "cancelled",
        "incompatible",
        "already_installed",
    ]
    version: str


class VersionCount(TypedDict):
    """Fields of VersionCount."""

    count: int
    package: str
    slot: str
    version: str


class VersionCounts(TypedDict):
    """Fields of VersionCounts."""

    at: float
    shares: list[VersionCount]


class VersionHistory(TypedDict):
    """Number of devices by version, oldest first. Every five minutes, for older days every hour."""

    items: list[VersionCounts]


class VersionShare(TypedDict):
    """Number of devices that run this package in this slot."""

    count: int
    digest: str
    package: str
    slot: str
    version: str
