"""Builds the parts of the server and joins them: who tells whom what. Nothing is opened before `open`."""

from __future__ import annotations

import fcntl
import logging
import os
import time
from contextlib import ExitStack
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from agent.contract.topics import ALL_UP, parse_up
from fleet_server.api import schemas, views
from fleet_server.api.context import Context
from fleet_server.api.hub import Hub
from fleet_server.db.engine import Connection, Database
from fleet_server.errors import MessageError, StoreError, UnavailableError
from fleet_server.link.blobs import BlockServer
from fleet_server.link.broker import ManagedBroker
from fleet_server.link.ingest import Ingest
from fleet_server.link.mqtt import Arrived, BrokerAddress, MqttLink
from fleet_server.link.publish import Publisher
from fleet_server.link.store import Outcome
from fleet_server.loop import Engine, Turn
from fleet_server.registry.blobs import BlobStore
from fleet_server.registry.packages import Registry
from fleet_server.settings import Settings

CLIENT_ID = "edgefleet-server"
BLOCKS_CLIENT_ID = "edgefleet-blocks"

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
        blobs = BlobStore(settings.data / "blobs")
        registry = Registry(blobs, database, settings.upload_bytes_max)
        registry.open()
        self._address = self._broker(undo)

        hub = Hub(database, self._overview)
        undo.callback(hub.close)
        line = _Line()
        link = MqttLink(self._address, CLIENT_ID, [(ALL_UP, 1)], line)
        publisher = Publisher(database, link)
        engine = Engine(database, settings, lambda: link.up_at, lambda turn: _after_turn(turn, publisher, hub))
        ingest = Ingest(database, link, settings.devices_max, lambda outcome: _after_commit(outcome, publisher, engine, hub))
        blocks = BlockServer(blobs, self._address, BLOCKS_CLIENT_ID, settings.block_bytes_per_s)
        line.join(ingest, publisher, blocks)
        self._link, self._ingest = link, ingest

        for part in (ingest, publisher, engine, blocks):
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
            hub=hub,
            wake_engine=engine.wake,
            greet=publisher.greet,
            broker_up=lambda: link.connected,
            broker_url=self._address.url,
            samples_per_s=ingest.samples_per_s,
            block_traffic=lambda: schemas.BlockTraffic(
                broadcasts=blocks.broadcasts, sent_alone=blocks.sent_alone, sent_bytes=blocks.sent_bytes
            ),
        )

    def _broker(self, undo: ExitStack) -> BrokerAddress:
        if self.settings.broker_url:
            return BrokerAddress.parse(self.settings.broker_url)
        broker = ManagedBroker(self.settings.data / "broker", self.settings.mqtt_port)
        undo.callback(broker.stop)
        broker.start()
        return broker.address

    def _overview(self, connection: Connection) -> schemas.Overview:
        assert self._link is not None
        assert self._ingest is not None
        broker = schemas.BrokerHealth(state="up" if self._link.connected else "down", url=self._address.url)
        server = schemas.ServerInfo(version=self.version, started_at=self._started_at, broker=broker)
        return views.overview(connection, server, self._ingest.samples_per_s(), time.time())


class _Line:
    """The listener of the control connection: sorts what comes."""

    def join(self, ingest: Ingest, publisher: Publisher, blocks: BlockServer) -> None:
        """Who gets what; before the connection starts."""
        self._ingest, self._publisher, self._blocks = ingest, publisher, blocks

    def up(self) -> None:
        self._publisher.line_up()

    def down(self) -> None:
        """Nothing to do: everybody asks whether there is a connection."""

    def published(self, mid: int) -> None:
        self._publisher.confirmed(mid)

    def arrived(self, message: Arrived) -> None:
        if not message.topic.endswith("/up/want"):
            self._ingest.offer(message)
            return
        MqttLink.acknowledge(message)
        try:
            self._blocks.ask(parse_up(message.topic).device, message.payload)
        except MessageError as error:
            log.debug("%s", error)


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
