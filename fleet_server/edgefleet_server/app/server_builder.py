"""Composition root of the server: builds its parts and connects them. Nothing is opened before `open`."""

from __future__ import annotations

import logging
import secrets
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_server.api.context import Context
from edgefleet_server.api.counts.fleet_counts import FleetCounts
from edgefleet_server.api.live.live_logs import LiveLogs
from edgefleet_server.api.live.live_pictures import LivePictures
from edgefleet_server.api.live.live_updates import LiveUpdates
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.admin.health import BrokerHealth, ServerInfo
from edgefleet_server.api.schemas.fleet.overview import Overview
from edgefleet_server.api.video.video_hub import VideoHub
from edgefleet_server.app import process_wiring
from edgefleet_server.app.event_bus import EventBus
from edgefleet_server.app.ingest_service import IngestService
from edgefleet_server.app.resources import Resources, open_resources
from edgefleet_server.auth.authenticator import Authenticator
from edgefleet_server.auth.openid import OpenIdProvider, OpenIdTerms
from edgefleet_server.core.errors import InputError
from edgefleet_server.core.settings import Settings, is_host, is_loopback_host
from edgefleet_server.db.backend import shared_secrets
from edgefleet_server.db.backend.engine import Connection, Database, raw
from edgefleet_server.db.devices import identities
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.domain.policy.device_conduct import Offence
from edgefleet_server.domain.policy.device_quota import DeviceQuota
from edgefleet_server.domain.policy.grants import Grants, joined, parse_grant
from edgefleet_server.jobs.restrictions import RestrictionKeeper
from edgefleet_server.jobs.session_ending import SessionEnder
from edgefleet_server.link.broker_access import BrokerAccess, take_over
from edgefleet_server.link.device_guard import DeviceGuard
from edgefleet_server.link.external_broker import ExternalBroker
from edgefleet_server.link.mosquitto import FLEET_MIN, DeviceListener, ManagedBroker
from edgefleet_server.registry.identity import https_certificate
from edgefleet_server.registry.identity.enrolment import Enrolment
from edgefleet_server.registry.identity.enrolment_line import broker_warning, enrolment_address
from edgefleet_server.registry.identity.https_certificate import HttpsCertificate

SEND_AWAY_S = (0.1, 2.0)
"""Waits before the endings of a session: the broker reads the list of revoked certificates meanwhile."""
SEND_AWAY_AGAIN_S = 5.0
SEND_AWAY_S_MAX = 600.0
"""A broker that does not answer is asked again for this long; a managed one is started again before."""
GROWTH = 2
"""The limits of the broker are made for this many times the devices that are known at the start."""

log = logging.getLogger(__name__)


def server_version() -> str:
    """The installed version; `0.0.0-source` if the package is not installed."""
    try:
        return version("edgefleet-server")
    except PackageNotFoundError:
        return "0.0.0-source"


