"""An operator's own certificate authority: what may sign for a fleet, and what is refused, with the reason."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from cryptography import x509

from edgefleet_server.core.errors import StoreError
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from tests.fleet_server.fakes.trust_metadata import request

ROOT = ("basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign")
EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384")
RSA = ("-newkey", "rsa:2048")


def openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


def make(folder: Path, key: tuple[str, ...] = RSA, extensions: tuple[str, ...] = ROOT, days: int = 30) -> Path:
    """`authority.key` and `authority.crt`, as an operator makes them."""
    folder.mkdir(exist_ok=True)
    words: list[str | Path] = ["req", "-x509", "-nodes", *key, "-subj", "/O=Plant/CN=plant devices", "-days", str(days)]
    words += ["-config", "/dev/null"] if not Path("/etc/ssl/openssl.cnf").exists() else []
    for extension in extensions:
        words += ["-addext", extension]
    openssl(*words, "-keyout", folder / "authority.key", "-out", folder / "authority.crt")
    return folder


@pytest.mark.parametrize("key", [EC, RSA])
def test_ones_own_authority_signs(tmp_path: Path, key: tuple[str, ...]) -> None:
    folder = make(tmp_path / "authority", key)
    now = time.time() + 1
    authority = CertificateAuthority(folder)
    authority.open(now)
    assert authority.facts()["subject"] == "CN=plant devices,O=Plant"
    issued = authority.issue(request("press-07"), "press-07", 10.0, now)
    (tmp_path / "device.pem").write_text(issued.certificate)
    (tmp_path / "broker.pem").write_bytes(authority.broker_identity(["fleet"], now)[1])
    for name, purpose in (("device.pem", "sslclient"), ("broker.pem", "sslserver")):
        openssl("verify", "-CAfile", folder / "authority.crt", "-purpose", purpose, tmp_path / name)
    (tmp_path / "revoked.pem").write_bytes(authority.revocation_list([(issued.serial, now)], 1, now))
    listed = x509.load_pem_x509_crl((tmp_path / "revoked.pem").read_bytes())
    assert listed.is_signature_valid(x509.load_pem_x509_certificate(authority.certificate.encode()).public_key())
    again = CertificateAuthority(folder)
    again.open(now)
    assert again.certificate == authority.certificate


@pytest.mark.parametrize(
    ("key", "extensions", "days", "text"),
    [
        (("-newkey", "rsa:1024"), ROOT, 30, "1024 bits; 2048 are the least"),
        (("-newkey", "ed25519"), ROOT, 30, "neither elliptic-curve nor RSA"),
        (EC, ("basicConstraints=critical,CA:FALSE",), 30, "CA:TRUE is missing"),
        (EC, ("basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"), 30, "keyCertSign, cRLSign"),
    ],
)
def test_what_cannot_sign_is_refused(
    tmp_path: Path, key: tuple[str, ...], extensions: tuple[str, ...], days: int, text: str
) -> None:
    folder = make(tmp_path / "authority", key, extensions, days)
    with pytest.raises(StoreError, match=text):
        CertificateAuthority(folder).open(time.time() + 1)


def test_one_that_is_over_and_one_of_another_key(tmp_path: Path) -> None:
    folder, other = make(tmp_path / "authority", EC), make(tmp_path / "other", EC)
    with pytest.raises(StoreError, match="it counts from"):
        CertificateAuthority(folder).open(time.time() + 40 * 86400)
    (folder / "authority.key").write_bytes((other / "authority.key").read_bytes())
    with pytest.raises(StoreError, match="is not its private key"):
        CertificateAuthority(folder).open(time.time() + 1)


def test_one_that_another_authority_signed_is_refused(tmp_path: Path) -> None:
    """The broker would take every certificate of that one for a device."""
    root, folder = make(tmp_path / "root", EC), tmp_path / "authority"
    folder.mkdir()
    key, csr, config = folder / "authority.key", tmp_path / "asked.pem", tmp_path / "ca.cnf"
    openssl("req", "-new", "-nodes", *EC, "-subj", "/CN=middle", "-keyout", key, "-out", csr)
    config.write_text("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n")
    signed = ["-CA", root / "authority.crt", "-CAkey", root / "authority.key", "-CAcreateserial", "-extfile", config]
    openssl("x509", "-req", "-in", csr, *signed, "-out", folder / "authority.crt")
    with pytest.raises(StoreError, match=r"another one has signed it \(CN=plant devices,O=Plant\)"):
        CertificateAuthority(folder).open(time.time() + 1)
