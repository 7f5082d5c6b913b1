"""The set-up code of a server without users, in a file that only the account of the server and root can read."""

from __future__ import annotations

import logging
import re
import secrets
from pathlib import Path
from typing import Final

from edgefleet_contract.core.atomic_files import read_if_there, remove_file, write_atomic
from edgefleet_server.core.errors import StoreError

FILE: Final = "setup.code"
LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE: Final = re.compile(rf"[{LETTERS}]{{4}}(?:-[{LETTERS}]{{4}}){{2}}")
_BYTES_MAX: Final = 64

log = logging.getLogger(__name__)


def setup_code(data: Path) -> str:
    """The code in the data folder; a new one is stored there. It survives restarts, and is the same for all processes of a
    server. Where the disk takes no file, it is known from the output of the server only."""
    path = data / FILE
    try:
        known = (read_if_there(path, _BYTES_MAX) or b"").decode("ascii", "replace").strip()
        if _CODE.fullmatch(known) and path.stat().st_mode & 0o077 == 0:
            return known
    except OSError as error:
        log.warning("%s: %s", path, error)
    except StoreError as error:
        log.warning("%s", error)
    letters = "".join(secrets.choice(LETTERS) for _ in range(12))
    code = "-".join((letters[:4], letters[4:8], letters[8:]))
    try:
        write_atomic(path, f"{code}\n".encode(), mode=0o600)
    except StoreError as error:
        log.warning("the set-up code is not stored: %s", error)
    return code


def forget_setup_code(data: Path) -> None:
    """Remove the file: there is a user."""
    try:
        remove_file(data / FILE)
    except StoreError as error:
        log.warning("%s", error)
