"""A wave in virtual time: the scheduler of broadcasts as it is, with a broker and devices that need as long as measured ones.

Documents go out at `documents_per_s`. The broker copies each block to every listener at `copies_bytes_per_s` and queues what it
cannot send yet; the server does not see that queue. A device asks as agents do: a window at a time, and again after 5 s without a
block, then after 10, 20 s and so on.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from edgefleet_contract.package.blob import ranges_of
from edgefleet_server.domain.delivery.broadcast import BroadcastScheduler

WAVE: Final = "w" * 64
BLOB: Final = "b" * 64
BLOCK_BYTES: Final = 131_072
STALL_S: Final = 5.0
STALL_S_MAX: Final = 60.0
WINDOW: Final = 8
POLL_S: Final = 0.05
LISTENER_SHARE: Final = 0.25
"""`BROADCAST_SHARE` of the block server: what it thinks that a copy for a listener costs."""


@dataclass(frozen=True, slots=True)
class WaveLine:
    """Rates of the parts. `link_s`: median delay of a device's own line; `lost`: share of copies that get lost; `silent`: share
    of devices that went away since their document was written; `server_bytes_per_s`: the limit of the block server."""

    documents_per_s: float = 1_000.0
    copies_bytes_per_s: float = 500e6
    server_bytes_per_s: float = 125e6
    link_s: float = 0.05
    lost: float = 0.0
    silent: float = 0.0


@dataclass(slots=True)
class _Device:
    name: str
    missing: set[int]
    flying: set[int] = field(default_factory=set)
    moved_s: float = 0.0
    patience_s: float = STALL_S
    done_s: float = 0.0


@dataclass(frozen=True, slots=True)
class WaveResult:
    """`times_one_device`: bytes sent in proportion to one device's."""

    times_one_device: float
    broadcasts: int
    alone: int
    seconds: float
    unfinished: int


class _Play:
    """One wave."""

    def __init__(self, devices: int, blocks: int, line: WaveLine, seed: int) -> None:
        self._line = line
        self._chance = random.Random(seed)
        self._blocks = blocks
        self._scheduler = BroadcastScheduler()
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = itertools.count()
        self._devices = {f"d{number}": _Device(f"d{number}", set(range(blocks))) for number in range(devices)}
        self._listening: set[str] = set()
        self._broker_free_s = 0.0
        self._server_free_s = 0.0
        self._silent = 0
        self.broadcasts = self.alone = 0

    def run(self, until_s: float) -> WaveResult:
        for number, name in enumerate(self._devices):
            self._scheduler.expect(name, WAVE, 0.0)  # the engine announces the wave before it writes
            self._at(number / self._line.documents_per_s, lambda now, name=name: self._publish(name, now))  # type: ignore[misc]
        self._at(0.0, self._serve)
        now = 0.0
        while self._events and now < until_s and self._unfinished() > 0:
            now, _, do = heapq.heappop(self._events)
            do(now)
        sent = self.broadcasts + self.alone
        return WaveResult(round(sent / self._blocks, 2), self.broadcasts, self.alone, round(now, 1), self._unfinished())

    def _unfinished(self) -> int:
        return len(self._devices) - self._silent - self._done

    _done = 0

    def _at(self, at_s: float, do: Callable[[float], None]) -> None:
        heapq.heappush(self._events, (at_s, next(self._order), do))

    def _delay_s(self) -> float:
        return self._line.link_s * self._chance.lognormvariate(0.0, 0.7)

    def _publish(self, name: str, now: float) -> None:
        self._scheduler.expect(name, WAVE, now)
        if self._chance.random() < self._line.silent:
            self._silent += 1
        else:
            self._at(now + self._delay_s(), lambda now: self._begin(name, now))

    def _begin(self, name: str, now: float) -> None:
        self._listening.add(name)
        self._devices[name].moved_s = now
        self._ask(name, now)
        self._at(now + 1.0, lambda now: self._check_progress(name, now))

    def _check_progress(self, name: str, now: float) -> None:
        """A device's turn: once a second it looks whether blocks still come."""
        device = self._devices[name]
        if not device.missing:
            return
        if now - device.moved_s > device.patience_s:
            device.flying.clear()
            device.patience_s = min(2.0 * device.patience_s, STALL_S_MAX)
            self._ask(name, now)
        self._at(now + 1.0, lambda now: self._check_progress(name, now))

    def _ask(self, name: str, now: float) -> None:
        device = self._devices[name]
        room = WINDOW - len(device.flying)
        if 2 * room < WINDOW:
            return
        chosen = sorted(device.missing - device.flying)[:room]
        if not chosen:
            return
        device.flying.update(chosen)
        device.moved_s = now
        missing, ranges = ranges_of(list(device.missing)), ranges_of(chosen)
        self._at(now + self._delay_s(), lambda now: self._arrive(name, ranges, missing, now))

    def _arrive(self, name: str, ranges: list[tuple[int, int]], missing: list[tuple[int, int]], now: float) -> None:
        if not self._scheduler.ask(name, BLOB, ranges, missing, now):
            self._send_alone(name, ranges, now)

    def _send_alone(self, name: str, ranges: list[tuple[int, int]], now: float) -> None:
        for first, count in ranges:
            for index in range(first, first + count):
                self.alone += 1
                self._broker_free_s = max(self._broker_free_s, now) + BLOCK_BYTES / self._line.copies_bytes_per_s
                self._deliver(name, index, self._broker_free_s, lossless=True)

    def _serve(self, now: float) -> None:
        found = self._scheduler.next(now) if now >= self._server_free_s else None
        for name, _, ranges in self._scheduler.take_alone():
            self._send_alone(name, ranges, now)
        if found is None:
            self._at(max(now + POLL_S, self._server_free_s), self._serve)
            return
        _, index, receivers = found
        self.broadcasts += 1
        cost = BLOCK_BYTES * max(1.0, len(receivers) * LISTENER_SHARE)
        self._server_free_s = now + cost / self._line.server_bytes_per_s
        copy_s = BLOCK_BYTES / self._line.copies_bytes_per_s
        for name in list(self._listening):
            self._broker_free_s = max(self._broker_free_s, now) + copy_s
            self._deliver(name, index, self._broker_free_s, lossless=False)
        self._at(self._server_free_s, self._serve)

    def _deliver(self, name: str, index: int, at_s: float, *, lossless: bool) -> None:
        if lossless or self._chance.random() >= self._line.lost:
            self._at(at_s + self._delay_s(), lambda now: self._receive(name, index, now))

    def _receive(self, name: str, index: int, now: float) -> None:
        device = self._devices[name]
        if index not in device.missing:
            return
        device.missing.discard(index)
        device.flying.discard(index)
        device.moved_s, device.patience_s = now, STALL_S
        if not device.missing:
            self._listening.discard(name)
            self._done += 1
            return
        self._ask(name, now)


def play(devices: int, blocks: int, line: WaveLine, seed: int = 1, until_s: float = 1_800.0) -> WaveResult:
    """Play a wave: all devices of it fetch one blob of `blocks` blocks."""
    return _Play(devices, blocks, line, seed).run(until_s)
