"""The certificate of the HTTPS listener, made by the server's own certificate authority (`serve --tls-self-signed`).

One file in the data folder has key, certificate and the authority's certificate: clients compare the fingerprint of the latter. A
certificate is used until half of its validity is over, as long as names and authority stay the same. While the authority is
rotated, the file also has a path to the new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Final, Protocol

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from edgefleet_contract.core.atomic_files import make_folder, read_if_there
from edgefleet_server.registry.identity.certificate_authority import general_name
from edgefleet_server.registry.signing.keys import write_secret

FILE: Final = "https/listener.pem"
"""Path in the data folder."""
BYTES_MAX: Final = 64 * 1024


class HttpsIssuer(Protocol):
    """The authority, which makes the certificate and those that follow it in the file."""

    @property
    def https_chain(self) -> str:
        """The certificates that follow it, PEM."""
        ...

    def https_identity(self, hosts: Iterable[str], now: float) -> tuple[bytes, bytes]:
        """(key, certificate), PEM."""
        ...


class HttpsCertificate:
    """The certificate in `file` for the host names and addresses `hosts`."""

    def __init__(self, authority: HttpsIssuer, file: Path, hosts: Sequence[str]) -> None:
        self._authority = authority
        self.file = file
        self._hosts = tuple(dict.fromkeys(hosts))

    def renew(self, now: float) -> bool:
        """Write a new certificate if there is none that can be used for long enough; returns whether it was written.

        Raises:
            StoreError: the disk refuses; the present file is unchanged.
        """
        if self._is_current(now):
            return False
        key, certificate = self._authority.https_identity(self._hosts, now)
        make_folder(self.file.parent, 0o700)
        write_secret(self.file, key + certificate + self._authority.https_chain.encode())
        return True

    def _is_current(self, now: float) -> bool:
        content = read_if_there(self.file, BYTES_MAX)
        if content is None:
            return False
        try:
            key = load_pem_private_key(content, None)
            chain = x509.load_pem_x509_certificates(content)
            own = chain[0]
            names = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except (ValueError, TypeError, UnsupportedAlgorithm, x509.ExtensionNotFound):
            return False
        if chain[1:] != x509.load_pem_x509_certificates(self._authority.https_chain.encode()):
            return False
        if own.public_key() != key.public_key() or set(names) != {general_name(host) for host in self._hosts}:
            return False
        half_way = own.not_valid_before_utc + (own.not_valid_after_utc - own.not_valid_before_utc) / 2
        return own.not_valid_before_utc <= datetime.fromtimestamp(now, timezone.utc) < half_way
