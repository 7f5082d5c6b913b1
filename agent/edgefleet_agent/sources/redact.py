"""Hides credentials in addresses for errors and logs."""

from __future__ import annotations

import re

HIDDEN = "***"

_ADDRESS = re.compile(r"(?<=://)[^\s'\"]*")
_NAMES = "user(?:name)?|usr|login|pass(?:word|wd)?|pwd|token|key|auth|secret|sig(?:nature)?"
_SECRET = re.compile(rf"([?&;](?:{_NAMES})=)[^&#;\s'\"]*", re.IGNORECASE)


def redact(text: str) -> str:
    """Replaces user names, passwords and tokens in all addresses in `text`."""
    return _SECRET.sub(rf"\g<1>{HIDDEN}", _ADDRESS.sub(_without_user, text))


def _without_user(address: re.Match[str]) -> str:
    """Hides up to the last @, because passwords may contain @, : and /. May hide too much, never too little."""
    _, at, host = address[0].rpartition("@")
    return f"{HIDDEN}@{host}" if at else host
