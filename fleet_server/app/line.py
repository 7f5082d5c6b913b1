"""How a process is joined to the devices and to other processes, and whom it asks how that is going."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from fleet_server.api.schemas import BlockTraffic
from fleet_server.app.bureau import BLOCKS_USER, Bureau, Names
from fleet_server.app.desk import Desk
from fleet_server.app.house import House
from fleet_server.app.voice import Voice
from fleet_server.domain.chores import Chore
from fleet_server.link.ingest import Measured
from fleet_server.link.mqtt import BrokerAddress

DESK: Final = "edgefleet-server"
BUREAU: Final = "edgefleet-office"
BLOCKS: Final = BLOCKS_USER
"""Client ids of the only process; of several each adds its own name."""


class Part(Protocol):
    """Something with a beginning and an end."""

    def start(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Line:
    """`parts`: to be started in this order, and closed in the other. `waits_for`: what this process lacks to do its work; empty =
    nothing. The rest is about all processes together."""

    parts: Sequence[Part]
    waits_for: Callable[[], str]
    broker_up: Callable[[], bool]
    samples_per_s: Callable[[], float]
    measured: Callable[[], Measured]
    traffic: Callable[[], BlockTraffic]
    chores: Callable[[], Sequence[Chore]]


def own_line(house: House, address: BrokerAddress, voice: Voice, desk: Desk, devices_max: int) -> Line:
    """The only process there is."""
    names = Names(BUREAU, BLOCKS)
    bureau = Bureau(house, house.database, address, names, lambda: desk.link.up_at, voice.turned, devices_max)
    voice.bureau = lambda: bureau
    return Line(
        parts=(bureau, desk),
        waits_for=lambda: waits_for(desk),
        broker_up=lambda: desk.link.connected,
        samples_per_s=desk.ingest.samples_per_s,
        measured=desk.ingest.measure,
        traffic=bureau.traffic,
        chores=lambda: bureau.watch.chores,
    )


def waits_for(desk: Desk | None) -> str:
    """What a process with this desk lacks."""
    return "the broker" if desk is not None and not desk.link.connected else ""
