"""The identity of this device: `identity/` in its state folder, made by `edgefleet-agent enroll`, readable by its owner only.

identity.json    device id and broker
authority.pem    authority that signs the broker's certificate
device.pem       key and certificate in one file, so that a renewal is one rename; its first line holds the validity

`identity.copy` beside it has the same once more (`machine.identity_copy`).
"""

from __future__ import annotations

import contextlib
import logging
import re
import shutil
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from edgefleet_contract.core.atomic_files import as_store_error, make_folder, read_if_there, sync_folder, write_atomic
from edgefleet_contract.core.errors import InputError, MessageError, StoreError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.pinned_authority import fingerprints
from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_contract.encoding.names import DeviceId, LabelKey, LabelValue
from edgefleet_contract.wire.enrolment import Fingerprints

FILE_BYTES_MAX = 64 * 1024
SECRET = 0o600
COPY = "identity.copy"
VALID_S_MAX = 100 * 366 * 86400.0
"""Certificates of a longer validity have damaged dates: `issued_at` is a lower bound of the current time."""

log = logging.getLogger(__name__)

_DATES = re.compile(rb"^edgefleet device certificate, issued_at=([0-9]+(?:\.[0-9]+)?) expires_at=([0-9]+(?:\.[0-9]+)?)\n")


class Named(Wire):
    """`identity.json`. labels: of the enrolment token, if the device already had settings, which take precedence. authorities:
    SHA-256 fingerprints of the server's authorities, as of the last renewal that named them."""

    device: DeviceId
    broker_url: str
    labels: dict[LabelKey, LabelValue] = msgspec.field(default_factory=dict)
    authorities: Fingerprints = msgspec.field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Identity:
    """The enrolled identity. Times are wall time, seconds. authorities: SHA-256 fingerprints of the server's authorities."""

    device: str
    broker_url: str
    authority: Path
    credentials: Path
    issued_at: float
    expires_at: float
    labels: Mapping[str, str] = field(default_factory=dict)
    authorities: tuple[str, ...] = ()


def read_identity(state: Path) -> Identity | None:
    """The identity under `state`; None if this device is not enrolled.

    Raises:
        InputError: it is damaged.
    """
    folder = state / "identity"
    with contextlib.suppress(StoreError):  # a disk that cannot be written: the present one is read
        _finish(state)
    if not folder.exists():
        return None
    named = read_if_there(folder / "identity.json", FILE_BYTES_MAX)
    credentials = read_if_there(folder / "device.pem", FILE_BYTES_MAX) or b""
    dates = _DATES.match(credentials)
    try:
        parsed = decode(named or b"", Named)
    except MessageError as error:
        raise InputError(f"{folder} is damaged (identity.json: {error}); enroll this device again") from error
    try:
        _load(folder / "device.pem", folder / "authority.pem")
    except OSError as error:
        dates = None
        log.debug("%s: %s", folder, error)
    issued_at, expires_at = (float(dates[1]), float(dates[2])) if dates is not None else (0.0, 0.0)
    if not 0.0 < issued_at < expires_at < issued_at + VALID_S_MAX:
        raise InputError(f"{folder} is damaged (device.pem or authority.pem); enroll this device again")
    return Identity(
        parsed.device,
        parsed.broker_url,
        folder / "authority.pem",
        folder / "device.pem",
        issued_at,
        expires_at,
        parsed.labels,
        tuple(parsed.authorities or _fingerprints(folder / "authority.pem")),
    )


def install_identity(state: Path, named: Named, authority: str, credentials: bytes) -> None:
    """Install the identity of this device by one rename. An earlier identity is replaced, and its copy removed.

    Raises:
        StoreError: the disk cannot be written.
        InputError: key and certificate do not belong together.
    """
    make_folder(state)
    new, folder, old = state / ".identity.new", state / "identity", state / ".identity.old"
    _finish(state)
    with as_store_error(folder):
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        write_atomic(new / "authority.pem", authority.encode(), SECRET)
        write_atomic(new / "device.pem", credentials, SECRET)
        write_atomic(new / "identity.json", encode(named), SECRET)
        _check(new / "device.pem", new / "authority.pem")
        (state / COPY).unlink(missing_ok=True)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
        sync_folder(state)
        shutil.rmtree(old, ignore_errors=True)
        (state / COPY).unlink(missing_ok=True)  # the service may have made it again in the meantime


def replace_authorities(state: Path, authorities: str, broker_authority: str, credentials: bytes) -> None:
    """Use other authorities (PEM) and another key and certificate from the next connection on, both or none. `broker_authority`
    empty: the present one stays.

    Raises:
        StoreError: the disk cannot be written; the old ones stay in use.
        InputError: key and certificate do not belong together, or an authority is damaged; the old ones stay in use.
    """
    folder = state / "identity"
    named = decode(read_if_there(folder / "identity.json", FILE_BYTES_MAX) or b"", Named)
    named = msgspec.structs.replace(named, authorities=fingerprints(authorities))
    present = (read_if_there(folder / "authority.pem", FILE_BYTES_MAX) or b"").decode()
    install_identity(state, named, broker_authority or present, credentials)


def replace_credentials(state: Path, credentials: bytes) -> None:
    """Use another key and certificate from the next connection on.

    Raises:
        StoreError: the disk cannot be written; the old ones stay in use.
        InputError: key and certificate do not belong together; the old ones stay in use.
    """
    folder = state / "identity"
    trial = folder / "trial.pem"
    write_atomic(trial, credentials, SECRET)
    try:
        _check(trial, folder / "authority.pem")
    finally:
        trial.unlink(missing_ok=True)
    write_atomic(folder / "device.pem", credentials, SECRET)


def pack_credentials(key: str, certificate: str, issued_at: float, expires_at: float) -> bytes:
    """Content of `device.pem`. Text before the first PEM block is skipped by every reader (RFC 7468, section 2)."""
    return f"edgefleet device certificate, issued_at={issued_at} expires_at={expires_at}\n{key}{certificate}".encode()


def _fingerprints(authority: Path) -> list[str]:
    return fingerprints((read_if_there(authority, FILE_BYTES_MAX) or b"").decode())


def _finish(state: Path) -> None:
    """Restores the old identity after a power cut between the two renames; a folder cannot be renamed over another."""
    folder, old = state / "identity", state / ".identity.old"
    if old.exists():
        with as_store_error(folder):
            if folder.exists():
                shutil.rmtree(old)
            else:
                old.rename(folder)


def _load(credentials: Path, authority: Path) -> None:
    """Checks the files. Raises OSError (such as `ssl.SSLError`) if a file is missing or damaged, or key and certificate do not
    match."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(authority)
    context.load_cert_chain(credentials)


def _check(credentials: Path, authority: Path) -> None:
    try:
        _load(credentials, authority)
    except OSError as error:
        raise InputError(
            f"the server's certificate does not match this device's key ({fault_text(error)}); enroll it again"
        ) from error
