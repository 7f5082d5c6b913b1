"""Ownership of database files: root may work on a folder whose server runs as another user."""

from __future__ import annotations

import os
import pwd
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600
"""The file holds password hashes. SQLite creates its companion files with the same mode and owner."""


def make_private(path: Path) -> None:
    """Create the file if it is missing, readable by its owner only. If root creates it, the owner is that of the folder.

    Raises:
        OSError: it belongs to another user, or it cannot be created in the folder.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, PRIVATE)
    except FileExistsError:
        path.chmod(PRIVATE)
        return
    try:
        if os.geteuid() == 0:
            folder = path.parent.stat()
            os.fchown(descriptor, folder.st_uid, folder.st_gid)
    finally:
        os.close(descriptor)


def advice(path: Path) -> str:
    """Advice for a user who cannot use the database of `path` because it belongs to another user; "" if it does not."""
    user = os.geteuid()
    for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        owner = _other_owner(file)
        if owner is not None and (file == path or not os.access(file, os.R_OK | os.W_OK)):
            return f"it belongs to {_name(owner)}, and this runs as {_name(user)}: chown {_name(user)} {path}*"
    return folder_advice(path.parent)


def folder_advice(folder: Path) -> str:
    """Advice for a user who cannot write to a data folder because it belongs to another user; "" if it does not."""
    owner = _other_owner(folder)
    if owner is None or os.access(folder, os.W_OK | os.X_OK):
        return ""
    user = _name(os.geteuid())
    return f"the folder belongs to {_name(owner)}, and this runs as {user}: chown -R {user} {folder}"


def _other_owner(path: Path) -> int | None:
    """The owner of a path; None if it is this user, the path is missing, or this user is root."""
    try:
        owner = path.stat().st_uid
    except OSError:
        return None
    return None if os.geteuid() in (0, owner) else owner


def _name(user: int) -> str:
    """Name of a user of this machine, or the number if it has none."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)
