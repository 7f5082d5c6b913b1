"""The agent's configuration: one TOML file, `/etc/edgefleet/agent.toml` by default.

`docs/reference/agent-toml.md` and its JSON Schema are made of the structs and of the text under each field by
`tools/write_reference.py`; `docs/examples/settings/agent.toml` is an example with every table.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from edgefleet_agent.core.device_ids import PATTERN, PATTERN_CHARS_MAX, device_id
from edgefleet_agent.core.ep_libraries import LIBRARIES_MAX
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError, PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import LabelKey, LabelValue, Name, Text, Version
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from edgefleet_contract.wire.evidence_upload import Kind

CONFIG_VARIABLE = "EDGEFLEET_AGENT_CONFIG"
"""Environment variable with the file that commands read without `--config`."""
SYSTEM_FILE = "/etc/edgefleet/agent.toml"
PIPELINES = "pipelines"
"""The usual folder of pipelines, beside the file."""
FILE_BYTES_MAX = 256 * 1024
PIPELINES_MAX = 64
SINKS_MAX = 16


def default_path() -> Path:
    """The settings file of a command without `--config`."""
    return Path(os.environ.get(CONFIG_VARIABLE) or SYSTEM_FILE)


DEFAULT = default_path()

Seconds = Annotated[float, Meta(gt=0.0, le=86400.0)]


class LinkSettings(Wire):
    """The connection to the server."""

    reconnect_min_s: Seconds = 1.0
    """The delay before a connection attempt is random, up to this at first; the limit doubles with each further attempt."""
    reconnect_max_s: Seconds = 120.0
    """The most to which that limit grows."""
    resend_s: Seconds = 30.0
    """Time after which a batch without an acknowledgement of the server is sent again."""
    report_s: Seconds = 1.0
    """Shortest time between two reports of the device's state."""
    bytes_per_s: Annotated[float, Meta(ge=0.0)] = 0.0
    """Limit for downloads of models, bytes a second. 0: no limit."""
    bytes_per_day: Annotated[int, Meta(ge=0)] = 0
    """Limit for downloads of models, bytes a day, for metered connections. A download continues on the next day. 0: no limit."""
    blobs: str = ""
    """URL of the server's files, `https://HOST/api/v1/blobs`, to download models over HTTPS. Empty: over MQTT."""
    blobs_token: str = ""
    """File with an API token with read access, for `blobs`."""
    user: Annotated[str, Meta(max_length=128)] = ""
    """User name for a broker that requires a password. Empty: the device ID."""
    password_file: str = ""
    """File with the password for the broker, mode 0600. Empty: authentication by the device's certificate."""


class UpdateSettings(Wire):
    """Conditions under which updates may disturb the device, and the disk quota of models."""

    max_temperature_c: Annotated[float, Meta(ge=0.0, le=150.0)] = 0.0
    """No self-test and no switch of models at this temperature in degrees Celsius and above. 0: no limit."""
    inhibit_file: str = ""
    """No self-test and no switch of models while this file exists: for programs that must not be disturbed."""
    maintenance_window: Annotated[str, Meta(pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9])?$")] = ""
    """Time of day for self-tests and switches of models, `22:00-05:00`, by the device's own clock. Empty: any time."""
    models_bytes: Annotated[int, Meta(ge=0, le=100_000_000_000_000)] = 0
    """Disk space for models, the running one and its fallback included. 0: no quota."""


Shares = Annotated[dict[Version, Annotated[int, Meta(ge=0, le=1_000_000)]], Meta(min_length=1, max_length=16)]
"""Version -> its share of the requests, as whole numbers of any sum."""


