"""Builds the faces of the device for the worker (see `agent.face`): only what the settings ask for is imported and opened."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from agent.contract.codec import decode
from agent.errors import EdgefleetError
from agent.face.face import Face
from agent.settings import FaceSettings
from agent.sinks.event_store import EventStore

OnTrouble = Callable[[str, str, bool], None]


def make_face(arguments: argparse.Namespace) -> Face:
    """What pipelines tell everything to; nobody is answered yet."""
    return Face(arguments.device, _version())


def open_face(face: Face, arguments: argparse.Namespace, on_trouble: OnTrouble) -> None:
    """Keep events, and open what the settings ask for. What cannot be is told as a trouble: cameras do not stop for it."""
    if arguments.evidence is not None:
        keep_s, keep_bytes = arguments.evidence_days * 86400, arguments.events_mb * 1_000_000
        face.store = EventStore(arguments.evidence, keep_s, keep_bytes, on_trouble, time.time)
    settings = decode(arguments.face.encode(), FaceSettings)
    try:
        if settings.http:
            _open_http(face, settings, arguments.evidence)
        if settings.mqtt.broker:
            _open_home(face, settings)
    except EdgefleetError as error:
        on_trouble("", str(error), False)


def _open_http(face: Face, settings: FaceSettings, evidence: Path | None) -> None:
    from agent.face.door import FaceDoor
    from agent.face.key import read_key
    from agent.face.routes import Routes

    key = read_key(Path(settings.key_file)) if settings.key_file else ""
    face.door = FaceDoor(settings.http, key, Routes(face.state, face.live, evidence, face).handle)


def _open_home(face: Face, settings: FaceSettings) -> None:
    from agent.face.frigate import Topics
    from agent.face.home_broker import HomeBroker, Place
    from agent.face.key import read_secret
    from agent.link.mqtt import Broker, Login

    home = settings.mqtt
    login = Login(home.user, read_secret(Path(home.password_file)) if home.password_file else "")
    place = Place(Topics(home.topic_prefix), home.discovery_prefix, home.stats_s)
    page = f"http://{settings.http}/" if settings.http and settings.key_file else ""  # of a page that others cannot reach: none
    state = face.state
    face.neighbours.append(
        HomeBroker(Broker.parse(home.broker), login, place, state.device, state.version, page, state.stats, face)
    )


def _version() -> str:
    try:
        return version("edgefleet")
    except PackageNotFoundError:
        return "0+source"
