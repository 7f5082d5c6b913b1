"""TLS to a broker: authority, own certificate, and validity dates on a machine with a wrong clock.

A device without a battery-backed clock starts in 1970: every certificate is then "not yet valid", and it would wait for network
time, which it may never get. It knows a lower bound of the time (`machine.trusted_time`), and uses that instead.
"""

from __future__ import annotations

import ssl
import time
from dataclasses import dataclass
from pathlib import Path

from edgefleet_contract.core.https_trust import EXPIRED, NOT_YET_VALID, younger_than_clock

NAME_MISMATCH = (62, 64)
"""OpenSSL's X509_V_ERR_* codes."""
CLOCKS_DIFFER_S = 3600.0
_NO_CHECK_TIME = ssl.VerifyFlags(0x200000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, for which Python has no name."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Files for TLS: the authority of the broker's certificate, and the device's key and certificate (one file, read for each
    connection, because a renewal replaces it)."""

    authority: Path
    own: Path | None = None


class _ClosingSocket(ssl.SSLSocket):
    """Closes itself after a failed handshake: paho gives such a socket to nothing that would close it."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise
        except OSError:
            self.close()
            raise


def is_behind(known_wall_s: float) -> bool:
    """Whether this machine's clock is far behind the known lower bound of the time."""
    return time.time() < known_wall_s - CLOCKS_DIFFER_S


def tls_context(files: TlsFiles | None, *, behind: bool = False) -> ssl.SSLContext:
    """TLS 1.2 or later; the broker's name is checked, and its dates unless this machine's clock is `behind`. An authority of
    `files` need not be a root. Raises OSError if a file is missing or invalid."""
    context = ssl.create_default_context(cafile=files.authority if files else None)
    context.sslsocket_class = _ClosingSocket
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if files is not None:
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    if behind:
        context.verify_flags |= _NO_CHECK_TIME
    if files is not None and files.own is not None:
        context.load_cert_chain(files.own)
    return context


_NO_ISSUER = (2, 18, 19, 20, 21)
"""X509_V_ERR_*: no issuer found, or a self-signed certificate: the chain ends at no authority of `TlsFiles`."""
_BAD_SIGNATURE = 7
"""X509_V_ERR_CERT_SIGNATURE_FAILURE: an authority of the same name with another key."""
_REFUSED = {
    "CERTIFICATE_REVOKED": "revoked",
    "CERTIFICATE_EXPIRED": "expired",
    "UNKNOWN_CA": "not of the server's authority",
    "CERTIFICATE_UNKNOWN": "refused",
    "BAD_CERTIFICATE": "refused",
    "CERTIFICATE_REQUIRED": "missing",
}
"""Last words of OpenSSL's names for the broker's alerts, and what they say of this client's certificate."""


def tls_fault(error: BaseException, context: ssl.SSLContext | None = None) -> str:
    """Text for people about a TLS connection that failed, with the remedy; empty if `error` is not about a certificate. context:
    of the connection."""
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code in NAME_MISMATCH:
            why = error.verify_message.rstrip(".")
            return f"the server's certificate is not for this host name ({why}); use a name that is in it"
        if error.verify_code == NOT_YET_VALID:
            return younger_than_clock(context)
        if error.verify_code == EXPIRED:
            return "the server's certificate has expired; renew it (restart the server), or correct the clock of this device"
        if error.verify_code in (*_NO_ISSUER, _BAD_SIGNATURE):
            remedy = "enroll this device again (`edgefleet-agent enroll URL --token-file FILE --again`)"
            return (
                f"the server's certificate is not of this device's authority; {remedy} or restore the server's authority/ folder"
            )
        return f"the server's certificate cannot be verified: {error.verify_message.rstrip('.')}"
    reason = getattr(error, "reason", None) if isinstance(error, ssl.SSLError) else None
    ending = next((name for name in _REFUSED if str(reason or "").endswith(name)), "")
    if not ending:
        return ""
    remedy = "check the clocks, and whether the server has blocked this device; then enroll it again"
    return f"the server refuses this device's certificate ({_REFUSED[ending]}); {remedy}"


def out_of_date(connection: object, wall_s: float) -> str:
    """Error text if the broker's certificate is not valid at `wall_s`; empty if it is."""
    certificate = connection.getpeercert() if isinstance(connection, ssl.SSLSocket) else None
    if not certificate:
        return ""
    not_before, not_after = (ssl.cert_time_to_seconds(str(certificate[key])) for key in ("notBefore", "notAfter"))
    return "" if not_before <= wall_s < not_after else "the broker's certificate has expired, or is not valid yet"
