"""Builds the parts of the server and joins them: who tells whom what. Nothing is opened before `open`."""

from __future__ import annotations

import fcntl
import logging
import os
import socket
import threading
import time
from contextlib import ExitStack
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from agent.contract import topics
from agent.contract.identity import Renew
from agent.contract.passes import PassRequest
from agent.contract.topics import ALL_UP, parse_up
from fleet_server.api import schemas, views
from fleet_server.api.context import Context
from fleet_server.api.door import Door
from fleet_server.api.hub import Hub
from fleet_server.api.live import LivePictures
from fleet_server.db.engine import Connection, Database
from fleet_server.errors import InputError, MessageError, StoreError, UnavailableError
from fleet_server.link.answers import Answers, Desk
from fleet_server.link.blobs import BlockServer
from fleet_server.link.broker import DeviceDoor, ManagedBroker
from fleet_server.link.ingest import Ingest
from fleet_server.link.mqtt import Arrived, BrokerAddress, MqttLink, take_over
from fleet_server.link.own_broker import OwnBroker
from fleet_server.link.publish import Publisher
from fleet_server.link.store import Outcome
from fleet_server.link.uploads import Uploads
from fleet_server.loop import Engine, Turn
from fleet_server.notify import Mailer, Notifier
from fleet_server.registry.authority import Authority
from fleet_server.registry.blobs import BlobStore
from fleet_server.registry.enrolment import Enrolment
from fleet_server.registry.evidence import EvidenceStore
from fleet_server.registry.packages import Registry
from fleet_server.registry.passes import Passes
from fleet_server.registry.recipes import Recipes
from fleet_server.registry.trust import Trust
from fleet_server.settings import LOOPBACK_HOSTS, Settings
from fleet_server.watch import Watch

CLIENT_ID = "edgefleet-server"
BLOCKS_CLIENT_ID = "edgefleet-blocks"

SEND_AWAY_S = (0.1, 2.0)

log = logging.getLogger(__name__)


def server_version() -> str:
    """The version that is installed, or that it is not."""
    try:
        return version("edgefleet")
    except PackageNotFoundError:
        return "0.0.0-source"


