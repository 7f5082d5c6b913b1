"""The settings in effect: those of the start, and the changes of administrators.

Each process polls the database every few seconds, so that a change made through one of them is applied by all; the one that made
it polls at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend import settings
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.domain.policy.runtime_settings import adjusted

POLL_S: Final = 2.0

log = logging.getLogger(__name__)

Listener = Callable[[Settings], None]


class LiveSettings:
    """The effective settings. `now` may be read by any thread. Listeners are called with the new settings, on the thread that
    found the change."""

    def __init__(self, database: Database, start: Settings) -> None:
        self.start_with = start
        self.now = start
        self._database = database
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="settings", daemon=True)
        self._complained = ""

    def start(self) -> None:
        """Poll once, then start the thread that polls periodically.

        Raises:
            StoreError: the database refuses.
        """
        self.poll()
        self._thread.start()

    def close(self) -> None:
        """Stop polling."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` now and at every change; returns a function that removes it."""
        with self._lock:
            self._listeners.append(listener)
            listener(self.now)
        return lambda: self._forget(listener)

    def poll(self) -> None:
        """Apply the stored changes.

        Raises:
            StoreError: the database refuses.
        """
        with self._database.read() as connection:
            stored = {name: change.value for name, change in settings.stored(connection).items()}
        try:
            found = adjusted(self.start_with, stored)
        except InputError as error:  # written by another version of this server, with other bounds
            self._complain(f"cannot apply changed settings: {error}")
            return
        with self._lock:
            if found != self.now:
                self.now = found
                for listener in self._listeners:
                    listener(found)

    def _complain(self, text: str) -> None:
        if text != self._complained:
            self._complained = text
            log.error("%s", text)

    def _forget(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.remove(listener)

    def _run(self) -> None:
        while not self._closing.wait(POLL_S):
            self._poll_safely()

    def _poll_safely(self) -> None:
        try:
            self.poll()
        except StoreError as error:
            log.warning("settings: %s", error)
