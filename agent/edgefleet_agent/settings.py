"""The agent's configuration: one TOML file, `/etc/edgefleet/agent.toml` by default.

device = "cam-01"                          # a-z 0-9 _ -; also the MQTT client id
broker = "mqtt://192.168.1.10:1883"        # leave out: that of the enrolment; not enrolled: no server
state = "/var/lib/edgefleet"               # models, outbox, desired state: survives updates and power cuts
pipelines = "/etc/edgefleet/pipelines"     # one *.toml each
profile = "cpu-x86"                        # a name of device_profiles; leave out: the detected one; "none": none
runtimes = ["lite_rt", "onnx_runtime"]     # best first; leave out: those installed
threads = 0                                # of a runtime; 0: up to four
fallback = true                            # without the profile's accelerator models run on the CPU; false: they are refused
telemetry_s = 10.0
trust_root = "/etc/edgefleet/root.json"    # only packages signed under it are taken; leave out: all packages of the server
secrets = "/etc/edgefleet/secrets.toml"    # credentials of cameras and brokers: front = "user:password"; mode 0600
events_jsonl = "/var/log/edgefleet/events.jsonl"    # leave out: events go to the server only

[sinks.archive]                            # events to another system, too: each sink has a name, a kind and options
kind = "jsonl"                             # or that of an installed plug-in
options = { path = "/var/log/edgefleet/archive.jsonl" }

[factory]                                  # slot -> folder of the package installed with the device
detector = "/usr/share/edgefleet/conveyor_inspector/1.0.0"

[labels]
site = "north"

[serving]                                  # local inference API (KServe V2); leave out: none
http = "127.0.0.1:8000"                    # HOST:PORT or unix:PATH
grpc = "127.0.0.1:8001"
shared_memory = false                      # callers on this machine may pass tensors in shared memory
trace_file = "/var/log/edgefleet/calls"    # leave out: traces go into the log
access_log = "/var/log/edgefleet/access"   # a JSON line a request; leave out: none
otlp = "http://127.0.0.1:4318"             # spans of sampled requests to a collector; leave out: none
mqtt = "mqtt://127.0.0.1"                  # answer over this broker, too, at ROOT/MODEL/infer; leave out: none
mqtt_root = "site-7/press-3"               # leave out: edgefleet/infer

[serving.split.part_inspector]             # shares of calls without a version, if two slots hold versions of one package
"1.0.0" = 95
"1.1.0" = 5

[local_api]                                # status page, live pictures, events, metrics for users and programs on site
http = "127.0.0.1:8002"                    # leave out: none
api_key_file = "/etc/edgefleet/local-api.key"    # required if other machines have access

[local_api.mqtt]                           # home automation: Home Assistant, and programs that subscribe to Frigate's topics
broker = "mqtt://192.168.1.5"
topic_prefix = "edgefleet"                 # `frigate` to continue an existing set-up of Frigate
discovery_prefix = "homeassistant"         # "": no discovery documents
user = "edgefleet"
password_file = "/etc/edgefleet/mqtt.password"

[evidence]                                 # limits for all pipelines together; the oldest files are deleted
keep_bytes = 2_000_000_000                 # snapshots and clips
keep_days = 14.0
events_bytes = 64_000_000                  # the events themselves, to be searched
upload = ["snapshot"]                      # uploaded to the server: "snapshot", "clip"; leave out: nothing
upload_bytes_per_day = 100_000_000         # at most; 0: no limit
on_request = true                          # whether the server may request a current picture, or an event's clip

[updates]                                  # when updates may disturb the device, and the disk quota of models
max_temperature_c = 80.0                   # no self-test and no switch at this temperature and above; leave out: no limit
inhibit_file = "/run/edgefleet/inhibit"    # nor while this file exists: for programs that must not be disturbed
maintenance_window = "22:00-05:00"         # nor outside this window of the device's own clock
models_bytes = 4_000_000_000               # on disk, the running model and its fallback included; leave out: no quota

[link]                                     # reconnect: full jitter between these delays
reconnect_min_s = 1.0
reconnect_max_s = 120.0
bytes_per_s = 500000                       # of models, at most; leave out: no limit
bytes_per_day = 200000000                  # a day, for metered connections; continues on the next day
blobs = "https://fleet.example/api/v1/blobs"         # models by HTTPS instead of MQTT, with an API token with read access
blobs_token = "/etc/edgefleet/blobs.token"
user = "cam-01"                            # for a broker that requires a password; leave out: the device id
password_file = "/etc/edgefleet/mqtt.password"    # mode 0600; leave out: authentication by certificate
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError, PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import DeviceId, LabelKey, LabelValue, Name, Version
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from edgefleet_contract.wire.evidence_upload import Kind

DEFAULT = Path("/etc/edgefleet/agent.toml")
FILE_BYTES_MAX = 256 * 1024
PIPELINES_MAX = 64
SINKS_MAX = 16

Seconds = Annotated[float, Meta(gt=0.0, le=86400.0)]


class LinkSettings(Wire):
    """The connection to the server. `resend_s`: time until a batch without an ack is sent again; `report_s`: between two reports.
    `bytes_per_s`, `bytes_per_day`: limits for models, 0 = no limit. `blobs`: URL for models over HTTPS; empty: over MQTT. `user`,
    `password_file`: for a broker that requires a password.
    """

    reconnect_min_s: Seconds = 1.0
    reconnect_max_s: Seconds = 120.0
    resend_s: Seconds = 30.0
    report_s: Seconds = 1.0
    bytes_per_s: Annotated[float, Meta(ge=0.0)] = 0.0
    bytes_per_day: Annotated[int, Meta(ge=0)] = 0
    blobs: str = ""
    blobs_token: str = ""
    user: Annotated[str, Meta(max_length=128)] = ""
    password_file: str = ""


class UpdateSettings(Wire):
    """Conditions under which updates continue (`updates.deferral`), and the disk quota of models in bytes; 0: no quota."""

    max_temperature_c: Annotated[float, Meta(ge=0.0, le=150.0)] = 0.0
    inhibit_file: str = ""
    maintenance_window: Annotated[str, Meta(pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9])?$")] = ""
    models_bytes: Annotated[int, Meta(ge=0, le=100_000_000_000_000)] = 0


Shares = Annotated[dict[Version, Annotated[int, Meta(ge=0, le=1_000_000)]], Meta(min_length=1, max_length=16)]
"""Version -> its share of the requests, as whole numbers of any sum."""


class ServingSettings(Wire):
    """Listeners of the local inference API (empty: none) and access to it. rate_per_s: of each key or address.
    allowed_hosts: names by which callers may reach the listeners, besides addresses, localhost and the machine's name.

    shared_memory: callers may register shared memory of this machine. trace_file: empty for the log. access_log, otlp: none if
    empty. mqtt: a broker for requests over MQTT at `mqtt_root`/MODEL/infer. split: package to version to its share of requests
    without a version.
    """

    http: str = ""
    grpc: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    tls_client_ca: str = ""
    api_keys: str = ""
    rate_per_s: Annotated[float, Meta(ge=0.0, le=1e9)] = 0.0
    allow_unauthenticated: bool = False
    allowed_hosts: Annotated[list[Annotated[str, Meta(min_length=1, max_length=253)]], Meta(max_length=64)] = msgspec.field(
        default_factory=list
    )
    shared_memory: bool = False
    trace_file: str = ""
    access_log: str = ""
    otlp: str = ""
    otlp_share: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.0
    mqtt: str = ""
    mqtt_root: str = "edgefleet/infer"
    mqtt_user: str = ""
    mqtt_password_file: str = ""
    mqtt_ca: str = ""
    split: Annotated[dict[Name, Shares], Meta(max_length=64)] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        for model, shares in self.split.items():
            if not any(shares.values()):
                raise ValueError(f"split.{model}: at least one version must have a share above 0")


class HomeAutomationSettings(Wire):
    """A broker of home automation and its topic prefix; empty: none. `stats_s`: interval of rates."""

    broker: str = ""
    topic_prefix: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$", max_length=64)] = "edgefleet"
    discovery_prefix: Annotated[str, Meta(pattern=r"^([A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*)?$", max_length=64)] = "homeassistant"
    user: Annotated[str, Meta(max_length=128)] = ""
    password_file: str = ""
    stats_s: Seconds = 60.0


class LocalApiSettings(Wire):
    """Listeners of the local web UI and API; empty: none."""

    http: str = ""
    api_key_file: str = ""
    mqtt: HomeAutomationSettings = msgspec.field(default_factory=HomeAutomationSettings)


class EvidenceSettings(Wire):
    """Retention of events and evidence on the device, and their upload."""

    keep_bytes: Annotated[int, Meta(ge=1_000_000, le=10_000_000_000_000)] = 2_000_000_000
    keep_days: Annotated[float, Meta(gt=0.0, le=3650.0)] = 14.0
    events_bytes: Annotated[int, Meta(ge=1_000_000, le=100_000_000_000)] = 64_000_000
    upload: list[Kind] = msgspec.field(default_factory=list)
    upload_bytes_per_day: Annotated[int, Meta(ge=0, le=10_000_000_000_000)] = 100_000_000
    on_request: bool = True


class SinkSettings(Wire):
    """A sink of events: its kind, built in or of a plug-in, and the options of that kind."""

    kind: Name
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class Settings(Wire):
    """The whole file; the module's docstring shows an example. Relative paths are taken from the file's folder."""

    device: DeviceId
    state: str = "/var/lib/edgefleet"
    broker: str = ""
    pipelines: str = ""
    profile: str = ""
    runtimes: list[str] = msgspec.field(default_factory=list)
    threads: Annotated[int, Meta(ge=0, le=256)] = 0
    fallback: bool = True
    telemetry_s: Seconds = 10.0
    trust_root: str = ""
    secrets: str = ""
    events_jsonl: str = ""
    sinks: Annotated[dict[Name, SinkSettings], Meta(max_length=SINKS_MAX)] = msgspec.field(default_factory=dict)
    factory: dict[Name, str] = msgspec.field(default_factory=dict)
    labels: dict[LabelKey, LabelValue] = msgspec.field(default_factory=dict)
    serving: ServingSettings = msgspec.field(default_factory=ServingSettings)
    local_api: LocalApiSettings = msgspec.field(default_factory=LocalApiSettings)
    evidence: EvidenceSettings = msgspec.field(default_factory=EvidenceSettings)
    link: LinkSettings = msgspec.field(default_factory=LinkSettings)
    updates: UpdateSettings = msgspec.field(default_factory=UpdateSettings)


def read_settings(path: Path) -> Settings:
    """Read the file.

    Raises:
        InputError: it is missing, not valid, or has an unknown setting.
    """
    settings = toml.read(_text(path), Settings, str(path))
    tables = {"link": settings.link, "updates": settings.updates, "serving": settings.serving, "evidence": settings.evidence}
    tables |= {f"sinks.{name}": sink for name, sink in settings.sinks.items()}
    tables |= {"local_api": settings.local_api, "local_api.mqtt": settings.local_api.mqtt}
    for where, part in ((str(path), settings), *((f"{path}: [{name}]", table) for name, table in tables.items())):
        if part.unknown_fields:
            wrong = next(iter(part.unknown_fields))
            known = ", ".join(field.encode_name for field in msgspec.structs.fields(part) if field.name != "unknown_fields")
            raise InputError(f"{where}: unknown setting {wrong!r}; known are {known}")
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
    data = read_if_there(path, FILE_BYTES_MAX)
    if data is None:
        raise InputError(f"{path}: no such file, or larger than {FILE_BYTES_MAX} bytes; specify another with --config")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text: {error}") from error
