"""Each store of the data folder on a recorded disk: what its calls have done is there after a power cut right behind them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from edgefleet_contract.core.atomic_files import make_folder, sync_file
from edgefleet_contract.wire.evidence_upload import BLOCK_BYTES, Upload
from edgefleet_server.core.errors import StoreError
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.evidence_store import EvidenceStore
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from edgefleet_server.registry.resumable_uploads import PackageUploads
from edgefleet_server.registry.signing.keys import KeyFolder
from edgefleet_server.registry.signing.signed_targets import SignedPackage
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.power_loss.disk import Survivors
from tests.power_loss.recording_filesystem import Recording, recording
from tests.power_loss.states import Cut, replay
from tests.power_loss.verification import read_trust

NOW = 1_700_000_000.0
DATA = b"model" * 1000
DIGEST = hashlib.sha256(DATA).hexdigest()

Check = Callable[[Path], object]
"""True of the disk after the cut; gets its root."""


def adopt(blobs: BlobStore, data: bytes) -> None:
    with blobs.staging() as folder:
        (folder / "file").write_bytes(data)
        blobs.adopt(folder / "file", hashlib.sha256(data).hexdigest())


def blobs_of(root: Path) -> Check:
    """A new blob, and one that a killed server had renamed and not flushed."""
    blobs = BlobStore(root / "blobs")
    blobs.open()
    adopt(blobs, DATA)
    other = hashlib.sha256(b"other").hexdigest()
    (root / "renamed").write_bytes(b"other")
    sync_file(root / "renamed")
    (root / "renamed").replace(blobs.path(other))
    adopt(blobs, b"other")
    return lambda disk: (
        (disk / "blobs" / DIGEST[:2] / DIGEST).read_bytes() == DATA
        and (disk / "blobs" / other[:2] / other).read_bytes() == b"other"
    )


def evidence_of(root: Path) -> Check:
    store = EvidenceStore(root / "evidence", 1e9)
    upload = Upload(device="press-1", event="e1", kind="snapshot", digest=DIGEST, length=len(DATA))
    assert store.begin(upload) == 0
    store.append(upload, 0, DATA)
    store.finish(upload)
    return lambda disk: (disk / "evidence" / "press-1" / "e1.jpg").read_bytes() == DATA


def uploads_of(root: Path) -> Check:
    uploads = PackageUploads(root / "uploads", 10**6)
    upload = uploads.begin("ada", len(DATA), DIGEST, NOW).coming.id
    with uploads.piece(upload, "ada", 0) as piece:
        piece.write(DATA[:700])
        piece.finish()
    return lambda disk: PackageUploads(disk / "uploads", 10**6).status(upload, "ada").offset == 700


def authority_of(root: Path) -> Check:
    authority = CertificateAuthority(root / "authority")
    authority.open(NOW)
    fingerprint = authority.facts()["fingerprint"]

    def same(disk: Path) -> bool:
        again = CertificateAuthority(disk / "authority")
        again.open(NOW)
        return bool(again.facts()["fingerprint"] == fingerprint)

    return same


def trust_of(root: Path) -> Check:
    trust = TufRepository(root / "trust")
    trust.open([SignedPackage("spotter", "1.0.0", DIGEST, 10, 0)], NOW)
    trust.rotate("targets", NOW)
    return lambda disk: (
        read_trust(disk / "trust")["spotter/1.0.0"] == DIGEST and read_trust(disk / "trust")["root version"] == "2"
    )


def removed_key_of(root: Path) -> Check:
    """A key that is offline from now on does not come back."""
    keys = KeyFolder(root / "keys")
    keys.open()
    keys.make("targets")
    keys.forget("targets")
    return lambda disk: (disk / "keys").is_dir() and not list((disk / "keys").iterdir())


STORES = (blobs_of, evidence_of, uploads_of, authority_of, trust_of, removed_key_of)


def promises_on(disk: Recording) -> dict[int, Check]:
    """Work with each store in a new folder: the check by the operation after which it holds."""
    found: dict[int, Check] = {}
    for number, store in enumerate(STORES):
        root = make_folder(disk.mount / str(number))
        check = store(root)
        found[disk.count] = lambda after, number=number, check=check: check(after / str(number))
    return found


def test_what_a_store_has_done_survives(tmp_path: Path) -> None:
    with recording(tmp_path) as disk:
        found = promises_on(disk)
    after = tmp_path / "after"
    for number, (index, check) in enumerate(found.items()):
        cuts = [Cut(index, Survivors(which, index)) for which in ("none", "some")]
        for cut in replay(disk.operations(), cuts, after, f"{number}/"):
            assert check(after), f"{cut}: {STORES[number].__name__}"


def test_part_that_a_power_cut_has_torn_is_sent_again(tmp_path: Path) -> None:
    """A refusal would make the device forget its file."""
    data = bytes(range(256)) * (2 * BLOCK_BYTES // 256)
    upload = Upload(device="press-1", event="e1", kind="clip", digest=hashlib.sha256(data).hexdigest(), length=len(data))
    before = EvidenceStore(tmp_path, 1e9)
    before.begin(upload)
    before.append(upload, 0, data[:BLOCK_BYTES])
    part = next((tmp_path / "press-1").glob(".*.part"))
    part.write_bytes(bytes(BLOCK_BYTES))
    after = EvidenceStore(tmp_path, 1e9)
    assert after.begin(upload) == 1
    after.append(upload, 1, data[BLOCK_BYTES:])
    with pytest.raises(StoreError, match="power cut"):
        after.finish(upload)
    assert after.begin(upload) == 0
    for number in range(2):
        after.append(upload, number, data[number * BLOCK_BYTES : (number + 1) * BLOCK_BYTES])
    after.finish(upload)
    assert after.find("press-1", "e1", "clip") is not None
