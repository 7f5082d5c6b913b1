"""Which block is sent next. Devices ask; each has a bounded line of its own, served in turn, so that one on a fast link cannot
starve the rest. A block that many wait for is sent once for all who listen. Pure: the caller sends and keeps time.

A device that asks again for a block which was broadcast does not listen (or lost it), and gets it alone.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from typing import Final

Block = tuple[str, int]
"""(SHA-256 of the blob, index of the block)"""

PER_DEVICE_MAX: Final = 256
DEVICES_MAX: Final = 20_000
BROADCAST_MIN: Final = 8
REMEMBERED_MAX: Final = 4_096
"""Broadcast blocks remembered per device, to know when it asks again."""


@dataclass(frozen=True, slots=True)
class Sending:
    """The next block. `devices` has one name, or all those that a broadcast is for."""

    block: Block
    devices: tuple[str, ...]

    @property
    def broadcast(self) -> bool:
        """True where it goes to everyone who listens."""
        return len(self.devices) > 1


class BlockLine:
    """Who waits for what. Used from one thread."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, dict[Block, None]] = OrderedDict()
        self._listening: defaultdict[Block, dict[str, None]] = defaultdict(dict)
        self._told: OrderedDict[str, dict[Block, None]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._lines)

    def ask(self, device: str, blob: str, ranges: list[tuple[int, int]]) -> int:
        """A device asks for ranges of (first, count); what is over its share is dropped. Returns what was taken."""
        if device not in self._lines and len(self._lines) >= DEVICES_MAX:
            return 0
        line = self._lines.setdefault(device, {})
        told = self._told.get(device, {})
        taken = 0
        for first, count in ranges:
            for index in range(first, first + min(count, PER_DEVICE_MAX)):
                if len(line) >= PER_DEVICE_MAX:
                    break
                block = (blob, index)
                if block not in line:
                    line[block] = None
                    taken += 1
                    if block not in told:
                        self._listening[block][device] = None
        if not line:
            del self._lines[device]
        return taken

    def next(self) -> Sending | None:
        """The next block to send; it is taken out of every line that it serves."""
        if not self._lines:
            return None
        device, line = next(iter(self._lines.items()))
        self._lines.move_to_end(device)
        block = next(iter(line))
        listeners = tuple(self._listening[block]) if device in self._listening.get(block, ()) else ()
        if len(listeners) >= BROADCAST_MIN:
            for other in listeners:
                self._take(other, block)
                self._remember(other, block)
            return Sending(block, listeners)
        self._take(device, block)
        return Sending(block, (device,))

    def drop_all(self) -> None:
        """Nobody waits any more: the connection is gone, and devices ask again."""
        self._lines.clear()
        self._listening.clear()

    def _take(self, device: str, block: Block) -> None:
        line = self._lines[device]
        del line[block]
        if not line:
            del self._lines[device]
        listening = self._listening.get(block, {})
        listening.pop(device, None)
        if not listening:
            self._listening.pop(block, None)

    def _remember(self, device: str, block: Block) -> None:
        told = self._told.setdefault(device, {})
        self._told.move_to_end(device)
        told[block] = None
        if len(told) > REMEMBERED_MAX:
            del told[next(iter(told))]
        if len(self._told) > DEVICES_MAX:
            self._told.popitem(last=False)


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
