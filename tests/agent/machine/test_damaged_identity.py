"""An identity that the disk has damaged: one line with the remedy, and no reason not to start."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from edgefleet_agent.cli.internal.certificate import new_request
from edgefleet_agent.machine.identity import Named, install_identity, pack_credentials, read_identity
from edgefleet_agent.service.identity_watch import IdentityWatch
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
def test_any_byte_of_it_may_be_wrong(tmp_path: Path, issued: tuple[str, bytes], name: str) -> None:
    path = enrolled(tmp_path, issued) / name
    whole = path.read_bytes()
    places = range(0, len(whole), max(1, len(whole) // BYTES))
    damages = [*(whole[:place] for place in places), *(_changed(whole, place) for place in places)]
    faults = 0
    for data in damages:
        path.write_bytes(data)
        watch = IdentityWatch(tmp_path, "d-1", 0.0)
        faults += bool(watch.fault)
        assert "\n" not in watch.fault
        assert bool(watch.fault) != (watch.identity is not None)
        assert watch.identity is None or watch.identity.issued_at < watch.identity.expires_at
    assert faults > len(damages) / 2
    path.unlink()
    assert "enroll" in IdentityWatch(tmp_path, "d-1", 0.0).fault


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
