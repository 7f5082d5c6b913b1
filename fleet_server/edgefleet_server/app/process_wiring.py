"""Topology of a process: its connections to devices and other processes, and the sources of its state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from edgefleet_server.api.schemas.admin.health import BlockTraffic
from edgefleet_server.app.event_bus import EventBus
from edgefleet_server.app.ingest_service import IngestService
from edgefleet_server.app.leader_services import BLOCKS_USER, LeaderServices, ServiceNames
from edgefleet_server.app.resources import Resources
from edgefleet_server.domain.fleet.job import Job
from edgefleet_server.link.broker_access import BrokerAccess
from edgefleet_server.link.device_guard import DeviceGuard
from edgefleet_server.link.ingest import MeasuredSample

INGEST_CLIENT: Final = "edgefleet-server"
LEADER_CLIENT: Final = "edgefleet-leader"
RETAINED_CLIENT: Final = "edgefleet-retained"
BLOCKS: Final = BLOCKS_USER
"""Client ids of a single process; of several, each adds its own name."""


class ProcessRole(Protocol):
    """A part with a lifecycle."""

    def start(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Topology:
    """`parts`: started in this order, and closed in reverse. `waits_for`: the missing requirement of this process; empty =
    ready. The other fields cover all processes together."""

    parts: Sequence[ProcessRole]
    waits_for: Callable[[], str]
    broker_up: Callable[[], bool]
    samples_per_s: Callable[[], float]
    measured: Callable[[], MeasuredSample]
    traffic: Callable[[], BlockTraffic]
    jobs: Callable[[], Sequence[Job]]


def single_process_topology(
    resources: Resources,
    access: BrokerAccess,
    bus: EventBus,
    ingest_service: IngestService,
    devices_max: int,
    guard: DeviceGuard,
) -> Topology:
    """Topology of a single process."""
    names = ServiceNames(LEADER_CLIENT, BLOCKS, RETAINED_CLIENT)
    leader = LeaderServices(
        resources, resources.database, access, names, lambda: ingest_service.link.up_at, bus.turned, devices_max, guard
    )
    bus.leader = lambda: leader
    return Topology(
        parts=(leader, ingest_service),
        waits_for=lambda: waits_for(ingest_service),
        broker_up=lambda: ingest_service.link.connected,
        samples_per_s=ingest_service.ingest.samples_per_s,
        measured=ingest_service.ingest.measure,
        traffic=leader.traffic,
        jobs=lambda: leader.watch.jobs,
    )


def waits_for(ingest_service: IngestService | None) -> str:
    """The missing requirement of a process with this ingest service; empty if it is ready."""
    return "the broker" if ingest_service is not None and not ingest_service.link.connected else ""