class ServerApp:
    """The running server: `close` closes all that `open` opened, in reverse order."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.version = server_version()
        self.https: HttpsCertificate | None = None
        """With `--tls-self-signed`, after `open`: the certificate of the HTTPS listener."""
        self._started_at = 0.0
        self._closing = ExitStack()
        self._access = BrokerAccess(BrokerAddress("", 0))
        self._devices_max = 0
        self._managed: ManagedBroker | None = None
        self._line: process_wiring.Topology | None = None
        self._context: Context | None = None
        self._counts: FleetCounts | None = None

    @property
    def context(self) -> Context:
        """Context of the routes; only while open."""
        assert self._context is not None, "the office is not open"
        return self._context

    def open(self) -> Context:
        """Open everything, in the order in which parts need each other.

        Raises:
            StoreError: the data folder cannot be used.
            UnavailableError: another server uses it, or a port is taken.
            MissingError: Mosquitto is not installed.
        """
        with ExitStack() as undo:
            self._context = self._open(undo)
            self._closing = undo.pop_all()
        return self._context

    def close(self) -> None:
        """Close everything."""
        self._closing.close()

    def _open(self, undo: ExitStack) -> Context:
        settings = self.settings
        self._started_at = time.time()
        resources = open_resources(settings, self._started_at, undo)
        database = resources.database
        authenticator = Authenticator(database, settings.is_secure, settings.data)
        if settings.role in ("all", "api"):
            _check_reach(settings, authenticator)
        if settings.tls_self_signed:
            file = settings.data / https_certificate.FILE
            self.https = HttpsCertificate(resources.authority, file, certificate_hosts(settings))
            self.https.renew(self._started_at)
        guard = DeviceGuard(
            DeviceQuota(settings.ingest_messages_per_s, settings.ingest_bytes_per_s, settings.ingest_records_per_s)
        )
        self._access, device_url = self._broker(undo, resources, guard)
        if warning := broker_warning(settings, device_url):
            log.warning("%s", warning)
        counts = FleetCounts(database)
        undo.callback(counts.close)
        self._counts = counts
        hub = LiveUpdates(database, self._overview, counts)
        undo.callback(hub.close)
        bus = EventBus(database, hub)
        ender = SessionEnder(self._end_sessions, partial(_certified, database) if settings.plain_devices else list)
        keeper = RestrictionKeeper(
            database, guard, lambda devices: self._send_away(resources.enrolment, devices), ender.end, bus.restricted
        )
        ingest_service = self._ingest_service(resources, bus, guard) if settings.role in ("all", "ingest") else None
        if database.shared:
            from edgefleet_server.app import cluster

            who = cluster.member(settings.role, self.version, self._started_at)
            joined = cluster.clustered_topology(resources, self._access, bus, ingest_service, who, guard)
        else:
            assert ingest_service is not None, "on SQLite there is one role"
            joined = process_wiring.single_process_topology(
                resources, self._access, bus, ingest_service, self._devices_max, guard
            )
        self._line = joined
        ender.start()
        undo.callback(ender.close)
        for part in (keeper, *joined.parts):
            part.start()
            undo.callback(part.close)
        return Context(
            live_settings=resources.live,
            version=self.version,
            started_at=self._started_at,
            database=database,
            registry=resources.registry,
            uploads=resources.uploads,
            blobs=resources.blobs,
            trust=resources.trust,
            folders=resources.folders,
            notice_sender=resources.notice_sender,
            evidence=resources.evidence,
            live=LivePictures(database, resources.evidence, bus.greet),
            logs=LiveLogs(database, bus.greet),
            video=VideoHub(database, lambda: resources.live.now, bus.greet, partial(_video_url, resources, device_url)),
            enrolment=resources.enrolment,
            tickets=resources.tickets,
            hub=hub,
            counts=counts,
            authenticator=authenticator,
            openid=_openid(settings),
            wake_engine=bus.wake,
            greet=bus.greet,
            broker_up=self._broker_up,
            broker_url=self._access.address.url,
            device_url=device_url,
            samples_per_s=joined.samples_per_s,
            forget_devices=ingest_service.ingest.forget if ingest_service else _nothing,
            clear_retained=bus.clear,
            devices_max=self._devices_max,
            jobs=joined.jobs,
            ingest=joined.measured,
            block_traffic=joined.traffic,
            waits_for=joined.waits_for,
        )

    def _send_away(self, enrolment: Enrolment, devices: Sequence[str]) -> None:
        """Refuse the certificates of disconnected devices at the managed broker, and end the sessions of `devices`."""
        if self._managed is not None:
            _apply_revocation(self._managed, enrolment.revoked(time.time()), devices)

    def _end_sessions(self, devices: Sequence[str]) -> None:
        if self._managed is not None:
            take_over(self._managed.access, process_wiring.INGEST_CLIENT, devices)

    def _ingest_service(self, resources: Resources, bus: EventBus, guard: DeviceGuard) -> IngestService:
        settings = self.settings
        group = ""
        if resources.database.shared and not settings.one_ingest:
            group = shared_secrets.secret(resources.database, "ingest group")  # secret, so that no device can join
        name = (
            f"{process_wiring.INGEST_CLIENT}-{secrets.token_hex(4)}"
            if resources.database.shared
            else process_wiring.INGEST_CLIENT
        )
        return IngestService(resources.database, self._access, name, group, settings.devices_max, bus.committed, guard)

    def _broker(self, undo: ExitStack, resources: Resources, guard: DeviceGuard) -> tuple[BrokerAccess, str]:
        """(access of the server's clients to the broker, URL of the broker for devices)."""
        settings = self.settings
        if settings.broker_url:
            return self._external_broker(resources)
        listener = _device_listener(settings, resources, self._started_at)
        with resources.database.read() as connection:
            fleet = max(FLEET_MIN, GROWTH * ingest.count_devices(raw(connection)))
        own = (
            process_wiring.INGEST_CLIENT,
            process_wiring.LEADER_CLIENT,
            process_wiring.BLOCKS,
            process_wiring.RETAINED_CLIENT,
        )
        own_clients = () if settings.plain_devices else own
        broker = ManagedBroker(settings.data / "broker", settings.mqtt_port, listener, own_clients, fleet)
        broker.connected = lambda client: None if client in own else guard.offend(client, Offence.CONNECTIONS)
        undo.callback(broker.stop)
        broker.start()
        self._devices_max = broker.devices_max
        self._managed = broker
        resources.enrolment.apply_revocation = lambda revoked, device: _apply_revocation(broker, revoked, [device])
        resources.enrolment.rotated = lambda: broker.use(_device_listener(settings, resources, time.time()))
        access = replace(broker.access, user=process_wiring.INGEST_CLIENT)  # client ids differ where processes share a database
        return access, BrokerAddress(settings.device_host, broker.device_port, tls=True).url

    def _external_broker(self, resources: Resources) -> tuple[BrokerAccess, str]:
        enrolment = resources.enrolment
        if resources.authority.newest.is_intermediate:
            raise InputError(
                "an authority that another one has signed requires the managed broker: others may let in every device of its"
                " root. Start the server without --broker, or use a self-signed authority"
            )
        broker = ExternalBroker(self.settings, self.settings.data / "authority")
        enrolment.broker_authority = broker.authority
        enrolment.needs_staged = True
        enrolment.rotated = lambda: broker.revoke(enrolment.revoked(time.time()))
        enrolment.apply_revocation = lambda revoked, device: _apply_revocation(broker, revoked, [device])
        broker.revoke(enrolment.revoked(self._started_at))
        return replace(broker.access, user=process_wiring.INGEST_CLIENT), broker.device_url

    def _broker_up(self) -> bool:
        answering = self._managed is None or self._managed.answering
        return answering and self._line is not None and self._line.broker_up()

    def _overview(self, connection: Connection) -> Overview:
        assert self._line is not None
        assert self._counts is not None
        broker = BrokerHealth(
            state="up" if self._broker_up() else "down",
            url=self._access.address.url,
            devices_max=self._devices_max or None,
        )
        counts = self._counts.devices()
        server = ServerInfo(
            version=self.version,
            started_at=self._started_at,
            broker=broker,
            storage_warnings=self.context.storage_warnings(connection),
            address_warnings=self.context.address_warnings(),
            label_warnings=list(counts.label_warnings),
        )
        return views.overview(connection, counts, server, self._line.samples_per_s())


def certificate_hosts(settings: Settings) -> list[str]:
    """Host names and addresses in the certificates of the broker and of the HTTPS listener."""
    listens = [] if settings.host in ("0.0.0.0", "::") else [settings.host]  # noqa: S104 (compared, not bound)
    own = [name for name in (socket.gethostname(),) if is_host(name)]
    return [settings.device_host, *listens, *own, "localhost", "127.0.0.1", "::1"]


def _device_listener(settings: Settings, resources: Resources, now: float) -> DeviceListener:
    """The broker's listener for devices, with the certificates of now."""
    key, certificate = resources.authority.broker_identity(certificate_hosts(settings), now)
    return DeviceListener(
        host=_broker_host(settings.device_host),
        port=settings.mqtts_port,
        authority=resources.authority.broker_authorities.encode(),
        certificate=certificate,
        key=key,
        revoked=resources.enrolment.revoked(now),
    )


def _broker_host(device_host: str) -> str:
    """The address on which the managed broker listens for devices; empty = all, IPv6 included."""
    if not is_loopback_host(device_host):
        return "" if ":" in device_host else "0.0.0.0"  # noqa: S104 (asked for: devices come from other machines, with certificates)
    return "127.0.0.1" if device_host == "localhost" else device_host


def _openid(settings: Settings) -> OpenIdProvider | None:
    if not settings.oidc_issuer:
        return None
    roles = {group: _roles_of(text) for group, text in settings.oidc_roles.items()}
    return OpenIdProvider(
        OpenIdTerms(
            settings.oidc_issuer, settings.oidc_client, settings.oidc_secret, roles, settings.oidc_claim, settings.oidc_label
        )
    )


def _roles_of(text: str) -> Grants:
    try:
        return joined(map(parse_grant, text.split(",")))
    except InputError as error:
        raise InputError(f"--oidc-role {error}") from error


def _apply_revocation(broker: ManagedBroker | ExternalBroker, revoked: bytes, devices: Sequence[str]) -> None:
    """Apply the revocation list at the broker, and end the open sessions of these devices, as soon as the broker answers.

    The broker reads the new list shortly after its reload signal, so a device that reconnects at once is disconnected again.
    """
    broker.revoke(revoked)
    if devices:
        threading.Thread(target=_send_away, args=(broker.access, devices), name="send-away", daemon=True).start()


def _send_away(access: BrokerAccess, devices: Sequence[str]) -> None:
    for wait_s in SEND_AWAY_S:
        time.sleep(wait_s)
        ended = take_over(access, process_wiring.INGEST_CLIENT, devices)
    ends_s = time.monotonic() + SEND_AWAY_S_MAX
    while not ended and time.monotonic() < ends_s:
        time.sleep(SEND_AWAY_AGAIN_S)
        ended = take_over(access, process_wiring.INGEST_CLIENT, devices)


def _check_reach(settings: Settings, authenticator: Authenticator) -> None:
    """Check that a server without users, which has no sign-in, is reachable from this machine only."""
    if authenticator.is_open() and (settings.public_url or not settings.is_loopback):
        raise InputError(
            "a server that others can reach requires a user: "
            f"`edgefleet user add NAME --role admin --data {settings.data}`, then start the server again"
        )


def _video_url(resources: Resources, device_url: str) -> str:
    """The URL at which devices reach this process for live video."""
    settings = resources.live.now
    return settings.video_url or enrolment_address(settings, "", device_url).url


def _certified(database: Database, devices: Sequence[str]) -> Sequence[str]:
    """Those of `devices` that have a certificate; without plain devices all have one."""
    with database.read() as connection:
        return sorted(identities.certified(connection, devices, time.time()))


def _nothing() -> None:
    """Do nothing: processes that share a database have no cache between two batches."""
