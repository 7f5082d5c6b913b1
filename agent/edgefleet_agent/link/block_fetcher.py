"""Requests the blocks of blobs, a window at a time, and verifies received blocks.

Requests one by one would be limited by the round trip; requests all at once would fill the broker's queue. The window of requests
in flight starts at the value of the server's policy and grows while blocks arrive nearly as promptly as at first (after TCP
Vegas): a connection with high latency is filled, one with low bandwidth is not flooded. A request counts as lost only if *no*
block has arrived for a while: on a slow connection the blocks of one window follow each other for seconds, and a repeated request
would make it slower. A verified block is never requested again; blocks that the server sends twice are counted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from edgefleet_agent.link.broadcast_channels import BroadcastChannels
from edgefleet_agent.link.download_tickets import TicketCache
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.package.blob import BlobSpec, BlockPut, ranges_of
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import BLOCK_BYTES, BLOCKS_PER_REQUEST_MAX, BlockRefusal, BlockRequest
from edgefleet_contract.wire.reason_codes import Reason

STALL_S = 5.0
STALL_S_MAX = 60.0
REFUSALS_MAX = 5
UNKNOWNS_MAX = 3
UNKNOWN_S = 2.0
DISK_S = 5.0
"""Time after which blocks that the disk has refused are requested again."""
FETCH_S_MAX = 900.0
LOCAL_BLOCKS_PER_TURN = 64
"""Limit of blocks read from local sources in one turn: the loop has other work."""
GROWTH_MAX = 8
"""Limit of the window, as a multiple of the policy's."""
PROMPT = 1.5
PROMPT_S = 0.3
"""Limits of a prompt block: duration of the quickest block times `PROMPT`, plus `PROMPT_S`. Slower blocks wait in a queue on the
way: the window shrinks. `PROMPT_S` allows for packet loss: then nearly every block waits for a retransmission of one of its
hundred packets, which is no queue."""

log = logging.getLogger(__name__)


class BlockStore(Protocol):
    """Storage of blocks."""

    def missing(self, spec: BlobSpec) -> list[int]:
        """Indices of the blocks that are not yet present and verified."""
        ...

    def put(self, spec: BlobSpec, index: int, data: bytes) -> BlockPut:
        """Store one block if its hash is that of `spec`."""
        ...


class BlockLink(Protocol):
    """The part of the connection that transfers blocks."""

    def publish(self, message: Outgoing) -> int | None: ...

    def listen(self, topic_filter: str, qos: int = 0) -> None: ...

    def unlisten(self, topic_filter: str) -> None: ...


class LocalSource(Protocol):
    """A source of blocks on this device: a USB stick, a patch. Its blocks are verified like received ones."""

    def read(self, spec: BlobSpec, index: int) -> bytes | None:
        """Unverified data of block `index`, or None."""
        ...


