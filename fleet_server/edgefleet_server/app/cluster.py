"""Topology of a process that shares one PostgreSQL with others."""

from __future__ import annotations

import os
import secrets
import socket

from edgefleet_server.api.schemas.admin.health import BlockTraffic
from edgefleet_server.app.event_bus import EventBus
from edgefleet_server.app.heartbeat import Heartbeat
from edgefleet_server.app.ingest_service import IngestService
from edgefleet_server.app.leader_election import LeaderElection
from edgefleet_server.app.leader_services import LeaderServices, ServiceNames
from edgefleet_server.app.process_wiring import BLOCKS, LEADER_CLIENT, RETAINED_CLIENT, Topology, waits_for
from edgefleet_server.app.resources import Resources
from edgefleet_server.db.backend.leader import LeaderTerm
from edgefleet_server.db.backend.members import Member
from edgefleet_server.db.backend.notifications import NotificationChannel
from edgefleet_server.link.broker_access import BrokerAccess
from edgefleet_server.link.device_guard import DeviceGuard
from edgefleet_server.link.ingest import MeasuredSample


def clustered_topology(
    resources: Resources,
    access: BrokerAccess,
    bus: EventBus,
    ingest_service: IngestService | None,
    who: Member,
    guard: DeviceGuard,
) -> Topology:
    """Topology of one of several processes. `who`: the constant part of its member record."""
    news = NotificationChannel(resources.database.url, bus.on_peer_message)
    bus.notify_peers = news.send
    leadership: LeaderElection | None = None

    def leader() -> LeaderServices | None:
        return leadership.services if leadership else None

    heartbeat = Heartbeat(resources.database, lambda now: _doing(who, now, ingest_service, leader()))

    def make(term: LeaderTerm) -> LeaderServices:
        names = ServiceNames(f"{LEADER_CLIENT}-{who.id}", f"{BLOCKS}-{who.id}", f"{RETAINED_CLIENT}-{who.id}")
        database = resources.database.checked(term.check)
        return LeaderServices(resources, database, access, names, heartbeat.ingest_up_at, bus.turned, 0, guard)

    if resources.settings.role in ("all", "engine"):
        leadership = LeaderElection(resources.database.url, make)
    bus.leader = leader
    found = (news, heartbeat, leadership, ingest_service)
    return Topology(
        parts=[part for part in found if part is not None],
        waits_for=lambda: waits_for(ingest_service),
        broker_up=lambda: heartbeat.ingest_up_at() > 0,
        samples_per_s=heartbeat.samples_per_s,
        measured=heartbeat.measured,
        traffic=heartbeat.traffic,
        jobs=lambda: services.watch.jobs if (services := leader()) else (),
    )


def member(role: str, version: str, now: float) -> Member:
    """The member record of this process."""
    name = secrets.token_hex(4)
    return Member(name, role, socket.gethostname(), os.getpid(), version, now, now, ingests=role in ("all", "ingest"))


def _doing(who: Member, now: float, ingest_service: IngestService | None, leader: LeaderServices | None) -> Member:
    measured = ingest_service.ingest.measure() if ingest_service else MeasuredSample(0, 0, 0, {})
    traffic = leader.traffic() if leader else BlockTraffic()
    up_at = ingest_service.link.up_at if ingest_service else leader.link.up_at if leader else 0.0
    return Member(
        **{name: getattr(who, name) for name in ("id", "role", "host", "pid", "version", "started_at", "ingests")},
        seen_at=now,
        leads=leader is not None,
        broker_up_at=up_at,
        messages=measured.messages,
        refused=measured.refused,
        waiting=measured.waiting,
        samples_per_s=ingest_service.ingest.samples_per_s() if ingest_service else 0.0,
        wait_p50_s=measured.quantiles_s.get(0.5, 0.0),
        wait_p99_s=measured.quantiles_s.get(0.99, 0.0),
        broadcasts=traffic.broadcasts,
        sent_alone=traffic.sent_alone,
        sent_bytes=traffic.sent_bytes,
    )
