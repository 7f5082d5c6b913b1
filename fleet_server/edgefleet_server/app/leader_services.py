"""Services of the leader, once per server: rollouts, documents and commands to devices, blocks of models,
certificates, uploads, housekeeping, notices. It has a separate connection for requests of devices."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from edgefleet_contract.mqtt.events import Connected, LinkEvent, Outgoing, Published, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.download_tickets import DownloadTicketRequest
from edgefleet_contract.wire.enrolment import RenewRequest
from edgefleet_contract.wire.topics import parse_up
from edgefleet_server.api.schemas.admin.health import BlockTraffic
from edgefleet_server.app.resources import Resources
from edgefleet_server.core.errors import MessageError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import commands
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.domain.policy.device_conduct import Offence, offences_of
from edgefleet_server.jobs.notices.notifier import Notifier
from edgefleet_server.jobs.retained_sweep import RetainedSweep
from edgefleet_server.jobs.retention import RetentionJobs
from edgefleet_server.jobs.rollout_engine import EngineTurn, RolloutEngine
from edgefleet_server.jobs.scheduler import JobScheduler
from edgefleet_server.link.block_server import BlockServer
from edgefleet_server.link.broker_access import BrokerAccess, server_client
from edgefleet_server.link.device_guard import DeviceGuard
from edgefleet_server.link.device_requests import DeviceRequests, RequestHandler
from edgefleet_server.link.evidence_receiver import EvidenceReceiver
from edgefleet_server.link.publisher import Publisher
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.identity.broadcast_keys import BroadcastKeys
from edgefleet_server.registry.identity.entitlements import Entitlements
from edgefleet_server.registry.signing.tuf_repository import TufRepository

REQUEST_KINDS: Final = ("blocks", "upload", "upload/+/+")
UPLOAD_BLOCK: Final = "upload_block"
BORN_LATELY_S: Final = 120.0
BLOCKS_USER: Final = "edgefleet-blocks"
"""User name of the connection for blocks at an external broker; the other connections share one user there."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServiceNames:
    """Client ids of its connections, separate because bulk data must never delay acknowledgements and commands. `retained`: one
    that reads retained messages from time to time."""

    control: str
    blocks: str
    retained: str