class Office:
    """The running server: everything that `open` opened, `close` closes, in reverse order."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.version = server_version()
        self._started_at = 0.0
        self._closing = ExitStack()
        self._address = BrokerAddress("", 0)
        self._link: MqttLink | None = None
        self._devices_max = 0
        self._ingest: Ingest | None = None
        self._context: Context | None = None

    @property
    def context(self) -> Context:
        """What routes may use; only while open."""
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
        _lock_folder(settings.data, undo)
        database = Database(settings.data / "fleet.db")
        undo.callback(database.close)
        database.migrate()
        door = Door(database, settings.is_secure)
        _check_reach(settings, door)
        blobs = BlobStore(settings.data / "blobs")
        trust = Trust(settings.data / "trust")
        registry = Registry(blobs, database, trust, settings.upload_bytes_max)
        registry.open()
        authority = Authority(settings.data / "authority")
        authority.open(self._started_at)
        enrolment = Enrolment(database, authority, settings.certificate_days)
        self._address, device_url = self._broker(undo, authority, enrolment)

        hub = Hub(database, self._overview)
        undo.callback(hub.close)
        line = _Line()
        link = MqttLink(self._address, CLIENT_ID, [(ALL_UP, 1)], line)
        blocks = BlockServer(
            _Blocks(trust, blobs), self._address, BLOCKS_CLIENT_ID, settings.block_bytes_per_s, settings.device_bytes_per_s
        )
        recipes = Recipes(blobs)
        passes = Passes(database, blobs, recipes, settings.data / "authority" / "pass.key")
        publisher = Publisher(database, link, trust.offer, blocks.expect, recipes.hint)
        engine = Engine(database, lambda: link.up_at, lambda turn: _after_turn(turn, publisher, hub))
        ingest = Ingest(database, link, settings.devices_max, lambda outcome: _after_commit(outcome, publisher, engine, hub))
        watch = Watch(database, settings, engine.wake, self._devices_max)
        notifier = Notifier(database, Mailer(settings.smtp_url, settings.mail_from) if settings.smtp_url else None)
        answers = Answers(link, _desks(enrolment, passes))
        evidence = EvidenceStore(settings.data / "evidence", settings.events_kept_s)
        uploads = Uploads(link, evidence)
        line.join(ingest, publisher, blocks, answers, uploads)
        self._link, self._ingest = link, ingest

        for part in (ingest, publisher, engine, blocks, answers, uploads, watch, notifier):
            part.start()
            undo.callback(part.close)
        link.start()
        undo.callback(link.close)
        return Context(
            settings=settings,
            version=self.version,
            started_at=self._started_at,
            database=database,
            registry=registry,
            blobs=blobs,
            trust=trust,
            evidence=evidence,
            live=LivePictures(database, evidence, publisher.greet),
            enrolment=enrolment,
            passes=passes,
            hub=hub,
            door=door,
            wake_engine=engine.wake,
            greet=publisher.greet,
            broker_up=lambda: link.connected,
            broker_url=self._address.url,
            device_url=device_url,
            samples_per_s=ingest.samples_per_s,
            forget_devices=ingest.forget,
            clear_retained=publisher.clear,
            devices_max=self._devices_max,
            chores=watch.chores,
            ingest=ingest.measure,
            block_traffic=lambda: schemas.BlockTraffic(
                broadcasts=blocks.broadcasts, sent_alone=blocks.sent_alone, sent_bytes=blocks.sent_bytes
            ),
        )

    def _broker(self, undo: ExitStack, authority: Authority, enrolment: Enrolment) -> tuple[BrokerAddress, str]:
        """(where our own clients go, where devices go)."""
        settings = self.settings
        if settings.broker_url:
            return self._own_broker(enrolment)
        loopback = settings.device_host in LOOPBACK_HOSTS
        hosts = [settings.device_host, socket.gethostname(), "localhost", "127.0.0.1"]
        key, certificate = authority.broker_identity(hosts, self._started_at)
        door = DeviceDoor(
            host="127.0.0.1" if loopback else "0.0.0.0",  # noqa: S104 (asked for: devices come from other machines, with certificates)
            port=settings.mqtts_port,
            authority=authority.certificate.encode(),
            certificate=certificate,
            key=key,
            revoked=enrolment.revoked(self._started_at),
        )
        own_clients = () if settings.plain_devices else (CLIENT_ID, BLOCKS_CLIENT_ID)
        broker = ManagedBroker(settings.data / "broker", settings.mqtt_port, door, own_clients)
        undo.callback(broker.stop)
        broker.start()
        self._devices_max = broker.devices_max
        enrolment.shut_out = lambda revoked, device: _shut_out(broker, revoked, device)
        return broker.address, f"mqtts://{settings.device_host}:{broker.device_port}"

    def _own_broker(self, enrolment: Enrolment) -> tuple[BrokerAddress, str]:
        broker = OwnBroker(self.settings, self.settings.data / "authority")
        enrolment.broker_authority = broker.authority or enrolment.broker_authority
        enrolment.shut_out = lambda revoked, device: _shut_out(broker, revoked, device)
        broker.revoke(enrolment.revoked(self._started_at))
        return broker.address, broker.device_url

    def _overview(self, connection: Connection) -> schemas.Overview:
        assert self._link is not None
        assert self._ingest is not None
        broker = schemas.BrokerHealth(state="up" if self._link.connected else "down", url=self._address.url)
        server = schemas.ServerInfo(version=self.version, started_at=self._started_at, broker=broker)
        return views.overview(connection, server, self._ingest.samples_per_s(), time.time())


class _Blocks:
    """Where blocks come from: signed metadata, and the registry's blobs."""

    def __init__(self, trust: Trust, blobs: BlobStore) -> None:
        self._trust, self._blobs = trust, blobs

    def read_block(self, sha256: str, index: int) -> bytes:
        return self._trust.read_block(sha256, index) or self._blobs.read_block(sha256, index)


