"""The parts that every process of a server has: the database, and what stands in the data folder."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from fleet_server.db import owner, partitions
from fleet_server.db.engine import Database
from fleet_server.errors import StoreError, UnavailableError
from fleet_server.live_settings import LiveSettings
from fleet_server.registry.authority import Authority
from fleet_server.registry.blobs import BlobStore
from fleet_server.registry.enrolment import Enrolment
from fleet_server.registry.evidence import EvidenceStore
from fleet_server.registry.packages import Registry
from fleet_server.registry.passes import Passes
from fleet_server.registry.recipes import Recipes
from fleet_server.registry.trust import Trust
from fleet_server.settings import Settings

PATIENCE_S = 2.0
"""A server that was told to end a moment ago still holds the folder."""


@dataclass(frozen=True, slots=True)
class House:
    """Opened, and to be shared by the threads of this process."""

    live: LiveSettings
    database: Database
    blobs: BlobStore
    trust: Trust
    registry: Registry
    authority: Authority
    enrolment: Enrolment
    recipes: Recipes
    passes: Passes
    evidence: EvidenceStore

    @property
    def settings(self) -> Settings:
        """What holds at the moment."""
        return self.live.now


def open_house(settings: Settings, now: float, undo: ExitStack) -> House:
    """Open folder and database, which `undo` closes.

    Raises:
        StoreError: the data folder or the database cannot be used.
        UnavailableError: another server uses the folder.
    """
    _lock_folder(settings.data, undo, shared=bool(settings.database_url))
    database = Database(settings.database)
    undo.callback(database.close)
    blobs = _blobs(settings)
    trust = Trust(settings.data / "trust")
    registry = Registry(blobs, database, trust, settings.upload_bytes_max)
    authority = Authority(settings.data / "authority")
    with _alone(settings.data):  # several processes may be starting; what is made once is made by one
        database.migrate()
        if database.shared:
            partitions.make_ahead(database, now)
        registry.open(tidy=not database.shared)
        authority.open(now)
    enrolment = Enrolment(database, authority, settings.certificate_days)
    evidence = EvidenceStore(settings.data / "evidence", settings.events_kept_s)
    recipes = Recipes(blobs)
    passes = Passes(database, blobs, recipes, settings.data / "authority" / "pass.key")
    live = LiveSettings(database, settings)
    live.start()
    undo.callback(live.close)
    live.listen(lambda now: _adopt(now, enrolment, evidence))
    return House(live, database, blobs, trust, registry, authority, enrolment, recipes, passes, evidence)


def _adopt(settings: Settings, enrolment: Enrolment, evidence: EvidenceStore) -> None:
    enrolment.days = settings.certificate_days
    evidence.keep_s = settings.events_kept_s


def _blobs(settings: Settings) -> BlobStore:
    if not settings.blobs_url:
        return BlobStore(settings.data / "blobs")
    from fleet_server.registry.s3 import Bucket, S3Blobs

    return S3Blobs(settings.data / "blob-cache", Bucket.parse(settings.blobs_url))


def _lock_folder(folder: Path, undo: ExitStack, *, shared: bool) -> None:
    """One server a folder: two would both write, and both be right. The processes of one server share it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        advice = owner.folder_advice(folder) or "choose another with --data"
        raise StoreError(f"data folder {folder}: {error.strerror}; {advice}") from error
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