class LeaderServices:
    """The services and their threads. `connected_at`: wall time since which messages of devices have been ingested, 0 = they are
    not. `turned`: called with the changes of each run of the engine."""

    def __init__(
        self,
        resources: Resources,
        database: Database,
        access: BrokerAccess,
        names: ServiceNames,
        connected_at: Callable[[], float],
        turned: Callable[[EngineTurn], None],
        devices_max: int,
        guard: DeviceGuard,
    ) -> None:
        settings = resources.settings
        self._database = database
        self._turned = turned
        self._closing = ExitStack()
        handlers = _request_handlers(resources)
        self._guard = guard
        subscriptions = [(f"{topics.ROOT}/d/+/up/{kind}", 1) for kind in (*REQUEST_KINDS, *handlers)]
        as_published = frozenset(name for name, _ in subscriptions)
        self.link = server_client(access, names.control, subscriptions, self._on_link_event, as_published)
        bulk = replace(access, user=BLOCKS_USER) if access.user else access
        self.blocks = BlockServer(
            _Blocks(resources.trust, resources.blobs),
            _Rights(resources.trust, resources.entitlements, resources.broadcast_keys),
            bulk,
            names.blocks,
            settings.block_bytes_per_s,
            settings.device_bytes_per_s,
            refused=self._refuse,
        )
        self.publisher = Publisher(
            database,
            self.link,
            resources.trust.offer,
            self.blocks.expect,
            lambda desired: resources.broadcast_keys.add(resources.deltas.hint(desired)),
            authorities=resources.enrolment.offer,
        )
        self.engine = RolloutEngine(database, connected_at, self._after_turn, self.blocks.expect)
        self._live = resources.live
        forgetting = RetentionJobs(database, lambda: resources.settings, resources.registry, resources.uploads)
        greet = self.publisher.greet
        self.watch = JobScheduler(database, forgetting, self.engine.wake, resources.folders, devices_max, greet)
        self._notifier = Notifier(database, resources.notice_sender)
        self._uploads = EvidenceReceiver(self.link, resources.evidence, self._refuse, forgetting.clock.read)
        self._retained = RetainedSweep(
            database, lambda subscriptions, deliver: server_client(access, names.retained, subscriptions, deliver)
        )
        self._answers = DeviceRequests(self.link, handlers, self._refuse)

    def start(self) -> None:
        """Start, and greet the devices that have waited for a leader."""
        threads = (self.publisher, self.engine, self.blocks, self._answers, self._uploads, self.watch, self._notifier)
        for part in (*threads, self._retained):
            part.start()
            self._closing.callback(part.close)
        self._closing.callback(self._live.listen(self._adopt))
        for queue in (self.blocks, self._uploads, self._answers):
            self._closing.callback(self._guard.listen(queue.discard))
        now = time.time()
        with self._database.read() as connection:
            waiting = commands.waiting_devices(connection, now)
            born = ingest.born_since(raw(connection), now - BORN_LATELY_S)
        for device in sorted({*waiting, *born}):
            self.publisher.greet(device)
        self.link.start()
        self._closing.callback(self.link.close)

    def close(self) -> None:
        """Stop all services."""
        self._closing.close()

    def sweep(self) -> None:
        """Look for retained messages that should not be there."""
        self._retained.wake()

    def traffic(self) -> BlockTraffic:
        """Blocks sent since the start."""
        blocks = self.blocks
        return BlockTraffic(broadcasts=blocks.broadcasts, sent_alone=blocks.sent_alone, sent_bytes=blocks.sent_bytes)

    def _adopt(self, settings: Settings) -> None:
        self.blocks.limit(settings.block_bytes_per_s, settings.device_bytes_per_s)

    def _after_turn(self, turn: EngineTurn) -> None:
        self.publisher.wake()
        self._turned(turn)

    def _on_link_event(self, event: LinkEvent) -> None:
        if isinstance(event, ReceivedMessage):
            self._take(event)
        elif isinstance(event, Published):
            self.publisher.answered(event)
        elif isinstance(event, Connected):
            self.publisher.line_up()

    def _take(self, message: ReceivedMessage) -> None:
        message.acknowledge()
        rest = message.topic.partition("/up/")[2]
        try:
            device = parse_up(message.topic).device
            if message.retained:
                self._clear(device, message)
            elif not self._guard.admit_request(device, _kind(rest), len(message.payload)):
                pass
            elif rest == "blocks":
                self.blocks.ask(device, message.payload)
            elif self._answers.takes(rest):
                self._answers.ask(device, rest, message.payload)
            else:
                self._uploads.take(device, rest, message.payload)
        except MessageError as error:
            log.debug("%s", error)

    def _refuse(self, device: str, length: int = 0) -> None:
        """Count a request of `length` bytes that is invalid, or for something that does not exist."""
        self._guard.offend(device, Offence.INVALID, offences_of(length))

    def _clear(self, device: str, message: ReceivedMessage) -> None:
        """Delete a retained request from the broker: requests are not repeated to a server that starts."""
        if message.payload:
            self.link.publish(Outgoing(message.topic, b"", retain=True))
            self._guard.offend(device, Offence.RETAINED, offences_of(len(message.payload)))


def _kind(rest: str) -> str:
    """The kind of a request, whose topic ends with `rest`, for the rates of requests."""
    return UPLOAD_BLOCK if rest.startswith("upload/") else rest


def _request_handlers(resources: Resources) -> dict[str, RequestHandler]:
    """Handlers of device requests over MQTT, by topic suffix."""
    renew, grant = resources.enrolment.renew, resources.tickets.grant
    return {
        "renew": RequestHandler(
            RenewRequest, topics.certificate, lambda device, request, now: renew(device, request.request, now)
        ),
        "ticket": RequestHandler(
            DownloadTicketRequest, topics.ticket, lambda device, request, now: grant(device, request.blob, now)
        ),
    }


class _Blocks:
    """Source of blocks: signed metadata, and the registry's blobs."""

    def __init__(self, trust: TufRepository, blobs: BlobStore) -> None:
        self._trust, self._blobs = trust, blobs

    def read_block(self, sha256: str, index: int) -> bytes:
        return self._trust.read_block(sha256, index) or self._blobs.read_block(sha256, index)


class _Rights:
    """Rights to fetch blobs: signed metadata is for all devices, all else for those whose packages it is part of."""

    def __init__(self, trust: TufRepository, entitlements: Entitlements, keys: BroadcastKeys) -> None:
        self._trust, self._entitlements, self._keys = trust, entitlements, keys
        self.forget = entitlements.forget

    def refusal(self, device: str, blob: str, at: float, now: float) -> str:
        return "" if self._trust.read_block(blob, 0) else self._entitlements.refusal(device, blob, at, now)

    def key_of(self, blob: str) -> str:
        return "" if self._trust.read_block(blob, 0) else self._keys.of(blob)
