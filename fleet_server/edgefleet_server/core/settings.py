"""Settings of the server, validated once. A plain value: the command parses the arguments."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from edgefleet_server.core import rollout_defaults
from edgefleet_server.core.errors import InputError

Role = Literal["all", "api", "ingest", "engine"]
ROLES: Final[tuple[Role, ...]] = ("all", "api", "ingest", "engine")
STATE_FILE: Final = "server.json"
"""File in the data folder with the addresses and the process of the running server."""
LOOPBACK_HOSTS: Final = ("127.0.0.1", "localhost", "::1")
HOST_PATTERN: Final = r"(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?"
"""A host name; names with underscores occur in private networks."""


def is_loopback_host(host: str) -> bool:
    """Whether a host name or address means the machine itself: `localhost`, 127.0.0.0/8 and ::1."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def url_host(host: str) -> str:
    """A host name or address as a part of a URL; IPv6 addresses are in brackets there."""
    return f"[{host}]" if ":" in host else host


DATA_VARIABLE: Final = "EDGEFLEET_DATA"
"""Environment variable: the data folder of the server, for every command that works on one."""


def configured_data_folder() -> Path | None:
    """`$EDGEFLEET_DATA`; None if it is unset or empty."""
    configured = os.environ.get(DATA_VARIABLE)
    return Path(configured) if configured else None


def default_data_folder() -> Path:
    """`$EDGEFLEET_DATA`, or `edgefleet` in the user's folder for application state."""
    configured = configured_data_folder()
    if configured is not None:
        return configured
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "edgefleet"


DATABASE_FILE: Final = "fleet.db"