class ServingSettings(Wire):
    """The local inference API (KServe V2, TensorFlow Serving): listeners and access to them."""

    http: str = ""
    """Listener for HTTP, `HOST:PORT` or `unix:PATH`. Empty: none."""
    grpc: str = ""
    """Listener for gRPC, `HOST:PORT` or `unix:PATH`. Empty: none."""
    tls_cert: str = ""
    """Certificate of the listeners, PEM. Empty: no TLS."""
    tls_key: str = ""
    """Private key of `tls_cert`, PEM."""
    tls_client_ca: str = ""
    """Authority of clients' certificates, PEM: callers need a certificate of it."""
    api_keys: str = ""
    """File with the API keys of callers."""
    rate_per_s: Annotated[float, Meta(ge=0.0, le=1e9)] = 0.0
    """Limit of requests a second, of each key or address. 0: no limit."""
    allow_unauthenticated: bool = False
    """Other machines may call without a key or certificate."""
    allowed_hosts: Annotated[list[Annotated[str, Meta(min_length=1, max_length=253)]], Meta(max_length=64)] = msgspec.field(
        default_factory=list
    )
    """Names by which callers may reach the listeners, besides addresses, `localhost` and the machine's own name."""
    shared_memory: bool = False
    """Callers may pass tensors in shared memory of this machine."""
    trace_file: str = ""
    """File for traces of requests. Empty: traces are written to the log."""
    access_log: str = ""
    """File with a JSON line for each request. Empty: none."""
    otlp: str = ""
    """URL of an OpenTelemetry collector for spans of sampled requests. Empty: none."""
    otlp_share: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.0
    """Share of requests without a trace context that have spans."""
    mqtt: str = ""
    """Broker over which requests are answered, too, at `mqtt_root`/MODEL/infer. Empty: none."""
    mqtt_root: str = "edgefleet/infer"
    """First part of the topics of requests over MQTT."""
    mqtt_user: str = ""
    """User name at the broker `mqtt`."""
    mqtt_password_file: str = ""
    """File with the password at the broker `mqtt`, mode 0600."""
    mqtt_ca: str = ""
    """Authority of the certificate of the broker `mqtt`, PEM."""
    split: Annotated[dict[Name, Shares], Meta(max_length=64)] = msgspec.field(default_factory=dict)
    """Package to versions and their shares of the requests without a version, if two slots hold versions of one package."""

    def __post_init__(self) -> None:
        for model, shares in self.split.items():
            if not any(shares.values()):
                raise ValueError(f"split.{model}: at least one version must have a share above 0")


class HomeAutomationSettings(Wire):
    """A broker of home automation: discovery by Home Assistant, and the topics of Frigate."""

    broker: str = ""
    """URL of the broker, `mqtt://HOST[:PORT]`. Empty: none."""
    topic_prefix: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$", max_length=64)] = "edgefleet"
    """First part of the topics; `frigate` continues an existing set-up of Frigate."""
    discovery_prefix: Annotated[str, Meta(pattern=r"^([A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*)?$", max_length=64)] = "homeassistant"
    """First part of the topics of Home Assistant's discovery. Empty: no discovery."""
    user: Annotated[str, Meta(max_length=128)] = ""
    """User name at the broker."""
    password_file: str = ""
    """File with the password at the broker, mode 0600."""
    stats_s: Seconds = 60.0
    """Interval of the messages with frame rates."""


class LocalApiSettings(Wire):
    """The device's web UI and REST API."""

    http: str = ""
    """Listener, `HOST:PORT`. Empty: none."""
    api_key_file: str = ""
    """File with the API key. Required if other machines have access."""
    mqtt: HomeAutomationSettings = msgspec.field(default_factory=HomeAutomationSettings)


class EvidenceSettings(Wire):
    """Retention of events, snapshots and clips on the device, for all pipelines together, and their upload."""

    keep_bytes: Annotated[int, Meta(ge=1_000_000, le=10_000_000_000_000)] = 2_000_000_000
    """Disk space for snapshots and clips. The oldest are deleted."""
    keep_days: Annotated[float, Meta(gt=0.0, le=3650.0)] = 14.0
    """Days for which snapshots and clips are kept."""
    events_bytes: Annotated[int, Meta(ge=1_000_000, le=100_000_000_000)] = 64_000_000
    """Disk space for the events themselves, which can be searched. The oldest are deleted."""
    upload: list[Kind] = msgspec.field(default_factory=list)
    """Evidence that is uploaded to the server. Empty: nothing."""
    upload_bytes_per_day: Annotated[int, Meta(ge=0, le=10_000_000_000_000)] = 100_000_000
    """Limit for uploads, bytes a day. 0: no limit."""
    on_request: bool = True
    """The server may request a current picture, live video, or an event's clip."""


class LiveVideoSettings(Wire):
    """Live video of cameras, which the server requests while there are viewers."""

    streams: Annotated[int, Meta(ge=0, le=64)] = 4
    """Cameras that are watched at once. 0: no live video, as with `on_request = false` of `[evidence]`."""
    bytes_per_hour: Annotated[int, Meta(ge=0, le=10_000_000_000_000)] = 2_000_000_000
    """Limit for live video of all cameras, bytes an hour. 0: no limit."""
    url: str = ""
    """URL of the fleet server for live video, `https://HOST[:PORT]`. Empty: as the server says."""


