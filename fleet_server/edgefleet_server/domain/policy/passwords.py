"""Passwords and other secrets, hashed. Pure: salt and randomness are arguments.

Passwords go through scrypt (RFC 7914) with N = 2^15, r = 8, p = 3: one of the equivalent settings of OWASP's password storage
cheat sheet, 32 MiB and a few tenths of a second per try. The hash contains its settings, so that they can be raised later.
Secrets that the server generates (sessions, API tokens) have 256 bits and need no slow hash: SHA-256.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Final

from edgefleet_server.core.errors import InputError

LENGTH_MIN: Final = 10
LENGTH_MAX: Final = 256
SALT_BYTES: Final = 16
SECRET_BYTES: Final = 32
_COST_BITS, _BLOCK, _LANES = 15, 8, 3
_MEMORY_BYTES_MAX: Final = 256 * 1024 * 1024
_HASH_BYTES: Final = 32


def check_strength(name: str, password: str) -> None:
    """Refuse a weak password.

    Raises:
        InputError: too short, too long, or the user's own name.
    """
    if not LENGTH_MIN <= len(password) <= LENGTH_MAX:
        raise InputError(f"password: must be {LENGTH_MIN} to {LENGTH_MAX} characters; use a few unrelated words")
    if password.strip().lower() == name or len(set(password)) < 4:
        raise InputError("password: too easy to guess; use a few unrelated words")


def hash_password(password: str, salt: bytes) -> str:
    """`scrypt$log2 N$r$p$salt$hash`; slow on purpose."""
    digest = _scrypt(password, salt, _COST_BITS, _BLOCK, _LANES)
    return "$".join(("scrypt", str(_COST_BITS), str(_BLOCK), str(_LANES), _text(salt), _text(digest)))


def matches(password: str, stored: str) -> bool:
    """Whether this is the password; a wrong one takes as long as the right one."""
    _, cost_bits, block, lanes, salt, digest = stored.split("$")
    tried = _scrypt(password, base64.b64decode(salt), int(cost_bits), int(block), int(lanes))
    return hmac.compare_digest(tried, base64.b64decode(digest))


def hash_secret(secret: str) -> str:
    """SHA-256 of a random secret, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _scrypt(password: str, salt: bytes, cost_bits: int, block: int, lanes: int) -> bytes:
    return hashlib.scrypt(
        password.encode(), salt=salt, n=2**cost_bits, r=block, p=lanes, maxmem=_MEMORY_BYTES_MAX, dklen=_HASH_BYTES
    )


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
