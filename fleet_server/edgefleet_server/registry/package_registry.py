"""Registers an uploaded archive as a version: unpacks, checks and hashes it, stores the blobs, and then writes the row."""

from __future__ import annotations

import json
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from msgspec.structs import replace

from edgefleet_contract.capabilities import check_required
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.model_kinds import check_formats
from edgefleet_contract.package.formats import FORMATS
from edgefleet_contract.package.manifest import (
    DESCRIPTOR_BYTES_MAX,
    MANIFEST_FILE,
    FileEntry,
    Manifest,
    digest_of,
    manifest_from_plain,
    pack_descriptor,
    read_descriptor,
    read_manifest,
)
from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_BYTES_MAX, PIPELINE_FILE, PIPELINE_TASK
from edgefleet_contract.wire.messages import BLOCK_BYTES
from edgefleet_server.core.errors import ManifestError, StoreError
from edgefleet_server.db.backend.engine import Database, before_commit
from edgefleet_server.db.registry import packages, versions
from edgefleet_server.domain.policy.version_retention import Verdict, judge
from edgefleet_server.registry.archive import unpack
from edgefleet_server.registry.blob_store import BlobStore, describe_file
from edgefleet_server.registry.importers.label_count import class_count_faults, label_lines
from edgefleet_server.registry.importers.read_model import read_model_file
from edgefleet_server.registry.pipelines import check_package
from edgefleet_server.registry.signing.signed_targets import SignedPackage
from edgefleet_server.registry.signing.tuf_repository import TufRepository

MANIFEST_BYTES_MAX = 256 * 1024
CHECKED_BYTES_MAX = 256 * 1024 * 1024
"""Largest model file whose classes are compared with the labels at its upload."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredPackage:
    """An accepted package; `new` is False if the registry had it already."""

    name: str
    version: str
    digest: str
    new: bool


class PackageRegistry:
    """Packages on disk, in the database, and among the signed targets."""

    def __init__(self, blobs: BlobStore, database: Database, trust: TufRepository, upload_bytes_max: int) -> None:
        self._blobs = blobs
        self._trust = trust
        self._database = database
        self._bytes_max = upload_bytes_max

    def open(self, *, tidy: bool = True) -> None:
        """Create the folders, delete blobs that no package needs (unless another process may be adding some), and sign unsigned
        packages."""
        self._blobs.open()
        with self._database.read() as connection:
            lengths = packages.blob_lengths(connection)
            records = packages.list_all(connection)
        if tidy:
            self._blobs.sweep(lengths)
            self.collect(time.time())
        self._trust.open([signed_part(record) for record in records], time.time(), self._is_stored)

    def _is_stored(self, package: SignedPackage) -> bool:
        """Whether the store has the descriptor that a row names. A row alone is not signed: it may have been changed by hand."""
        try:
            packed = self._blobs.path(package.digest).read_bytes()
            found = read_descriptor(packed)
        except (OSError, ManifestError, StoreError):
            found, packed = None, b""
        same = found is not None and (found.name, found.version, found.epoch) == (package.name, package.version, package.epoch)
        if not same or (digest_of(packed), len(packed)) != (package.digest, package.descriptor_bytes):
            log.error("%s of the database is not signed: the store does not have it; push it again", package.path)
            return False
        return True

    def prune(self, model: str | None, keep: int, age_s: float, now: float, *, dry_run: bool) -> list[Verdict]:
        """Retire old versions of one model or of all; returns the verdict about each version. `collect` deletes their blobs.

        Raises:
            StoreError: the database refuses.
        """
        with self._database.read() if dry_run else self._database.write() as connection:
            found = judge(versions.present(connection, model), versions.needed(connection), keep, age_s, now)
            if not dry_run:
                versions.retire(connection, [verdict.version.digest for verdict in found if not verdict.reason], now)
        return found

    def collect(self, now: float) -> tuple[int, int]:
        """Delete blobs that no version needs; returns (number, bytes).

        Raises:
            StoreError: the disk or the database refuses.
        """
        blobs = freed_bytes = 0
        while True:
            with self._database.write() as connection:
                count, length = versions.collect(connection, self._blobs.drop, now)
            blobs, freed_bytes = blobs + count, freed_bytes + length
            if count < versions.CHUNK:
                return blobs, freed_bytes

    def push(self, upload: IO[bytes], now: float) -> StoredPackage:
        """Check and store an uploaded tar.

        Raises:
            ManifestError: the archive or the package is not valid.
            ConflictError: the version exists with other content.
            StoreError: the disk refuses.
        """
        with self._blobs.staging() as folder:
            paths = unpack(upload, folder, self._bytes_max)
            manifest = _manifest(folder, paths)
            entries = [describe_file(path, folder / path) for path in manifest.paths()]
            descriptor = pack_descriptor(manifest, entries)
            digest = digest_of(descriptor)
            if len(descriptor) > DESCRIPTOR_BYTES_MAX:
                raise ManifestError(f"{manifest.id}: the descriptor exceeds {DESCRIPTOR_BYTES_MAX} bytes; use fewer files")
            (folder / ".descriptor").write_bytes(descriptor)
            blobs = {entry.sha256: entry.length for entry in entries} | {digest: len(descriptor)}
            self._claim(blobs, now)
            for entry in entries:
                self._blobs.adopt(folder / entry.path, entry.sha256)
            self._blobs.adopt(folder / ".descriptor", digest)
        record = _record(manifest, digest, len(descriptor), entries, now)
        with self._database.write() as connection:
            new = packages.add(connection, record, blobs)
        if not self._trust.sign(signed_part(record), now):
            log.warning("%s@%s is not signed; sign it with `edgefleet sign` and the targets key", manifest.name, manifest.version)
        return StoredPackage(manifest.name, manifest.version, digest, new)

    def _claim(self, blobs: dict[str, int], now: float) -> None:
        belonging = before_commit.set(None)  # the audit entry belongs to the transaction of the version, not to this one
        try:
            with self._database.write() as connection:
                packages.claim(connection, blobs, now)
        finally:
            before_commit.reset(belonging)


def manifest_of(record: dict[str, Any]) -> Manifest:
    """The manifest of a package's row."""
    return manifest_from_plain(record["manifest"])


