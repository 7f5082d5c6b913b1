"""Recorded packages through the code that takes them: the device's store, the server's registry, import, patch, self-update."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from edgefleet_agent.cli import bundle as bundle_command
from edgefleet_agent.cli.internal import patch
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.package_store import DeviceTarget, PackageStore
from edgefleet_agent.updates import agent_versions, usb_import
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.package.delta import DeltaManifest
from edgefleet_contract.package.ensemble import read_ensemble
from edgefleet_contract.package.manifest import MANIFEST_FILE, digest_of, read_descriptor, read_manifest
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.registry.blob_store import BlobStore as ServerBlobs
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.agent.fakes.packages import RUNTIME
from tests.corpus import packages, samples
from tests.corpus.fixed import NOW
from tests.corpus.folder import read_json


def test_the_manifest_means_what_it_meant(recorded: Path) -> None:
    home = recorded / packages.FOLDER
    manifest = read_manifest((home / packages.MODEL / MANIFEST_FILE).read_text(encoding="utf-8"), packages.MODEL)
    assert samples.contains(samples.complete(manifest), read_json(home / packages.MEANING))
    ensemble = read_ensemble((home / packages.ENSEMBLE / MANIFEST_FILE).read_text(encoding="utf-8"), packages.ENSEMBLE)
    assert samples.contains(samples.complete(ensemble), read_json(home / packages.ENSEMBLE_MEANING))


def test_a_folder_has_the_recorded_digest(recorded: Path, tmp_path: Path) -> None:
    """Its descriptor is the same bytes: else every package would be fetched and signed anew."""
    home = recorded / packages.FOLDER
    head = (home / packages.DESCRIPTOR).read_bytes()
    folder = home / packages.MODEL
    contents = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    assert packages.descriptor_of(contents) == head
    store = PackageStore(tmp_path, BlobStore(tmp_path), DeviceTarget("", (RUNTIME,)))
    assert store.install_folder(folder).digest == digest_of(head)


def test_the_registry_takes_the_tar(recorded: Path, tmp_path: Path) -> None:
    home = recorded / packages.FOLDER
    with closing(Database(tmp_path / "fleet.db")) as database, (home / packages.TAR).open("rb") as tar:
        database.migrate()
        blobs = ServerBlobs(tmp_path / "blobs")
        trust = TufRepository(tmp_path / "trust")
        trust.open([], NOW)
        registry = PackageRegistry(blobs, database, trust, 10_000_000)
        registry.open()
        assert registry.push(tar, NOW).digest == digest_of((home / packages.DESCRIPTOR).read_bytes())


def test_a_device_imports_the_bundle(recorded: Path, tmp_path: Path) -> None:
    place, found = bundle_command.find(recorded / packages.FOLDER / packages.BUNDLE)
    bundle_command.copy(place, found, "detector", tmp_path)
    assert (tmp_path / usb_import.FOLDER / found.target.digest).is_dir()
    head = read_descriptor((recorded / packages.FOLDER / packages.DESCRIPTOR).read_bytes())
    assert (found.target.package, found.target.version) == (head.name, head.version)


def test_a_file_is_made_of_an_older_one_by_the_delta(recorded: Path, tmp_path: Path) -> None:
    manifest = decode((recorded / packages.FOLDER / packages.DELTA).read_bytes(), DeltaManifest)
    assert samples.complete(manifest) == json.loads((recorded / packages.FOLDER / packages.DELTA).read_text(encoding="utf-8"))
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "model").write_bytes(packages.OLD)
    ((_, parts),) = manifest.files.items()
    patch.put_together(parts, patch.index([tmp_path / "old"]), tmp_path / "new")
    made = (tmp_path / "new").read_bytes()
    same = sum(one == other for one, other in zip(made, packages.NEW, strict=True))
    assert same > len(packages.NEW) / 2, "chunks have their recorded boundaries and names"


def test_an_agent_is_unpacked_from_its_archive(recorded: Path, tmp_path: Path) -> None:
    made = agent_versions.unpack(recorded / packages.FOLDER / packages.AGENT, tmp_path, "a" * 64, "0.2.0")
    assert agent_versions.version_of(made) == "0.2.0"
    assert agent_versions.entry_of(made) == agent_versions.OWN_ENTRY
