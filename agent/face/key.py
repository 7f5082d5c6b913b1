"""The key that callers from other machines need."""

from __future__ import annotations

from pathlib import Path

from agent.durable import read_if_there
from agent.errors import InputError

KEY_CHARS_MIN, KEY_BYTES_MAX = 16, 256
_NOT_IN_COOKIES = ';,"\\'


def read_key(path: Path) -> str:
    """The key in a file of its own, readable by this user only.

    Raises:
        InputError: not there, open to others, too short or too long.
    """
    data = read_if_there(path, KEY_BYTES_MAX)
    text = data.decode(errors="replace").strip() if data is not None else ""
    if len(text) < KEY_CHARS_MIN or not all("!" <= letter <= "~" and letter not in _NOT_IN_COOKIES for letter in text):
        raise InputError(f"{path}: no key in it; make one: openssl rand -hex 24 > {path}; chmod 600 {path}")
    if path.stat().st_mode & 0o077:
        raise InputError(f"{path} can be read by others; chmod 600 {path}")
    return text
