"""Certificate authorities for HTTPS clients, and error texts for certificates that fail verification."""

from __future__ import annotations

import os
import ssl
import time

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.fault_text import fault_text

AUTHORITY_VARIABLE = "EDGEFLEET_CA"
"""Environment variable: a PEM file with the authority of the server's certificate, for private authorities."""
NOT_YET_VALID = 9
EXPIRED = 10
"""OpenSSL's X509_V_ERR_CERT_* codes."""
_NAME_MISMATCH = (62, 64)  # X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH


def https_context(authority: str | None = None, option: str = "") -> ssl.SSLContext:
    """TLS context that trusts the authorities in the PEM file `authority` (the value of command line option `option`); if unset
    those in `$EDGEFLEET_CA`; else the system's.

    Raises:
        InputError: not a readable PEM file.
    """
    source = option if authority else f"${AUTHORITY_VARIABLE}"
    authority = authority or os.environ.get(AUTHORITY_VARIABLE)
    try:
        return ssl.create_default_context(cafile=authority or None)
    except (OSError, ssl.SSLError) as error:
        raise InputError(f"{source} {authority}: {fault_text(error)}; specify a PEM file of CA certificates") from error


def certificate_fault(
    error: BaseException | None, option: str = "", unknown: str = "", context: ssl.SSLContext | None = None
) -> str:
    """Returns the cause of a failed verification of the server's certificate and its remedy; empty if `error` has another cause.
    option: the command line option that takes an authority, if the command has one; unknown: the remedy if the authority is not
    trusted, if it is another one; context: of the connection."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        reason = getattr(error, "reason", None)
        error = reason if isinstance(reason, BaseException) else error.__cause__ or error.__context__
    if error is None:
        return ""
    if error.verify_code in _NAME_MISMATCH:
        todo = "use a host name or address that is in the certificate"
    elif error.verify_code == NOT_YET_VALID:
        return f"certificate verification failed: {younger_than_clock(context)}"
    elif error.verify_code == EXPIRED:
        todo = "renew the certificate, or correct the clock of this machine"
    else:
        sources = f"{option} FILE or {AUTHORITY_VARIABLE}=FILE" if option else f"{AUTHORITY_VARIABLE}=FILE"
        todo = unknown or f"specify the CA certificate: {sources}"
    return f"certificate verification failed: {error.verify_message.rstrip('.')}; {todo}"


def younger_than_clock(context: ssl.SSLContext | None, now: float | None = None) -> str:
    """Describes a server's certificate that is not valid yet by this machine's clock, with what to do. context: of the
    connection; an authority in it that is younger than the clock is named with its date. now: wall time; that of the clock if
    not given."""
    now = time.time() if now is None else now
    starts = [ssl.cert_time_to_seconds(str(each["notBefore"])) for each in context.get_ca_certs()] if context else []
    clock = f"the clock of this machine says {_utc(now)}"
    if starts and max(starts) > now:
        return f"the authority's certificate is valid from {_utc(max(starts))}, and {clock}, which is probably wrong; correct it"
    return f"the server's certificate is not valid yet, and {clock}, which is probably wrong; correct it, or the server's clock"


def _utc(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(at))
