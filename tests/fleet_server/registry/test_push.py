"""Uploads: honest ones are kept byte for byte, the others are refused in one line and leave nothing behind."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_contract.package.manifest import read_descriptor
from edgefleet_contract.wire.messages import BLOCK_BYTES
from edgefleet_server.core.errors import ConflictError, ManifestError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.registry import packages
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.s3_blob_store import Bucket, S3BlobStore
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.packages import files, tar


class Shelf:
    """A registry in a folder."""

    def __init__(self, folder: Path, bucket: str = "") -> None:
        self.folder = folder
        self.database = Database(migrated_file(folder / "fleet.db"))
        self.database.migrate()
        self.blobs = S3BlobStore(folder / "blobs", Bucket.parse(bucket)) if bucket else BlobStore(folder / "blobs")
        self.registry = PackageRegistry(self.blobs, self.database, TufRepository(folder / "trust"), upload_bytes_max=4_000_000)
        self.registry.open()

    def push(self, archive: bytes) -> str:
        return self.registry.push(io.BytesIO(archive), 1.0).digest

    def on_disk(self) -> set[str]:
        return {path.name for path in (self.folder / "blobs").glob("??/*")}


@pytest.fixture(params=["folder", "bucket"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    opened = Shelf(tmp_path, request.getfixturevalue("buckets").make() if request.param == "bucket" else "")
    yield opened
    opened.database.close()


def test_every_byte_is_stored_under_its_name(shelf: Shelf) -> None:
    """The digest names the descriptor, the descriptor names every block."""
    contents = files(size=3 * BLOCK_BYTES + 5)
    digest = shelf.push(tar(contents))
    raw = shelf.blobs.path(digest).read_bytes()
    assert hashlib.sha256(raw).hexdigest() == digest
    entry = read_descriptor(raw).file("model.tflite")
    blocks = [shelf.blobs.read_block(entry.sha256, index) for index in range(4)]
    assert b"".join(blocks) == contents["model.tflite"]
    assert [hashlib.sha256(block).hexdigest() for block in blocks] == entry.blocks
    assert shelf.blobs.read_block(entry.sha256, 4) == b""
    assert shelf.blobs.read_block("0" * 64, 0) == b""
    assert shelf.blobs.read_block(entry.sha256, 10**30) == b""


def test_same_content_same_digest(shelf: Shelf) -> None:
    """Whatever order, prefix and extra files the archive has."""
    contents = files()
    first = shelf.push(tar(contents))
    shuffled = {"README.md": b"hello", **dict(reversed(contents.items()))}
    assert shelf.push(tar(shuffled, prefix="")) == first
    assert hashlib.sha256(b"hello").hexdigest() not in shelf.on_disk()


def test_version_never_changes(shelf: Shelf) -> None:
    """Other content under the same version is a conflict, and what is there stays."""
    shelf.push(tar(files(seed=1)))
    with pytest.raises(ConflictError, match="increase `version`"):
        shelf.push(tar(files(seed=2)))
    shelf.push(tar(files(version="1.0.1", seed=2)))
    with shelf.database.read() as connection:
        assert {record["version"] for record in packages.list_all(connection)} == {"1.0.0", "1.0.1"}


def test_blobs_of_failed_uploads_are_swept(shelf: Shelf) -> None:
    """At the next start, and nothing else is."""
    shelf.push(tar(files(seed=1)))
    before = shelf.on_disk()
    with pytest.raises(ConflictError):
        shelf.push(tar(files(seed=2)))
    assert shelf.on_disk() > before
    shelf.registry.open()
    assert shelf.on_disk() == before


def _with(path: str, **change: object) -> bytes:
    """An honest archive and one member more."""
    buffer = io.BytesIO(tar(files()))
    with tarfile.open(fileobj=buffer, mode="a") as archive:
        member = tarfile.TarInfo(path)
        for name, value in change.items():
            setattr(member, name, value)
        archive.addfile(member)
    return buffer.getvalue()


def _without(path: str) -> bytes:
    return tar({name: data for name, data in files().items() if name != path})


def _edited(old: str, new: str) -> bytes:
    contents = files()
    return tar({**contents, "model.toml": contents["model.toml"].replace(old.encode(), new.encode())})


def _huge() -> bytes:
    """A file of eight gigabytes, says its header."""
    member = tarfile.TarInfo("big")
    member.size = 8**11 - 1
    return member.tobuf(tarfile.USTAR_FORMAT) + b"\0" * 10_240


def _long_header() -> bytes:
    """An extended header that claims to be two gigabytes long."""
    member = tarfile.TarInfo("model.toml")
    member.type = tarfile.XHDTYPE
    member.size = 2 * 1024**3
    return member.tobuf(tarfile.USTAR_FORMAT) + b"\0" * 10_240


HOSTILE = {
    "up and out": (_with("../../etc/passwd"), "not allowed"),
    "absolute": (_with("/etc/passwd"), "not allowed"),
    "hidden": (_with(".bashrc"), "not allowed"),
    "backslash": (_with("a\\b"), "not allowed"),
    "too deep": (_with("a/b/c/d/e/f/g"), "not allowed"),
    "symbolic link": (_with("link", type=tarfile.SYMTYPE, linkname="/etc/passwd"), "is not a regular file"),
    "hard link": (_with("link", type=tarfile.LNKTYPE, linkname="model.toml"), "is not a regular file"),
    "device": (_with("null", type=tarfile.CHRTYPE), "is not a regular file"),
    "pipe": (_with("pipe", type=tarfile.FIFOTYPE), "is not a regular file"),
    "twice": (_with("model.toml"), "clashes"),
    "file and folder": (_with("golden"), "clashes"),
    "too many files": (tar({**files(), **{f"f{n}": b"" for n in range(300)}}), "over 256 files"),
    "too many bytes": (tar({**files(), "big": b"x" * 5_000_000}), "exceeds the limit of 4000000 bytes"),
    "claims to be huge": (_huge(), "exceeds the limit of 4000000 bytes"),
    "header bomb": (_long_header(), "header of"),
    "cut off": (tar(files())[:100_000], "unexpected end"),
    "not a tar": (b"PK\x03\x04 this is a zip", "not a tar archive"),
    "empty": (b"", "not a tar archive"),
    "no manifest": (_without("model.toml"), "no model.toml"),
    "packed from outside": (tar(files(), prefix="spotter/1.0.0/"), "pack from inside that folder"),
    "file missing": (_without("model.tflite"), "names 'model.tflite'"),
    "not TOML": (_edited("name", "name ="), "not valid TOML"),
    "not a version": (_edited('"1.0.0"', '"latest"'), "version"),
    "not text": (tar({**files(), "model.toml": b"\xff\xfe\x00"}), "UTF-8"),
    "expectation not JSON": (tar({**files(), "golden/one.json": b"["}), "not JSON"),
    "expectation no list": (tar({**files(), "golden/one.json": b"{}"}), "must be a JSON list"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_uploads_are_refused(shelf: Shelf, case: str) -> None:
    """One line that says what to do; nothing outside the store, nothing in it, nothing staged."""
    archive, text = HOSTILE[case]
    with pytest.raises(ManifestError) as refusal:
        shelf.push(archive)
    assert text in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert shelf.on_disk() == set()
    assert list((shelf.folder / "blobs" / "incoming").iterdir()) == []
