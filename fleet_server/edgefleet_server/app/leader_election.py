"""One of several processes leads: it runs the bureau for as long as its term holds, and the others stand by."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from edgefleet_server.app.leader_services import LeaderServices
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.backend import leader

LOOK_S = 1.0

log = logging.getLogger(__name__)


class LeaderElection:
    """The thread that stands for election. `make` builds a bureau for a term."""

    def __init__(self, url: str, make: Callable[[leader.LeaderTerm], LeaderServices]) -> None:
        self._url = url
        self._make = make
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="leadership", daemon=True)
        self.bureau: LeaderServices | None = None
        """While this process leads."""

    def start(self) -> None:
        """Begin to stand."""
        self._thread.start()

    def close(self) -> None:
        """End the term; another process takes over."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(15.0)

    def _run(self) -> None:
        while not self._closing.wait(LOOK_S):
            term = leader.begin(self._url)
            if term is not None:
                self._lead(term)

    def _lead(self, term: leader.LeaderTerm) -> None:
        log.info("this process leads (term %d)", term.number)
        bureau = self._make(term)
        try:
            bureau.start()
            self.bureau = bureau
            while not self._closing.wait(LOOK_S) and term.holds():
                pass
        except StoreError as error:
            log.error("cannot lead: %s", error)
        finally:
            self.bureau = None
            bureau.close()
            term.end()
        if not self._closing.is_set():
            log.warning("term %d is over; this process stands by", term.number)
