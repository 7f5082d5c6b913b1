"""Connections of the service by its settings: to the broker, and the other transports of models."""

from __future__ import annotations

import time
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.link.bandwidth_budget import BandwidthBudget
from edgefleet_agent.link.block_fetcher import Transports
from edgefleet_agent.link.download_tickets import TicketCache
from edgefleet_agent.link.http_fetcher import HttpFetcher, read_token
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.local_api.secrets import read_secret
from edgefleet_agent.machine.identity import Identity
from edgefleet_agent.machine.server_authority import stored_authority
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.model_store.local_sources import LocalSources
from edgefleet_agent.settings import Settings
from edgefleet_agent.supervisor.inbox import Inbox
from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, ReceivedMessage
from edgefleet_contract.mqtt.limits import ConnectionLimits
from edgefleet_contract.mqtt.tls import TlsFiles
from edgefleet_contract.wire import topics


def build_transports(
    settings: Settings, state: Path, local_sources: LocalSources, inbox: Inbox[LinkEvent], faults: DiskFaults
) -> Transports:
    """Transports of models besides MQTT, and their bandwidth limits."""
    link = settings.link
    limited = link.bytes_per_s or link.bytes_per_day
    allowance = BandwidthBudget(state, link.bytes_per_s, link.bytes_per_day, faults) if limited else None
    if not link.blobs:
        return Transports(local_sources, None, allowance)
    tickets = TicketCache()
    token = read_token(link.blobs_token) if link.blobs_token else ""
    http = HttpFetcher(
        settings.device,
        link.blobs,
        token,
        lambda event: inbox.put(event, len(event.payload)),
        tickets,
        lambda: stored_authority(state, link.blobs),
    )
    return Transports(local_sources, http.take, allowance, tickets)


def build_connection(
    settings: Settings, identity: Identity | None, uplink: Uplink, inbox: Inbox[LinkEvent], known_time: TrustedTime
) -> MqttClient:
    """Create the connection to the broker of the settings, or else of the enrolment."""
    tls_files = TlsFiles(identity.authority, identity.credentials) if identity is not None else None

    def deliver(event: LinkEvent) -> None:
        length = len(event.payload) if isinstance(event, ReceivedMessage) else 0
        inbox.put(event, length, vital=isinstance(event, Connected | Disconnected))

    return MqttClient(
        BrokerAddress.parse(settings.broker or (identity.broker_url if identity else "")),
        settings.device,
        [(topics.all_down(settings.device), 1), (topics.trust(), 1), (topics.authorities(), 1)],
        deliver,
        uplink.announce,
        login=_login(settings, tls_files),
        tls_files=tls_files,
        limits=ConnectionLimits(reconnect_min_s=settings.link.reconnect_min_s, reconnect_max_s=settings.link.reconnect_max_s),
        known_wall=lambda: known_time.at(time.monotonic(), 0.0),
    )


def _login(settings: Settings, tls_files: TlsFiles | None) -> Login:
    """User name and password if configured; otherwise the device name, or nothing if a certificate contains it."""
    link = settings.link
    if link.password_file:
        return Login(link.user or settings.device, read_secret(Path(link.password_file)))
    return Login(link.user) if link.user or tls_files is not None else Login(settings.device)
