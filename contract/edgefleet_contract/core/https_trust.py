"""Whom a program believes at the other end of HTTPS, and what to do where the other end is not believed."""

from __future__ import annotations

import os
import ssl

from edgefleet_contract.core.errors import InputError

AUTHORITY = "EDGEFLEET_CA"
"""Environment variable: a PEM file of the authority that signed the server's certificate, where it is one's own."""
_OVER_ITS_DATE = (9, 10)  # X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED
_ANOTHER_NAME = (62, 64)  # X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH


def trusted(authority: str | None = None, option: str = "") -> ssl.SSLContext:
    """What is believed: the authorities in the PEM file `authority`, given with `option`; else those of `$EDGEFLEET_CA`; else the
    system's.

    Raises:
        InputError: it is no such file.
    """
    source = option if authority else f"${AUTHORITY}"
    authority = authority or os.environ.get(AUTHORITY)
    try:
        return ssl.create_default_context(cafile=authority or None)
    except (OSError, ssl.SSLError) as error:
        raise InputError(f"{source} {authority}: {error}; give a PEM file of certificates") from error


def refusal(error: BaseException | None, option: str = "") -> str:
    """Why the server's certificate was not believed, and what to do; empty where `error` came from something else. `option`: what
    the command takes an authority by, besides the environment."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        reason = getattr(error, "reason", None)
        error = reason if isinstance(reason, BaseException) else error.__cause__ or error.__context__
    if error is None:
        return ""
    if error.verify_code in _ANOTHER_NAME:
        todo = "use a name or address that the certificate was made for"
    elif error.verify_code in _OVER_ITS_DATE:
        todo = "renew the certificate, or set this machine's clock"
    else:
        ways = f"{option} FILE or {AUTHORITY}=FILE" if option else f"{AUTHORITY}=FILE"
        todo = f"give the authority that signed it as PEM: {ways}"
    return f"its certificate is not believed: {error.verify_message.rstrip('.')}; {todo}"
