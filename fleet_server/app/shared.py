"""A process that is one of several over one PostgreSQL."""

from __future__ import annotations

import os
import secrets
import socket

from fleet_server.api.schemas import BlockTraffic
from fleet_server.app.bureau import Bureau, Names
from fleet_server.app.desk import Desk
from fleet_server.app.house import House
from fleet_server.app.leadership import Leadership
from fleet_server.app.line import BLOCKS, BUREAU, Line, waits_for
from fleet_server.app.pulse import Pulse
from fleet_server.app.voice import Voice
from fleet_server.db.leader import Term
from fleet_server.db.members import Member
from fleet_server.db.news import NewsLine
from fleet_server.link.ingest import Measured
from fleet_server.link.mqtt import BrokerAddress


def shared_line(house: House, address: BrokerAddress, voice: Voice, desk: Desk | None, who: Member) -> Line:
    """One of several processes. `who`: what does not change about this one."""
    news = NewsLine(house.database.url, voice.heard)
    voice.tell = news.tell
    leadership: Leadership | None = None

    def bureau() -> Bureau | None:
        return leadership.bureau if leadership else None

    pulse = Pulse(house.database, lambda now: _doing(who, now, desk, bureau()))

    def make(term: Term) -> Bureau:
        names = Names(f"{BUREAU}-{who.id}", f"{BLOCKS}-{who.id}")
        database = house.database.checked(term.check)
        return Bureau(house, database, address, names, pulse.ingest_up_at, voice.turned, 0)

    if house.settings.role in ("all", "engine"):
        leadership = Leadership(house.database.url, make)
    voice.bureau = bureau
    found = (news, pulse, leadership, desk)
    return Line(
        parts=[part for part in found if part is not None],
        waits_for=lambda: waits_for(desk),
        broker_up=lambda: pulse.ingest_up_at() > 0,
        samples_per_s=pulse.samples_per_s,
        measured=pulse.measured,
        traffic=pulse.traffic,
        chores=lambda: leading.watch.chores if (leading := bureau()) else (),
    )


def member(role: str, version: str, now: float) -> Member:
    """This process."""
    name = secrets.token_hex(4)
    return Member(name, role, socket.gethostname(), os.getpid(), version, now, now, ingests=role in ("all", "ingest"))


def _doing(who: Member, now: float, desk: Desk | None, bureau: Bureau | None) -> Member:
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
