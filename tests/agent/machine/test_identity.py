"""The identity on the device's disk: complete or absent, readable by its owner only."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from edgefleet_agent.cli.internal.certificate import new_request
from edgefleet_agent.machine.identity import Named, install_identity, pack_credentials, read_identity, replace_credentials
from edgefleet_contract.core.errors import InputError
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority

NOW = 1_800_000_000.0
NAMED = Named(device="press-07", broker_url="mqtts://fleet:8883")


@pytest.fixture
def authority(tmp_path: Path) -> CertificateAuthority:
    made = CertificateAuthority(tmp_path / "authority")
    made.open(NOW)
    return made


def credentials(authority: CertificateAuthority, issued_at: float = NOW) -> bytes:
    key, request = new_request("press-07")
    return pack_credentials(key, authority.issue(request, "press-07", 90.0, issued_at).certificate, issued_at, issued_at + 5.0)


def test_what_was_installed_is_read_again(tmp_path: Path, authority: CertificateAuthority) -> None:
    state = tmp_path / "state"
    assert read_identity(state) is None
    install_identity(state, NAMED, authority.certificate, credentials(authority))
    install_identity(state, NAMED, authority.certificate, credentials(authority, NOW + 1.5))
    found = read_identity(state)
    assert found is not None
    assert (found.device, found.broker_url, found.issued_at, found.expires_at) == (
        "press-07",
        NAMED.broker_url,
        NOW + 1.5,
        NOW + 6.5,
    )
    assert {stat.S_IMODE(path.stat().st_mode) for path in (state / "identity").iterdir()} == {0o600}
    assert stat.S_IMODE((state / "identity").stat().st_mode) == 0o700
    assert [path.name for path in state.iterdir()] == ["identity"]


def test_credentials_that_do_not_match_change_nothing(tmp_path: Path, authority: CertificateAuthority) -> None:
    state = tmp_path / "state"
    install_identity(state, NAMED, authority.certificate, credentials(authority))
    before = (state / "identity" / "device.pem").read_bytes()
    key, _ = new_request("press-07")
    foreign = pack_credentials(key, credentials(authority).decode().partition("-----END PRIVATE KEY-----\n")[2], NOW, NOW)
    with pytest.raises(InputError, match="does not match"):
        replace_credentials(state, foreign)
    with pytest.raises(InputError, match="does not match"):
        install_identity(state, NAMED, authority.certificate, foreign)
    assert (state / "identity" / "device.pem").read_bytes() == before
    replace_credentials(state, credentials(authority, NOW + 9.0))
    found = read_identity(state)
    assert found is not None
    assert found.issued_at == NOW + 9.0


@pytest.mark.parametrize("name", ["identity.json", "device.pem", "authority.pem"])
def test_damage_is_reported(tmp_path: Path, authority: CertificateAuthority, name: str) -> None:
    state = tmp_path / "state"
    install_identity(state, NAMED, authority.certificate, credentials(authority))
    (state / "identity" / name).write_text("nonsense")
    if name == "authority.pem":
        (state / "identity" / name).unlink()
    with pytest.raises(InputError, match="enroll this device again"):
        read_identity(state)


@pytest.mark.parametrize("damaged", ["identity.json", "device.pem", "authority.pem", "its key", "no identity.json", "a folder"])
def test_a_damaged_file_is_reported_as_such(tmp_path: Path, authority: CertificateAuthority, damaged: str) -> None:
    """A damaged file differs from a missing enrolment, and is reported before the first connection."""
    install_identity(tmp_path, NAMED, authority.certificate, credentials(authority))
    folder = tmp_path / "identity"
    if damaged == "its key":
        path = folder / "device.pem"
        path.write_bytes(path.read_bytes().replace(b"PRIVATE KEY-----\n", b"PRIVATE KEY-----\nAAAA", 1))
    elif damaged == "no identity.json":
        (folder / "identity.json").unlink()
    elif damaged == "a folder":
        (folder / "authority.pem").unlink()
        (folder / "authority.pem").mkdir()
    else:
        (folder / damaged).write_bytes(bytes((folder / damaged).stat().st_size))
    with pytest.raises(InputError, match=r"identity is damaged \(.*\); enroll this device again"):
        read_identity(tmp_path)
    install_identity(tmp_path, NAMED, authority.certificate, credentials(authority))
    assert read_identity(tmp_path) is not None
