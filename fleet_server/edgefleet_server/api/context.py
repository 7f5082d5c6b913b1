"""Dependencies of the routes: built once by the app, never at import."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, cast

from fastapi import Depends, Request
from sqlalchemy import Connection

from edgefleet_contract.core.volatile_disk import volatile_warning
from edgefleet_server.api.counts.fleet_counts import FleetCounts
from edgefleet_server.api.live.live_logs import LiveLogs
from edgefleet_server.api.live.live_pictures import LivePictures
from edgefleet_server.api.live.live_updates import LiveUpdates
from edgefleet_server.api.schemas.admin.health import BlockTraffic
from edgefleet_server.api.video.video_hub import VideoHub
from edgefleet_server.auth.authenticator import Authenticator
from edgefleet_server.auth.openid import OpenIdProvider
from edgefleet_server.core.errors import TrialEnd
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.telemetry import retention
from edgefleet_server.domain.fleet.job import Job
from edgefleet_server.jobs.live_settings import LiveSettings
from edgefleet_server.jobs.notices.sender import NoticeSender
from edgefleet_server.link.ingest import MeasuredSample
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.evidence_store import EvidenceStore
from edgefleet_server.registry.identity.download_tickets import DownloadTickets
from edgefleet_server.registry.identity.enrolment import Enrolment
from edgefleet_server.registry.identity.enrolment_line import EnrolmentAddress, broker_warning, enrolment_address
from edgefleet_server.registry.integrity.stored_folders import StoredFolders
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.resumable_uploads import PackageUploads
from edgefleet_server.registry.signing.tuf_repository import TufRepository


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of the running server that routes use.

    `wake_engine`: runs the rollout engine soon. `greet`: sends pending documents and commands to devices. `broker_up`,
    `broker_url`, `samples_per_s`, `block_traffic`: state of the connection to the broker. `device_url`: address of the broker
    for devices. `forget_devices`: has to be called inside the transaction that deletes devices. `clear_retained`: deletes the
    broker's retained messages of a device. `devices_max`: limit of connected devices of the broker; 0 = unknown. `jobs`,
    `ingest`: measurements of the background jobs and of ingest. `waits_for`: the missing requirements of this process; empty =
    ready.
    """

    live_settings: LiveSettings
    version: str
    started_at: float
    database: Database
    registry: PackageRegistry
    uploads: PackageUploads
    blobs: BlobStore
    trust: TufRepository
    folders: StoredFolders
    notice_sender: NoticeSender
    evidence: EvidenceStore
    live: LivePictures
    logs: LiveLogs
    video: VideoHub
    enrolment: Enrolment
    tickets: DownloadTickets
    hub: LiveUpdates
    counts: FleetCounts
    authenticator: Authenticator
    openid: OpenIdProvider | None
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
    jobs: Callable[[], Sequence[Job]]
    ingest: Callable[[], MeasuredSample]
    waits_for: Callable[[], str]

    def storage_warnings(self, connection: Connection) -> list[str]:
        """Reasons why stored data is damaged, could be lost or is not taken, one line each with what to do."""
        volatile = volatile_warning("data folder", self.settings.data)
        database, old_data = self.database.storage_warnings(connection), retention.problems(connection)
        return [*database, *self.folders.faults(), *old_data, *self.evidence.warnings(), *([volatile] if volatile else [])]

    def address_warnings(self) -> list[str]:
        """Reasons why devices cannot reach the server at the address that they are given, one line each with what to do."""
        warning = broker_warning(self.settings, self.device_url)
        return [warning] if warning else []

    def enrolment_address(self, called: str = "") -> EnrolmentAddress:
        """The address at which devices enrol. `called`: the URL that a client has just used."""
        return enrolment_address(self.settings, self.enrolment.pin(), self.device_url, called)

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self.live_settings.now


class TrialContext:
    """In place of the `Context` of a request that is tried without effect: its database rolls back, and every part with an effect
    elsewhere ends the trial."""

    READABLE = frozenset({"settings", "live_settings", "counts", "version", "started_at", "devices_max", "openid", "device_url"})

    def __init__(self, context: Context) -> None:
        self._context = context
        self.database = context.database.trial()

    def __getattr__(self, name: str) -> Any:
        if name not in self.READABLE:
            raise TrialEnd(complete=False)
        return getattr(self._context, name)


def _context(request: Request) -> Context:
    context = request.app.state.context
    assert isinstance(context, Context)
    if getattr(request.state, "inner", "") == "trial":
        return cast("Context", TrialContext(context))
    return context


ContextDep = Annotated[Context, Depends(_context)]
