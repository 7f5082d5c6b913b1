"""Trust in an HTTPS server by the SHA-256 fingerprint of its certificate authority (a pin), for the first contact with it.

The first connection ends after the TLS handshake: it sends no request, and shows which certificates the server has. If one of
them has the fingerprint, all further connections trust it and no other authority, and verify names and dates as usual.
"""

from __future__ import annotations

import hashlib
import re
import ssl
import sys
import urllib.error
import urllib.request

from edgefleet_contract.core.errors import InputError

_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----")


def parse_fingerprint(text: str, option: str) -> str:
    """A SHA-256 fingerprint as 64 lower-case hexadecimal digits; colons, as OpenSSL prints them, are accepted. option: the
    command line option that it is the value of.

    Raises:
        InputError: not a fingerprint.
    """
    plain = re.sub(r"[:\s]", "", text).lower()
    if _FINGERPRINT.fullmatch(plain) is None:
        raise InputError(f"{option} {text[:80]!r}: must be a SHA-256 fingerprint, 64 hexadecimal digits")
    return plain


def fingerprints(bundle: str) -> list[str]:
    """The SHA-256 fingerprints of the certificates in a PEM text, in their order.

    Raises:
        InputError: one of them is damaged.
    """
    try:
        return [hashlib.sha256(ssl.PEM_cert_to_DER_cert(each)).hexdigest() for each in _CERTIFICATE.findall(bundle)]
    except ValueError as error:
        raise InputError(f"not a certificate in PEM ({error})") from error


def pinned_authority(url: str, fingerprint: str, timeout_s: float) -> str:
    """The certificate (PEM) that the server at the HTTPS URL has in its chain and that has this fingerprint.

    Raises:
        InputError: the server has no such certificate; the text has the fingerprint that it has.
        OSError: it cannot be reached, or does not speak TLS.
    """
    chain = _chain(url, timeout_s)
    for certificate in chain:
        if hashlib.sha256(certificate).hexdigest() == fingerprint:
            return ssl.DER_cert_to_PEM_cert(certificate)
    last = hashlib.sha256(chain[-1]).hexdigest() if chain else "none"
    raise InputError(f"the certificate authority of {url} has the SHA-256 fingerprint {last}, expected was {fingerprint}")


def pinned_context(authority: str) -> ssl.SSLContext:
    """TLS context that trusts only this certificate (PEM), or these, which need not be roots."""
    context = ssl.create_default_context(cadata=authority)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


class _ChainError(OSError):
    """Ends a connection after its handshake. chain: the certificates of the server (DER), its own first."""

    def __init__(self, chain: list[bytes]) -> None:
        super().__init__("the connection ends after the handshake")
        self.chain = chain


class _ShowingSocket(ssl.SSLSocket):
    """Raises `_ChainError` after its handshake."""

    def do_handshake(self, block: bool = False) -> None:
        super().do_handshake(block)
        if sys.version_info >= (3, 13):
            chain = list(self.get_unverified_chain())
        else:  # the same, not yet public
            certificates = self._sslobj.get_unverified_chain() or ()  # type: ignore[attr-defined]
            chain = [ssl.PEM_cert_to_DER_cert(certificate.public_bytes()) for certificate in certificates]
        raise _ChainError(chain)


def _chain(url: str, timeout_s: float) -> list[bytes]:
    """The certificates that the server shows, none of them verified. Proxies of the environment are used, as for requests."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.sslsocket_class = _ShowingSocket
    try:
        urllib.request.urlopen(url, timeout=timeout_s, context=context).close()  # noqa: S310 (the caller has an HTTPS URL)
    except urllib.error.URLError as error:
        if isinstance(error.reason, _ChainError):
            return error.reason.chain
        raise
    raise InputError(f"{url}: the connection was not encrypted; use https")
