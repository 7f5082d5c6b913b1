"""Options of `edgefleet serve`, in groups."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

from edgefleet_contract.core.command_line import add_secret_option, finite, fraction
from edgefleet_server.cli.parsers import REPEATABLE, Given, add_data_argument
from edgefleet_server.core.settings import ROLES
from edgefleet_server.domain.policy.runtime_settings import DAY_S, HOUR_S

RETENTION_OPTIONS: Final = (
    ("samples-hours", 1, "Keep samples of devices for N hours"),
    ("minutes-days", 7, "Keep aggregates per minute for N days"),
    ("hours-days", 400, "Keep aggregates per hour for N days"),
    ("days-days", 1_826, "Keep aggregates per day for N days"),
    ("events-days", 30, "Keep events and their evidence for N days"),
    ("audit-days", 400, "Keep audit entries for N days, then archive them to files"),
    ("alerts-days", 400, "Keep resolved alerts for N days"),
    ("commands-days", 7, "Keep completed commands for N days"),
    ("versions-days", 180, "Keep unused model versions for N days"),
)
"""(argument, days, help)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("--verbose", action="store_true", help="Log debug messages")
    _add_storage(parser.add_argument_group("storage"))
    _add_http(parser.add_argument_group("HTTP"))
    _add_devices(parser.add_argument_group("device connections"))
    _add_broker(parser.add_argument_group("external MQTT broker"))
    _add_sign_in(parser.add_argument_group("sign-in with OpenID Connect"))
    _add_notices(parser.add_argument_group("approvals and notifications"))
    _add_telemetry(parser.add_argument_group("OpenTelemetry"))
    _add_retention(parser.add_argument_group("retention"))


def _add_storage(group: argparse._ArgumentGroup) -> None:
    add_data_argument(group, "Data folder: database, packages, keys")
    add_secret_option(
        group,
        "--database",
        "PostgreSQL database instead of SQLite: postgresql://user:password@host/name (default: $EDGEFLEET_DATABASE)",
        metavar="URL",
        default=os.environ.get("EDGEFLEET_DATABASE", ""),
    )
    group.add_argument(
        "--blobs",
        default=os.environ.get("EDGEFLEET_BLOBS", ""),
        metavar="URL",
        help="S3 bucket for package files: s3://bucket/prefix?endpoint=https://host:9000 (default: $EDGEFLEET_BLOBS)",
    )
    group.add_argument(
        "--role",
        choices=ROLES,
        default="all",
        help="Components of this process, if several share a PostgreSQL database and a broker (default: %(default)s)",
    )


def _add_http(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--host",
        default="127.0.0.1",
        action=Given,
        help="Listen address (default: %(default)s; with --tls-self-signed that of --device-host: all, unless it is loopback)",
    )
    group.add_argument(
        "--port", type=int, default=8080, help="Port of the dashboard and the API; 0 = any free port (default: %(default)s)"
    )
    group.add_argument("--tls-cert", type=Path, metavar="PEM", help="Certificate or certificate chain for HTTPS")
    group.add_argument("--tls-key", type=Path, metavar="PEM", help="Private key of --tls-cert, unencrypted")
    group.add_argument(
        "--tls-self-signed",
        action="store_true",
        help="HTTPS with a certificate of the server's own certificate authority, for --device-host and this machine",
    )
    group.add_argument(
        "--insecure-http", action="store_true", help="Allow plain HTTP beyond loopback, behind a proxy that terminates TLS"
    )
    group.add_argument("--public-url", default="", metavar="URL", help="External URL of the server behind a reverse proxy")
    group.add_argument(
        "--requests-per-minute", type=int, metavar="N", help="Rate limit of a session or API token (default: 3000)"
    )


