"""Restrictions of devices that harm others: stored, written to the audit log, enforced at the broker, and lifted."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Final

from sqlalchemy import Connection

from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import identities, restrictions
from edgefleet_server.db.people import audit
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.domain.policy.device_conduct import Restriction, RestrictionState, after
from edgefleet_server.link.device_guard import DeviceGuard

TURN_S: Final = 1.0
GATHER_S: Final = 0.1
LIFT_S: Final = 1.2
"""Least time between two revocation lists of which the second has fewer certificates: the broker
compares their times in seconds."""
RELOAD_S: Final = 30.0
WAITING_MAX: Final = 1_000

log = logging.getLogger(__name__)


class RestrictionKeeper:
    """The thread that stores the restrictions that `guard` decides on. `enforce(devices)` applies the list of revoked
    certificates, which has those of disconnected devices, and ends the sessions of `devices`; it does not wait. `end(device)`
    ends a session at once, before the restriction is stored, and when a disconnected device sends again. `touched` is called with
    the devices whose state has changed."""

    def __init__(
        self,
        database: Database,
        guard: DeviceGuard,
        enforce: Callable[[Sequence[str]], None],
        end: Callable[[str], None],
        touched: Callable[[frozenset[str]], None] = lambda _devices: None,
    ) -> None:
        self._database = database
        self._guard = guard
        self._enforce = enforce
        self._end = end
        self._touched = touched
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, Restriction] = OrderedDict()
        self._stored: dict[str, Restriction] = {}
        self._loaded_at = 0.0
        self._enforced_s = 0.0
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="restrictions", daemon=True)

    def start(self) -> None:
        """Continue with the stored restrictions, and start the thread.

        Raises:
            StoreError: the database cannot be read.
        """
        self._reload(time.time(), ())
        self._guard.restricted, self._guard.came_back = self.restrict, self._end
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def restrict(self, restriction: Restriction) -> None:
        """Store and enforce a restriction soon; never blocks."""
        with self._lock:
            self._waiting[restriction.device] = restriction
            if len(self._waiting) > WAITING_MAX:
                self._waiting.popitem(last=False)
        self._wake.set()
        if _is_disconnected(restriction):
            self._end(restriction.device)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._wake.wait(TURN_S)
            self._wake.clear()
            self._closing.wait(GATHER_S)  # devices that misbehave together are disconnected together
            try:
                self._turn(time.time())
            except StoreError as error:
                log.warning("restrictions of devices: %s", error)
                self._closing.wait(TURN_S)

    def _turn(self, now: float) -> None:
        """Store new restrictions, and what follows those that have ended."""
        with self._lock:
            new = dict(self._waiting)
        self._reload(now, new.keys())
        ended = [item for item in self._stored.values() if now >= item.until_at and item.device not in new]
        if time.monotonic() - self._enforced_s < LIFT_S:
            ended = []
        if not new and not ended:
            return
        changed: dict[str, Restriction | None] = {}
        with self._database.write() as connection:
            for device, restriction in new.items():
                changed[device] = self._store(connection, restriction, now)
            sent_away = [name for name, found in changed.items() if found is not None and _is_disconnected(found)]
            for restriction in ended:
                following = changed[restriction.device] = after(restriction, now)
                if following is None:
                    restrictions.remove(connection, restriction.device)
                else:
                    restrictions.store(connection, following)
        with self._lock:
            for device, restriction in new.items():
                if self._waiting.get(device) is restriction:
                    del self._waiting[device]
        for device, found in changed.items():
            self._stored.pop(device, None)
            if found is not None:
                self._stored[device] = found
        if sent_away or any(_is_disconnected(restriction) for restriction in ended):
            self._enforced_s = time.monotonic()
            self._enforce(sent_away)
        self._touched(frozenset(changed))

    def _reload(self, now: float, new: Collection[str]) -> None:
        """Take over what other processes have stored."""
        if now - self._loaded_at < RELOAD_S:
            return
        self._loaded_at = now
        with self._database.read() as connection:
            found = {restriction.device: restriction for restriction in restrictions.stored(connection)}
        self._guard.restore([item for name, item in found.items() if name not in new and self._stored.get(name) != item])
        self._stored = found

    def _store(self, connection: Connection, restriction: Restriction, now: float) -> Restriction | None:
        """Store a restriction; returns it as it is in effect, None if nothing is stored.

        A device becomes known if it only has a certificate so far. A name without certificate is not authenticated: it is
        throttled at most, and not known if no valid message came from it.
        """
        has_identity = bool(identities.live_serials(connection, restriction.device, now))
        if _is_disconnected(restriction) and not has_identity:
            softened = self._guard.soften(restriction.device)
            if softened is None:
                return None
            restriction = softened
        known = self._stored.get(restriction.device)
        db = raw(connection)
        if not ingest.device_exists(db, restriction.device):
            if not has_identity:
                return None
            ingest.add_device(db, restriction.device, now)
        if not restrictions.store(connection, restriction):
            return None
        if known is None or known.state is not restriction.state:
            log.warning("device %s is %s: %s", restriction.device, restriction.state.value, restriction.offence.value)
            detail = {"offence": restriction.offence.value, "until_at": restriction.until_at, "times": restriction.times}
            audit.append(
                connection, at=now, actor="edgefleet", role="", via="ingest", source="", action="restrict_device",
                target=f"{restriction.device} {restriction.state.value}", status=200, detail=json.dumps(detail),
            )  # fmt: skip
        return restriction


def _is_disconnected(restriction: Restriction) -> bool:
    return restriction.state is RestrictionState.DISCONNECTED
