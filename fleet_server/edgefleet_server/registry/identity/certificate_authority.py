"""The server's own certificate authority: certificates of devices for the broker.

It uses P-256 keys. The authority signs device certificates (common name = device id, for clients only), the broker's
certificate, and the revocation list. Its key is generated at the first start and never leaves `folder` (0600), unless an
operator has put their own key there: elliptic-curve or RSA, with a self-signed certificate, or with one that a company's
authority has signed, followed by those above it up to the root. The broker checks chains up to that root, but takes no device of
another authority below it: it has a revocation list of this one only, and refuses certificates for which it has none.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from edgefleet_contract.core.atomic_files import make_folder, sync_names
from edgefleet_contract.encoding.names import DEVICE_PATTERN
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.registry.signing.keys import write_secret

NAME: Final = "edgefleet authority"
AUTHORITY_DAYS: Final = 20 * 365
HTTPS_DAYS: Final = 397
"""Validity of the certificate for HTTPS: browsers refuse longer ones."""
BROKER_DAYS: Final = 5 * 365
"""Validity of the broker's certificate, which is issued again at every start of the server."""
CRL_DAYS: Final = 3650
BACKDATE: Final = timedelta(minutes=10)
"""Certificates are valid from this long before now, because the clocks of devices differ."""
FILES: Final = ("authority.crt", "authority.key")
RESTORE: Final = "restore the folder from the last backup"
REQUEST_BYTES_MAX: Final = 16 * 1024
RSA_BITS_MIN: Final = 2048


@dataclass(frozen=True, slots=True)
class Issued:
    """A device's certificate. Times are wall time, seconds; `serial` is hexadecimal."""

    certificate: str
    serial: str
    issued_at: float
    expires_at: float


