"""The certificate of the HTTPS listener: used while it is good, and made anew before it ends or when its names change."""

from __future__ import annotations

import ipaddress
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509

from edgefleet_server.registry.identity.certificate_authority import HTTPS_DAYS, CertificateAuthority
from edgefleet_server.registry.identity.https_certificate import HttpsCertificate

NOW = 1_800_000_000.0
DAY_S = 86_400.0
HOSTS = ["fleet.example.com", "10.0.0.7", "::1"]


def authority(folder: Path, now: float = NOW) -> CertificateAuthority:
    made = CertificateAuthority(folder)
    made.open(now)
    return made


@pytest.fixture
def certificate(tmp_path: Path) -> HttpsCertificate:
    return HttpsCertificate(authority(tmp_path / "authority"), tmp_path / "https/listener.pem", HOSTS)


def test_it_has_the_names_and_the_chain(certificate: HttpsCertificate, tmp_path: Path) -> None:
    assert certificate.renew(NOW)
    own, above = x509.load_pem_x509_certificates(certificate.file.read_bytes())
    names = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert list(names) == [x509.DNSName(HOSTS[0]), *(x509.IPAddress(ipaddress.ip_address(host)) for host in HOSTS[1:])]
    own.verify_directly_issued_by(above)
    assert above == x509.load_pem_x509_certificate((tmp_path / "authority/authority.crt").read_bytes())
    assert own.not_valid_after_utc - own.not_valid_before_utc < timedelta(days=398), "browsers refuse longer ones"
    assert stat.S_IMODE(certificate.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(certificate.file.parent.stat().st_mode) == 0o700


def test_it_is_used_until_half_of_its_validity_is_over(certificate: HttpsCertificate) -> None:
    certificate.renew(NOW)
    before = certificate.file.read_bytes()
    assert not certificate.renew(NOW + (HTTPS_DAYS / 2 - 1) * DAY_S)
    assert certificate.file.read_bytes() == before
    assert certificate.renew(NOW + (HTTPS_DAYS / 2 + 1) * DAY_S)
    assert certificate.file.read_bytes() != before
    assert certificate.renew(NOW - DAY_S), "one of the future is made anew, too"


def test_other_names_need_another_certificate(certificate: HttpsCertificate, tmp_path: Path) -> None:
    certificate.renew(NOW)
    same = HttpsCertificate(authority(tmp_path / "authority"), certificate.file, [*HOSTS[::-1], HOSTS[0]])
    assert not same.renew(NOW + 1.0), "order and repetition say nothing"
    assert HttpsCertificate(authority(tmp_path / "authority"), certificate.file, ["fleet.example.org"]).renew(NOW + 1.0)


def test_another_authority_needs_another_certificate(certificate: HttpsCertificate, tmp_path: Path) -> None:
    certificate.renew(NOW)
    assert HttpsCertificate(authority(tmp_path / "other"), certificate.file, HOSTS).renew(NOW)


@pytest.mark.parametrize("damage", ["empty", "cut", "other key", "no chain"])
def test_a_damaged_file_is_replaced(certificate: HttpsCertificate, tmp_path: Path, damage: str) -> None:
    certificate.renew(NOW)
    good = certificate.file.read_bytes()
    end = good.index(b"-----END PRIVATE KEY-----")
    other = HttpsCertificate(authority(tmp_path / "authority"), tmp_path / "other.pem", HOSTS)
    other.renew(NOW)
    key = other.file.read_bytes().partition(b"-----BEGIN CERTIFICATE")[0]
    damaged = {
        "empty": b"",
        "cut": good[: end + 100],
        "other key": key + b"-----BEGIN CERTIFICATE" + good.partition(b"-----BEGIN CERTIFICATE")[2],
        "no chain": good[: good.rindex(b"-----BEGIN CERTIFICATE")],
    }[damage]
    assert damaged != good
    certificate.file.write_bytes(damaged)
    assert certificate.renew(NOW + 1.0)
    assert not certificate.renew(NOW + 2.0)


def test_it_ends_with_its_authority(tmp_path: Path) -> None:
    old = authority(tmp_path / "authority", NOW - (20 * 365 - 30) * DAY_S)
    certificate = HttpsCertificate(old, tmp_path / "listener.pem", HOSTS)
    certificate.renew(NOW)
    own, above = x509.load_pem_x509_certificates(certificate.file.read_bytes())
    assert own.not_valid_after_utc <= above.not_valid_after_utc
