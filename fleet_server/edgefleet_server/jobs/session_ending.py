"""Ends the sessions of devices that are disconnected for their conduct, at once: the list of revoked certificates follows when
the restriction is stored, and until the broker has read it a device may come back."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from edgefleet_server.core.errors import StoreError

AGAIN_S: Final = 0.5
"""Shortest time between two endings of one device: its messages that the broker had received still arrive."""
WAITING_MAX: Final = 1_000

log = logging.getLogger(__name__)


class SessionEnder:
    """A thread. `end_sessions(devices)` ends the sessions of all at the broker, and waits for it. `authenticated(devices)`
    returns those whose names no other client can use; it may raise StoreError."""

    def __init__(
        self, end_sessions: Callable[[Sequence[str]], None], authenticated: Callable[[Sequence[str]], Sequence[str]]
    ) -> None:
        self._end_sessions = end_sessions
        self._authenticated = authenticated
        self._lock = threading.Lock()
        self._waiting: dict[str, None] = {}
        self._ended: dict[str, float] = {}
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="session-ender", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def end(self, device: str) -> None:
        """End the session of a device soon, if that has not just been done; never blocks."""
        now = time.monotonic()
        with self._lock:
            if now - self._ended.get(device, -AGAIN_S) < AGAIN_S or len(self._waiting) >= WAITING_MAX:
                return
            self._ended[device] = now
            self._waiting[device] = None
        self._wake.set()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            if self._closing.is_set():
                return
            with self._lock:
                devices, self._waiting = list(self._waiting), {}
                edge = time.monotonic() - AGAIN_S
                self._ended = {device: at for device, at in self._ended.items() if at > edge}
            try:
                self._end_sessions(self._authenticated(devices))
            except StoreError as error:
                log.warning("sessions of disconnected devices: %s", error)
