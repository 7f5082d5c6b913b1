"""Signatures of notices, and pauses between deliveries."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

TRIES_MAX: Final = 10
PAUSE_S: Final = 10.0
PAUSE_S_MAX: Final = 3600.0
SIGNATURE_HEADER: Final = "X-Edgefleet-Signature"


def pause_s(tries: int) -> float:
    """The pause after `tries` failed deliveries: 10 s, doubled each time, up to an hour. Ten tries take about three hours."""
    return float(min(PAUSE_S_MAX, PAUSE_S * 2.0 ** (tries - 1)))


def signature(secret: str, sent_at: int, body: bytes) -> str:
    """`t=SECONDS,v1=HEX`: HMAC-SHA256 over `SECONDS.BODY`, so that a receiver detects a forged body and a replayed message.

    The format is Stripe's, for which receivers exist in every language.
    """
    digest = hmac.new(secret.encode(), f"{sent_at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={sent_at},v1={digest}"


def verify(secret: str, header: str, body: bytes, now: float, tolerance_s: float = 300.0) -> bool:
    """Whether a message is signed with the secret and at most `tolerance_s` old; the check of a receiver."""
    parts = dict(part.partition("=")[::2] for part in header.split(","))
    if not parts.get("t", "").isdigit() or abs(now - int(parts["t"])) > tolerance_s:
        return False
    return hmac.compare_digest(signature(secret, int(parts["t"]), body), header)
