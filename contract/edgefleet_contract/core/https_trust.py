"""Certificate authorities for HTTPS clients, and error texts for certificates that fail verification."""

from __future__ import annotations

import os
import ssl

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.fault_text import fault_text

AUTHORITY_VARIABLE = "EDGEFLEET_CA"
"""Environment variable: a PEM file with the authority of the server's certificate, for private authorities."""
_OUT_OF_DATE = (9, 10)  # X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED
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


def certificate_fault(error: BaseException | None, option: str = "", unknown: str = "") -> str:
    """Returns the cause of a failed verification of the server's certificate and its remedy; empty if `error` has another cause.
    option: the command line option that takes an authority, if the command has one; unknown: the remedy if the authority is not
    trusted, if it is another one."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        reason = getattr(error, "reason", None)
        error = reason if isinstance(reason, BaseException) else error.__cause__ or error.__context__
    if error is None:
        return ""
    if error.verify_code in _NAME_MISMATCH:
        todo = "use a host name or address that is in the certificate"
    elif error.verify_code in _OUT_OF_DATE:
        todo = "renew the certificate, or correct the clock of this machine"
    else:
        sources = f"{option} FILE or {AUTHORITY_VARIABLE}=FILE" if option else f"{AUTHORITY_VARIABLE}=FILE"
        todo = unknown or f"specify the CA certificate: {sources}"
    return f"certificate verification failed: {error.verify_message.rstrip('.')}; {todo}"
