"""TLS to a broker: authority, own certificate, and validity dates on a machine with a wrong clock.

A device without a battery-backed clock starts in 1970: every certificate is then "not yet valid", and it would wait for network
time, which it may never get. It knows a lower bound of the time (`machine.trusted_time`), and uses that instead.
"""

from __future__ import annotations

import ssl
import time
from dataclasses import dataclass
from pathlib import Path

CLOCKS_DIFFER_S = 3600.0
_NO_CHECK_TIME = ssl.VerifyFlags(0x200000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, for which Python has no name."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Files for TLS: the authority of the broker's certificate, and the device's key and certificate (one file, read for each
    connection, because a renewal replaces it)."""

    authority: Path
    own: Path | None = None


def is_behind(known_wall_s: float) -> bool:
    """Whether this machine's clock is far behind the known lower bound of the time."""
    return time.time() < known_wall_s - CLOCKS_DIFFER_S


def tls_context(files: TlsFiles | None, *, behind: bool = False) -> ssl.SSLContext:
    """TLS 1.2 or later; the broker's name is checked, and its dates unless this machine's clock is `behind`. Raises OSError if a
    file is missing or invalid."""
    context = ssl.create_default_context(cafile=files.authority if files else None)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if behind:
        context.verify_flags |= _NO_CHECK_TIME
    if files is not None and files.own is not None:
        context.load_cert_chain(files.own)
    return context


def out_of_date(connection: object, wall_s: float) -> str:
    """Error text if the broker's certificate is not valid at `wall_s`; empty if it is."""
    certificate = connection.getpeercert() if isinstance(connection, ssl.SSLSocket) else None
    if not certificate:
        return ""
    not_before, not_after = (ssl.cert_time_to_seconds(str(certificate[key])) for key in ("notBefore", "notAfter"))
    return "" if not_before <= wall_s < not_after else "the broker's certificate has expired, or is not valid yet"