def signed_part(record: dict[str, Any]) -> SignedPackage:
    """Signed properties of a package row."""
    epoch = record["manifest"].get("epoch", 0)
    return SignedPackage(record["name"], record["version"], record["digest"], record["descriptor_bytes"], epoch)


def notes_of(record: dict[str, Any]) -> list[str]:
    """Notes for the operator before devices get this package."""
    manifest = manifest_of(record)
    if not manifest.lacks_labels:
        return []
    return [f"{manifest.id} has no labels; its classes are called class 0, class 1, ..."]


def files_of(record: dict[str, Any]) -> list[FileEntry]:
    """The files of a package's row, without the hashes of their blocks."""
    return [FileEntry(path=file["path"], length=file["length"], sha256=file["sha256"]) for file in record["files"]]


def lengths_of(record: dict[str, Any]) -> dict[str, int]:
    """Bytes of each file of a package's row."""
    return {file["path"]: file["length"] for file in record["files"]}


def _record(manifest: Manifest, digest: str, descriptor_bytes: int, entries: list[FileEntry], now: float) -> dict[str, Any]:
    return {
        "digest": digest,
        "name": manifest.name,
        "version": manifest.version,
        "created_at": now,
        "descriptor_bytes": descriptor_bytes,
        "length_bytes": sum(entry.length for entry in entries),
        "manifest": to_plain(manifest),
        "files": [{"path": entry.path, "length": entry.length, "sha256": entry.sha256} for entry in entries],
    }


def _manifest(folder: Path, paths: list[str]) -> Manifest:
    """Read `model.toml` and check that the files it names exist and are valid."""
    file = folder / MANIFEST_FILE
    if MANIFEST_FILE not in paths:
        inside = next((path for path in paths if path.endswith(f"/{MANIFEST_FILE}")), None)
        hint = f"found {inside!r}: pack from inside that folder" if inside else "pack the folder that holds it"
        raise ManifestError(f"the archive has no {MANIFEST_FILE} at its root; {hint}")
    if file.stat().st_size > MANIFEST_BYTES_MAX:
        raise ManifestError(f"{MANIFEST_FILE} exceeds {MANIFEST_BYTES_MAX} bytes")
    try:
        manifest = read_manifest(file.read_text(encoding="utf-8"), MANIFEST_FILE)
    except UnicodeDecodeError as error:
        raise ManifestError(f"{MANIFEST_FILE} is not UTF-8 text ({error.reason}); save it as UTF-8") from error
    check_formats(manifest)
    check_required(manifest)
    missing = [path for path in manifest.paths() if path not in paths]
    if missing:
        raise ManifestError(f"{manifest.id}: {MANIFEST_FILE} names {missing[0]!r}, which is not in the archive; add it")
    if manifest.task == PIPELINE_TASK:
        manifest = replace(manifest, requires=check_package(manifest, _pipeline_text(folder, paths)))
    for golden in manifest.golden:
        _check_expectation(folder / golden.expect, golden.expect)
    _check_classes(folder, manifest)
    return manifest


def _check_classes(folder: Path, manifest: Manifest) -> None:
    """Compare the classes of every variant with the labels, or with those of the others. A file that cannot be read is left to
    the devices, whose runtimes refuse it with their own reason."""
    models = {}
    for variant in manifest.variants:
        path, known = folder / variant.files[0], FORMATS.get(variant.format)
        if known is None or path.suffix not in known.suffixes or path.stat().st_size > CHECKED_BYTES_MAX:
            continue
        with suppress(ManifestError):
            models[variant.name] = read_model_file(path)
    faults = class_count_faults(manifest, len(label_lines(folder, manifest)), models)
    for name, text in faults.items():
        raise ManifestError(f"{manifest.id}: variant {name!r}: {text}")


def _pipeline_text(folder: Path, paths: list[str]) -> str:
    if PIPELINE_FILE not in paths or (folder / PIPELINE_FILE).stat().st_size > PIPELINE_BYTES_MAX:
        raise ManifestError(f"a package of a pipeline holds {PIPELINE_FILE}, of {PIPELINE_BYTES_MAX} bytes at most")
    try:
        return (folder / PIPELINE_FILE).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ManifestError(f"{PIPELINE_FILE} is not UTF-8 text ({error.reason}); save it as UTF-8") from error


def _check_expectation(file: Path, path: str) -> None:
    if file.stat().st_size > 16 * BLOCK_BYTES:
        raise ManifestError(f"golden expectation {path!r} is over {16 * BLOCK_BYTES} bytes; keep golden samples small")
    try:
        expected = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ManifestError(
            f"golden expectation {path!r} is not JSON ({error}); write the list that `infer --json` prints"
        ) from error
    if not isinstance(expected, list):
        raise ManifestError(f"golden expectation {path!r} must be a JSON list, as `infer --json` prints it")
