"""What routes may use: built once by the app, never at import."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from fleet_server.api.door import Door
from fleet_server.api.hub import Hub
from fleet_server.api.live import LivePictures
from fleet_server.api.schemas import BlockTraffic
from fleet_server.db.engine import Database
from fleet_server.domain.chores import Chore
from fleet_server.link.ingest import Measured
from fleet_server.live_settings import LiveSettings
from fleet_server.openid import Provider
from fleet_server.registry.blobs import BlobStore
from fleet_server.registry.enrolment import Enrolment
from fleet_server.registry.evidence import EvidenceStore
from fleet_server.registry.packages import Registry
from fleet_server.registry.passes import Passes
from fleet_server.registry.trust import Trust
from fleet_server.registry.uploads import PackageUploads
from fleet_server.settings import Settings


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of the running server that a route may touch.

    `wake_engine`: a rollout may have something to do. `greet`: a device may have something to get. `broker_up`, `broker_url`,
    `samples_per_s`, `block_traffic`: how the line is doing. `device_url`: where devices find the broker. `forget_devices`: to be
    called inside the transaction that deletes some. `clear_retained`: what the broker keeps of a device. `devices_max`: that the
    broker can have connected; 0 = not known. `chores`, `ingest`: what background work and ingest measure of themselves.
    `waits_for`: what this process lacks to do its work; empty = nothing.
    """

    live_settings: LiveSettings
    version: str
    started_at: float
    database: Database
    registry: Registry
    uploads: PackageUploads
    blobs: BlobStore
    trust: Trust
    evidence: EvidenceStore
    live: LivePictures
    enrolment: Enrolment
    passes: Passes
    hub: Hub
    door: Door
    openid: Provider | None
    wake_engine: Callable[[], None]
    greet: Callable[[str], None]
    broker_up: Callable[[], bool]
    broker_url: str
    device_url: str
    samples_per_s: Callable[[], float]
    block_traffic: Callable[[], BlockTraffic]
    forget_devices: Callable[[], None]
    clear_retained: Callable[[str], None]
    devices_max: int
    chores: Callable[[], Sequence[Chore]]
    ingest: Callable[[], Measured]
    waits_for: Callable[[], str]

    @property
    def settings(self) -> Settings:
        """What holds at the moment."""
        return self.live_settings.now


def _context(request: Request) -> Context:
    context = request.app.state.context
    assert isinstance(context, Context)
    return context


ContextDep = Annotated[Context, Depends(_context)]