class _Line:
    """The listener of the control connection: sorts what comes."""

    def join(self, ingest: Ingest, publisher: Publisher, blocks: BlockServer, answers: Answers, uploads: Uploads) -> None:
        """Who gets what; before the connection starts."""
        self._ingest, self._publisher, self._uploads = ingest, publisher, uploads
        self._blocks, self._answers = blocks, answers

    def up(self) -> None:
        self._publisher.line_up()

    def down(self) -> None:
        """Nothing to do: everybody asks whether there is a connection."""

    def published(self, mid: int) -> None:
        self._publisher.confirmed(mid)

    def arrived(self, message: Arrived) -> None:
        rest = message.topic.partition("/up/")[2]
        upload = rest == "upload" or rest.startswith("upload/")
        if rest != "want" and not upload and not self._answers.takes(rest):
            self._ingest.offer(message)
            return
        MqttLink.acknowledge(message)
        try:
            device = parse_up(message.topic).device
            if rest == "want":
                self._blocks.ask(device, message.payload)
            elif not upload:
                self._answers.ask(device, rest, message.payload)
            elif not message.retained:
                self._uploads.take(device, rest, message.payload)
        except MessageError as error:
            log.debug("%s", error)


def _desks(enrolment: Enrolment, passes: Passes) -> dict[str, Desk]:
    """What devices may ask for over the line."""
    return {
        "renew": Desk(Renew, topics.certificate, lambda device, asked, now: enrolment.renew(device, asked.request, now)),
        "pass": Desk(PassRequest, topics.blob_pass, lambda device, asked, now: passes.grant(device, asked.blob, now)),
    }


def _shut_out(broker: ManagedBroker | OwnBroker, revoked: bytes, device: str) -> None:
    """No handshake with a revoked certificate from now on; and the session that is open ends.

    The broker reads the new list a moment after it was told, so a device that comes back at once is sent away a second time.
    """
    broker.revoke(revoked)

    def send_away() -> None:
        for wait_s in SEND_AWAY_S:
            time.sleep(wait_s)
            take_over(broker.address, CLIENT_ID, device)

    threading.Thread(target=send_away, name="send-away", daemon=True).start()


def _after_commit(outcome: Outcome, publisher: Publisher, engine: Engine, hub: Hub) -> None:
    for device in sorted(outcome.births):
        publisher.greet(device)
    if outcome.births or outcome.reports:
        engine.wake()
    hub.touch(outcome.births | outcome.reports, measured=outcome.samples)
    hub.sample(outcome.samples)


def _after_turn(turn: Turn, publisher: Publisher, hub: Hub) -> None:
    publisher.wake()
    hub.touch(turn.devices, turn.rollouts)


def _check_reach(settings: Settings, door: Door) -> None:
    """A server without users is open to whoever reaches it: nobody but this machine may."""
    if door.is_open() and (settings.public_url or not settings.is_loopback):
        raise InputError(
            "a server that others can reach needs a user first: "
            f"`edgefleet user add NAME --role admin --data {settings.data}`, then start it again"
        )


def _lock_folder(folder: Path, undo: ExitStack) -> None:
    """One server a folder: two would both write, and both be right."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StoreError(f"data folder {folder}: {error.strerror}; choose another with --data") from error
    undo.callback(os.close, descriptor)
    deadline = time.monotonic() + 2.0  # a server that was told to end a moment ago still holds it
    while not _locked(descriptor):
        if time.monotonic() > deadline:
            raise UnavailableError(f"another server uses {folder}; stop it, or choose another folder with --data")
        time.sleep(0.1)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
