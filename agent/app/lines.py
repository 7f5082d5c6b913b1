"""The lines of the service, from its settings: to the broker, and the other ways by which models may come."""

from __future__ import annotations

import time
from pathlib import Path

from agent.contract import topics
from agent.face.key import read_secret
from agent.identity import Identity
from agent.known_time import KnownTime
from agent.link.blobs import Ways
from agent.link.budget import Budget
from agent.link.http_range import HttpBlobs, read_token
from agent.link.mqtt import Arrived, Broker, Connected, Disconnected, LinkEvent, Login, MqttLink
from agent.link.passes import PassBook
from agent.link.tls import Papers
from agent.link.uplink import Uplink
from agent.model_store.near import NearBlobs
from agent.reconcile.inbox import Inbox
from agent.settings import Settings


def ways_of(settings: Settings, state: Path, near: NearBlobs, inbox: Inbox[LinkEvent]) -> Ways:
    """How models may come besides MQTT, and how much of the line they may take."""
    link = settings.link
    allowance = Budget(state, link.bytes_per_s, link.bytes_per_day) if link.bytes_per_s or link.bytes_per_day else None
    if not link.blobs:
        return Ways(near, None, allowance)
    passes = PassBook()
    token = read_token(link.blobs_token) if link.blobs_token else ""
    http = HttpBlobs(settings.device, link.blobs, token, lambda event: inbox.put(event, len(event.payload)), passes)
    return Ways(near, http.take, allowance, passes)


def line_of(
    settings: Settings, identity: Identity | None, uplink: Uplink, inbox: Inbox[LinkEvent], known_time: KnownTime
) -> MqttLink:
    """To the broker of the settings, or else to that of the enrolment."""
    papers = Papers(identity.authority, identity.papers) if identity is not None else None

    def deliver(event: LinkEvent) -> None:
        length = len(event.payload) if isinstance(event, Arrived) else 0
        inbox.put(event, length, vital=isinstance(event, Connected | Disconnected))

    return MqttLink(
        Broker.parse(settings.broker or (identity.broker_url if identity else "")),
        settings.device,
        [(topics.all_down(settings.device), 1), (topics.trust(), 1)],
        uplink.announce,
        deliver,
        (settings.link.reconnect_min_s, settings.link.reconnect_max_s),
        papers,
        _login(settings, papers),
        known_wall=lambda: known_time.at(time.monotonic(), 0.0),
    )


def _login(settings: Settings, papers: Papers | None) -> Login:
    """A password where one was given. Else our name, and not even that where a certificate says it."""
    link = settings.link
    if link.password_file:
        return Login(link.user or settings.device, read_secret(Path(link.password_file)))
    return Login(link.user) if link.user or papers is not None else Login(settings.device)
