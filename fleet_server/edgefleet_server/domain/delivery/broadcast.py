"""Broadcasts the blocks that the devices of a wave fetch at the same time, in rounds. Pure: the caller sends.

The server knows the devices of a wave in advance: it wrote their documents. A *round* of a blob starts when every device of the
wave has requested it, or `GATHER_S` after the first; then each block that any of them misses (named in the first request) is sent
once, in order. A late device receives the rest of the round; the next round sends what it missed, with the gaps of the others. A
device that still misses blocks after `ROUNDS_MAX` rounds is left to `block_scheduler`, and so is a single device: its window of
requests sets the pace. If a round left many gaps, the next one is slower.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

WAVE_MIN: Final = 2
EXPECT_S: Final = 30.0
"""Time for which a round waits for a device after its document was sent; a device that stays silent is not waited for again."""
GATHER_S: Final = 3.5
"""Below the time after which a device repeats its request (5 s): otherwise it would request blocks that are about to be sent."""
GAPS_GATHER_S: Final = 1.0
TRUST_S: Final = 12.0
"""Time for which a copy may be in flight; repeated requests within it are ignored."""
LINGER_S: Final = 30.0
ROUNDS_MAX: Final = 3
WAVES_MAX: Final = 256
ROUNDS_AT_ONCE_MAX: Final = 1024
GAPS_MANY: Final = 0.2
PACE_S: Final = 0.02
"""Pause between two blocks of a round that follows one with many gaps; doubled when the round leaves many gaps again."""
BLOCKS_MAX: Final = 40_000
"""Of one blob: 5 GB, above the largest package."""


@dataclass(slots=True)
class _Wave:
    devices: dict[str, float] = field(default_factory=dict)
    """Device -> time until which the round waits for it."""


@dataclass(slots=True)
class _Round:
    """The current round of one blob. `todo`: blocks to send; `asked`: missed blocks that are not in flight, with their
    devices."""

    wave: str
    opened_s: float
    joined: dict[str, float] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    requested: dict[int, None] = field(default_factory=dict)
    requesters: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    pace_s: float = 0.0
    size: int = 0
    todo: OrderedDict[int, None] = field(default_factory=OrderedDict)
    sent_s: dict[int, float] = field(default_factory=dict)
    first: bool = True
    last_s: float = 0.0


class BroadcastScheduler:
    """Broadcast rounds of the waves that are fetching. Used from one thread; `now` is monotonic seconds."""

    def __init__(self) -> None:
        self._waves: OrderedDict[str, _Wave] = OrderedDict()
        self._wave_of: dict[str, str] = {}
        self._rounds: OrderedDict[str, _Round] = OrderedDict()
        self._alone: list[tuple[str, str, list[tuple[int, int]]]] = []

    def __len__(self) -> int:
        """Number of blobs that are sent or gather requests."""
        return sum(1 for found in self._rounds.values() if found.todo or found.requested)

    def expect(self, device: str, wave: str, now: float) -> None:
        """Record that `device` has just received the document to fetch the package `wave`."""
        before = self._wave_of.get(device)
        if before is not None and before != wave and before in self._waves:
            self._waves[before].devices.pop(device, None)
        self._wave_of[device] = wave
        self._waves.setdefault(wave, _Wave()).devices[device] = now + EXPECT_S
        self._waves.move_to_end(wave)
        while len(self._waves) > WAVES_MAX:
            _, old = self._waves.popitem(last=False)
            for name in old.devices:
                self._wave_of.pop(name, None)

    def ask(self, device: str, blob: str, ranges: list[tuple[int, int]], missing: Iterable[tuple[int, int]], now: float) -> bool:
        """Add a device's request for `ranges` (first, count) of a blob, with all the ranges it misses. False: the device is in no
        wave and has to be served alone."""
        wave = self._waves.get(self._wave_of.get(device, ""))
        if wave is None:
            return False
        wave.devices[device] = now + EXPECT_S
        found = self._rounds.get(blob)
        if found is None:
            if len(wave.devices) < WAVE_MIN or len(self._rounds) >= ROUNDS_AT_ONCE_MAX:
                return False
            found = self._rounds[blob] = _Round(self._wave_of[device], now)
        if found.rounds.get(device, 0) >= ROUNDS_MAX:
            return False
        joined_s = found.joined.setdefault(device, now)
        for index in _indices(missing):
            sent_s = found.sent_s.get(index)
            ahead = index in found.todo
            on_its_way = sent_s is not None and sent_s > joined_s and now - sent_s < TRUST_S
            if not ahead and not on_its_way and index not in found.requested:
                if not found.requested:
                    found.opened_s = now
                found.requested[index] = None
            if not ahead and not on_its_way:
                found.requesters[device] = ranges
        return True

    def take_alone(self) -> list[tuple[str, str, list[tuple[int, int]]]]:
        """(device, blob, ranges) of devices that remained alone in their round."""
        alone, self._alone = self._alone, []
        return alone

    def next(self, now: float) -> tuple[str, int, tuple[str, ...]] | None:
        """(blob, block, receiving devices) to send now; None while all rounds gather, or there is none."""
        for blob in list(self._rounds):
            found = self._rounds[blob]
            if not found.todo:
                self._turn(blob, found, now)
            if found.todo and now - found.last_s >= found.pace_s:
                index, _ = found.todo.popitem(last=False)
                found.sent_s[index] = found.last_s = now
                self._rounds.move_to_end(blob)  # blobs take turns
                return blob, index, tuple(found.joined)
        return None

    def drop_all(self) -> None:
        """Drop all rounds: the connection is lost, and devices repeat their requests."""
        self._rounds.clear()

    def _turn(self, blob: str, found: _Round, now: float) -> None:
        """Start the next round of a blob if it is due, or drop an idle blob."""
        if not found.requested:
            if now - max(found.last_s, found.opened_s) > LINGER_S:
                del self._rounds[blob]
            return
        awaited = self._awaited(found, now)
        limit_s = GATHER_S if found.first else GAPS_GATHER_S
        if now - found.opened_s < limit_s and (awaited or not found.first):
            return
        for device in awaited:  # it is offline: no second wait for it
            self._waves[found.wave].devices[device] = 0.0
        requested, requesters = found.requested, found.requesters
        found.requested, found.requesters = {}, {}
        if len(requesters) < WAVE_MIN:
            self._alone += [(device, blob, ranges) for device, ranges in requesters.items()]
            found.rounds.update(dict.fromkeys(requesters, ROUNDS_MAX))
            return
        if not found.first and len(requested) > found.size * GAPS_MANY:
            found.pace_s = max(PACE_S, found.pace_s * 2.0)
        found.first, found.size = False, len(requested)
        found.todo = OrderedDict(sorted(requested.items()))
        for device in requesters:
            found.rounds[device] = found.rounds.get(device, 0) + 1

    def _awaited(self, found: _Round, now: float) -> list[str]:
        wave = self._waves.get(found.wave)
        if wave is None:
            return []
        return [device for device, until_s in wave.devices.items() if until_s > now and device not in found.joined]


def _indices(ranges: Iterable[tuple[int, int]]) -> Iterable[int]:
    """Block numbers of ranges, as many as a blob can have."""
    room = BLOCKS_MAX
    for first, count in ranges:
        last = min(first + min(count, room), BLOCKS_MAX)
        room -= max(0, last - first)
        yield from range(first, last)