class SinkSettings(Wire):
    """Another system that gets the events. Its name is for `status` and the log."""

    kind: Name
    """Kind: `jsonl`, `kafka`, or that of an installed plug-in."""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    """Options of the kind."""


class EnrollSettings(Wire):
    """Enrollment by the service itself at its first start, for an image from which many devices start."""

    url: str = ""
    """URL of the fleet server, `https://HOST[:PORT]`. Empty: none; the device is enrolled with `edgefleet-agent enroll`."""
    token_file: str = ""
    """File with a token for many devices (`edgefleet token create --devices 500 --out claim.token`)."""
    ca_sha256: Annotated[str, Meta(pattern=r"^([0-9A-Fa-f:]{64,95})?$")] = ""
    """SHA-256 fingerprint of the server's CA certificate, as `edgefleet token create` prints it: no other server gets the
    token."""
    ca: str = ""
    """CA certificate of the server, PEM, instead of `ca_sha256`. Both empty: the system's CA store."""


class Settings(Wire):
    """The whole file. Relative paths are taken from the file's folder."""

    device: Annotated[str, Meta(pattern=PATTERN, max_length=PATTERN_CHARS_MAX)]
    """ID of the device, also its MQTT client ID: a-z, 0-9, `_` and `-`. In an image for many devices with `{serial}`,
    `{machine_id}`, `{mac}` or `{hostname}`, for example `cam-{serial}`."""
    state: str = "/var/lib/edgefleet"
    """Folder for models, records and the desired state: survives updates and power cuts."""
    broker: str = ""
    """URL of the server's broker. Empty: that of the enrollment; not enrolled: no server."""
    pipelines: str = ""
    """Folder with one `*.toml` for each pipeline. Empty: pipelines of the fleet only."""
    profile: str = ""
    """Name of the device profile, or `none`. Empty: the detected one (`edgefleet-agent detect`)."""
    runtimes: list[str] = msgspec.field(default_factory=list)
    """Runtimes, the best first. Empty: those that are installed."""
    threads: Annotated[int, Meta(ge=0, le=256)] = 0
    """Threads of a runtime. 0: up to four."""
    memory_limit_mb: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    """Memory of the worker in MB above which it is restarted (its own, without files and shared memory). 0: half as much again as
    was measured after models and cameras were opened, at least 256 MiB more, and only while it keeps growing."""
    fallback: bool = True
    """Without the profile's accelerator models run on the CPU. `false`: they are refused."""
    ep_libraries: Annotated[dict[Name, Text], Meta(max_length=LIBRARIES_MAX)] = msgspec.field(default_factory=dict)
    """Name to the shared library of a plug-in execution provider of ONNX Runtime, which is the device `ep:NAME`. Those of
    installed wheels are found without."""
    telemetry_s: Seconds = 10.0
    """Interval of telemetry records."""
    trust_root: str = ""
    """Root metadata, `root.json`: only packages that are signed under it are accepted. Empty: all packages of the server."""
    secrets: str = ""
    """File with credentials of cameras and brokers, `NAME = "user:password"`, mode 0600."""
    events_jsonl: str = ""
    """File to which events are also written as JSON lines. Empty: none."""
    sinks: Annotated[dict[Name, SinkSettings], Meta(max_length=SINKS_MAX)] = msgspec.field(default_factory=dict)
    factory: dict[Name, str] = msgspec.field(default_factory=dict)
    """Slot to the folder of its package that was installed with the device. It runs until the fleet assigns another version."""
    labels: dict[LabelKey, LabelValue] = msgspec.field(default_factory=dict)
    """Labels that the device reports. The server shows them, and selects by them only if it trusts their keys."""
    serving: ServingSettings = msgspec.field(default_factory=ServingSettings)
    local_api: LocalApiSettings = msgspec.field(default_factory=LocalApiSettings)
    evidence: EvidenceSettings = msgspec.field(default_factory=EvidenceSettings)
    live_video: LiveVideoSettings = msgspec.field(default_factory=LiveVideoSettings)
    link: LinkSettings = msgspec.field(default_factory=LinkSettings)
    enroll: EnrollSettings = msgspec.field(default_factory=EnrollSettings)
    updates: UpdateSettings = msgspec.field(default_factory=UpdateSettings)


def read_settings(path: Path) -> Settings:
    """Read the file.

    Raises:
        InputError: it is missing, not valid, or has an unknown setting.
    """
    return checked_settings(toml.read(_text(path), Settings, str(path)), path)


