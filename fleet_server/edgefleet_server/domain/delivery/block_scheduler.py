"""Chooses the block that is sent next. Each requesting device has a bounded queue of its own, and the queues are served in turn,
so that a device on a fast link cannot starve the rest. A block that many devices need is broadcast once. Pure: the caller sends.

The devices of a wave do not request a block at the same moment: they get their documents within seconds. A broadcast after the
first few requests would be repeated for every few later ones. So while many devices send requests, a block *gathers* them: it is
sent after a pause without new requests, at the latest before the first device repeats its own. A device that requests a block
again after `BROADCASTS_MAX` broadcasts does not receive them, and gets its own copy; a repeated request within `TRUST_S` is
ignored, because the copy is most likely still in flight.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from edgefleet_contract.wire.messages import BLOCK_BYTES

Block = tuple[str, int]
"""(SHA-256 of the blob, index of the block)"""

PER_DEVICE_MAX: Final = 256
DEVICES_MAX: Final = 20_000
BROADCAST_MIN: Final = 8
BROADCASTS_MAX: Final = 2
REMEMBERED_MAX: Final = 4_096
"""Broadcast blocks remembered per device, to recognize a repeated request."""
BLOBS_MAX: Final = 4_096
"""Blobs of which requests are remembered: a device may ask for any number of blobs that do not exist."""
CROWD_S: Final = 2.0
"""`BROADCAST_MIN` devices with requests within this time are a crowd; a newer blob counts the requests for other blobs too."""
QUIET_S: Final = 0.4
GATHER_S_MAX: Final = 4.0
"""Below the time after which a device repeats its request (5 s): otherwise it would request blocks that are about to be sent."""
TRUST_S: Final = 12.0
"""Between a device's first repetition (after 5 s) and its second (10 s later)."""
SCAN_MAX: Final = 64
"""Gathering blocks checked in one call; the next call continues behind them."""


NEVER: Final = (0, float("-inf"))


@dataclass(frozen=True, slots=True)
class Sending:
    """The next block. `devices`: the one receiver, or all receivers of a broadcast."""

    block: Block
    devices: tuple[str, ...]

    @property
    def broadcast(self) -> bool:
        """True when it is sent to all subscribers."""
        return len(self.devices) > 1


@dataclass(slots=True)
class _Gathering:
    first_s: float
    last_s: float
    devices: dict[str, None] = field(default_factory=dict)

    def ripe(self, now: float) -> bool:
        return now - self.last_s >= QUIET_S or now - self.first_s >= GATHER_S_MAX


class _Recent:
    """Devices that sent a request within the last `CROWD_S`."""

    def __init__(self, now: float) -> None:
        self.since_s = now
        self._requests: OrderedDict[str, float] = OrderedDict()

    def add(self, device: str, now: float) -> None:
        self._requests[device] = now
        self._requests.move_to_end(device)
        while self._requests and next(iter(self._requests.values())) < now - CROWD_S:
            self._requests.popitem(last=False)

    @property
    def crowd(self) -> bool:
        return len(self._requests) >= BROADCAST_MIN

    def over(self, now: float) -> bool:
        return not self._requests or next(reversed(self._requests.values())) < now - CROWD_S


