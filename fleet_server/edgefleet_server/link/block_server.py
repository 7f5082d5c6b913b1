"""Serves blocks to devices, over a separate connection, so that bulk data never delays acknowledgements and commands."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, Outgoing, Published, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import BlockRefusal, BlockRequest
from edgefleet_contract.wire.sealed_block import channel_of, seal
from edgefleet_server.core.errors import MessageError, StoreError
from edgefleet_server.domain.delivery.block_scheduler import Block, BlockQueue, Sending, TokenBucket
from edgefleet_server.domain.delivery.broadcast import BroadcastScheduler
from edgefleet_server.domain.delivery.broker_memory import BrokerMemory
from edgefleet_server.domain.delivery.fair_queue import QueueLimits
from edgefleet_server.link.broker_access import HEAP_TOPIC, BrokerAccess, server_client
from edgefleet_server.link.decode import decode
from edgefleet_server.link.fair_mailbox import FairMailbox

REQUESTS: Final = QueueLimits(device_items=256, device_bytes=512 * 1024, total_bytes=32 * 1024**2)
REQUESTS_AT_ONCE: Final = 500
REQUEST_BYTES_AT_ONCE: Final = 1024**2
UNCONFIRMED_MAX: Final = 64
UNCONFIRMED_S_MAX: Final = 10.0
IDLE_S: Final = 0.2
GATHERING_S: Final = 0.05
RECENT_BLOCKS: Final = 64
BROADCAST_SHARE: Final = 0.25
"""Cost of a broadcast for each listener, as a share of a block: the broker copies it, but its network is shared."""

log = logging.getLogger(__name__)


class BlockReader(Protocol):
    """Source of blocks: the registry's blobs."""

    def read_block(self, sha256: str, index: int) -> bytes:
        """Block `index` of a blob; empty if there is no such blob or block."""
        ...


class BlockRights(Protocol):
    """Decides who may fetch which blob, and how it is broadcast."""

    def refusal(self, device: str, blob: str, at: float, now: float) -> str:
        """The reason for which a device may not fetch a blob; empty if it may. `at` is monotonic, `now` wall time."""
        ...

    def key_of(self, blob: str) -> str:
        """The key with which the blob's blocks are broadcast; empty if all devices may read them."""
        ...

    def forget(self, device: str) -> None:
        """Decide about a device anew: it has a newer document, or was blocked."""
        ...


