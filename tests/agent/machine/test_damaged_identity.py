"""An identity that the disk has damaged: one line with the remedy, and no reason not to start."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from edgefleet_agent.cli.internal.certificate import new_request
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.machine.identity import Named, install_identity, pack_credentials, read_identity, replace_credentials
from edgefleet_agent.service.identity_watch import CHECK_S, IdentityWatch
from edgefleet_contract.core.errors import InputError
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from tests.small_disk import mounted

BYTES = 48
"""Places of each file at which a byte is changed."""


@pytest.fixture(scope="module")
def issued(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    authority = CertificateAuthority(tmp_path_factory.mktemp("authority"))
    authority.open(time.time())
    key, request = new_request("d-1")
    now = time.time()
    found = authority.issue(request, "d-1", 86400.0, now)
    return authority.certificate, pack_credentials(key, found.certificate, now, now + 86400.0)


def enrolled(state: Path, issued: tuple[str, bytes]) -> Path:
    install_identity(state, Named(device="d-1", broker_url="mqtt://127.0.0.1:1"), *issued)
    return state / "identity"


@pytest.mark.parametrize("name", ["identity.json", "device.pem", "authority.pem"])
def test_any_byte_of_it_may_be_wrong_without_a_copy(tmp_path: Path, issued: tuple[str, bytes], name: str) -> None:
    path = enrolled(tmp_path, issued) / name
    whole = path.read_bytes()
    places = range(0, len(whole), max(1, len(whole) // BYTES))
    damages = [*(whole[:place] for place in places), *(_changed(whole, place) for place in places)]
    faults = 0
    for data in damages:
        path.write_bytes(data)
        (tmp_path / "identity.copy").unlink(missing_ok=True)
        watch = IdentityWatch(tmp_path, "d-1", 0.0)
        faults += bool(watch.fault)
        assert "\n" not in watch.fault
        assert bool(watch.fault) != (watch.identity is not None)
        assert watch.identity is None or watch.identity.issued_at < watch.identity.expires_at
    assert faults > len(damages) / 2
    path.unlink()
    (tmp_path / "identity.copy").unlink(missing_ok=True)
    assert "enroll" in IdentityWatch(tmp_path, "d-1", 0.0).fault


@pytest.mark.parametrize("name", ["identity.json", "device.pem", "authority.pem"])
def test_any_byte_of_it_is_mended_from_the_copy(tmp_path: Path, issued: tuple[str, bytes], name: str) -> None:
    path = enrolled(tmp_path, issued) / name
    IdentityWatch(tmp_path, "d-1", 0.0)
    whole, copy = path.read_bytes(), (tmp_path / "identity.copy").read_bytes()
    places = range(0, len(whole), max(1, len(whole) // BYTES))
    for data in [*(whole[:place] for place in places), *(_changed(whole, place) for place in places), None]:
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data)
        faults = DiskFaults()
        watch = IdentityWatch(tmp_path, "d-1", 0.0, faults)
        assert watch.identity is not None
        assert path.read_bytes() == whole
        assert "its copy is used" in faults.texts()["identity"]
        assert (tmp_path / "identity.copy").read_bytes() == copy
        assert (tmp_path / "identity.copy").stat().st_mode & 0o077 == 0


def test_damage_of_the_copy_changes_nothing(tmp_path: Path, issued: tuple[str, bytes]) -> None:
    path = enrolled(tmp_path, issued) / "device.pem"
    IdentityWatch(tmp_path, "d-1", 0.0)
    copy = tmp_path / "identity.copy"
    whole, sound = copy.read_bytes(), path.read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // BYTES)):
        copy.write_bytes(_changed(whole, place))
        watch = IdentityWatch(tmp_path, "d-1", 0.0)
        assert watch.identity is not None
        assert path.read_bytes() == sound
        assert copy.read_bytes() == whole


def test_the_copy_follows_a_renewal_and_an_enrolment(tmp_path: Path, issued: tuple[str, bytes]) -> None:
    path = enrolled(tmp_path, issued) / "device.pem"
    watch = IdentityWatch(tmp_path, "d-1", 0.0)
    authority = CertificateAuthority(tmp_path / "authority")
    authority.open(time.time())
    key, request = new_request("d-1")
    now = time.time() + 100.0
    found = authority.issue(request, "d-1", 86400.0, now)
    renewed = pack_credentials(key, found.certificate, now, now + 86400.0)
    replace_credentials(tmp_path, renewed)
    assert not watch.mended(CHECK_S + 1.0)
    path.write_bytes(renewed[:100])
    assert not watch.mended(2 * CHECK_S + 2.0), "mended before the next connection"
    assert path.read_bytes() == renewed
    install_identity(tmp_path, Named(device="d-1", broker_url="mqtt://127.0.0.1:2"), *issued)
    again = IdentityWatch(tmp_path, "d-1", 0.0)
    assert again.identity is not None
    assert again.identity.broker_url == "mqtt://127.0.0.1:2", "an earlier identity does not come back"


def test_a_lost_content_is_no_new_device(tmp_path: Path, issued: tuple[str, bytes]) -> None:
    folder = enrolled(tmp_path, issued)
    for path in folder.iterdir():
        path.unlink()
    with pytest.raises(InputError, match="enroll this device again"):
        read_identity(tmp_path)
    folder.rmdir()
    assert read_identity(tmp_path) is None


def test_an_interrupted_enrolment_is_read_on_a_read_only_disk(tmp_path: Path, issued: tuple[str, bytes]) -> None:
    with mounted(tmp_path / "disk", "1m") as disk:
        folder = enrolled(disk.folder, issued)
        (disk.folder / ".identity.old").mkdir()
        disk.remount("ro")
        try:
            assert read_identity(disk.folder) is not None
        finally:
            disk.remount("rw")
        assert folder.is_dir()


def _changed(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 0x15
    return bytes(changed)
