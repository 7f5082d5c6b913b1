"""Broadcasts the blocks that the devices of a wave fetch at the same time, in rounds. Pure: the caller sends.

The server knows the devices of a wave in advance: it wrote their documents. A *round* of a blob starts when every device of the
wave has requested it, or when nothing has moved for `QUIET_S`; then each block that any of them misses (named in its request) is
sent once, in order. A late device receives the rest of the round.

What is still missed is sent again: at once while it is little (`GAPS_SHARE`, `SMALL_BLOCKS`), else after `GAPS_QUIET_S` in
which no device joined and none made progress. Copies may be on their way for long on a busy line; to repeat them then would make
it busier. A device that still misses blocks after `ROUNDS_MAX` rounds is left to `block_scheduler`, and so is a single device:
its window of requests sets the pace. If a round left many gaps, the next one is slower.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from edgefleet_contract.package.blob import ranges_of

WAVE_MIN: Final = 2
EXPECT_S: Final = 30.0
"""Time for which a round waits for a device after its document was sent; a device that stays silent is not waited for again."""
QUIET_S: Final = 8.0
"""Above the time after which a device repeats its request (5 s): a device that misses something has reported it."""
GAPS_QUIET_S: Final = 20.0
"""The same for many gaps: on a busy line a device gets half a window of blocks, and says so, in about this time."""
FIRST_S_MAX: Final = 60.0
GAPS_S_MAX: Final = 240.0
"""Limits of the wait for the first round, and for one of many gaps while other devices make progress. Devices repeat their
requests after 5, 10, 20, 40 and then 60 s meanwhile."""
GAPS_GATHER_S: Final = 1.0
GAPS_SHARE: Final = 0.15
"""Share of a blob that is sent again at once."""
SMALL_BLOCKS: Final = 2
"""A blob of so many blocks is sent again at once whatever is missed: devices wait for the descriptor of a package before they
request anything else."""
TRUST_S: Final = 12.0
"""Time for which a copy may be in flight; repeated requests within it are ignored, and older requests are no longer counted."""
LINGER_S: Final = 120.0
ROUNDS_MAX: Final = 3
WAVES_MAX: Final = 256
ROUNDS_AT_ONCE_MAX: Final = 1024
GAPS_MANY: Final = 0.2
PACE_S: Final = 0.02
"""Pause between two blocks of a round that follows one with many gaps; doubled when the round leaves many gaps again."""
BLOCKS_MAX: Final = 40_000
"""Of one blob: 5 GB, above the largest package."""

Ranges = list[tuple[int, int]]
"""(first, count)"""


@dataclass(slots=True)
class _Wave:
    """All waves of one package. `devices`: device -> time until which a round waits for it; `since`: device -> when it was
    announced first; `busy`: device -> time of its latest request for any blob."""

    devices: dict[str, float] = field(default_factory=dict)
    since: dict[str, float] = field(default_factory=dict)
    busy: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Want:
    """A device's latest request: `missing` blocks that are not in flight, and the ranges that it asked for."""

    requested_s: float
    missing: Ranges
    ranges: Ranges


@dataclass(slots=True)
class _Round:
    """The current round of one blob. `todo`: blocks to send; `after_s`: devices announced
    until then belong to an earlier wave; `started_s`: when its first round
    began; `missing`: device -> number of blocks that it missed last;
    `moved_s`: when a device came or made progress; `again`: blocks sent more than once."""

    wave: str
    after_s: float
    opened_s: float
    moved_s: float
    started_s: float = float("inf")
    joined: dict[str, float] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    wants: dict[str, _Want] = field(default_factory=dict)
    pace_s: float = 0.0
    size: int = 0
    again: int = 0
    todo: OrderedDict[int, None] = field(default_factory=OrderedDict)
    sent_s: dict[int, float] = field(default_factory=dict)
    checked_s: float = float("-inf")
    last_s: float = 0.0

    def before(self, announced_s: float) -> bool:
        """Whether the first round is over that a device announced at this time would have been waited for: its wave is a later
        one."""
        return not self.first and not self.todo and announced_s > self.started_s

    @property
    def first(self) -> bool:
        """Whether no round has started yet."""
        return not self.size

    def recent(self, now: float) -> dict[str, _Want]:
        """Requests that still count: a device that got what it missed meanwhile does not say so."""
        return {device: want for device, want in self.wants.items() if self.first or now - want.requested_s < TRUST_S}