def database_of(data: Path) -> Path | str:
    """Database of a data folder: `$EDGEFLEET_DATABASE`, or a file in the folder."""
    return os.environ.get("EDGEFLEET_DATABASE") or data / DATABASE_FILE


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the server at its start.

    Broker. `broker_url` empty = run Mosquitto as a child process: on `mqtt_port` for the server, and for devices on
    `mqtts_port` of the name or address `device_host` (ports: 0 = any free one, kept over restarts). With an external broker:
    `broker_password_file` contains the password of the server's two clients, `broker_ca` (PEM) signs the broker's certificate,
    for server and devices, and `device_broker_url` is its address for devices, if different. `plain_devices`: devices without
    certificates may connect over loopback. `certificate_days`: validity of a device's certificate. `one_ingest`: the broker has
    no shared subscriptions, so one process ingests all messages.

    Data. `database_url` empty = SQLite in `data`; else a PostgreSQL, which several processes may share: `role` selects the work
    of this process (`api`: REST API, `ingest`: messages of devices, `engine`: rollouts and all jobs that run once).
    `blobs_url`: a bucket for the blobs of models, `s3://…`; empty = the folder `blobs` of `data`. `audit_retention_s`: age at
    which entries of the audit log move from the database to files. `…_retention_s`, `…_rows_max`: limits of age and number;
    data above them is deleted. `versions_retained`: number of the newest versions of each model that stay, needed or not, with
    all that are younger than `versions_retention_s`; 0 = all stay.

    Quotas. `ingest_…_per_s`: what one device may send on average (`domain.policy.device_quota`).

    Access. `tls_cert`, `tls_key`: PEM files for HTTPS. `tls_self_signed`: HTTPS with a certificate of the server's own authority,
    for `device_host` and the names of this machine. `public_url`: public address behind a proxy. `requests_per_minute`:
    limit of one session or token, or of one address without either. `oidc_*`: an OpenID provider for sign-in
    (`edgefleet_server.auth.openid`). `second_person`: rollouts to a device with one of these labels need the approval of a
    second person. `trust_reported`: keys under which labels that a device reports of itself count; set at runtime.

    Live video. `video_url`: address of this process for devices, if several share one. `video_streams_max`: streams of this
    process; `video_session_bytes`, `video_device_bytes`: of one stream, and of a device within an hour. `video_watch_s`: time
    after which a viewer has to confirm to be there.

    Others. `smtp_url`, `mail_from`: mail server and sender of alert mails. `otlp`: an OpenTelemetry collector for
    metrics, log lines and spans; `otlp_share`: the part of the traces begun here that has spans.
    `template`: default plan of a new rollout; `error_percent_max` to `tries_max`: defaults of a rollout. `pinned`: names of
    fields that were set at the start; all others can be changed at runtime (`domain.policy.runtime_settings`).
    """

    data: Path = field(default_factory=default_data_folder)
    host: str = "127.0.0.1"
    port: int = 8080
    mqtt_port: int = 1883
    mqtts_port: int = 8883
    device_host: str = "127.0.0.1"
    plain_devices: bool = False
    certificate_days: float = 90.0
    broker_url: str = ""
    blobs_url: str = ""
    device_broker_url: str = ""
    broker_password_file: Path | None = None
    broker_ca: Path | None = None
    database_url: str = ""
    role: Role = "all"
    one_ingest: bool = False
    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_self_signed: bool = False
    insecure_http: bool = False
    requests_per_minute: int = 3_000
    audit_retention_s: float = 400 * 86_400.0
    otlp: str = ""
    otlp_share: float = 1.0
    oidc_issuer: str = ""
    oidc_client: str = ""
    oidc_secret: str = field(default="", repr=False)
    oidc_roles: Mapping[str, str] = field(default_factory=dict)
    oidc_claim: str = "groups"
    oidc_label: str = "your organisation"
    smtp_url: str = ""
    mail_from: str = "edgefleet@localhost"
    second_person: Mapping[str, str] = field(default_factory=dict)
    trust_reported: tuple[str, ...] = ()
    public_url: str = ""
    video_url: str = ""
    video_streams_max: int = 32
    video_session_bytes: int = 1_000_000_000
    video_device_bytes: int = 2_000_000_000
    video_watch_s: float = 600.0
    telemetry_retention_s: float = 24 * 3600.0
    minutes_retention_s: float = 7 * 86_400.0
    hours_retention_s: float = 400 * 86_400.0
    days_retention_s: float = 1_826 * 86_400.0
    events_retention_s: float = 30 * 24 * 3600.0
    alerts_retention_s: float = 400 * 86_400.0
    commands_retention_s: float = 7 * 86_400.0
    versions_retained: int = 20
    versions_retention_s: float = 180 * 86_400.0
    telemetry_rows_max: int = 20_000_000
    events_rows_max: int = 5_000_000
    block_bytes_per_s: float = 100e6
    device_bytes_per_s: float = 0.0
    upload_bytes_max: int = 1024**3
    devices_max: int = 100_000
    ingest_messages_per_s: float = 20.0
    ingest_records_per_s: float = 500.0
    ingest_bytes_per_s: float = 512 * 1024.0
    template: str = rollout_defaults.TEMPLATE
    error_percent_max: float = rollout_defaults.ERROR_PERCENT_MAX
    confidence_percent: float = rollout_defaults.CONFIDENCE_PERCENT
    offline_s: float = rollout_defaults.OFFLINE_S
    soak_s: float = rollout_defaults.SOAK_S
    tries_max: int = rollout_defaults.TRIES_MAX
    pinned: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Validate the values.

        Raises:
            InputError: a value is invalid.
        """
        if (self.tls_cert is None) != (self.tls_key is None):
            raise InputError("--tls-cert and --tls-key must be set together")
        if not (self.is_loopback or self.has_tls or self.insecure_http):
            raise InputError(
                f"--host {self.host}: plain HTTP is allowed on loopback only; specify --tls-self-signed, --tls-cert"
                " and --tls-key, or --insecure-http behind"
                " a proxy that terminates TLS"
            )
        self._check_self_signed()
        if not is_host(self.device_host):
            raise InputError(
                f"--device-host {self.device_host!r}: must be a host name or an address of this server, without port"
            )
        self._check_role()
        if self.public_url and not self.public_host:
            raise InputError(f"--public-url {self.public_url}: must be http://HOST or https://HOST, optionally with a port")
        if self.video_url and urlsplit(self.video_url).scheme not in ("http", "https"):
            raise InputError(f"--video-url {self.video_url}: must be https://HOST, optionally with a port")
        if not self.broker_url and (self.device_broker_url or self.broker_password_file or self.broker_ca):
            raise InputError("--device-broker, --broker-password-file and --broker-ca require --broker URL")
        if self.block_bytes_per_s <= 0 or self.device_bytes_per_s < 0:
            raise InputError("--models-mbit must be greater than 0, --device-mbit 0 (no limit) or greater")
        if min(self.ingest_messages_per_s, self.ingest_records_per_s, self.ingest_bytes_per_s) <= 0:
            raise InputError("--ingest-messages, --ingest-records and --ingest-bytes must be greater than 0")
        ages = (
            self.telemetry_retention_s,
            self.minutes_retention_s,
            self.hours_retention_s,
            self.days_retention_s,
            self.events_retention_s,
            self.audit_retention_s,
        )
        if (
            min(*ages, self.alerts_retention_s, self.commands_retention_s, self.versions_retention_s) <= 0
            or self.versions_retained < 0
        ):
            raise InputError("--keep-… must be greater than 0")
        for name, port in (("--port", self.port), ("--mqtt-port", self.mqtt_port), ("--mqtts-port", self.mqtts_port)):
            if not 0 <= port <= 65535:
                raise InputError(f"{name} {port}: must be between 0 (any free port) and 65535")

    def _check_self_signed(self) -> None:
        if not self.tls_self_signed:
            return
        if self.tls_cert or self.tls_key:
            raise InputError("--tls-self-signed creates the certificate; omit it, or omit --tls-cert and --tls-key")
        if self.public_url:
            raise InputError(
                f"--public-url {self.public_url}: its proxy has a certificate of its own; omit --public-url or --tls-self-signed"
            )
        if self.insecure_http:
            raise InputError("--insecure-http and --tls-self-signed exclude each other; omit one")

    def _check_role(self) -> None:
        if self.role != "all" and not self.database_url:
            raise InputError(f"--role {self.role}: not supported with SQLite; specify --database postgresql://…, or omit --role")
        if self.role != "all" and not self.broker_url:
            raise InputError(
                f"--role {self.role}: not supported with the managed broker; specify an external one with --broker mqtt://…"
            )

    @property
    def database(self) -> Path | str:
        """URL or path of the database."""
        return self.database_url or self.data / DATABASE_FILE

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback_host(self.host)

    @property
    def has_tls(self) -> bool:
        """Whether this server itself speaks HTTPS."""
        return self.tls_cert is not None or self.tls_self_signed

    @property
    def is_secure(self) -> bool:
        """Whether clients use HTTPS."""
        return self.has_tls or self.public_url.startswith("https://")

    @property
    def public_host(self) -> str:
        """`name[:port]` of the public address, or empty."""
        parts = urlsplit(self.public_url)
        return parts.netloc if parts.scheme in ("http", "https") else ""


def is_host(text: str) -> bool:
    """Whether `text` is a host name or an IP address that others can connect to, in ASCII, without port."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return re.fullmatch(HOST_PATTERN, text) is not None
    return "%" not in text and not address.is_unspecified  # a scope of this machine means nothing on another
