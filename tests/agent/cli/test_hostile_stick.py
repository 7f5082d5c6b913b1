"""Sticks that strangers wrote, given to `edgefleet-agent bundle import` on an enrolled device: each is refused with one line,
nothing is written, and the device keeps what it had."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX, decode, encode
from edgefleet_contract.package.manifest import MANIFEST_FILE, PACKAGE_BYTES_MAX, Descriptor, FileEntry, digest_of
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle
from edgefleet_contract.wire.messages import BLOCK_BYTES, MetadataFile, SlotTarget
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.packages import Package, make_package
from tests.agent.fakes.repository import Repository

OLD, NEW = make_package("1.0.0", 3000), make_package("1.1.0", 3000)
VICTIM = b"root:x:0:0: a file of the device that a link leads to\n"


def write_stick(folder: Path, package: Package, metadata: dict[str, bytes]) -> Path:
    """A stick as `edgefleet bundle export` writes it."""
    (folder / BLOBS_FOLDER).mkdir(parents=True)
    files = [
        MetadataFile(name=name, digest=hashlib.sha256(data).hexdigest(), length=len(data)) for name, data in metadata.items()
    ]
    blobs = package.blobs | {file.digest: data for file, data in zip(files, metadata.values(), strict=True)}
    for digest, data in blobs.items():
        (folder / BLOBS_FOLDER / digest).write_bytes(data)
    (folder / BUNDLE_FILE).write_bytes(encode(UsbBundle(target=package.target, trust=files)))
    return folder


@dataclass
class Place:
    """An enrolled device that has verified OLD, and a stick with NEW, which the same repository has signed."""

    root: Path
    repository: Repository
    stick: Path

    @property
    def blobs(self) -> Path:
        return self.stick / BLOBS_FOLDER

    @property
    def bundle(self) -> UsbBundle:
        return decode((self.stick / BUNDLE_FILE).read_bytes(), UsbBundle)

    def write(self, bundle: UsbBundle) -> None:
        (self.stick / BUNDLE_FILE).write_bytes(encode(bundle))

    def stick_with(self, package: Package, metadata: dict[str, bytes]) -> None:
        shutil.rmtree(self.stick)
        write_stick(self.stick, package, metadata)

    def contents(self) -> dict[str, bytes]:
        """Every file but those of the stick."""
        files = [path for path in self.root.rglob("*") if path.is_file() and self.stick not in path.parents]
        return {str(path.relative_to(self.root)): path.read_bytes() for path in files}

    def load(self) -> int:
        return main(["bundle", "import", str(self.stick), "--config", str(self.root / "agent.toml")])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    repository, state = Repository(), tmp_path / "state"
    install_root(state, repository.roots[1])
    repository.add(OLD.target)
    assert refresh(state, repository.publish()).reason is Reason.NONE
    repository.add(NEW.target)
    (tmp_path / "agent.toml").write_text('device = "d"\nstate = "state"\n', encoding="utf-8")
    (tmp_path / "victim").write_bytes(VICTIM)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return Place(tmp_path, repository, write_stick(tmp_path / "stick", NEW, repository.publish()))


Attack = Callable[[Place], None]
ATTACKS: dict[str, tuple[Attack, str]] = {}


def attack(text: str) -> Callable[[Attack], Attack]:
    """Registers an attack, and the text that the refusal has."""

    def registered(function: Attack) -> Attack:
        ATTACKS[function.__name__] = function, text
        return function

    return registered


@attack("refused (unsigned): ")
def foreign_metadata(place: Place) -> None:
    """Another repository signs the same package."""
    stranger = Repository()
    stranger.revoke("targets")
    stranger.add(NEW.target)
    place.stick_with(NEW, stranger.publish())


@attack("refused (unsigned): noise@1.1.0 is not signed with a key that this device trusts")
def no_metadata(place: Place) -> None:
    place.stick_with(NEW, {})


@attack("refused (unsigned): ")
def metadata_of_another_package(place: Place) -> None:
    place.stick_with(make_package("6.6.6", 100), place.repository.publish())


@attack("refused (metadata_expired): ")
def expired_metadata(place: Place) -> None:
    place.repository.days["timestamp"] = -1.0
    place.stick_with(NEW, place.repository.publish())


@attack("refused (metadata_rollback): ")
def old_metadata(place: Place) -> None:
    """The device knows newer metadata than the stick, in which the package is no more."""
    older = place.repository.publish()
    place.repository.targets.clear()
    assert refresh(place.root / "state", place.repository.publish()).reason is Reason.NONE
    place.stick_with(NEW, older)


@attack("refused (metadata_mismatch): ")
def metadata_without_one_role(place: Place) -> None:
    place.stick_with(NEW, {name: data for name, data in place.repository.publish().items() if "targets" not in name})


@attack("refused (unsigned): ")
def a_revoked_key(place: Place) -> None:
    stolen = place.repository.revoke("targets")
    place.stick_with(NEW, place.repository.publish(targets=stolen))


@attack("refused (length_mismatch): ")
def another_length_was_signed(place: Place) -> None:
    place.repository.add(NEW.target, length=NEW.target.length + 1)
    place.stick_with(NEW, place.repository.publish())


@attack("other content than its name")
def garbage_as_metadata(place: Place) -> None:
    file = place.bundle.trust[0]
    (place.blobs / file.digest).write_bytes(b"x" * file.length)


@attack("signed metadata is larger")
def endless_metadata(place: Place) -> None:
    bundle = place.bundle
    for number in range(2):
        digest = f"{number}" * 64
        with (place.blobs / digest).open("wb") as file:
            file.truncate(4 * 1024 * 1024)
        bundle.trust.append(MetadataFile(name=f"{number + 7}.root.json", digest=digest, length=4 * 1024 * 1024))
    place.write(bundle)


@attack("contains no package")
def nothing_on_it(place: Place) -> None:
    (place.stick / BUNDLE_FILE).unlink()


@attack("contains several packages")
def two_packages(place: Place) -> None:
    for name in ("a", "b"):
        shutil.copytree(place.stick, place.stick / name)
    (place.stick / BUNDLE_FILE).unlink()


@attack("bundle.json: ")
def a_digest_that_is_a_path(place: Place) -> None:
    """The digest in `bundle.json` leads out of the folder of blobs."""
    text = (place.stick / BUNDLE_FILE).read_text()
    (place.stick / BUNDLE_FILE).write_text(text.replace(NEW.digest, "../../victim"))


@attack("bundle.json: ")
def a_package_name_that_is_a_path(place: Place) -> None:
    text = (place.stick / BUNDLE_FILE).read_text()
    (place.stick / BUNDLE_FILE).write_text(text.replace('"noise"', '"../../noise"'))


@attack("bundle.json: ")
def a_metadata_name_that_is_a_path(place: Place) -> None:
    text = (place.stick / BUNDLE_FILE).read_text()
    (place.stick / BUNDLE_FILE).write_text(text.replace('"timestamp.json"', '"../../trust/timestamp.json"'))


def rewrite_descriptor(place: Place, change: Callable[[bytes], bytes]) -> None:
    """Replaces the descriptor by a changed one, under its own digest and with a signature of the fleet, so that only the path is
    wrong."""
    data = change(NEW.blobs[NEW.digest])
    target = SlotTarget(package="noise", version="1.1.0", digest=digest_of(data), length=len(data))
    place.repository.add(target)
    package = replace(NEW, target=target, blobs={**NEW.blobs, target.digest: data})
    place.stick_with(package, place.repository.publish())


@attack("package descriptor: ")
def a_file_that_leaves_the_package(place: Place) -> None:
    rewrite_descriptor(place, lambda data: data.replace(b'"model.onnx"', b'"../../../victim"'))


@attack("package descriptor: ")
def a_file_with_an_absolute_path(place: Place) -> None:
    rewrite_descriptor(place, lambda data: data.replace(b'"model.onnx"', b'"/etc/passwd"'))


@attack("package descriptor of noise: hashes of")
def a_blob_that_is_a_path(place: Place) -> None:
    """64 characters, as a digest has, that lead to a file of the device."""
    entry, path = decode(NEW.blobs[NEW.digest], Descriptor).files[0], "../" * 2 + "./" * 26 + "victim"
    assert len(path) == 64
    rewrite_descriptor(place, lambda data: data.replace(f'"sha256":"{entry.sha256}"'.encode(), f'"sha256":"{path}"'.encode()))


@attack("more are missing, truncated, or no files")
def a_blob_is_a_link(place: Place) -> None:
    link = place.blobs / NEW.model.digest
    link.rename(place.root / "elsewhere")
    link.symlink_to(place.root / "elsewhere")


@attack("the list of its files, is missing or damaged")
def the_descriptor_is_a_link(place: Place) -> None:
    (place.blobs / NEW.digest).unlink()
    (place.blobs / NEW.digest).symlink_to(place.root / "victim")


@attack("bundle.json is not a file")
def the_bundle_file_is_a_link(place: Place) -> None:
    (place.stick / BUNDLE_FILE).unlink()
    (place.stick / BUNDLE_FILE).symlink_to(place.root / "victim")


@attack("cannot read")
def the_folder_of_blobs_is_a_link(place: Place) -> None:
    place.blobs.rename(place.root / "private")
    place.blobs.symlink_to(place.root / "private")


@attack("contains no package")
def the_package_is_a_linked_folder(place: Place) -> None:
    place.stick.rename(place.root / "other")
    place.stick.mkdir()
    (place.stick / "package").symlink_to(place.root / "other")


@attack("bundle.json is not a file")
def the_bundle_file_is_a_pipe(place: Place) -> None:
    (place.stick / BUNDLE_FILE).unlink()
    os.mkfifo(place.stick / BUNDLE_FILE)


@attack("more are missing, truncated, or no files")
def a_blob_is_a_pipe(place: Place) -> None:
    (place.blobs / NEW.model.digest).unlink()
    os.mkfifo(place.blobs / NEW.model.digest)


@attack("more are missing, truncated, or no files")
def a_blob_is_a_socket(place: Place) -> None:
    (place.blobs / NEW.model.digest).unlink()
    with socket.socket(socket.AF_UNIX) as listener:  # its path may be longer than an address may be
        here = os.open(place.blobs, os.O_RDONLY)
        listener.bind(f"/proc/self/fd/{here}/{NEW.model.digest[:8]}")
        os.close(here)
    (place.blobs / NEW.model.digest[:8]).rename(place.blobs / NEW.model.digest)


@attack("more are missing, truncated, or no files")
def a_blob_is_a_device(place: Place) -> None:
    """A node of /dev/zero, where the test may make one; a folder otherwise."""
    (place.blobs / NEW.model.digest).unlink()
    try:
        os.mknod(place.blobs / NEW.model.digest, 0o20666, os.makedev(1, 5))
    except PermissionError:
        (place.blobs / NEW.model.digest).mkdir()


@attack("bundle.json: ")
def a_huge_bundle_file(place: Place) -> None:
    os.truncate(place.stick / BUNDLE_FILE, MESSAGE_BYTES_MAX + 1)


@attack("more are missing, truncated, or no files")
def a_huge_sparse_blob(place: Place) -> None:
    """It has another length than was signed: not a byte of it is read."""
    os.truncate(place.blobs / NEW.model.digest, 2**40)


def huge(place: Place, length: int) -> Package:
    """A package whose descriptor names a sparse file of `length` bytes."""
    descriptor = decode(NEW.blobs[NEW.digest], Descriptor)
    files = [entry for entry in descriptor.files if entry.path == MANIFEST_FILE]
    files.append(FileEntry(path="model.onnx", length=length, sha256="5" * 64, blocks=["6" * 64] * -(-length // BLOCK_BYTES)))
    data = encode(Descriptor(name="noise", version="1.1.0", files=files))
    target = SlotTarget(package="noise", version="1.1.0", digest=digest_of(data), length=len(data))
    return replace(NEW, target=target, blobs={**NEW.blobs, target.digest: data})


@attack("refused (unsigned): ")
def a_huge_sparse_file_as_described(place: Place) -> None:
    """The signature is judged before a byte of it is copied."""
    package = huge(place, 1024**3)
    place.stick_with(package, place.repository.publish())
    (place.blobs / ("5" * 64)).touch()
    os.truncate(place.blobs / ("5" * 64), 1024**3)


@attack("package descriptor: ")
def more_than_a_package_may_have(place: Place) -> None:
    package = huge(place, 1)
    data = package.blobs[package.digest].replace(b'"length":1,', f'"length":{PACKAGE_BYTES_MAX + 1},'.encode())
    target = SlotTarget(package="noise", version="1.1.0", digest=digest_of(data), length=len(data))
    place.stick_with(replace(package, target=target, blobs={target.digest: data}), place.repository.publish())


@attack("the list of its files, is missing or damaged")
def another_file_under_the_name_of_the_descriptor(place: Place) -> None:
    other = make_package("1.1.0", 10, "another")
    (place.blobs / NEW.digest).write_bytes(other.blobs[other.digest])


def test_an_honest_stick_is_taken(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """The refusals below are compared with this. The import itself stores no trust: the service does."""
    before = place.contents()
    assert place.load() == 0
    new = set(place.contents()) - set(before)
    assert {name.split("/")[1] for name in new} == {"imports"}
    assert {name: place.contents()[name] for name in before} == before
    assert "imported" in capsys.readouterr().out


def test_a_stick_with_older_metadata_brings_what_the_device_trusts_already(place: Place) -> None:
    assert refresh(place.root / "state", place.repository.publish()).reason is Reason.NONE
    assert place.load() == 0


def refused(place: Place, capsys: pytest.CaptureFixture[str]) -> str:
    """Import, and check that it was refused with one line and changed nothing. Returns the line."""
    before = place.contents()
    assert place.load() == 2
    shown = capsys.readouterr()
    (line,) = shown.err.splitlines()
    assert shown.out == ""
    assert ";" in line, "it says what to do"
    assert VICTIM.decode().strip() not in line
    assert place.contents() == before
    assert not [path for path in (place.root / "state").rglob("*") if path.name.startswith(".")], "nothing half written is left"
    return line


@pytest.mark.parametrize("name", ATTACKS)
def test_refused(name: str, place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    prepare, text = ATTACKS[name]
    prepare(place)
    assert text in refused(place, capsys)


@pytest.mark.parametrize("of", ["descriptor", "manifest", "model", "timestamp", "snapshot", "targets"])
@pytest.mark.parametrize("where", [0.0, 0.5, 1.0])
def test_one_changed_bit(of: str, where: float, place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """In every kind of file, in its first, middle and last byte."""
    trust = {file.name.split(".")[-2]: file.digest for file in place.bundle.trust}
    blob = {"descriptor": NEW.digest, "manifest": _digest_of(MANIFEST_FILE), "model": NEW.model.digest, **trust}[of]
    data = bytearray((place.blobs / blob).read_bytes())
    data[round(where * (len(data) - 1))] ^= 1
    (place.blobs / blob).write_bytes(data)
    line = refused(place, capsys)
    assert "damaged" in line, line


def test_one_changed_bit_of_the_bundle_file(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Each byte class of `bundle.json`: what the signatures cover is refused; what they do not (a time, a word for the logs)
    changes nothing that runs."""
    path = place.stick / BUNDLE_FILE
    whole = path.read_bytes()
    for index in range(0, len(whole), 3):
        data = bytearray(whole)
        data[index] ^= 1 << index % 7
        path.write_bytes(data)
        before = place.contents()
        code = place.load()
        shown = capsys.readouterr()
        if code == 0:
            (taken,) = (place.root / "state" / "imports").iterdir()
            target = decode((taken / BUNDLE_FILE).read_bytes(), UsbBundle).target
            assert (target.package, target.version, target.digest, target.length) == _identity(NEW.target), bytes(data)
            shutil.rmtree(place.root / "state" / "imports")
        else:
            assert len(shown.err.splitlines()) == 1, shown.err
            assert code == 2
            assert place.contents() == before


def _identity(target: SlotTarget) -> tuple[str, str, str, int]:
    return target.package, target.version, target.digest, target.length


def _digest_of(path: str) -> str:
    return hashlib.sha256(NEW.files[path]).hexdigest()
