"""Download tickets of this device: authorization to fetch a blob over HTTPS (`edgefleet_contract.wire.download_tickets`)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from edgefleet_contract.wire.download_tickets import DownloadTicket

PASS_S_MAX = 10.0
"""How long to wait for a ticket."""
PASS_SPARE_S = 30.0
PASSES_MAX = 512


class TicketCache:
    """The valid tickets of this device, by blob. `ask` requests one from the server; the uplink sets it."""

    def __init__(self) -> None:
        self.ask: Callable[[str], object] = lambda _blob: None
        self._held: dict[str, tuple[str, float]] = {}
        self._came = threading.Condition()

    def on_ticket(self, granted: DownloadTicket) -> None:
        """Store a ticket that the server granted."""
        with self._came:
            self._held[granted.blob] = (granted.token, time.monotonic() + granted.life_s - PASS_SPARE_S)
            while len(self._held) > PASSES_MAX:
                del self._held[next(iter(self._held))]
            self._came.notify_all()

    def find(self, blob: str) -> str:
        """The token for `blob`; waits for it a while. Empty if none arrived."""
        with self._came:
            if self._good(blob):
                return self._held[blob][0]
            self.ask(blob)
            self._came.wait_for(lambda: self._good(blob), PASS_S_MAX)
            return self._held[blob][0] if self._good(blob) else ""

    def drop(self, blob: str) -> None:
        """Remove the ticket of `blob`: the server refused it."""
        with self._came:
            self._held.pop(blob, None)

    def _good(self, blob: str) -> bool:
        return blob in self._held and time.monotonic() < self._held[blob][1]
