"""Clock, identifiers and keys that are the same at every recording."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
from collections.abc import Iterator
from datetime import datetime, timezone
from unittest import mock

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from securesystemslib.signer import CryptoSigner

NOW = 1_780_000_000.0
"""Wall time of every recording, seconds."""
ENDS = datetime(2126, 1, 1, tzinfo=timezone.utc)
STARTS = datetime(2026, 1, 1, tzinfo=timezone.utc)


def key(name: str) -> Ed25519PrivateKey:
    """The private key of this name."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


def key_pem(name: str) -> str:
    """The same as PEM."""
    return key(name).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def certificate_pem(name: str, issuer: str) -> str:
    """A certificate for the key `name`, signed by the key `issuer`; of itself where both are the same."""
    subject, by = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, each)]) for each in (name, issuer))
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(by).public_key(key(name).public_key())
    builder = builder.serial_number(int.from_bytes(name.encode()[:8], "big")).not_valid_before(STARTS).not_valid_after(ENDS)
    builder = builder.add_extension(x509.BasicConstraints(ca=name == issuer, path_length=None), critical=True)
    return builder.sign(key(issuer), None).public_bytes(Encoding.PEM).decode()


@contextlib.contextmanager
def fixed_randomness() -> Iterator[None]:
    """Tokens and signing keys by number in place of random ones."""
    numbers = itertools.count(1)

    def token(length: int | None = None) -> str:
        return hashlib.sha256(f"token {next(numbers)}".encode()).hexdigest()[: 2 * (length or 32)]

    def signer() -> CryptoSigner:
        return CryptoSigner(key(f"signer {next(numbers)}"))

    with (
        mock.patch("secrets.token_hex", token),
        mock.patch("secrets.token_urlsafe", token),
        mock.patch.object(CryptoSigner, "generate_ed25519", signer),
    ):
        yield