def _add_devices(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--mqtt-port",
        type=int,
        default=1883,
        help="Port of the managed broker on loopback; 0 = any free port (default: %(default)s)",
    )
    group.add_argument(
        "--mqtts-port", type=int, default=8883, help="MQTT over TLS port for devices; 0 = any free port (default: %(default)s)"
    )
    group.add_argument(
        "--device-host",
        default="127.0.0.1",
        metavar="NAME",
        help="Host name or address by which devices know this machine: in their broker address, in the certificates and in the"
        " enrollment command; loopback restricts the broker to this machine (default: %(default)s)",
    )
    group.add_argument(
        "--video-url",
        default="",
        metavar="URL",
        help="URL at which devices reach this very process for live video, if several share an address (default: the server's)",
    )
    group.add_argument(
        "--certificate-days", type=finite, metavar="D", help="Validity of device certificates in days (default: 90)"
    )
    group.add_argument(
        "--plain-devices", action="store_true", help="Accept devices without a certificate on loopback, for simulators and tests"
    )
    for name, default, what in (
        ("messages", 20, "Messages"),
        ("records", 500, "Telemetry samples and events"),
        ("bytes", 524_288, "Bytes"),
    ):
        group.add_argument(
            f"--ingest-{name}",
            type=finite,
            default=default,
            metavar="N",
            help=f"{what} that one device may send per second, on average (default: %(default)s)",
        )
    group.add_argument("--models-mbit", type=finite, metavar="N", help="Bandwidth for packages in Mbit/s (default: 800)")
    group.add_argument(
        "--device-mbit",
        type=finite,
        metavar="N",
        help="Bandwidth for packages sent to a single device in Mbit/s (default: no limit)",
    )


def _add_broker(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--broker",
        default=os.environ.get("EDGEFLEET_BROKER", ""),
        metavar="URL",
        help="Broker instead of a managed Mosquitto: mqtt://host:port or mqtts://host:port (default: $EDGEFLEET_BROKER)",
    )
    group.add_argument(
        "--device-broker",
        default=os.environ.get("EDGEFLEET_DEVICE_BROKER", ""),
        metavar="URL",
        help="Broker URL for devices, if different from --broker (default: $EDGEFLEET_DEVICE_BROKER)",
    )
    group.add_argument(
        "--broker-password-file",
        type=Path,
        metavar="F",
        help="File with the password of the users edgefleet-server and edgefleet-blocks",
    )
    group.add_argument("--broker-ca", type=Path, metavar="PEM", help="CA certificate of the broker, for server and devices")
    group.add_argument(
        "--one-ingest", action="store_true", help="Ingest in one process only, for a broker without shared subscriptions"
    )


def _add_sign_in(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--oidc-issuer", default="", metavar="URL", help="Issuer URL, as in its /.well-known/openid-configuration")
    group.add_argument("--oidc-client", default="edgefleet", metavar="ID", help="Client ID of this server (default: %(default)s)")
    group.add_argument("--oidc-secret-file", type=Path, metavar="F", help="File with the client secret (default: public client)")
    group.add_argument(
        "--oidc-role",
        action="append",
        default=[],
        metavar="GROUP=ROLE",
        help="Role of the provider's group: admin, operator or viewer; operator:lyon,operator:paris for the devices of these"
        f" groups {REPEATABLE}",
    )
    group.add_argument("--oidc-claim", default="groups", metavar="C", help="Token claim with the groups (default: %(default)s)")
    group.add_argument(
        "--oidc-label",
        default="your organisation",
        metavar="TEXT",
        help="Provider name on the sign-in button (default: %(default)s)",
    )


def _add_notices(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--second-person",
        action="append",
        metavar="K=V",
        help=f"Require approval by a second person for rollouts to devices with this label {REPEATABLE}",
    )
    add_secret_option(
        group,
        "--smtp",
        "Mail server for alerts: smtp://host:25, smtp+starttls://user:password@host:587 (default: $EDGEFLEET_SMTP)",
        metavar="URL",
        default=os.environ.get("EDGEFLEET_SMTP") or None,
    )
    group.add_argument("--mail-from", metavar="ADDRESS", help="Sender address of alert mails (default: edgefleet@localhost)")


def _add_telemetry(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--otlp", default="", metavar="URL", help="Send metrics, logs and traces to this collector, for example http://host:4318"
    )
    group.add_argument(
        "--otlp-share",
        type=fraction,
        default=1.0,
        metavar="P",
        help="Share of requests without a trace context to trace, 0 to 1 (default: 1)",
    )


def _add_retention(group: argparse._ArgumentGroup) -> None:
    for name, days, summary in RETENTION_OPTIONS:
        each_s = DAY_S if name.endswith("days") else HOUR_S
        group.add_argument(f"--keep-{name}", type=finite, metavar="N", help=f"{summary} (default: {days * DAY_S / each_s:g})")
    group.add_argument(
        "--keep-versions",
        type=int,
        metavar="N",
        help="Keep the newest N versions of each model, used or not; 0 = keep all (default: 20)",
    )
