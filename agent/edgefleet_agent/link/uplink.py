"""The connection between device and server: presence, reports, the outbox, blocks, commands.

Received messages are checked here: topic, size, type, device. A hostile or foreign message is counted, logged if it is the first
or the thousandth, and changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.link.block_fetcher import BlockFetcher, BlockStore, Transports
from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_agent.link.evidence_uploader import EvidenceUploader
from edgefleet_agent.link.outbox import Outbox
from edgefleet_agent.link.outbox_sender import RESEND_S, OutboxSender
from edgefleet_agent.link.state_reporter import PACE_S, StateReporter
from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, Outgoing, Published, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.download_tickets import DownloadTicket, DownloadTicketRequest
from edgefleet_contract.wire.enrolment import AuthorityOffer, Certificate
from edgefleet_contract.wire.evidence_upload import UploadState
from edgefleet_contract.wire.messages import (
    BLOCK_BYTES,
    Ack,
    BlockRefusal,
    Command,
    CommandReply,
    Desired,
    PresenceMessage,
    Reported,
    Stream,
    TrustOffer,
)
from edgefleet_contract.wire.sealed_block import SEAL_BYTES

LOG_EVERY = 1000

Order = Desired | Command | TrustOffer | Certificate | AuthorityOffer
"""Messages for the device itself."""

log = logging.getLogger(__name__)


class NoConnection:
    """Replaces the connection if no broker is configured: the device works without a server."""

    connected = False
    tls_fault = ""

    def start(self) -> None:
        """Does nothing."""

    def publish(self, _message: Outgoing) -> int | None:
        return None

    def listen(self, _topic_filter: str, _qos: int = 0) -> None:
        """Does nothing."""

    def unlisten(self, _topic_filter: str) -> None:
        """Does nothing."""

    def close(self, _farewell: Outgoing | None, _patience_s: float = 0.0) -> None:
        """Does nothing."""


class Uplink:
    """One device's connection to its server. Used from one thread, except for `announce`."""

    def __init__(
        self,
        folder: Path,
        presence: PresenceMessage,
        counters: BootCounters,
        store: BlockStore,
        metadata_staging: BlockStore,
        resend_s: float = RESEND_S,
        report_s: float = PACE_S,
        transports: Transports | None = None,
        faults: DiskFaults | None = None,
    ) -> None:
        self._transports = transports or Transports()
        self.outbox = Outbox(folder, faults=faults)
        self.received_s: float | None = None
        self.refused = 0
        self.connected = False
        self.busy = False
        self.line: MqttClient | NoConnection = NoConnection()
        self._presence = presence
        self._device = presence.device
        self._counters = counters
        self._store = store
        self._metadata_staging = metadata_staging
        self._reporter = StateReporter(folder, counters, report_s, faults)
        self._senders = {stream: OutboxSender(self._device, stream, self.outbox, resend_s) for stream in Stream}
        self._clients(self.line)
        self.uploads: EvidenceUploader | None = None

    def connect(self, line: MqttClient) -> None:
        """Use `line` from now on, and start it."""
        self.line = line
        self._transports.tickets.ask = lambda blob: line.publish(
            Outgoing(topics.ticket_request(self._device), encode(DownloadTicketRequest(blob=blob)))
        )
        self._clients(line)
        line.start()

    def _clients(self, line: MqttClient | NoConnection) -> None:
        """Creates the fetchers of blobs and of metadata. Signed metadata is fetched by MQTT and without a budget: it is small,
        and without it no package may run."""
        self.blocks = BlockFetcher(self._device, self._store, line, transports=self._transports)
        self.metadata = BlockFetcher(
            self._device, self._metadata_staging, line, transports=Transports(local=self._transports.local)
        )

    def announce(self) -> tuple[int, Outgoing]:
        """Number and last will of the next connection (called on the connection's thread)."""
        connection = self._counters.next_connection()
        return connection, self._presence_message(connection, online=False, at=0.0)

    def handle(self, event: LinkEvent, now: float, wall: float) -> Order | None:
        """Handle an event of the connection. Returns messages for the device; all others are handled here."""
        if isinstance(event, Connected):
            self.connected = True
            self.line.publish(self._presence_message(event.connection, online=True, at=wall))
            self._reporter.reconnected()
            self.blocks.connected(now)
            self.metadata.connected(now)
            for sender in self._senders.values():
                sender.reconnected(now)
        elif isinstance(event, Disconnected):
            self.connected = False
            self.blocks.disconnected()
            self.metadata.disconnected()
            if self.uploads is not None:
                self.uploads.disconnected()
        elif isinstance(event, Published):
            if event.taken:
                self._reporter.published(event.mid, wall)
        else:
            return self._arrived(event, now)
        return None

    def turn(self, report: Reported, now: float, wall: float = 0.0) -> None:
        """Send pending messages within the budget; evidence if nothing else is pending. Local blocks need no connection."""
        self.outbox.turn()
        more_metadata, more_blocks = self.metadata.take_local_blocks(now), self.blocks.take_local_blocks(now)
        self.busy = more_metadata or more_blocks
        if not self.connected:
            return
        self.send_records(now)
        self._reporter.turn(report, now, self.line.publish)
        self.metadata.turn(now)
        if not more_blocks:  # local blocks are not requested
            self.blocks.turn(now, wall)
        if self.uploads is not None:
            self.uploads.turn(now, wall, self.line.publish)

    def send_records(self, now: float) -> None:
        """Send pending records of the outbox, events first."""
        for stream in (Stream.EVENTS, Stream.TELEMETRY):
            self._senders[stream].turn(now, self.line.publish)

    def keep(self, stream: Stream, records: list[Wire], wall: float, reached: Mapping[str, int] | None = None) -> None:
        """Put records into the outbox. reached: see `Outbox.add`."""
        if records:
            self.outbox.add(stream, [encode(record) for record in records], wall, reached)

    def reply(self, reply: CommandReply, *, stored: bool = True) -> None:
        """Answer a command, and store the answer for repetitions of the command."""
        data = encode(reply)
        if stored:
            self.outbox.remember(reply.id, data)
        self._publish_reply(data)

    def repeat_reply(self, command: str) -> bool:
        """Answer a repeated command with the stored answer; False if there is none."""
        data = self.outbox.answer_to(command)
        if data is not None:
            self._publish_reply(data)
        return data is not None

    def close(self, wall: float) -> None:
        """Publish the offline presence and disconnect."""
        farewell = self._presence_message(self._connection, online=False, at=wall) if self.connected else None
        self.line.close(farewell)
        self.outbox.close()
        if self.uploads is not None:
            self.uploads.close()

    def _arrived(self, event: ReceivedMessage, now: float) -> Order | None:
        block, sealed = topics.parse_block(event.topic), topics.parse_sealed_block(event.topic)
        message: Order | None = None
        try:
            if block is not None:
                if len(event.payload) > BLOCK_BYTES:
                    raise MessageError(f"a block of {len(event.payload)} bytes; the limit is {BLOCK_BYTES}")
                addressed = event.topic.startswith(f"{topics.ROOT}/d/")
                client = self.metadata if self.metadata.knows(block[0]) else self.blocks
                client.on_block(*block, event.payload, now, addressed=addressed)
            elif sealed is not None:
                if len(event.payload) > BLOCK_BYTES + SEAL_BYTES:
                    raise MessageError(f"a sealed block of {len(event.payload)} bytes; the limit is {BLOCK_BYTES + SEAL_BYTES}")
                self.blocks.on_sealed_block(*sealed, event.payload, now)
            else:
                message = self._message(event, now)
        except MessageError as error:
            if self.refused % LOG_EVERY == 0:
                log.warning("message on %s ignored: %s", event.topic[:100], error)
            self.refused += 1
            return None
        if not event.retained:
            self.received_s = now
        return message

    def _message(self, event: ReceivedMessage, now: float) -> Order | None:
        if event.topic == topics.desired(self._device):
            desired = decode(event.payload, Desired)
            if desired.device != self._device:
                raise MessageError(f"addressed to device {desired.device}")
            self.blocks.learn_keys({blob: key for target in desired.slots.values() for blob, key in target.keys.items()})
            return desired
        if event.topic == topics.command(self._device):
            return decode(event.payload, Command)
        if event.topic == topics.certificate(self._device):
            return decode(event.payload, Certificate)
        if event.topic == topics.upload_state(self._device):
            if self.uploads is not None:
                self.uploads.on_state(decode(event.payload, UploadState), now)
            return None
        if event.topic == topics.ticket(self._device):
            self._transports.tickets.on_ticket(decode(event.payload, DownloadTicket))
            return None
        if event.topic == topics.block_refusal(self._device):
            refusal = decode(event.payload, BlockRefusal)
            (self.metadata if self.metadata.knows(refusal.blob) else self.blocks).on_refusal(refusal, now)
            return None
        if event.topic == topics.authorities():
            return decode(event.payload, AuthorityOffer)
        if event.topic == topics.trust():
            return decode(event.payload, TrustOffer)
        if event.topic == topics.ack(self._device):
            ack = decode(event.payload, Ack)
            self._senders[ack.stream].on_ack(ack, now)
            return None
        raise MessageError("not a topic of this device")

    def _publish_reply(self, data: bytes) -> None:
        self.line.publish(Outgoing(topics.reply(self._device), data))

    def _presence_message(self, connection: int, *, online: bool, at: float) -> Outgoing:
        self._connection = connection
        presence = replace(self._presence, online=online, connection=connection, sent_at=at)
        if not online:
            presence = replace(presence, capabilities=[])
        return Outgoing(topics.presence(self._device), encode(presence), qos=1, retain=True)
