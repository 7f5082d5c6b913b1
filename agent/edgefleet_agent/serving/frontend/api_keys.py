"""API keys, their levels, and the file that lists them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError

KEY_LENGTH_MIN = 16
KEYS_MAX = 10_000
FILE_BYTES_MAX = 4 * 1024 * 1024


class Level(IntEnum):
    """Permission of a caller; each level includes those before it.

    INFER: call models and read about them. MANAGE: load and unload models of the repository, and change settings. ADMIN: send
    models.
    """

    INFER = 1
    MANAGE = 2
    ADMIN = 3


LEVELS = {level.name.lower(): level for level in Level}


@dataclass(frozen=True, slots=True)
class Key:
    """Owner of an API key."""

    name: str
    level: Level = Level.MANAGE


def read_keys(file: Path) -> dict[bytes, Key]:
    """Read a file of keys: one `NAME KEY [LEVEL]` a line, or `NAME sha256:HEX [LEVEL]` to store a digest only. A line without a
    level means `manage`. `#` starts a comment. Returns them by SHA-256 digest.

    Raises:
        InputError: the file is missing, every user can read it, or a line is not valid.
    """
    data = read_if_there(file, FILE_BYTES_MAX)
    if data is None:
        raise InputError(f"{file}: no such file, or larger than {FILE_BYTES_MAX} bytes; write one 'NAME KEY' per line")
    if file.stat().st_mode & 0o004:
        raise InputError(f"{file}: readable by all users of this machine; run chmod o-r {file}")
    keys: dict[bytes, Key] = {}
    for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) not in (2, 3) or len(keys) >= KEYS_MAX:
            raise InputError(f"{file}:{number}: must be one 'NAME KEY' or 'NAME KEY LEVEL' per line, at most {KEYS_MAX} lines")
        if len(words) == 3 and words[2] not in LEVELS:
            raise InputError(f"{file}:{number}: unknown level {words[2][:32]!r}; must be {', '.join(LEVELS)}")
        owner = Key(words[0], LEVELS[words[2]] if len(words) == 3 else Level.MANAGE)
        digest = _digest(words[1], f"{file}:{number}")
        if digest in keys:
            raise InputError(f"{file}:{number}: {words[0]} has the same key as {keys[digest].name}; give each name its own key")
        keys[digest] = owner
    if not keys:
        raise InputError(f"{file}: contains no key; write one 'NAME KEY' per line")
    return keys


def _digest(key: str, place: str) -> bytes:
    if key.startswith("sha256:"):
        digest = key.removeprefix("sha256:")
        if len(digest) != 64 or digest.strip("0123456789abcdefABCDEF"):
            raise InputError(f"{place}: sha256: must be followed by 64 hexadecimal digits")
        return bytes.fromhex(digest)
    if len(key) < KEY_LENGTH_MIN:
        raise InputError(
            f"{place}: a key must have at least {KEY_LENGTH_MIN} characters; generate one with `openssl rand -hex 24`"
        )
    return hashlib.sha256(key.encode()).digest()
