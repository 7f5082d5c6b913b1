"""Restrictions of devices that harm others: stored, written to the audit log, enforced at the broker, and lifted."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
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
GATHER_S: Final = 0.5
"""Devices that misbehave together are stored and enforced together: their sessions have been ended before."""
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
            self._closing.wait(GATHER_S)
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
        with self._database.write() as connection:
            changed = self._store_new(connection, new, now)
            sent_away = [name for name, found in changed.items() if found is not None and _is_disconnected(found)]
            following = {item.device: after(item, now) for item in ended}
            changed.update(following)
            restrictions.remove(connection, [device for device, item in following.items() if item is None])
            restrictions.store(connection, [item for item in following.values() if item is not None])
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

    def _store_new(self, connection: Connection, new: Mapping[str, Restriction], now: float) -> dict[str, Restriction | None]:
        """Store restrictions; returns them as they are in effect, None where nothing is stored.

        A device becomes known if it only has a certificate so far. A name without certificate is not authenticated: it is
        throttled at most, and not known if no valid message came from it.
        """
        if not new:
            return {}
        db = raw(connection)
        certified = identities.certified(connection, new.keys(), now)
        known = ingest.known_devices(db, list(new))
        storable, in_effect = certified | known, []
        for device, restriction in new.items():
            softened = self._guard.soften(device) if _is_disconnected(restriction) and device not in certified else restriction
            if softened is None or device not in storable:
                continue
            if device not in known:
                ingest.add_device(db, device, now)
            in_effect.append(softened)
        stored = {restriction.device: restriction for restriction in restrictions.store(connection, in_effect)}
        news = [each for name, each in stored.items() if name not in self._stored or self._stored[name].state is not each.state]
        audit.append_all(connection, [_audit_entry(restriction, now) for restriction in news])
        for restriction in news:
            log.warning("device %s is %s: %s", restriction.device, restriction.state.value, restriction.offence.value)
        return {device: stored.get(device) for device in new}


def _audit_entry(restriction: Restriction, now: float) -> audit.EntryContent:
    detail = {"offence": restriction.offence.value, "until_at": restriction.until_at, "times": restriction.times}
    target = f"{restriction.device} {restriction.state.value}"
    return now, "edgefleet", "", "ingest", "", "restrict_device", target, 200, json.dumps(detail)


def _is_disconnected(restriction: Restriction) -> bool:
    return restriction.state is RestrictionState.DISCONNECTED
