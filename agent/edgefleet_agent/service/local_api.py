"""Builds the local API for the worker (see `local_api`): only the parts that the settings configure are imported and opened."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.local_api.hub import LocalApiHub
from edgefleet_agent.recording.event_journal import read_found
from edgefleet_agent.recording.event_store import EventStore
from edgefleet_agent.service.version import agent_version
from edgefleet_agent.settings import LocalApiSettings
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.encoding.codec import decode

OnFault = Callable[[str, str, bool], None]


def make_hub(arguments: argparse.Namespace) -> LocalApiHub:
    """Create the hub that pipelines report to; no listener is open yet."""
    return LocalApiHub(arguments.device, agent_version())


def open_local_api(hub: LocalApiHub, arguments: argparse.Namespace, on_fault: OnFault, faults: DiskFaults) -> None:
    """Store events, and open the listeners of the settings. A listener that cannot open is a fault: cameras continue."""
    if arguments.evidence is not None:
        keep_s, keep_bytes = arguments.evidence_days * 86400, arguments.events_bytes
        missed = [found.event for found in read_found(arguments.evidence)]
        hub.store = EventStore(arguments.evidence, keep_s, keep_bytes, faults, time.time, missed)
    settings = decode(arguments.local_api.encode(), LocalApiSettings)
    try:
        if settings.http:
            _open_http(hub, settings, arguments.evidence)
        if settings.mqtt.broker:
            _open_home(hub, settings)
    except EdgefleetError as error:
        on_fault("", str(error), False)


def _open_http(hub: LocalApiHub, settings: LocalApiSettings, evidence: Path | None) -> None:
    from edgefleet_agent.local_api.http_server import LocalHttpServer
    from edgefleet_agent.local_api.routes import Routes
    from edgefleet_agent.local_api.secrets import read_key

    key = read_key(Path(settings.api_key_file)) if settings.api_key_file else ""
    hub.listener = LocalHttpServer(settings.http, key, Routes(hub.state, hub.live, evidence, hub, hub.store).handle)


def _open_home(hub: LocalApiHub, settings: LocalApiSettings) -> None:
    from edgefleet_agent.local_api.home_automation.frigate_topics import FrigateTopics
    from edgefleet_agent.local_api.home_automation.publisher import HomePublisher, TopicPrefix
    from edgefleet_agent.local_api.secrets import read_secret
    from edgefleet_contract.mqtt.address import BrokerAddress, Login

    home = settings.mqtt
    login = Login(home.user, read_secret(Path(home.password_file)) if home.password_file else "")
    place = TopicPrefix(FrigateTopics(home.topic_prefix), home.discovery_prefix, home.stats_s)
    page = (
        f"http://{settings.http}/" if settings.http and settings.api_key_file else ""
    )  # a page that other machines cannot reach has no address
    state = hub.state
    hub.integrations.append(
        HomePublisher(BrokerAddress.parse(home.broker), login, place, state.device, state.version, page, state.stats, hub)
    )
