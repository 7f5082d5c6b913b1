"""Secrets in separate files: the key for clients on other machines, the password of a broker."""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError

KEY_CHARS_MIN, KEY_BYTES_MAX = 16, 256
_NOT_IN_COOKIES = ';,"\\'


def read_key(path: Path) -> str:
    """Read the API key from its file.

    Raises:
        InputError: missing, readable by others, too short or too long, or with characters that are invalid in headers.
    """
    text = read_secret(path)
    if len(text) < KEY_CHARS_MIN or not all("!" <= letter <= "~" and letter not in _NOT_IN_COOKIES for letter in text):
        raise InputError(
            f"{path}: key must have at least {KEY_CHARS_MIN} characters; generate one: openssl rand -hex 24 > {path}"
        )
    return text


def read_secret(path: Path) -> str:
    """Read one line from a file that only this user can read.

    Raises:
        InputError: missing, readable by others, or not one line.
    """
    data = read_if_there(path, KEY_BYTES_MAX)
    if data is None:
        raise InputError(f"no file at {path}, or over {KEY_BYTES_MAX} bytes; write one line into it and chmod 600 {path}")
    if path.stat().st_mode & 0o077:
        raise InputError(f"{path} is readable by other users; run chmod 600 {path}")
    text = data.decode(errors="replace").strip()
    if not text or "\n" in text:
        raise InputError(f"{path}: must contain a single line with the secret")
    return text
