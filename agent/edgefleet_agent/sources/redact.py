"""Addresses as they may be shown: a camera's password stands in its address, and addresses stand in errors and logs."""

from __future__ import annotations

import re

HIDDEN = "***"

_USER = re.compile(r"(?<=://)[^\s'\"]*@")
"""Up to the last @ of the address: passwords hold @, : and / more often than anyone likes. Rather too much than too little."""
_NAMES = "user(?:name)?|usr|login|pass(?:word|wd)?|pwd|token|key|auth|secret|sig(?:nature)?"
_SECRET = re.compile(rf"([?&;](?:{_NAMES})=)[^&#;\s'\"]*", re.IGNORECASE)


def redact(text: str) -> str:
    """`text` with user names, passwords and tokens of every address in it hidden."""
    return _SECRET.sub(rf"\g<1>{HIDDEN}", _USER.sub(f"{HIDDEN}@", text))
