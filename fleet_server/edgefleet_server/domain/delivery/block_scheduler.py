"""Which block is sent next. Devices ask; each has a bounded line of its own, served in turn, so that one on a fast link cannot
starve the rest. A block that many wait for is sent once for all who listen. Pure: the caller sends and keeps time.

A wave does not ask all at once: its devices get their orders within seconds. Sending a block as soon as a few ask for it would
send it again for every few that come later, to all who listen, each time. So while a crowd is about, a block *gathers*: it goes
out when nobody new has asked for it for a moment, and at the latest before the first asker loses patience. A device that asks
again for a block which was broadcast `BROADCASTS_MAX` times does not listen (or loses much), and gets it alone; one that asks
again within `TRUST_S` is not heard, because its copy is most likely still on a crowded line.
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
"""Broadcast blocks remembered per device, to know when it asks again."""
CROWD_S: Final = 2.0
"""So many devices as a broadcast needs, asking within this time, are a crowd; a blob that young shares the crowd of others."""
QUIET_S: Final = 0.4
GATHER_S_MAX: Final = 4.0
"""Below a device's patience (5 s): otherwise it would ask again for what is about to come."""
TRUST_S: Final = 12.0
"""Between a device's first repetition (after 5 s) and its second (10 s later)."""
SCAN_MAX: Final = 64
"""Gathering blocks looked at for one sending: what is ripe further back is found by the next."""


NEVER: Final = (0, float("-inf"))


@dataclass(frozen=True, slots=True)
class Sending:
    """The next block. `devices` has one name, or all those that a broadcast is for."""

    block: Block
    devices: tuple[str, ...]

    @property
    def broadcast(self) -> bool:
        """True where it goes to everyone who listens."""
        return len(self.devices) > 1


@dataclass(slots=True)
class _Gathering:
    first_s: float
    last_s: float
    devices: dict[str, None] = field(default_factory=dict)

    def ripe(self, now: float) -> bool:
        return now - self.last_s >= QUIET_S or now - self.first_s >= GATHER_S_MAX


class _Recent:
    """Who asked within the last `CROWD_S`."""

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
    """Who waits for what. Used from one thread; `now` is monotonic."""

    def __init__(self, device_bytes_per_s: float = 0.0) -> None:
        """`device_bytes_per_s`: at most so much to each device, in its own copies; 0 = no limit."""
        self._device_bytes_per_s = device_bytes_per_s
        self._budgets: OrderedDict[str, TokenBucket] = OrderedDict()
        self._pending: dict[str, dict[Block, None]] = {}
        self._alone: OrderedDict[str, dict[Block, None]] = OrderedDict()
        self._gathering: OrderedDict[Block, _Gathering] = OrderedDict()
        self._broadcast_at: OrderedDict[str, dict[Block, tuple[int, float]]] = OrderedDict()
        self._recent = _Recent(0.0)
        self._recent_of: dict[str, _Recent] = {}

    def limit(self, device_bytes_per_s: float) -> None:
        """Another limit for each device, from now on; 0 = none."""
        self._device_bytes_per_s = device_bytes_per_s
        self._budgets.clear()

    def __len__(self) -> int:
        """Devices that wait for something."""
        return len(self._pending)

    def ask(self, device: str, blob: str, ranges: list[tuple[int, int]], now: float) -> int:
        """A device asks for ranges of (first, count); what is over its share is dropped. Returns what was taken."""
        if device not in self._pending and len(self._pending) >= DEVICES_MAX:
            return 0
        crowded = self._crowded(device, blob, now)
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
                    self._alone.setdefault(device, {})[block] = None
        if not pending:
            del self._pending[device]
        return taken

    def next(self, now: float) -> Sending | None:
        """The next block to send, taken out of every line that it serves; None while there is none, or all gather."""
        return self._ripe(now) or self._for_one(now)

    def drop_all(self) -> None:
        """Nobody waits any more: the connection is gone, and devices ask again."""
        self._pending.clear()
        self._alone.clear()
        self._gathering.clear()

    def _crowded(self, device: str, blob: str, now: float) -> bool:
        """Whether many ask for this blob, or for others while this one is new: a wave that has just read its descriptor."""
        for name in [name for name, recent in self._recent_of.items() if name != blob and recent.over(now)]:
            del self._recent_of[name]
        of_blob = self._recent_of.setdefault(blob, _Recent(now))
        for recent in (self._recent, of_blob):
            recent.add(device, now)
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
                self._alone.setdefault(device, {})[block] = None
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
            del line[block]
            self._alone.move_to_end(device)
            if not line:
                del self._alone[device]
            if block in self._gathering and self._broadcast_at.get(device, {}).get(block, NEVER)[0] < BROADCASTS_MAX:
                self._gather(device, block, now)  # it asked before the others: now that they are many, it waits with them
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
        pending = self._pending[device]
        del pending[block]
        if not pending:
            del self._pending[device]

    def _remember(self, device: str, block: Block, now: float) -> None:
        sent = self._broadcast_at.setdefault(device, {})
        self._broadcast_at.move_to_end(device)
        sent[block] = (sent.pop(block, NEVER)[0] + 1, now)
        if len(sent) > REMEMBERED_MAX:
            del sent[next(iter(sent))]
        if len(self._broadcast_at) > DEVICES_MAX:
            self._broadcast_at.popitem(last=False)


class TokenBucket:
    """A budget in bytes a second that may be overdrawn once: one block is never too large, it only makes the next one wait."""

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
        """These bytes went out."""
        self._tokens -= count_bytes
