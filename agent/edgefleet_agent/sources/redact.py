"""Hides credentials in addresses for errors and logs."""

from __future__ import annotations

import re

HIDDEN = "***"

_USER = re.compile(r"(?<=://)[^\s'\"]{0,2048}@")
"""Up to the last @ of the address, because passwords may contain @, : and /. May hide too much, never too little."""
_NAMES = "user(?:name)?|usr|login|pass(?:word|wd)?|pwd|token|key|auth|secret|sig(?:nature)?"
_SECRET = re.compile(rf"([?&;](?:{_NAMES})=)[^&#;\s'\"]*", re.IGNORECASE)


def redact(text: str) -> str:
    """Replaces user names, passwords and tokens in all addresses in `text`."""
    return _SECRET.sub(rf"\g<1>{HIDDEN}", _USER.sub(f"{HIDDEN}@", text))
