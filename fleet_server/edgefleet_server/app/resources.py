"""Shared resources of every server process: the database, and the stores in the data folder."""

from __future__ import annotations

import fcntl
import logging
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error, make_folder
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.volatile_disk import volatile_warning
from edgefleet_server.core.errors import StoreError, UnavailableError
from edgefleet_server.core.settings import STATE_FILE, Settings
from edgefleet_server.db.backend import file_owner, partitions, shared_secrets
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import device_labels
from edgefleet_server.db.people import server_facts
from edgefleet_server.jobs.live_settings import LiveSettings
from edgefleet_server.jobs.notices.sender import PUSH_KEY_SEED, NoticeSender
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.deltas import Deltas
from edgefleet_server.registry.evidence_store import EvidenceStore
from edgefleet_server.registry.identity.authorities import Authorities
from edgefleet_server.registry.identity.broadcast_keys import KEY_SEED, BroadcastKeys
from edgefleet_server.registry.identity.download_tickets import DownloadTickets
from edgefleet_server.registry.identity.enrolment import Enrolment
from edgefleet_server.registry.identity.entitlements import Entitlements
from edgefleet_server.registry.integrity import data_folder
from edgefleet_server.registry.integrity.stored_folders import StoredFolders
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.resumable_uploads import PackageUploads
from edgefleet_server.registry.signing.tuf_repository import TufRepository

log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""Wait for the lock of the folder, which a server that was just stopped may still hold."""


@dataclass(frozen=True, slots=True)
class Resources:
    """The opened resources, shared by the threads of this process."""

    live: LiveSettings
    database: Database
    blobs: BlobStore
    trust: TufRepository
    registry: PackageRegistry
    authority: Authorities
    enrolment: Enrolment
    deltas: Deltas
    entitlements: Entitlements
    broadcast_keys: BroadcastKeys
    tickets: DownloadTickets
    evidence: EvidenceStore
    uploads: PackageUploads
    folders: StoredFolders
    notice_sender: NoticeSender

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self.live.now


def open_resources(settings: Settings, now: float, undo: ExitStack) -> Resources:
    """Open folder and database, which `undo` closes.

    Raises:
        StoreError: the data folder or the database cannot be used.
        UnavailableError: another server uses the folder.
    """
    _lock_folder(settings.data, undo, shared=bool(settings.database_url))
    if not settings.database_url:  # otherwise it may be that of a process that shares the folder
        with as_store_error(settings.data):
            (settings.data / STATE_FILE).unlink(missing_ok=True)  # of an earlier start, perhaps at another address
    database = Database(settings.database)
    undo.callback(database.close)
    blobs = _blobs(settings)
    trust = TufRepository(settings.data / "trust")
    registry = PackageRegistry(blobs, database, trust, settings.upload_bytes_max)
    authority = Authorities(settings.data / "authority")
    with _alone(settings.data):  # several processes may be starting; only one of them creates files
        database.check_structure()
        identity = data_folder.check_database(settings.data, database)
        database.migrate()
        with database.read() as connection:
            facts = server_facts.read(raw(connection))
        data_folder.check_parts(settings.data, identity, facts)
        with database.write() as connection:
            device_labels.settle(connection)  # servers of an earlier version may have stored labels since the migration
        if database.shared:
            partitions.make_ahead(database, now)
        registry.open(tidy=not database.shared)
        authority.open(now)
        deltas = Deltas(blobs)
        entitlements = Entitlements(database, blobs, deltas)
        tickets = DownloadTickets(database, entitlements, settings.data / "authority" / "ticket.key")
        data_folder.record(settings.data, database)
    with database.read() as connection:
        for warning in (*database.storage_warnings(connection), volatile_warning("data folder", settings.data)):
            if warning:
                log.error("%s", warning)
    enrolment = Enrolment(database, authority, settings.certificate_days)
    evidence = EvidenceStore(settings.data / "evidence", settings.events_retention_s)
    uploads = PackageUploads(settings.data / "uploads", settings.upload_bytes_max)
    keys = BroadcastKeys(shared_secrets.secret(database, KEY_SEED), entitlements)
    live = LiveSettings(database, settings)
    live.start()
    undo.callback(live.close)
    live.listen(lambda now: _adopt(now, enrolment, evidence))
    folders = StoredFolders({"models are neither taken nor sent": blobs.folders, "packages cannot be signed": trust.files})
    sender = NoticeSender(shared_secrets.secret(database, PUSH_KEY_SEED))
    live.listen(sender.adopt)
    return Resources(
        live,
        database,
        blobs,
        trust,
        registry,
        authority,
        enrolment,
        deltas,
        entitlements,
        keys,
        tickets,
        evidence,
        uploads,
        folders,
        sender,
    )


def _adopt(settings: Settings, enrolment: Enrolment, evidence: EvidenceStore) -> None:
    enrolment.days = settings.certificate_days
    evidence.keep_s = settings.events_retention_s


def _blobs(settings: Settings) -> BlobStore:
    if not settings.blobs_url:
        return BlobStore(settings.data / "blobs")
    from edgefleet_server.registry.s3_blob_store import Bucket, S3BlobStore

    return S3BlobStore(settings.data / "blob-cache", Bucket.parse(settings.blobs_url))


def _lock_folder(folder: Path, undo: ExitStack, *, shared: bool) -> None:
    """Lock the folder for one server, because two servers would overwrite each other's data. The processes of one server share
    the lock."""
    try:
        make_folder(folder, 0o755)
        with as_store_error(folder):
            descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except StoreError as error:
        advice = file_owner.folder_advice(folder) or "choose another with --data"
        raise StoreError(f"data folder {folder}: {fault_text(error)}; {advice}") from error
    undo.callback(os.close, descriptor)
    deadline = time.monotonic() + PATIENCE_S
    while not _locked(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX):
        if time.monotonic() > deadline:
            raise UnavailableError(f"another server uses {folder}; stop it, or choose another folder with --data")
        time.sleep(0.1)


def _locked(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / "opening").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
