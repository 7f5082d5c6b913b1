"""Failed TLS handshakes in Mosquitto's log: what they mean, and where they come from, at a limited rate.

Mosquitto logs OpenSSL's error without an address; the connection is in an earlier line. Between the two another connection may
come, so that the address is that of the last new one.
"""

from __future__ import annotations

import re
from typing import Final

REPEAT_S: Final = 600.0
"""Time in which failures of one kind and address are logged once."""
ADDRESSES_MAX: Final = 256

_NEW: Final = re.compile(r"New connection from (?P<address>\S+):\d+ on port")
_FAILED: Final = re.compile(
    r"(?:OpenSSL Error\[\d+\]:|Client connection from (?P<address>\S+) failed:) error:\w+:SSL routines:[^:]*:(?P<reason>.+?)\.?$"
)
_MEANINGS: Final = {
    "certificate verify failed": "the server refuses the device's certificate (expired, revoked, or of another authority);"
    " enroll the device again unless it is blocked",
    "alert unknown ca": "the device does not trust the server's certificate, which is of another authority;"
    " restore the folder authority/, or enroll the device again",
    "alert certificate expired": "the server's certificate has expired, or the device's clock is wrong",
    "alert bad certificate": "the server's certificate does not fit the name or the dates that the device expects",
    "peer did not return a certificate": "a client without a certificate; enroll it",
    "http request": "a client that speaks HTTP instead of MQTT over TLS",
    "wrong version number": "a client that does not speak TLS",
}


class TlsFailures:
    """Failed handshakes by address and reason. Used from one thread."""

    def __init__(self) -> None:
        self._address = ""
        self._known: dict[tuple[str, str], tuple[float, int]] = {}

    def read(self, words: str, now: float) -> str | None:
        """Take a line of the log at `now` (monotonic seconds). Returns the text to log for a failed handshake, empty if it was
        logged before; None for another line."""
        if (new := _NEW.match(words)) is not None:
            self._address = new["address"]
            return None
        failed = _FAILED.match(words)
        if failed is None:
            return None
        address, reason = failed["address"] or self._address or "an unknown address", failed["reason"].removeprefix("sslv3 ")
        logged_s, count = self._known.pop((address, reason), (float("-inf"), 0))
        if now - logged_s < REPEAT_S:
            self._known[address, reason] = (logged_s, count + 1)
            return ""
        if len(self._known) >= ADDRESSES_MAX:
            del self._known[next(iter(self._known))]
        self._known[address, reason] = (now, 0)
        meaning = next((text for words_, text in _MEANINGS.items() if words_ in reason), "")
        times = f"; {count} more times since the last line" if count else ""
        return f"TLS failed with {address}: {meaning or reason}{f' ({reason})' if meaning else ''}{times}"