class CertificateAuthority:
    """The authority in `folder`. `open` or `load` has to be called first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, now: float, name: str = NAME) -> None:
        """Load key and certificate, or create them, with the common name `name`.

        Raises:
            StoreError: the folder cannot be used, or its files are damaged.
        """
        key_file, certificate_file = self._folder / "authority.key", self._folder / "authority.crt"
        make_folder(self._folder, 0o700)
        sync_names(self._folder)  # what a killed server had written counts from here on
        if not certificate_file.is_file():  # written last
            key = ec.generate_private_key(ec.SECP256R1())
            write_secret(key_file, _pem(key))
            write_secret(certificate_file, _self_signed(key, now, name).public_bytes(Encoding.PEM))
        self.load()
        fault = _fault_of_time(self._certificate, now)
        if fault:
            raise StoreError(f"{certificate_file} is not usable as certificate authority: {fault}")

    def load(self) -> None:
        """Load key and certificate, whatever the time.

        Raises:
            StoreError: they are missing or damaged.
        """
        self._key, self._chain = check(self._folder, self._folder)
        self._certificate = self._chain[0]

    @property
    def certificate(self) -> str:
        """The authority's certificate, PEM."""
        return self._certificate.public_bytes(Encoding.PEM).decode()

    @property
    def chain(self) -> str:
        """The authority's certificate and those above it, up to the root, PEM."""
        return "".join(each.public_bytes(Encoding.PEM).decode() for each in self._chain)

    @property
    def https_chain(self) -> str:
        """The certificates that follow that for HTTPS, PEM."""
        return self.chain

    @property
    def is_intermediate(self) -> bool:
        """Whether another authority has signed it."""
        return len(self._chain) > 1

    def endorse(self, other: CertificateAuthority) -> str:
        """The certificate of another authority, signed by this one, PEM: who trusts this one trusts what the other has signed.
        Empty if this one may not sign authorities."""
        basic = self._certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
        if basic.path_length == 0:
            return ""
        theirs = other._certificate
        begin = max(theirs.not_valid_before_utc, self._certificate.not_valid_before_utc)
        end = min(theirs.not_valid_after_utc, self._certificate.not_valid_after_utc)
        key = theirs.public_key()
        assert isinstance(key, (ec.EllipticCurvePublicKey, rsa.RSAPublicKey))
        builder = _builder(theirs.subject, self._certificate.subject, key, begin, end)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        parent = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        builder = builder.add_extension(parent, critical=False)
        return builder.add_extension(_USAGE, critical=True).sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()

    def facts(self) -> dict[str, Any]:
        """Values for comparison by an operator: `subject`, `fingerprint` (SHA-256), `issued_at`, `expires_at` (wall time,
        seconds)."""
        one = self._certificate
        return {
            "subject": one.subject.rfc4514_string(),
            "fingerprint": one.fingerprint(hashes.SHA256()).hex(),
            "issued_at": one.not_valid_before_utc.timestamp(),
            "expires_at": one.not_valid_after_utc.timestamp(),
        }

    def issue(self, request: str, device: str, days: float, now: float) -> Issued:
        """Issue a client certificate for the key in `request` (PEM). Other contents of the request are ignored.

        Raises:
            InputError: not a certificate request, not signed by its own key, with a weak key, or for another device.
        """
        key = _requested_key(request, device)
        begin, end = _at(now) - BACKDATE, _at(now) + timedelta(days=days)
        certificate = self._signed(_name(device), key, begin, end, ExtendedKeyUsageOID.CLIENT_AUTH)
        return Issued(
            certificate.public_bytes(Encoding.PEM).decode(),
            f"{certificate.serial_number:x}",
            now,
            certificate.not_valid_after_utc.timestamp(),
        )

    def broker_identity(self, hosts: Iterable[str], now: float) -> tuple[bytes, bytes]:
        """(key, certificate) of the broker, PEM, for these host names and addresses."""
        return self._server_identity("edgefleet broker", hosts, BROKER_DAYS, now)

    def https_identity(self, hosts: Iterable[str], now: float) -> tuple[bytes, bytes]:
        """(key, certificate) for HTTPS, PEM, for these host names and addresses. It ends with the authority at the latest."""
        left_days = (self._certificate.not_valid_after_utc - _at(now)) / timedelta(days=1)
        return self._server_identity("edgefleet server", hosts, min(HTTPS_DAYS, left_days), now)

    def revocation_list(self, revoked: Iterable[tuple[str, float]], number: int, now: float) -> bytes:
        """The revocation list, PEM, of `revoked`: (serial, revoked at). A later list has a higher `number`."""
        builder = x509.CertificateRevocationListBuilder().issuer_name(self._certificate.subject)
        builder = builder.last_update(_at(now)).next_update(_at(now) + timedelta(days=CRL_DAYS))
        builder = builder.add_extension(x509.CRLNumber(number), critical=False)
        for serial, at in revoked:
            entry = x509.RevokedCertificateBuilder().serial_number(int(serial, 16)).revocation_date(_at(at)).build()
            builder = builder.add_revoked_certificate(entry)
        return builder.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM)

    def _server_identity(self, subject: str, hosts: Iterable[str], days: float, now: float) -> tuple[bytes, bytes]:
        key = ec.generate_private_key(ec.SECP256R1())
        names: list[x509.GeneralName] = [general_name(host) for host in dict.fromkeys(hosts)]
        begin, end = _at(now) - BACKDATE, _at(now) + timedelta(days=days)
        alternative = x509.SubjectAlternativeName(names)
        usage = ExtendedKeyUsageOID.SERVER_AUTH
        certificate = self._signed(_name(subject), key.public_key(), begin, end, usage, alternative)
        return _pem(key), certificate.public_bytes(Encoding.PEM)

    def _signed(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePublicKey,
        begin: datetime,
        end: datetime,
        usage: x509.ObjectIdentifier,
        alternative: x509.SubjectAlternativeName | None = None,
    ) -> x509.Certificate:
        builder = _builder(subject, self._certificate.subject, key, begin, end)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        parent = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        builder = builder.add_extension(parent, critical=False)
        if alternative is not None:
            builder = builder.add_extension(alternative, critical=False)
        return builder.sign(self._key, hashes.SHA256())


def check(folder: Path, shown: Path) -> tuple[ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey, list[x509.Certificate]]:
    """Load and check the key and the certificate in `folder`, with those above it, whatever the time. `shown`: the folder that
    errors name.

    Raises:
        StoreError: one is missing or damaged, or they cannot be the authority of a fleet.
    """
    certificate_name, key_name = FILES
    name = key_name
    try:
        content = (folder / key_name).read_bytes()
        key = load_pem_private_key(content, None)
        name = certificate_name
        content = (folder / certificate_name).read_bytes()
        chain = x509.load_pem_x509_certificates(content)
        fault = _fault(key, chain)
    except OSError as error:
        raise StoreError(f"{shown / name}: {error.strerror}; {RESTORE}") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        text = "is not a private key without a passphrase in PEM" if name == key_name else "is not a certificate in PEM"
        raise StoreError(f"{shown / name} {text if content else 'is empty'}; {RESTORE}") from error
    if fault:
        raise StoreError(f"{shown / certificate_name} is not usable as certificate authority: {fault}")
    assert isinstance(key, (ec.EllipticCurvePrivateKey, rsa.RSAPrivateKey))
    return key, chain


