"""`edgefleet serve`: runs the fleet server until a signal stops it."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import os
import signal
import socket
import ssl
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from types import FrameType
from typing import Any, Final

import uvicorn
from fastapi import FastAPI

from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.wire.live_video import PART_BYTES_MAX
from edgefleet_server.api.context import Context
from edgefleet_server.api.middleware.connection_limits import ConnectionLimits, limited, raise_file_limit
from edgefleet_server.api.observability.otlp_exporter import OtlpExporter
from edgefleet_server.app import health, serve_options
from edgefleet_server.app.https_renewal import keep_current
from edgefleet_server.app.server_builder import ServerApp
from edgefleet_server.app.web import create_app, prepare_routes
from edgefleet_server.auth.setup_code import FILE as SETUP_FILE
from edgefleet_server.cli.client import pairs
from edgefleet_server.core.errors import InputError, UnavailableError
from edgefleet_server.core.settings import STATE_FILE, Settings, is_loopback_host, url_host
from edgefleet_server.domain.policy.runtime_settings import DAY_S, HOUR_S, MBIT
from edgefleet_server.registry.identity.https_certificate import HttpsCertificate

STOP_S_MAX: Final = 3
BACKLOG: Final = 512
AUTHORITY_FILE: Final = "authority/authority.crt"
SWITCH_S: Final = 0.0005
"""Switch interval of the interpreter. A thread that reads packets releases the interpreter lock at every system call, and waits
this long to get it back from a computing thread. With Python's default of 5 ms, the connection to the broker would read only a
few hundred packets per second while a batch is written."""

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    serve_options.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C.

    Raises:
        EdgefleetError: the server cannot start; the text says what to do.
    """
    logging.basicConfig(
        level=logging.DEBUG if arguments.verbose else logging.INFO, format="%(asctime)s %(levelname)-7s %(name)s: %(message)s"
    )
    for noisy in ("alembic", "httpx", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    sys.setswitchinterval(SWITCH_S)
    settings = Settings(
        data=arguments.data,
        host=_host(arguments),
        port=arguments.port,
        mqtt_port=arguments.mqtt_port,
        mqtts_port=arguments.mqtts_port,
        device_host=arguments.device_host,
        plain_devices=arguments.plain_devices,
        broker_url=arguments.broker,
        blobs_url=arguments.blobs,
        one_ingest=arguments.one_ingest,
        database_url=arguments.database,
        role=arguments.role,
        device_broker_url=arguments.device_broker,
        broker_password_file=arguments.broker_password_file,
        broker_ca=arguments.broker_ca,
        tls_cert=arguments.tls_cert,
        tls_key=arguments.tls_key,
        tls_self_signed=arguments.tls_self_signed,
        insecure_http=arguments.insecure_http,
        public_url=arguments.public_url.rstrip("/"),
        video_url=arguments.video_url.rstrip("/"),
        otlp=arguments.otlp,
        otlp_share=arguments.otlp_share,
        oidc_issuer=arguments.oidc_issuer,
        oidc_client=arguments.oidc_client,
        oidc_secret=_secret(arguments.oidc_secret_file),
        oidc_roles=pairs(arguments.oidc_role, "oidc-role"),
        oidc_claim=arguments.oidc_claim,
        oidc_label=arguments.oidc_label,
        ingest_messages_per_s=arguments.ingest_messages,
        ingest_records_per_s=arguments.ingest_records,
        ingest_bytes_per_s=arguments.ingest_bytes,
        **_pinned(arguments),
    )
    _check_certificate(settings)
    with _spool_on_disk(settings.data / "uploads"), _listen(settings.host, settings.port) as listener, ExitStack() as closing:
        settings = replace(settings, port=listener.getsockname()[1])
        server_app = ServerApp(settings)
        context = server_app.open()
        closing.callback(server_app.close)
        if settings.otlp:
            exporter = OtlpExporter(context, settings.otlp, settings.otlp_share)
            exporter.start()
            closing.callback(exporter.close)
        for_people = settings.role in ("all", "api")
        app = create_app(settings, server_app) if for_people else health.create_app(context)
        prepare_routes(app)
        server = Server(app, context, server_app.https)
        threading.excepthook = server.thread_died
        gc.freeze()  # loaded modules stay: a garbage collection over their 200,000 objects stops all threads for 0.15 s
        server.run(sockets=[listener])
    return 1 if server.broken else 0


def _pinned(arguments: argparse.Namespace) -> dict[str, Any]:
    """Runtime settings that the command line or the environment has set; they are pinned."""
    sizes = {
        "certificate_days": (arguments.certificate_days, 1.0),
        "block_bytes_per_s": (arguments.models_mbit, MBIT),
        "device_bytes_per_s": (arguments.device_mbit, MBIT),
        "telemetry_retention_s": (arguments.keep_samples_hours, HOUR_S),
        "minutes_retention_s": (arguments.keep_minutes_days, DAY_S),
        "hours_retention_s": (arguments.keep_hours_days, DAY_S),
        "days_retention_s": (arguments.keep_days_days, DAY_S),
        "events_retention_s": (arguments.keep_events_days, DAY_S),
        "audit_retention_s": (arguments.keep_audit_days, DAY_S),
        "alerts_retention_s": (arguments.keep_alerts_days, DAY_S),
        "commands_retention_s": (arguments.keep_commands_days, DAY_S),
        "versions_retention_s": (arguments.keep_versions_days, DAY_S),
    }
    given: dict[str, Any] = {name: value * size for name, (value, size) in sizes.items() if value is not None}
    words = {
        "requests_per_minute": arguments.requests_per_minute,
        "versions_retained": arguments.keep_versions,
        "smtp_url": arguments.smtp,
        "mail_from": arguments.mail_from,
        "second_person": arguments.second_person and pairs(arguments.second_person, "second-person"),
    }
    given |= {name: value for name, value in words.items() if value is not None}
    return {**given, "pinned": frozenset(given)}


@contextmanager
def _spool_on_disk(folder: Path) -> Iterator[None]:
    """Let multipart uploads be written to the disk of the data folder while they arrive; `/tmp` is in memory on many systems.

    Raises:
        StoreError: the folder cannot be made.
    """
    make_folder(folder)
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


def _secret(file: Path | None) -> str:
    """The secret in a file; empty without a file.

    Raises:
        InputError: the file cannot be read.
    """
    if file is None:
        return ""
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--oidc-secret-file {file}: {fault_text(error)}") from error


class Server(uvicorn.Server):
    """Uvicorn that also prints its address, and ends open streams at shutdown."""

    def __init__(self, app: FastAPI, context: Context, https: HttpsCertificate | None) -> None:
        """`https`: the certificate of the server's own authority, if it uses one."""
        settings = context.settings
        self._https = https
        self._renewal: asyncio.Task[None] | None = None
        limits = ConnectionLimits()
        behind_proxy = bool(settings.public_url)
        limits = replace(limits, total=raise_file_limit(limits), of_address=0 if behind_proxy else limits.of_address)
        config = uvicorn.Config(
            app,
            http=limited(limits),
            ws="websockets-sansio",
            ws_max_size=PART_BYTES_MAX,
            ws_per_message_deflate=False,  # video is compressed already
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=STOP_S_MAX,
            server_header=False,
            ssl_certfile=https.file if https else settings.tls_cert,
            ssl_keyfile=https.file if https else settings.tls_key,
            proxy_headers=behind_proxy,  # otherwise any process on this machine could forge the source address
        )
        super().__init__(config)
        self._context = context
        self.broken = False
        self._url = f"{'https' if settings.has_tls else 'http'}://{url_host(settings.host)}:{settings.port}"

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and print the address."""
        await super().startup(sockets)
        if self._https is not None and self.config.ssl is not None:
            self._renewal = asyncio.create_task(keep_current(self._https, self.config.ssl))
        data, broker = self._context.settings.data, self._context.broker_url
        devices = self._context.device_url
        role = self._context.settings.role
        if role in ("ingest", "engine"):
            print(f"edgefleet {role} is running (health checks: {self._url}/readyz, data: {data})", flush=True)
            return
        enrolment = self._context.enrolment_address()
        state = {"url": self._url, "mqtt_url": broker, "device_url": devices, "pid": os.getpid(), "enrolment": asdict(enrolment)}
        write_atomic(data / STATE_FILE, json.dumps(state).encode())
        print(f"edgefleet listens on {self._url} (devices: {devices}, data: {data})", flush=True)
        if self._https is not None:
            print(f"open {enrolment.url}; its certificate authority is {data / AUTHORITY_FILE}", flush=True)
            print(f"SHA-256 fingerprint of the authority: {enrolment.ca_sha256}", flush=True)
        authenticator = self._context.authenticator
        if authenticator.is_open():
            print(
                "no users yet: only this account and who has the code have access. Create the admin account:"
                f" {self._url}/setup, code {authenticator.setup_code} (in {data / SETUP_FILE})",
                flush=True,
            )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 (uvicorn's signature)
        """Handle SIGTERM and Ctrl-C: end the open streams first, because uvicorn waits for them. A second Ctrl-C ends at once.

        Uvicorn's own version raises the signal again after a clean end, so that every end would look like a crash.
        """
        self._context.hub.close()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    def thread_died(self, arguments: threading.ExceptHookArgs) -> None:
        """Handle a thread that ended with an unexpected error: stop the server, so that it is restarted with all its threads."""
        name = arguments.thread.name if arguments.thread else "?"
        log.critical("thread %s died; stopping the server", name, exc_info=arguments.exc_value)
        self.broken = True
        os.kill(os.getpid(), signal.SIGTERM)


def _check_certificate(settings: Settings) -> None:
    if settings.tls_cert is None or settings.tls_key is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(settings.tls_cert, settings.tls_key)
    except (OSError, ssl.SSLError) as error:
        raise InputError(
            f"--tls-cert {settings.tls_cert}: {fault_text(error)}; specify a PEM certificate and its unencrypted private key"
        ) from error


def _host(arguments: argparse.Namespace) -> str:
    """The listen address. If none is given, with a certificate of the server's own: the one at which devices reach it."""
    device_host: str = arguments.device_host
    host: str = arguments.host
    if getattr(arguments, "host_given", False) or not arguments.tls_self_signed or device_host == "localhost":
        return host
    if is_loopback_host(device_host):
        return device_host
    return "::" if ":" in device_host else "0.0.0.0"  # noqa: S104 (asked for with --device-host, with HTTPS and sign-in)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise UnavailableError(
            f"--port {port}: cannot listen on {host}: {error.strerror}; choose another --host or --port"
        ) from error
    listener.listen(BACKLOG)
    return listener
