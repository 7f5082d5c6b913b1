"""How a process is joined to the devices and to other processes, and whom it asks how that is going."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from edgefleet_server.api.schemas.core import BlockTraffic
from edgefleet_server.app.event_bus import EventBus
from edgefleet_server.app.ingest_service import IngestService
from edgefleet_server.app.leader_services import BLOCKS_USER, LeaderServices, ServiceNames
from edgefleet_server.app.resources import Resources
from edgefleet_server.domain.fleet.job import Job
from edgefleet_server.link.ingest import Measured
from edgefleet_server.link.mqtt_client import BrokerAddress

DESK: Final = "edgefleet-server"
BUREAU: Final = "edgefleet-office"
BLOCKS: Final = BLOCKS_USER
"""Client ids of the only process; of several each adds its own name."""


class ProcessRole(Protocol):
    """Something with a beginning and an end."""

    def start(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Topology:
    """`parts`: to be started in this order, and closed in the other. `waits_for`: what this process lacks to do its work; empty =
    nothing. The rest is about all processes together."""

    parts: Sequence[ProcessRole]
    waits_for: Callable[[], str]
    broker_up: Callable[[], bool]
    samples_per_s: Callable[[], float]
    measured: Callable[[], Measured]
    traffic: Callable[[], BlockTraffic]
    chores: Callable[[], Sequence[Job]]


def own_line(house: Resources, address: BrokerAddress, voice: EventBus, desk: IngestService, devices_max: int) -> Topology:
    """The only process there is."""
    names = ServiceNames(BUREAU, BLOCKS)
    bureau = LeaderServices(house, house.database, address, names, lambda: desk.link.up_at, voice.turned, devices_max)
    voice.bureau = lambda: bureau
    return Topology(
        parts=(bureau, desk),
        waits_for=lambda: waits_for(desk),
        broker_up=lambda: desk.link.connected,
        samples_per_s=desk.ingest.samples_per_s,
        measured=desk.ingest.measure,
        traffic=bureau.traffic,
        chores=lambda: bureau.watch.jobs,
    )


def waits_for(desk: IngestService | None) -> str:
    """What a process with this desk lacks."""
    return "the broker" if desk is not None and not desk.link.connected else ""