class BlockServer:
    """Serves blocks of the registry's blobs over MQTT."""

    def __init__(
        self,
        store: BlockReader,
        rights: BlockRights,
        access: BrokerAccess,
        client_id: str,
        bytes_per_s: float,
        device_bytes_per_s: float = 0.0,
        refused: Callable[[str], None] = lambda _device: None,
    ) -> None:
        """`refused` is called with the device of each request that is invalid, refused, or for a block that does not exist."""
        self._store = store
        self._rights = rights
        self._refused = refused
        reports = [(HEAP_TOPIC, 0)] if access.memory_bytes else []
        self._link = server_client(access, client_id, reports, self._on_link_event)
        self._memory = BrokerMemory(access.memory_bytes)
        self._used: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._bucket = _bucket(bytes_per_s)
        self._line = BlockQueue(device_bytes_per_s)
        self._limits: queue.SimpleQueue[tuple[float, float]] = queue.SimpleQueue()
        self._carousel = BroadcastScheduler()
        self._requests: FairMailbox[tuple[str, bytes]] = FairMailbox(REQUESTS)
        self._ordered: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self._confirmations: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._unconfirmed: dict[int, float] = {}
        self._recent: OrderedDict[Block, bytes] = OrderedDict()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="blocks", daemon=True)
        self._wave_first = False
        self.broadcasts = 0
        self.sent_alone = 0
        self.sent_bytes = 0
        self.refused_requests = 0

    def start(self) -> None:
        """Connect and start serving."""
        self._link.start()
        self._thread.start()

    def close(self) -> None:
        """Stop; devices repeat their requests after a restart."""
        self._closing.set()
        self._requests.close()
        self._link.close()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def ask(self, device: str, payload: bytes) -> None:
        """Queue a device's encoded `BlockRequest`. Dropped if too many are pending: the device repeats its request."""
        if self._requests.put(device, (device, payload), len(payload)):
            log.debug("blocks: too many requests at once; devices send them again")

    def discard(self, device: str) -> None:
        """Drop what waits from a device, and ask again what it may fetch."""
        self._requests.discard(device)
        self._rights.forget(device)

    def expect(self, device: str, package: str) -> None:
        """Announce that `device` has received a document with `package` (its digest) and will request its blobs, like others of
        its wave."""
        self._ordered.put((device, package))

    def limit(self, bytes_per_s: float, device_bytes_per_s: float) -> None:
        """Change the limits from the next block on: in total, and for each device that is served alone (0 = none)."""
        self._limits.put((bytes_per_s, device_bytes_per_s))

    def _on_link_event(self, event: LinkEvent) -> None:
        """Blocks are confirmed; nothing is under way on a new connection, nor on a lost one. The broker reports its memory."""
        if isinstance(event, Published):
            self._confirmations.put(event.mid)
        elif isinstance(event, ReceivedMessage):
            if event.payload.isdigit():
                self._used.put(int(event.payload))
        elif isinstance(event, Connected | Disconnected):
            self._confirmations.put(None)

    # -- the thread

    def _run(self) -> None:
        wait_s = IDLE_S
        while not self._closing.is_set():
            self._settle()
            self._receive(wait_s)
            wait_s = 0.0
            if not self._link.connected:
                self._line.drop_all()
                self._carousel.drop_all()
                self._closing.wait(IDLE_S)
                continue
            if len(self._unconfirmed) >= UNCONFIRMED_MAX:
                self._confirmed(wait_s=IDLE_S)
                continue
            broke_s = self._bucket.wait_s(time.monotonic())
            if broke_s > 0:
                self._closing.wait(min(broke_s, IDLE_S))
                continue
            sending = self._next(time.monotonic())
            if sending is not None:
                self._send(sending)
            else:
                wait_s = GATHERING_S if len(self._line) or len(self._carousel) else IDLE_S

    def _next(self, now: float) -> Sending | None:
        """The next block to send; waves and single devices alternate."""
        self._wave_first = not self._wave_first
        if not self._wave_first and (alone := self._line.next(now)) is not None:
            return alone
        going_round = self._carousel.next(now) if self._memory.has_room(now) else None
        for device, blob, ranges in self._carousel.take_alone():
            self._line.ask(device, blob, ranges, now)
        if going_round is None:
            return self._line.next(now)
        blob, index, devices = going_round
        return Sending((blob, index), devices)

    def _receive(self, wait_s: float) -> None:
        """Process queued requests; wait for one at most `wait_s` if there is nothing to send."""
        while not self._limits.empty():
            bytes_per_s, device_bytes_per_s = self._limits.get()
            self._bucket = _bucket(bytes_per_s)
            self._line.limit(device_bytes_per_s)
        while not self._used.empty():
            self._memory.report(self._used.get())
        requests = self._requests.take(REQUESTS_AT_ONCE, REQUEST_BYTES_AT_ONCE, wait_s)
        while not self._ordered.empty():  # after the requests were taken: a device is announced before it can request
            device, package = self._ordered.get()
            self._rights.forget(device)
            self._carousel.expect(device, package, time.monotonic())
        for device, payload in requests:
            try:
                want = decode(payload, BlockRequest, device)
            except MessageError as error:
                log.debug("blocks: %s asks badly: %s", device, error)
                self._refused(device)
                continue
            now = time.monotonic()
            try:
                refusal = self._rights.refusal(device, want.blob, now, time.time())
            except StoreError as error:  # the database does not answer; devices request the blocks again
                log.warning("blocks: %s", error)
                continue
            if refusal:
                self._refuse(device, want, refusal)
                continue
            self._accept(device, want, now)

    def _accept(self, device: str, want: BlockRequest, now: float) -> None:
        """Serve a request by a broadcast, where the device has the key of the blob, else by copies of its own."""
        key = self._rights.key_of(want.blob)
        listens = not key or want.channel == channel_of(key)
        if not listens and not want.reads_refusals:  # an agent before 0.3.0, which no broadcast of a package reaches
            self._carousel.leave(device)
        if not (listens and want.missing and self._carousel.ask(device, want.blob, want.ranges, want.missing, now)):
            self._line.ask(device, want.blob, want.ranges, now, listens=listens)

    def _refuse(self, device: str, want: BlockRequest, why: str) -> None:
        """Answer a request that is not allowed, once; an older agent reads an empty block."""
        log.debug("blocks: %s", why)
        self.refused_requests += 1
        self._refused(device)
        if want.reads_refusals:
            answer = Outgoing(topics.block_refusal(device), encode(BlockRefusal(blob=want.blob, detail=why)), qos=0)
        else:
            answer = Outgoing(topics.block(device, want.blob, want.ranges[0][0]), b"")
        self._link.publish(answer)

    def _send(self, sending: Sending) -> None:
        blob, index = sending.block
        try:
            data = self._read(sending.block)
        except StoreError as error:  # the bucket does not answer; devices request the block again
            log.warning("block %d of %s: %s", index, blob[:12], error)
            return
        if sending.broadcast:
            self._broadcast(blob, index, data)
            self.broadcasts += 1
            self._memory.send(len(data), len(sending.devices), time.monotonic())
            self._bucket.spend(len(data) * max(1.0, len(sending.devices) * BROADCAST_SHARE))
        else:
            mid = self._link.publish(Outgoing(topics.block(sending.devices[0], blob, index), data))
            if mid is not None:
                self._unconfirmed[mid] = time.monotonic()
            self.sent_alone += 1
            if not data:
                self._line.drop(sending.devices[0], blob)  # one answer is enough
                self._refused(sending.devices[0])
            self._bucket.spend(len(data))
        self.sent_bytes += len(data)

    def _broadcast(self, blob: str, index: int, data: bytes) -> None:
        key = self._rights.key_of(blob)
        if not key:
            self._link.publish(Outgoing(topics.broadcast_block(blob, index), data, qos=0))
        elif data:
            sealed = seal(key, blob, index, data)
            self._link.publish(Outgoing(topics.sealed_block(channel_of(key), index), sealed, qos=0))

    def _read(self, block: Block) -> bytes:
        """The bytes of a block; the latest are cached, because the devices of a wave request the same ones almost at once."""
        data = self._recent.get(block)
        if data is not None:
            return data
        data = self._store.read_block(*block)
        if data:
            self._recent[block] = data
            if len(self._recent) > RECENT_BLOCKS:
                self._recent.popitem(last=False)
        return data

    def _settle(self) -> None:
        while self._confirmed(wait_s=0.0):
            pass
        edge = time.monotonic() - UNCONFIRMED_S_MAX
        for mid in [mid for mid, at in self._unconfirmed.items() if at < edge]:
            del self._unconfirmed[mid]

    def _confirmed(self, wait_s: float) -> bool:
        try:
            mid = self._confirmations.get(timeout=wait_s) if wait_s else self._confirmations.get_nowait()
        except queue.Empty:
            return False
        if mid is None:
            self._unconfirmed.clear()
        else:
            self._unconfirmed.pop(mid, None)
        return True


def _bucket(bytes_per_s: float) -> TokenBucket:
    return TokenBucket(bytes_per_s, burst_bytes=bytes_per_s / 20)