def checked_settings(settings: Settings, path: Path) -> Settings:
    """Settings that were decoded from the file `path`, with absolute paths.

    Raises:
        InputError: it has an unknown setting, or this machine has no such mark for its device ID.
    """
    tables = {"link": settings.link, "updates": settings.updates, "serving": settings.serving, "evidence": settings.evidence}
    tables |= {f"sinks.{name}": sink for name, sink in settings.sinks.items()}
    tables |= {"local_api": settings.local_api, "local_api.mqtt": settings.local_api.mqtt, "enroll": settings.enroll}
    tables |= {"live_video": settings.live_video}
    for where, part in ((str(path), settings), *((f"{path}: [{name}]", table) for name, table in tables.items())):
        if part.unknown_fields:
            wrong = next(iter(part.unknown_fields))
            known = ", ".join(field.encode_name for field in msgspec.structs.fields(part) if field.name != "unknown_fields")
            raise InputError(f"{where}: unknown setting {wrong!r}; known are {known}")
    settings.device = device_id(settings.device, f"{path}: device")
    home = path.resolve().parent
    settings.state = str(home / settings.state)
    settings.pipelines = str(home / settings.pipelines) if settings.pipelines else ""
    settings.secrets = str(home / settings.secrets) if settings.secrets else ""
    settings.events_jsonl = str(home / settings.events_jsonl) if settings.events_jsonl else ""
    settings.trust_root = str(home / settings.trust_root) if settings.trust_root else ""
    for name in ("tls_cert", "tls_key", "tls_client_ca", "api_keys", "trace_file", "access_log", "mqtt_password_file", "mqtt_ca"):
        given = getattr(settings.serving, name)
        setattr(settings.serving, name, str(home / given) if given else "")
    local = settings.local_api
    local.api_key_file = str(home / local.api_key_file) if local.api_key_file else ""
    local.mqtt.password_file = str(home / local.mqtt.password_file) if local.mqtt.password_file else ""
    link = settings.link
    link.blobs_token = str(home / link.blobs_token) if link.blobs_token else ""
    link.password_file = str(home / link.password_file) if link.password_file else ""
    enroll = settings.enroll
    enroll.token_file = str(home / enroll.token_file) if enroll.token_file else ""
    enroll.ca = str(home / enroll.ca) if enroll.ca else ""
    settings.ep_libraries = {name: str(home / library) for name, library in settings.ep_libraries.items()}
    settings.factory = {slot: str(home / folder) for slot, folder in settings.factory.items()}
    return settings


@dataclass(slots=True)
class Pipelines:
    """Pipelines of a folder: the valid ones by name, and the errors of the other files."""

    specs: dict[str, PipelineSpec] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)


def read_pipelines(folder: str) -> Pipelines:
    """Read every `*.toml` of a folder. An invalid file affects its own pipeline only: the device stays reachable.

    Raises:
        PipelineError: there is no such folder.
    """
    found = Pipelines()
    if not folder:
        return found
    if not Path(folder).is_dir():
        raise PipelineError(f"pipeline folder {folder} does not exist; create it or remove `pipelines` from the settings")
    for path in sorted(Path(folder).glob("*.toml"))[:PIPELINES_MAX]:
        _read_one(path, found)
    return found


def _read_one(path: Path, into: Pipelines) -> None:
    """Read one file. A relative path of its source is taken from the pipeline's folder."""
    try:
        spec = read_pipeline(_text(path), str(path))
    except InputError as error:
        into.errors[path.stem] = str(error)
        return
    if spec.name in into.specs:
        into.errors[path.stem] = f"{path}: duplicate pipeline name {spec.name!r}; choose another name"
        return
    beside = path.resolve().parent / spec.source.uri
    if spec.source.uri and "://" not in spec.source.uri and beside.exists():
        spec.source.uri = str(beside)
    into.specs[spec.name] = spec


def _text(path: Path) -> str:
    if path.is_dir():
        raise InputError(f"{path}: is a folder; move it elsewhere")
    data = read_if_there(path, FILE_BYTES_MAX)
    if data is None and not path.exists():
        raise InputError(
            f"{path}: no such file; `edgefleet-agent enroll` makes it for a device of a fleet, `edgefleet-agent init` for one"
            " camera; or specify another with --config"
        )
    if data is None:
        raise InputError(f"{path}: larger than {FILE_BYTES_MAX} bytes; specify another with --config")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text: {error}") from error
