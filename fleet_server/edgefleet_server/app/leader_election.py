"""Leader election: one of several processes runs the leader services during its term; the others are on standby."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from edgefleet_server.app.leader_services import LeaderServices
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.backend import leader

POLL_S = 1.0

log = logging.getLogger(__name__)


class LeaderElection:
    """Election thread. `make` builds the leader services of a term."""

    def __init__(self, url: str, make: Callable[[leader.LeaderTerm], LeaderServices]) -> None:
        self._url = url
        self._make = make
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="leadership", daemon=True)
        self.services: LeaderServices | None = None
        """The leader services while this process is the leader, else None."""

    def start(self) -> None:
        """Start the thread, which takes part in elections."""
        self._thread.start()

    def close(self) -> None:
        """End the term; another process takes over."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(15.0)

    def _run(self) -> None:
        while not self._closing.wait(POLL_S):
            term = leader.begin(self._url)
            if term is not None:
                self._lead(term)

    def _lead(self, term: leader.LeaderTerm) -> None:
        log.info("this process leads (term %d)", term.number)
        services = self._make(term)
        try:
            services.start()
            self.services = services
            while not self._closing.wait(POLL_S) and term.holds():
                pass
        except StoreError as error:
            log.error("cannot lead: %s", error)
        finally:
            self.services = None
            services.close()
            term.end()
        if not self._closing.is_set():
            log.warning("term %d is over; this process stands by", term.number)