class BroadcastScheduler:
    """Broadcast rounds of the waves that are fetching. Used from one thread; `now` is monotonic seconds."""

    def __init__(self) -> None:
        self._waves: OrderedDict[str, _Wave] = OrderedDict()
        self._wave_of: dict[str, str] = {}
        self._rounds: OrderedDict[str, _Round] = OrderedDict()
        self._alone: list[tuple[str, str, Ranges]] = []

    def __len__(self) -> int:
        """Number of blobs that are sent or gather requests."""
        return sum(1 for found in self._rounds.values() if found.todo or found.wants)

    def expect(self, device: str, wave: str, now: float) -> None:
        """Record that `device` has just received the document to fetch the package `wave`."""
        before = self._wave_of.get(device)
        if before is not None and before != wave:
            self.leave(device)
        self._wave_of[device] = wave
        known = self._waves.setdefault(wave, _Wave())
        known.devices[device] = now + EXPECT_S
        known.since.setdefault(device, now)
        self._waves.move_to_end(wave)
        while len(self._waves) > WAVES_MAX:
            _, old = self._waves.popitem(last=False)
            for name in old.devices:
                self._wave_of.pop(name, None)

    def ask(self, device: str, blob: str, ranges: Ranges, missing: Ranges, now: float) -> bool:
        """Add a device's request for `ranges` of a blob, with all the ranges it misses. False: the device is in no wave and has
        to be served alone."""
        wave = self._waves.get(self._wave_of.get(device, ""))
        if wave is None:
            return False
        wave.devices[device], wave.busy[device] = now + EXPECT_S, now
        found = self._rounds.get(blob)
        if found is None or found.before(wave.since.get(device, 0.0)):
            if len(wave.devices) < WAVE_MIN or len(self._rounds) >= ROUNDS_AT_ONCE_MAX:
                return False
            after_s = found.started_s if found is not None else float("-inf")
            found = self._rounds[blob] = _Round(self._wave_of[device], after_s, now, now)
        if found.rounds.get(device, 0) >= ROUNDS_MAX:
            return False
        joined_s = found.joined.setdefault(device, now)
        indices = list(_indices(missing))
        moves = len(indices) < found.missing.get(device, BLOCKS_MAX + 1)
        found.missing[device] = len(indices)
        if moves:
            found.moved_s = now

        def is_lost(index: int) -> bool:
            sent_s = found.sent_s.get(index, float("-inf"))
            return index not in found.todo and (sent_s <= joined_s or (not moves and now - sent_s >= TRUST_S))

        lost = [index for index in indices if is_lost(index)]
        if not lost:
            found.wants.pop(device, None)
            return True
        if not found.wants:
            found.opened_s = now
        found.wants[device] = _Want(now, ranges_of(lost), ranges)
        return True

    def leave(self, device: str) -> None:
        """Take a device out of its wave, because it receives no broadcasts."""
        wave = self._waves.get(self._wave_of.pop(device, ""))
        if wave is not None:
            for known in (wave.devices, wave.since, wave.busy):
                known.pop(device, None)

    def take_alone(self) -> list[tuple[str, str, Ranges]]:
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
        if not found.wants:
            if now - max(found.last_s, found.opened_s, found.moved_s) > LINGER_S:
                del self._rounds[blob]
            return
        quiet_s, limit_s = (QUIET_S, FIRST_S_MAX) if found.first else (GAPS_QUIET_S, GAPS_S_MAX)
        still = now - found.moved_s >= quiet_s or now - found.opened_s >= limit_s
        if found.first:
            awaited = self._awaited(found, now)
            if awaited and not still:
                return
            for device in awaited:  # it is offline: no second wait for it
                self._waves[found.wave].devices[device] = 0.0
        elif now - max(found.opened_s, found.checked_s) < GAPS_GATHER_S:
            return
        found.checked_s = now
        wants = found.recent(now)
        requested = sorted({index for want in wants.values() for index in _indices(want.missing)})
        few = found.size <= SMALL_BLOCKS or found.again + len(requested) <= found.size * GAPS_SHARE
        if found.first or still or few:
            found.wants = {}
            self._start(blob, found, wants, requested, now)

    def _start(self, blob: str, found: _Round, wants: dict[str, _Want], requested: list[int], now: float) -> None:
        """Start a round that sends these blocks, or leave a single device to the caller."""
        if len(wants) < WAVE_MIN:
            self._alone += [(device, blob, want.ranges) for device, want in wants.items()]
            found.rounds.update(dict.fromkeys(wants, ROUNDS_MAX))
            return
        if not found.first and len(requested) > found.size * GAPS_MANY:
            found.pace_s = max(PACE_S, found.pace_s * 2.0)
        if found.first:
            found.size, found.started_s = len(requested), now
        else:
            found.again += len(requested)
        found.todo = OrderedDict.fromkeys(requested)
        for device in wants:
            found.rounds[device] = found.rounds.get(device, 0) + 1

    def _awaited(self, found: _Round, now: float) -> list[str]:
        """Devices of the wave that may still come: those that have asked for another blob since do not need this one."""
        wave = self._waves.get(found.wave)
        if wave is None:
            return []
        return [
            device
            for device, until_s in wave.devices.items()
            if until_s > now
            and device not in found.joined
            and wave.busy.get(device, 0.0) <= found.opened_s
            and wave.since[device] > found.after_s
        ]


def _indices(ranges: Iterable[tuple[int, int]]) -> Iterable[int]:
    """Block numbers of ranges, as many as a blob can have."""
    room = BLOCKS_MAX
    for first, count in ranges:
        last = min(first + min(count, room), BLOCKS_MAX)
        room -= max(0, last - first)
        yield from range(first, last)
