"""Keys and certificate requests, as a device makes them."""

from __future__ import annotations

from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority


def request(name: str, key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | None = None) -> str:
    """A certificate request for `name`."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    csr = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
    return csr.public_bytes(Encoding.PEM).decode()


def identity_file(authority: CertificateAuthority, name: str, folder: Path, now: float) -> tuple[Path, str]:
    """A file with key and certificate of device `name`, and the certificate's serial."""
    key = ec.generate_private_key(ec.SECP256R1())
    issued = authority.issue(request(name, key), name, 1.0, now)
    file = folder / f"{name}.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + issued.certificate.encode())
    return file, issued.serial
