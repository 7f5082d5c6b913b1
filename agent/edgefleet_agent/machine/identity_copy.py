"""A copy of the identity, in one file with a check sum: a device whose only key is damaged cannot be enrolled from afar.

A byte that the disk has changed may leave an identity that can be read, with the address of another broker or a certificate that
no broker accepts. So the copy says what is right, unless the certificate was renewed since: then its dates and its key both
differ.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from edgefleet_agent.machine.identity import COPY, FILE_BYTES_MAX, SECRET, Identity, Named, install_identity, read_identity
from edgefleet_contract.core.atomic_files import read_if_there, write_atomic
from edgefleet_contract.core.errors import InputError, MessageError, StoreError
from edgefleet_contract.encoding.codec import Wire, decode, encode

COPY_BYTES_MAX = 4 * FILE_BYTES_MAX


class _Files(Wire):
    """Contents of the files in `identity/`."""

    named: str
    authority: str
    credentials: str


class _Copy(Wire):
    files: _Files
    sha256: str


def read_or_restore(state: Path) -> tuple[Identity | None, bool]:
    """The identity under `state` (None: this device is not enrolled), and whether it was damaged and replaced by its copy. The
    copy of a sound identity is brought up to date, if the disk takes it.

    Raises:
        InputError: it is damaged, and so is the copy, or there is none.
        StoreError: the disk cannot be read, or does not take the copy in its place.
    """
    copy = _read_copy(state)
    try:
        found = read_identity(state)
    except (InputError, StoreError):
        if copy is None:
            raise
        _install(state, copy)
        return read_identity(state), True
    if found is None:
        return None, False
    present = _present(state)
    if copy is None or _is_renewed(present, copy):
        with contextlib.suppress(StoreError):
            _write_copy(state, present)
    elif present != copy:
        _install(state, copy)
        return read_identity(state), True
    return found, False


def _is_renewed(present: _Files, copy: _Files) -> bool:
    """Whether the present identity is that of the copy with a later certificate. One changed byte changes either its first line,
    which holds the dates, or the rest."""
    if (present.named, present.authority) != (copy.named, copy.authority):
        return False
    dates, _, key = present.credentials.partition("\n")
    dates_before, _, key_before = copy.credentials.partition("\n")
    return dates != dates_before and key != key_before


def _present(state: Path) -> _Files:
    names = ("identity.json", "authority.pem", "device.pem")
    contents = (read_if_there(state / "identity" / name, FILE_BYTES_MAX) or b"" for name in names)
    return _Files(*(content.decode(errors="replace") for content in contents))


def _read_copy(state: Path) -> _Files | None:
    """The files of the copy; None if there is none, or a damaged one."""
    try:
        data = read_if_there(state / COPY, COPY_BYTES_MAX)
        copy = decode(data or b"", _Copy, bytes_max=COPY_BYTES_MAX)
    except (StoreError, MessageError):
        return None
    return copy.files if copy.sha256 == _sum(copy.files) else None


def _write_copy(state: Path, files: _Files) -> None:
    write_atomic(state / COPY, encode(_Copy(files, _sum(files))), SECRET)


def _install(state: Path, files: _Files) -> None:
    install_identity(state, decode(files.named.encode(), Named), files.authority, files.credentials.encode())
    _write_copy(state, files)


def _sum(files: _Files) -> str:
    return hashlib.sha256(encode(files)).hexdigest()