def _fault_of_time(certificate: x509.Certificate, now: float) -> str:
    if not certificate.not_valid_before_utc <= _at(now) < certificate.not_valid_after_utc:
        begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        return f"it counts from {begin:%Y-%m-%d} to {end:%Y-%m-%d}, and the clock says {_at(now):%Y-%m-%d}; check the clock first"
    return ""


def _fault(key: object, chain: list[x509.Certificate]) -> str:
    """The reason why this key and these certificates cannot be the authority of a fleet; empty if they can."""
    certificate = chain[0]
    if not isinstance(key, (ec.EllipticCurvePrivateKey, rsa.RSAPrivateKey)):
        return "the key is neither elliptic-curve nor RSA"
    if isinstance(key, rsa.RSAPrivateKey) and key.key_size < RSA_BITS_MIN:
        return f"its RSA key has {key.key_size} bits; {RSA_BITS_MIN} are the least"
    if key.public_key() != certificate.public_key():
        return "authority.key is not its private key"
    if chain[-1].issuer != chain[-1].subject:
        above = chain[-1].issuer.rfc4514_string()
        return f"another one has signed it ({above}); add the certificates above it to the file, up to the root"
    for each, above_it in pairwise(chain):
        if not _has_signed(above_it, each):
            return f"{above_it.subject.rfc4514_string()} did not sign {each.subject.rfc4514_string()}; put each below its issuer"
    extensions = {extension.oid: extension.value for extension in certificate.extensions}
    basic = extensions.get(x509.BasicConstraints.oid)
    if not isinstance(basic, x509.BasicConstraints) or not basic.ca:
        return "it is not a CA certificate (basicConstraints CA:TRUE is missing)"
    usage = extensions.get(x509.KeyUsage.oid)
    if isinstance(usage, x509.KeyUsage) and not (usage.key_cert_sign and usage.crl_sign):
        return "it may not sign certificates and their revocation (keyUsage keyCertSign, cRLSign)"
    return ""


def _has_signed(above_it: x509.Certificate, each: x509.Certificate) -> bool:
    try:
        each.verify_directly_issued_by(above_it)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def key_fingerprint(request: str, device: str) -> str:
    """SHA-256 of the public key (DER) in a certificate request, hex.

    Raises:
        InputError: as `CertificateAuthority.issue`.
    """
    key = _requested_key(request, device)
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


def _requested_key(request: str, device: str) -> ec.EllipticCurvePublicKey:
    if re.match(DEVICE_PATTERN, device) is None:
        raise InputError(f"device id {device[:80]!r} is invalid; must be 1 to 64 characters of a-z 0-9 _ -")
    if len(request) > REQUEST_BYTES_MAX:
        raise InputError(f"the certificate request exceeds {REQUEST_BYTES_MAX} bytes")
    try:
        csr = x509.load_pem_x509_csr(request.encode())
        named = [str(part.value) for part in csr.subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
        key, valid = csr.public_key(), csr.is_signature_valid
    except (ValueError, UnsupportedAlgorithm, InvalidSignature) as error:
        raise InputError(f"not a certificate request ({error}); enroll again with `edgefleet-agent enroll`") from error
    if not valid or not isinstance(key, ec.EllipticCurvePublicKey) or key.curve.key_size < 256:
        raise InputError("the certificate request must be signed by its own elliptic-curve key of 256 bits or more")
    if named != [device]:
        raise InputError(f"the certificate request is for {', '.join(named)[:80]!r}, not for {device!r}")
    return key


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey | rsa.RSAPublicKey, begin: datetime, end: datetime
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key)
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(end)
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)


_USAGE: Final = x509.KeyUsage(
    digital_signature=True,
    key_cert_sign=True,
    crl_sign=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    encipher_only=False,
    decipher_only=False,
)


def _self_signed(key: ec.EllipticCurvePrivateKey, now: float, common: str) -> x509.Certificate:
    name = _name(common)
    begin, end = _at(now) - BACKDATE, _at(now) + timedelta(days=AUTHORITY_DAYS)
    builder = _builder(name, name, key.public_key(), begin, end)
    # one level below it: during a rotation it signs its predecessor
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=1), critical=True)
    return builder.add_extension(_USAGE, critical=True).sign(key, hashes.SHA256())


def general_name(host: str) -> x509.GeneralName:
    """A host name or address as a certificate has it."""
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _at(now: float) -> datetime:
    return datetime.fromtimestamp(int(now), timezone.utc)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
