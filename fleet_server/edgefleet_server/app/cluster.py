"""A process that is one of several over one PostgreSQL."""

from __future__ import annotations

import os
import secrets
import socket

from edgefleet_server.api.schemas.core import BlockTraffic
from edgefleet_server.app.event_bus import EventBus
from edgefleet_server.app.heartbeat import Heartbeat
from edgefleet_server.app.ingest_service import IngestService
from edgefleet_server.app.leader_election import LeaderElection
from edgefleet_server.app.leader_services import LeaderServices, ServiceNames
from edgefleet_server.app.process_wiring import BLOCKS, BUREAU, Topology, waits_for
from edgefleet_server.app.resources import Resources
from edgefleet_server.db.backend.leader import LeaderTerm
from edgefleet_server.db.backend.members import Member
from edgefleet_server.db.backend.notifications import NotificationChannel
from edgefleet_server.link.ingest import Measured
from edgefleet_server.link.mqtt_client import BrokerAddress


def shared_line(house: Resources, address: BrokerAddress, voice: EventBus, desk: IngestService | None, who: Member) -> Topology:
    """One of several processes. `who`: what does not change about this one."""
    news = NotificationChannel(house.database.url, voice.heard)
    voice.tell = news.send
    leadership: LeaderElection | None = None

    def bureau() -> LeaderServices | None:
        return leadership.bureau if leadership else None

    pulse = Heartbeat(house.database, lambda now: _doing(who, now, desk, bureau()))

    def make(term: LeaderTerm) -> LeaderServices:
        names = ServiceNames(f"{BUREAU}-{who.id}", f"{BLOCKS}-{who.id}")
        database = house.database.checked(term.check)
        return LeaderServices(house, database, address, names, pulse.ingest_up_at, voice.turned, 0)

    if house.settings.role in ("all", "engine"):
        leadership = LeaderElection(house.database.url, make)
    voice.bureau = bureau
    found = (news, pulse, leadership, desk)
    return Topology(
        parts=[part for part in found if part is not None],
        waits_for=lambda: waits_for(desk),
        broker_up=lambda: pulse.ingest_up_at() > 0,
        samples_per_s=pulse.samples_per_s,
        measured=pulse.measured,
        traffic=pulse.traffic,
        chores=lambda: leading.watch.jobs if (leading := bureau()) else (),
    )


def member(role: str, version: str, now: float) -> Member:
    """This process."""
    name = secrets.token_hex(4)
    return Member(name, role, socket.gethostname(), os.getpid(), version, now, now, ingests=role in ("all", "ingest"))


def _doing(who: Member, now: float, desk: IngestService | None, bureau: LeaderServices | None) -> Member:
    told = desk.ingest.measure() if desk else Measured(0, 0, 0, {})
    traffic = bureau.traffic() if bureau else BlockTraffic()
    up_at = desk.link.up_at if desk else bureau.link.up_at if bureau else 0.0
    return Member(
        **{name: getattr(who, name) for name in ("id", "role", "host", "pid", "version", "started_at", "ingests")},
        seen_at=now,
        leads=bureau is not None,
        broker_up_at=up_at,
        messages=told.messages,
        refused=told.refused,
        waiting=told.waiting,
        samples_per_s=desk.ingest.samples_per_s() if desk else 0.0,
        wait_p50_s=told.quantiles_s.get(0.5, 0.0),
        wait_p99_s=told.quantiles_s.get(0.99, 0.0),
        broadcasts=traffic.broadcasts,
        sent_alone=traffic.sent_alone,
        sent_bytes=traffic.sent_bytes,
    )