class Allowance(Protocol):
    """Bandwidth limits (`link.bandwidth_budget`)."""

    def room_bytes(self, now: float, wall: float) -> float: ...

    def spent_out(self, wall: float) -> bool: ...

    def spend(self, count_bytes: int, wall: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Transports:
    """Transports of blocks besides MQTT. `https` takes a request (with `tickets`) and returns False if MQTT has to be used."""

    local: LocalSource | None = None
    https: Callable[[BlockRequest], bool] | None = None
    allowance: Allowance | None = None
    tickets: TicketCache = field(default_factory=TicketCache)


@dataclass(frozen=True, slots=True)
class FetchFailure:
    """A blob that cannot be fetched."""

    digest: str
    reason: Reason
    detail: str


@dataclass(slots=True)
class _Blob:
    spec: BlobSpec
    to_ask: dict[int, None]
    in_flight: dict[int, float] = field(default_factory=dict)
    """Block -> time of its request."""
    refusals: int = 0
    unknowns: int = 0
    not_before_s: float = 0.0
    failure: FetchFailure | None = None
    disk_refusal: str = ""
    local_exhausted: bool = False

    def ask_again(self) -> None:
        """Move blocks in flight to the front of the queue."""
        self.to_ask = {**dict.fromkeys(self.in_flight), **self.to_ask}
        self.in_flight = {}


class BlockFetcher:
    """The blobs that slots request, and their blocks in flight. Times are monotonic seconds; used from one thread."""

    def __init__(
        self, device: str, store: BlockStore, line: BlockLink, stall_s: float = STALL_S, transports: Transports | None = None
    ) -> None:
        self._device = device
        self._transports = transports or Transports()
        self._wall_s = 0.0
        self._broadcasts = BroadcastChannels(line)
        self._store = store
        self._line = line
        self._stall_s = stall_s
        self._patience_s = stall_s
        self._blobs: dict[str, _Blob] = {}
        self._requested: dict[str, tuple[str, ...]] = {}
        self._window = self._reach = 1
        self._quickest_s = float("inf")
        self._moved_s = 0.0
        self._gained_s = 0.0
        self.sent_again_bytes: dict[str, int] = {}

    def knows(self, digest: str) -> bool:
        """Whether an owner requested this blob."""
        return digest in self._blobs

    def requested(self, owner: str) -> frozenset[str]:
        """Digests that `owner` (a slot) requested."""
        return frozenset(self._requested.get(owner, ()))

    def failure(self, owner: str) -> FetchFailure | None:
        """The first failed fetch among the owner's blobs, or None. A request for other blobs, or for none, clears it."""
        blobs = (self._blobs.get(digest) for digest in self._requested.get(owner, ()))
        return next((blob.failure for blob in blobs if blob is not None and blob.failure is not None), None)

    def disk_refusal(self, owner: str) -> str:
        """The reason for which the disk does not take the owner's blocks now; empty if it does."""
        blobs = (self._blobs.get(digest) for digest in self._requested.get(owner, ()))
        return next((blob.disk_refusal for blob in blobs if blob is not None and blob.disk_refusal), "")

    def want(self, owner: str, specs: Iterable[BlobSpec], window: int, now: float) -> None:
        """Replace the blobs requested by `owner`. `window`: initial limit of blocks in flight for all owners together.

        Raises:
            StoreError: the disk cannot be written.
        """
        specs = list(specs)
        if window != self._window:
            self._window = self._reach = window
        self._gained_s = now
        for spec in specs:
            if spec.digest not in self._blobs:
                self._blobs[spec.digest] = _Blob(spec, dict.fromkeys(self._store.missing(spec)))
                # The server broadcasts a block that many devices request at once: subscribe before the request.
                self._broadcasts.listen(spec.digest)
        self._requested[owner] = tuple(spec.digest for spec in specs)
        still = {digest for digests in self._requested.values() for digest in digests}
        for digest in self._blobs.keys() - still:
            del self._blobs[digest]
            self._broadcasts.unlisten(digest)

    def learn_keys(self, keys: Mapping[str, str]) -> None:
        """Take the keys of broadcast blocks of the newest document, by blob."""
        self._broadcasts.learn(keys)

    def broadcast_fault(self, owner: str) -> str:
        """The reason for which broadcasts of the owner's blobs cannot be read; empty if they can."""
        return next(filter(None, map(self._broadcasts.fault, self._requested.get(owner, ()))), "")

    def forget(self, digest: str) -> None:
        """Drop a blob of which the store has lost blocks; the next `want` takes its missing blocks from the store again."""
        if self._blobs.pop(digest, None) is not None:
            self._broadcasts.unlisten(digest)
        self._requested = {owner: tuple(one for one in digests if one != digest) for owner, digests in self._requested.items()}

    def disconnected(self) -> None:
        """Drop the blocks in flight: the connection is lost."""
        for blob in self._blobs.values():
            blob.ask_again()

    def on_block(self, digest: str, index: int, data: bytes, now: float, *, addressed: bool) -> None:
        """Take a received block. `addressed`: it was sent to this device only, not broadcast."""
        blob = self._blobs.get(digest)
        if self._transports.allowance is not None:
            self._transports.allowance.spend(len(data), self._wall_s)
        if blob is None or blob.failure is not None:
            if addressed and blob is None:
                self._count_again(digest, len(data))
            return
        self._moved_s = now
        if not data:
            self._unavailable(blob, Reason.BLOB_UNKNOWN, f"the server has no blob {digest[:12]}; publish the package again", now)
            return
        requested_s = blob.in_flight.get(index)
        put = self._keep(blob, index, data, now)
        if put is None:
            return
        if put is BlockPut.VERIFIED:
            if addressed and requested_s is not None:
                self._pace(now - requested_s)
            self._patience_s = self._stall_s
            self._gained_s = now
        elif put is BlockPut.DUPLICATE:
            if addressed:
                self._count_again(digest, len(data))
        elif addressed:
            self._refuse(blob, index, put)

    def on_sealed_block(self, channel: str, index: int, sealed: bytes, now: float) -> None:
        """Take a sealed block of a broadcast."""
        opened = self._broadcasts.open_block(channel, index, sealed)
        if opened is None:
            return
        digest, data = opened
        if data:
            self.on_block(digest, index, data, now, addressed=False)
        elif digest in self._blobs and self._broadcasts.fault(digest):
            self._blobs[digest].ask_again()

    def on_refusal(self, refusal: BlockRefusal, now: float) -> None:
        """Take the server's refusal of a blob. It is asked again: a newer document may be on its way."""
        blob = self._blobs.get(refusal.blob)
        if blob is not None and blob.failure is None:
            self._moved_s = now
            self._unavailable(blob, Reason.NOT_ASSIGNED, f"the server refuses: {refusal.detail}", now)

    def turn(self, now: float, wall: float = 0.0) -> None:
        """Request blocks up to the window. `wall`: wall time, for the daily budget."""
        self._wall_s = wall
        flying = sum(len(blob.in_flight) for blob in self._blobs.values())
        if flying and now - self._moved_s > self._patience_s:
            self.disconnected()
            self._reach = self._window
            self._patience_s = min(self._patience_s * 2.0, STALL_S_MAX)
            flying = 0
        allowed = self._allowed(flying, now, wall)
        for blob in self._blobs.values():
            room = min(self._reach - flying, allowed - flying, BLOCKS_PER_REQUEST_MAX)
            if room <= 0:
                return
            if blob.failure is not None or not blob.to_ask or now < blob.not_before_s:
                self._gained_s = now if blob.disk_refusal else self._gained_s  # the disk is late, not the server
                continue
            if now - self._gained_s > FETCH_S_MAX:
                self._fail(blob, Reason.FETCH_TIMEOUT, f"no block received for {FETCH_S_MAX:.0f} s while connected")
                continue
            indices = list(blob.to_ask)[:room]
            if not self._ask(blob, indices):
                return
            self._moved_s = now
            flying += len(indices)
            for index in indices:
                del blob.to_ask[index]
                blob.in_flight[index] = now

    def take_local_blocks(self, now: float) -> bool:
        """Take blocks from local sources, up to the limit of one turn. Returns whether there may be more."""
        local = self._transports.local
        if local is None:
            return False
        taken = 0
        for blob in self._blobs.values():
            if blob.failure is not None or blob.local_exhausted or now < blob.not_before_s:
                continue
            for index in [*blob.to_ask, *blob.in_flight]:
                if taken >= LOCAL_BLOCKS_PER_TURN:
                    return True
                data = local.read(blob.spec, index)
                put = self._keep(blob, index, data, now) if data is not None else None
                if put is BlockPut.VERIFIED:
                    self._gained_s = now
                    taken += 1
                elif blob.disk_refusal:
                    break
            else:
                blob.local_exhausted = True
        return False

    def retry_local_sources(self) -> None:
        """Read the local sources again: one was added."""
        for blob in self._blobs.values():
            blob.local_exhausted = False

    def _keep(self, blob: _Blob, index: int, data: bytes, now: float) -> BlockPut | None:
        """Store a block and remove it from the lists; None: the disk cannot be written, and the blob waits."""
        try:
            put = self._store.put(blob.spec, index, data)
        except StoreError as error:
            blob.disk_refusal, blob.not_before_s = str(error), now + DISK_S
            blob.ask_again()
            return None
        blob.disk_refusal = ""
        if put is BlockPut.VERIFIED:
            blob.in_flight.pop(index, None)
            blob.to_ask.pop(index, None)
        return put

    def _allowed(self, flying: int, now: float, wall: float) -> int:
        """Limit of blocks in flight by the budget. With an exhausted budget the timeout is suspended: this is no failure of the
        connection."""
        allowance = self._transports.allowance
        if allowance is None:
            return BLOCKS_PER_REQUEST_MAX
        self._broadcasts.mute(muted=allowance.spent_out(wall))
        room = allowance.room_bytes(now, wall)
        if room <= 0:
            self._gained_s = now
            return flying
        return flying + BLOCKS_PER_REQUEST_MAX if room == float("inf") else max(1, int(room // BLOCK_BYTES))

    def _ask(self, blob: _Blob, indices: list[int]) -> bool:
        missing = ranges_of([*blob.in_flight, *blob.to_ask])[:BLOCKS_PER_REQUEST_MAX]
        want = BlockRequest(
            blob=blob.spec.digest,
            ranges=ranges_of(indices),
            missing=missing,
            reads_refusals=True,
            channel=self._broadcasts.channel(blob.spec.digest),
        )
        if self._transports.https is not None and self._transports.https(want):
            return True
        return self._line.publish(Outgoing(topics.block_request(self._device), encode(want), qos=0)) is not None

    def connected(self, now: float) -> None:
        """Start the timeout: the connection is established."""
        self.disconnected()
        self._gained_s = now
        self._patience_s = self._stall_s
        self._reach, self._quickest_s = self._window, float("inf")

    def _pace(self, took_s: float) -> None:
        """Adjust the window after a requested block arrived within `took_s`."""
        self._quickest_s = min(self._quickest_s, took_s)
        prompt = took_s <= self._quickest_s * PROMPT + PROMPT_S
        limit = min(self._window * GROWTH_MAX, BLOCKS_PER_REQUEST_MAX)
        self._reach = min(self._reach + 1, limit) if prompt else max(self._reach - 1, self._window)

    def _unavailable(self, blob: _Blob, reason: Reason, detail: str, now: float) -> None:
        """The server does not give a blob; the third time ends the fetch."""
        blob.ask_again()
        blob.unknowns += 1
        blob.not_before_s = now + UNKNOWN_S * blob.unknowns
        if blob.unknowns >= UNKNOWNS_MAX:
            self._fail(blob, reason, detail)

    def _refuse(self, blob: _Blob, index: int, put: BlockPut) -> None:
        blob.refusals += 1
        log.warning("block %d of %s rejected: %s", index, blob.spec.digest[:12], put.value)
        if index in blob.in_flight:
            del blob.in_flight[index]
            blob.to_ask = {index: None, **blob.to_ask}
        if blob.refusals >= REFUSALS_MAX:
            reason = Reason.HASH_MISMATCH if put is BlockPut.WRONG_HASH else Reason.LENGTH_MISMATCH
            self._fail(blob, reason, f"{blob.refusals} blocks of {blob.spec.digest[:12]} do not match the package")

    def _fail(self, blob: _Blob, reason: Reason, detail: str) -> None:
        blob.failure = FetchFailure(blob.spec.digest, reason, detail)
        blob.ask_again()

    def _count_again(self, digest: str, length: int) -> None:
        self.sent_again_bytes[digest] = self.sent_again_bytes.get(digest, 0) + length
        while len(self.sent_again_bytes) > BLOCKS_PER_REQUEST_MAX:
            del self.sent_again_bytes[next(iter(self.sent_again_bytes))]