class BlockQueue:
    """Pending requests for blocks. Used from one thread; `now` is monotonic."""

    def __init__(self, device_bytes_per_s: float = 0.0) -> None:
        """`device_bytes_per_s`: limit of each device for the copies sent to it alone; 0 = no limit."""
        self._device_bytes_per_s = device_bytes_per_s
        self._budgets: OrderedDict[str, TokenBucket] = OrderedDict()
        self._pending: dict[str, dict[Block, None]] = {}
        self._alone: OrderedDict[str, dict[Block, bool]] = OrderedDict()
        """Device -> block -> whether it could be broadcast instead."""
        self._gathering: OrderedDict[Block, _Gathering] = OrderedDict()
        self._broadcast_at: OrderedDict[str, dict[Block, tuple[int, float]]] = OrderedDict()
        self._recent = _Recent(0.0)
        self._recent_of: OrderedDict[str, _Recent] = OrderedDict()
        """By blob, that of the latest request last."""

    def limit(self, device_bytes_per_s: float) -> None:
        """Change the limit of each device from now on; 0 = none."""
        self._device_bytes_per_s = device_bytes_per_s
        self._budgets.clear()

    def __len__(self) -> int:
        """Number of devices with pending requests."""
        return len(self._pending)

    def ask(self, device: str, blob: str, ranges: list[tuple[int, int]], now: float, *, listens: bool = True) -> int:
        """Add a device's request for ranges of (first, count); blocks beyond its limit are dropped. Returns how many were
        added. `listens`: it receives broadcasts of the blob; False: it needs copies of its own."""
        if device not in self._pending and len(self._pending) >= DEVICES_MAX:
            return 0
        crowded = listens and self._crowded(device, blob, now)
        pending = self._pending.setdefault(device, {})
        sent = self._broadcast_at.get(device, {})
        taken = 0
        for first, count in ranges:
            for index in range(first, first + min(count, PER_DEVICE_MAX)):
                block = (blob, index)
                if len(pending) >= PER_DEVICE_MAX:
                    break
                times, sent_s = sent.get(block, NEVER)
                if block in pending or now - sent_s < TRUST_S:
                    continue
                pending[block] = None
                taken += 1
                if crowded and times < BROADCASTS_MAX:
                    self._gather(device, block, now)
                else:
                    self._alone.setdefault(device, {})[block] = listens
        if not pending:
            del self._pending[device]
        return taken

    def next(self, now: float) -> Sending | None:
        """Remove the next block to send from every queue that it serves and return it; None while there is none, or all
        gather."""
        return self._ripe(now) or self._for_one(now)

    def drop(self, device: str, blob: str) -> None:
        """Drop a device's requests for a blob that does not exist."""
        for blocks in (self._pending.get(device, {}), self._alone.get(device, {})):
            for block in [block for block in blocks if block[0] == blob]:
                del blocks[block]
        for queues in (self._pending, self._alone):
            if device in queues and not queues[device]:
                del queues[device]

    def drop_all(self) -> None:
        """Drop all requests: the connection is lost, and devices repeat their requests."""
        self._pending.clear()
        self._alone.clear()
        self._gathering.clear()

    def _crowded(self, device: str, blob: str, now: float) -> bool:
        """Whether many devices request this blob, or others while this one is new: a wave that has just read its descriptor."""
        of_blob = self._recent_of.setdefault(blob, _Recent(now))
        self._recent_of.move_to_end(blob)
        for recent in (self._recent, of_blob):
            recent.add(device, now)
        while len(self._recent_of) > BLOBS_MAX or next(iter(self._recent_of.values())).over(now):
            self._recent_of.popitem(last=False)
        return of_blob.crowd or (self._recent.crowd and now - of_blob.since_s < CROWD_S)

    def _gather(self, device: str, block: Block, now: float) -> None:
        gathering = self._gathering.setdefault(block, _Gathering(now, now))
        gathering.devices[device] = None
        gathering.last_s = now

    def _ripe(self, now: float) -> Sending | None:
        for _ in range(min(SCAN_MAX, len(self._gathering))):
            block, gathering = next(iter(self._gathering.items()))
            if not gathering.ripe(now):
                self._gathering.move_to_end(block)
                continue
            del self._gathering[block]
            if len(gathering.devices) >= BROADCAST_MIN:
                for device in gathering.devices:
                    self._remove_pending(device, block)
                    self._remember(device, block, now)
                return Sending(block, tuple(gathering.devices))
            for device in gathering.devices:
                self._alone.setdefault(device, {})[block] = True
        return None

    def _for_one(self, now: float) -> Sending | None:
        for _ in range(SCAN_MAX):
            if not self._alone:
                return None
            device, line = next(iter(self._alone.items()))
            if self._device_bytes_per_s and self._budget(device).wait_s(now) > 0:
                self._alone.move_to_end(device)
                continue
            block = next(iter(line))
            listens = line.pop(block)
            self._alone.move_to_end(device)
            if not line:
                del self._alone[device]
            if listens and block in self._gathering and self._broadcast_at.get(device, {}).get(block, NEVER)[0] < BROADCASTS_MAX:
                self._gather(device, block, now)  # requested before the others: it now waits for their broadcast
                continue
            self._remove_pending(device, block)
            if self._device_bytes_per_s:
                self._budget(device).spend(BLOCK_BYTES)
            return Sending(block, (device,))
        return None

    def _budget(self, device: str) -> TokenBucket:
        budget = self._budgets.get(device)
        if budget is None:
            budget = self._budgets[device] = TokenBucket(self._device_bytes_per_s, self._device_bytes_per_s)
            while len(self._budgets) > DEVICES_MAX:
                self._budgets.popitem(last=False)
        return budget

    def _remove_pending(self, device: str, block: Block) -> None:
        pending = self._pending.get(device, {})
        pending.pop(block, None)
        if not pending:
            self._pending.pop(device, None)

    def _remember(self, device: str, block: Block, now: float) -> None:
        sent = self._broadcast_at.setdefault(device, {})
        self._broadcast_at.move_to_end(device)
        sent[block] = (sent.pop(block, NEVER)[0] + 1, now)
        if len(sent) > REMEMBERED_MAX:
            del sent[next(iter(sent))]
        if len(self._broadcast_at) > DEVICES_MAX:
            self._broadcast_at.popitem(last=False)


class TokenBucket:
    """A budget in bytes per second that may be overdrawn once: a large block is always sent, and the next one waits longer."""

    def __init__(self, bytes_per_s: float, burst_bytes: float) -> None:
        self._rate = bytes_per_s
        self._burst = burst_bytes
        self._tokens = burst_bytes
        self._at_s = 0.0

    def wait_s(self, now: float) -> float:
        """Seconds until something may be sent; `now` is monotonic."""
        self._tokens = min(self._burst, self._tokens + (now - self._at_s) * self._rate)
        self._at_s = now
        return 0.0 if self._tokens > 0 else -self._tokens / self._rate

    def spend(self, count_bytes: float) -> None:
        """Take bytes that were sent out of the budget."""
        self._tokens -= count_bytes
