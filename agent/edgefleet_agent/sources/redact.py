"""Hides credentials in addresses for errors and logs."""

from __future__ import annotations

import re

HIDDEN = "***"

_ADDRESS = re.compile(r"(?<=://)[^\s'\"]*")
_NAMES = "user(?:name)?|usr|login|pass(?:word|wd)?|pwd|token|key|auth|secret|sig(?:nature)?"
_SECRET = re.compile(rf"([?&;](?:{_NAMES})=)[^&#;\s'\"]*", re.IGNORECASE)
_NAMED = re.compile(
    r"((?<![a-z0-9])[\"']?(?:[a-z0-9]+[_-])*(?:password|passwd|passphrase|pwd|token|secret|credentials?|api[_-]?key|access[_-]?key"
    r"|private[_-]?key|authorization|cookie)[\"']?\s*(?:=|:|=>)\s*)(\"(?:[^\"\\\n]|\\.)*\"?|'[^'\n]*'?|(?:(?:bearer|basic|digest)\s+)?[^\s,;]+)",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b((?:bearer|basic)\s+)[A-Za-z0-9+/._~-]{8,}=*", re.IGNORECASE)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_OWN_TOKEN = re.compile(r"\bef_[A-Za-z0-9_-]{6,}")


def scrub(text: str) -> str:
    """Replaces what could be a secret in a text that leaves the device: credentials in addresses, values of names such as
    `password`, `token` or `api_key`, authorization headers, tokens of the fleet server, private keys."""
    text = _PRIVATE_KEY.sub(HIDDEN, text)
    text = _NAMED.sub(rf"\g<1>{HIDDEN}", redact(text))
    return _OWN_TOKEN.sub(HIDDEN, _BEARER.sub(rf"\g<1>{HIDDEN}", text))


def redact(text: str) -> str:
    """Replaces user names, passwords and tokens in all addresses in `text`."""
    return _SECRET.sub(rf"\g<1>{HIDDEN}", _ADDRESS.sub(_without_user, text))


def _without_user(address: re.Match[str]) -> str:
    """Hides up to the last @, because passwords may contain @, : and /. May hide too much, never too little."""
    _, at, host = address[0].rpartition("@")
    return f"{HIDDEN}@{host}" if at else host
