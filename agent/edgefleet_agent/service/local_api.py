"""Builds the local API for the worker (see `local_api`): only the parts that the settings configure are imported and opened."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.local_api.home_automation.open_objects import FILE as OBJECTS_FILE
from edgefleet_agent.local_api.home_automation.open_objects import OpenObjects
from edgefleet_agent.local_api.hub import LocalApiHub
from edgefleet_agent.recording.earlier_workers import EarlierWorkers
from edgefleet_agent.recording.event_store import EventStore
from edgefleet_agent.service.version import agent_version
from edgefleet_agent.settings import LocalApiSettings
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.wire.messages import Event
from edgefleet_contract.worker_process import HOME_PART

OnFault = Callable[[str, str, bool], None]


def make_hub(arguments: argparse.Namespace) -> LocalApiHub:
    """Create the hub that pipelines report to; no listener is open yet."""
    return LocalApiHub(arguments.device, agent_version())


def open_local_api(
    hub: LocalApiHub, arguments: argparse.Namespace, on_fault: OnFault, on_end: Callable[[Event], None], faults: DiskFaults
) -> None:
    """Store events, and open the listeners of the settings. A listener that cannot open is a fault: cameras continue. on_end:
    gets the ends of events that earlier workers have left open."""
    objects = OpenObjects()
    if arguments.evidence is not None:
        keep_s, keep_bytes = arguments.evidence_days * 86400, arguments.events_bytes
        earlier = EarlierWorkers(arguments.evidence, on_end)
        objects = OpenObjects(arguments.evidence / OBJECTS_FILE, earlier.over)
        hub.store = EventStore(arguments.evidence, keep_s, keep_bytes, faults, time.time, earlier)
    settings = decode(arguments.local_api.encode(), LocalApiSettings)
    try:
        if settings.http:
            _open_http(hub, settings, arguments.evidence)
    except EdgefleetError as error:
        on_fault("", str(error), False)

    def on_home_fault(text: str, over: bool) -> None:
        hub.state.fault("", text, over, HOME_PART)
        on_fault(HOME_PART, text, over)

    try:
        if settings.mqtt.broker:
            _open_home(hub, settings, objects, on_home_fault)
    except EdgefleetError as error:
        on_home_fault(str(error), False)


def _open_http(hub: LocalApiHub, settings: LocalApiSettings, evidence: Path | None) -> None:
    from edgefleet_agent.local_api.http_server import LocalHttpServer
    from edgefleet_agent.local_api.routes import Routes
    from edgefleet_agent.local_api.secrets import read_key

    key = read_key(Path(settings.api_key_file)) if settings.api_key_file else ""
    hub.listener = LocalHttpServer(settings.http, key, Routes(hub.state, hub.live, evidence, hub, hub.store).handle)


def _open_home(hub: LocalApiHub, settings: LocalApiSettings, objects: OpenObjects, on_fault: Callable[[str, bool], None]) -> None:
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
    state, broker = hub.state, BrokerAddress.parse(home.broker)
    publisher = HomePublisher(broker, login, place, state.device, state.version, page, state.stats, hub, objects, on_fault)
    state.home_connected = lambda: publisher.connected
    hub.integrations.append(publisher)
