"""What is done once, however many processes a server has: rollouts, documents and commands to devices, blocks of models,
certificates, uploads, housekeeping, notices. It has a connection of its own for what devices ask for."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from agent.contract import topics
from agent.contract.identity import Renew
from agent.contract.passes import PassRequest
from agent.contract.topics import parse_up
from fleet_server.api.schemas import BlockTraffic
from fleet_server.app.house import House
from fleet_server.db import commands, intake
from fleet_server.db.engine import Database, raw
from fleet_server.errors import MessageError
from fleet_server.forgetting import Forgetting
from fleet_server.link.answers import Answers, Desk
from fleet_server.link.blobs import BlockServer
from fleet_server.link.mqtt import Arrived, BrokerAddress, MqttLink
from fleet_server.link.publish import Publisher
from fleet_server.link.uploads import Uploads
from fleet_server.loop import Engine, Turn
from fleet_server.notify import Mailer, Notifier
from fleet_server.registry.blobs import BlobStore
from fleet_server.registry.trust import Trust
from fleet_server.settings import Settings
from fleet_server.watch import Watch

ASKED: Final = ("want", "upload", "upload/#")
BORN_LATELY_S: Final = 120.0
BLOCKS_USER: Final = "edgefleet-blocks"
"""Whom a broker of one's own knows the connection for blocks by; the others are one user there."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Names:
    """Client ids of its two connections: bulk must never stand before acknowledgements and commands."""

    control: str
    blocks: str


class Bureau:
    """The parts and their threads. `line_up_at`: since when (wall time) what devices say is being taken in, 0 = it is not.
    `turned`: what a turn of the engine changed."""

    def __init__(
        self,
        house: House,
        database: Database,
        address: BrokerAddress,
        names: Names,
        line_up_at: Callable[[], float],
        turned: Callable[[Turn], None],
        devices_max: int,
    ) -> None:
        settings = house.settings
        self._database = database
        self._turned = turned
        self._closing = ExitStack()
        desks = _desks(house)
        asked = [(f"{topics.ROOT}/d/+/up/{kind}", 1) for kind in (*ASKED, *desks)]
        self.link = MqttLink(address, names.control, asked, self)
        bulk = replace(address, user=BLOCKS_USER) if address.user else address
        self.blocks = BlockServer(
            _Blocks(house.trust, house.blobs), bulk, names.blocks, settings.block_bytes_per_s, settings.device_bytes_per_s
        )
        self.publisher = Publisher(database, self.link, house.trust.offer, self.blocks.expect, house.recipes.hint)
        self.engine = Engine(database, line_up_at, self._after_turn)
        self._live = house.live
        forgetting = Forgetting(database, lambda: house.settings, house.registry)
        self.watch = Watch(database, forgetting, self.engine.wake, devices_max)
        self._notifier = Notifier(database, _mailer(settings))
        self._uploads = Uploads(self.link, house.evidence)
        self._answers = Answers(self.link, desks)

    def start(self) -> None:
        """Begin; devices that waited for somebody to do so are greeted."""
        for part in (self.publisher, self.engine, self.blocks, self._answers, self._uploads, self.watch, self._notifier):
            part.start()
            self._closing.callback(part.close)
        self._closing.callback(self._live.listen(self._adopt))
        now = time.time()
        with self._database.read() as connection:
            waiting = commands.waiting_devices(connection, now)
            born = intake.born_since(raw(connection), now - BORN_LATELY_S)
        for device in sorted({*waiting, *born}):
            self.publisher.greet(device)
        self.link.start()
        self._closing.callback(self.link.close)

    def close(self) -> None:
        """End."""
        self._closing.close()

    def traffic(self) -> BlockTraffic:
        """Blocks sent since the start."""
        blocks = self.blocks
        return BlockTraffic(broadcasts=blocks.broadcasts, sent_alone=blocks.sent_alone, sent_bytes=blocks.sent_bytes)

    def _adopt(self, settings: Settings) -> None:
        self.blocks.limit(settings.block_bytes_per_s, settings.device_bytes_per_s)
        self._notifier.mailer = _mailer(settings)

    def _after_turn(self, turn: Turn) -> None:
        self.publisher.wake()
        self._turned(turn)

    # -- the link's listener

    def up(self) -> None:
        self.publisher.line_up()

    def down(self) -> None:
        """Nothing to do: everybody asks whether there is a connection."""

    def published(self, mid: int) -> None:
        self.publisher.confirmed(mid)

    def arrived(self, message: Arrived) -> None:
        MqttLink.acknowledge(message)
        rest = message.topic.partition("/up/")[2]
        try:
            device = parse_up(message.topic).device
            if rest == "want":
                self.blocks.ask(device, message.payload)
            elif self._answers.takes(rest):
                self._answers.ask(device, rest, message.payload)
            elif not message.retained:
                self._uploads.take(device, rest, message.payload)
        except MessageError as error:
            log.debug("%s", error)


def _mailer(settings: Settings) -> Mailer | None:
    return Mailer(settings.smtp_url, settings.mail_from) if settings.smtp_url else None


def _desks(house: House) -> dict[str, Desk]:
    """What devices may ask for over the line."""
    renew, grant = house.enrolment.renew, house.passes.grant
    return {
        "renew": Desk(Renew, topics.certificate, lambda device, asked, now: renew(device, asked.request, now)),
        "pass": Desk(PassRequest, topics.blob_pass, lambda device, asked, now: grant(device, asked.blob, now)),
    }


class _Blocks:
    """Where blocks come from: signed metadata, and the registry's blobs."""

    def __init__(self, trust: Trust, blobs: BlobStore) -> None:
        self._trust, self._blobs = trust, blobs

    def read_block(self, sha256: str, index: int) -> bytes:
        return self._trust.read_block(sha256, index) or self._blobs.read_block(sha256, index)
