"""A package is assembled only when all bytes that this device needs are present; a package that cannot run here is refused before
its bytes are fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.package_store import SOUND, DeviceTarget, PackageState, PackageStore
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.manifest import (
    DESCRIPTOR_BYTES_MAX,
    MANIFEST_FILE,
    describe,
    digest_of,
    pack_descriptor,
    read_manifest,
)
from edgefleet_contract.wire.messages import SlotTarget
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.packages import RUNTIME, Package, make_package

PACKAGE = make_package("1.0.0", 1000)


def store(root: Path, runtime: str = RUNTIME) -> PackageStore:
    return PackageStore(root, BlobStore(root), DeviceTarget("", (runtime,)))


def test_missing_files_are_requested_step_by_step(tmp_path: Path) -> None:
    packages = store(tmp_path)
    requested = []
    while not (survey := packages.survey(PACKAGE.target)).ready:
        assert survey.reason is Reason.NONE
        if survey.missing:
            requested.append([spec.digest for spec in survey.missing])
            for spec in survey.missing:
                packages.blobs.add_bytes(PACKAGE.blobs[spec.digest])
        else:
            packages.assemble(PACKAGE.digest)
    manifest = describe(MANIFEST_FILE, PACKAGE.files[MANIFEST_FILE]).sha256
    assert requested == [[PACKAGE.digest], [manifest], [PACKAGE.model.digest]]
    folder = packages.folder(PACKAGE.digest)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == PACKAGE.files
    assert survey.bytes_done == survey.bytes_total
    assert (folder / "model.onnx").stat().st_nlink == 2, "no byte is stored twice"


def test_a_factory_folder_gets_the_digest_that_a_server_gives_it(tmp_path: Path) -> None:
    folder = PACKAGE.write(tmp_path / "usb")
    packages = store(tmp_path / "state")
    assert packages.install_folder(folder) == replace(PACKAGE.target)
    assert packages.survey(PACKAGE.target).ready
    assert packages.install_folder(folder).digest == PACKAGE.digest, "at the next start too"


def test_a_factory_folder_with_a_missing_file_is_reported(tmp_path: Path) -> None:
    folder = PACKAGE.write(tmp_path / "usb")
    (folder / "model.onnx").unlink()
    with pytest.raises(ManifestError, match=r"names 'model.onnx', which does not exist"):
        store(tmp_path / "state").install_folder(folder)
    with pytest.raises(ManifestError, match=r"specify a folder with model.toml"):
        store(tmp_path / "state").install_folder(tmp_path)


def test_a_package_for_other_runtimes_is_incompatible(tmp_path: Path) -> None:
    packages = store(tmp_path, "lite_rt")
    packages.blobs.add_bytes(PACKAGE.blobs[PACKAGE.digest])
    packages.blobs.add_bytes(PACKAGE.files[MANIFEST_FILE])
    survey = packages.survey(PACKAGE.target)
    assert survey.reason is Reason.INCOMPATIBLE
    assert "offers cpu (onnx_runtime); this device has lite_rt" in survey.detail


@pytest.mark.parametrize("length", [0, DESCRIPTOR_BYTES_MAX + 1])
def test_a_descriptor_of_impossible_length_is_refused_before_it_comes(tmp_path: Path, length: int) -> None:
    assert store(tmp_path).survey(replace(PACKAGE.target, length=length)).reason is Reason.MANIFEST_INVALID


def hostile(descriptor: bytes, **blobs: bytes) -> Package:
    target = SlotTarget(package="noise", version="1.0.0", digest=digest_of(descriptor), length=len(descriptor))
    return Package(target, {}, {digest_of(data): data for data in (descriptor, *blobs.values())})


def manifest_naming(path: str) -> bytes:
    return PACKAGE.files[MANIFEST_FILE].replace(b"model.onnx", path.encode())


@pytest.mark.parametrize(
    "package",
    [
        hostile(b"\x00\x01 not json"),
        hostile(b'{"name":"noise","version":"1.0.0","files":[{"path":"../../etc/passwd"}]}'),
        hostile(b'{"name":"noise","version":"1.0.0","files":[{"path":"model.toml","length":5,"sha256":"x","blocks":[]}]}'),
        hostile(
            pack_descriptor(
                read_manifest(PACKAGE.files[MANIFEST_FILE].decode(), "x"), [describe(MANIFEST_FILE, b"\xff\xfe not text")]
            ),
            manifest=b"\xff\xfe not text",
        ),
        hostile(
            pack_descriptor(
                read_manifest(PACKAGE.files[MANIFEST_FILE].decode(), "x"), [describe(MANIFEST_FILE, manifest_naming("gone.onnx"))]
            ),
            manifest=manifest_naming("gone.onnx"),
        ),
    ],
    ids=["noise", "path outside", "wrong hashes", "manifest not text", "file not in descriptor"],
)
def test_a_hostile_package_is_refused(tmp_path: Path, package: Package) -> None:
    packages = store(tmp_path)
    for data in package.blobs.values():
        packages.blobs.add_bytes(data)
    survey = packages.survey(package.target)
    assert survey.reason is Reason.MANIFEST_INVALID
    assert packages.all() == set()


def test_a_digest_of_another_package_is_refused(tmp_path: Path) -> None:
    packages = store(tmp_path)
    packages.blobs.add_bytes(PACKAGE.blobs[PACKAGE.digest])
    survey = packages.survey(replace(PACKAGE.target, version="9.9.9"))
    assert (survey.reason, survey.detail) == (
        Reason.MANIFEST_INVALID,
        "the digest given for noise@9.9.9 belongs to noise@1.0.0",
    )


def test_a_removed_package_leaves_nothing_and_its_blobs_serve_again(tmp_path: Path) -> None:
    packages = store(tmp_path)
    packages.install_folder(PACKAGE.write(tmp_path / "usb"))
    packages.remove(PACKAGE.digest)
    assert packages.all() == set()
    packages.assemble(PACKAGE.digest)
    assert packages.survey(PACKAGE.target).ready


def test_a_package_used_in_place_is_verified_and_never_deleted(tmp_path: Path) -> None:
    folder, packages = PACKAGE.write(tmp_path / "usb"), store(tmp_path / "state")
    digest = packages.use_in_place(folder)
    assert (digest, packages.folder(digest), packages.all()) == (PACKAGE.digest, folder, set())
    assert packages.inspect(digest, 1_000_000) == SOUND
    (folder / "model.onnx").write_bytes(b"other bytes")
    packages.doubt(digest)
    assert packages.inspect(digest, 1_000_000).state is PackageState.DAMAGED
    packages.remove(digest)
    assert (folder / "model.onnx").is_file()
    assert packages.folder(digest) != folder
