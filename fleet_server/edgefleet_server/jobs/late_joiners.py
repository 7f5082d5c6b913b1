"""Late joiners: devices that were enrolled or labelled after a rollout was planned and match its selector. They form its
late-joiner wave.

A rollout accepts them if its terms have `follow`; of several for the same slot only the newest. They are offered the version
when the plan is done, under the same gate, ramp and window as other devices (`domain.rollout.offers`).
"""

from __future__ import annotations

from typing import Any, Final

from edgefleet_server.core.item_faults import ItemFaults
from edgefleet_server.db.assignment import late_joiners
from edgefleet_server.db.backend.engine import Connection, Database, raw
from edgefleet_server.db.devices import devices, groups
from edgefleet_server.db.devices.device_queries import QueriedFleet
from edgefleet_server.db.registry import packages
from edgefleet_server.db.rollouts import bundle_parts
from edgefleet_server.domain.rollout.planning import plan
from edgefleet_server.domain.rollout.waves import WavePlan
from edgefleet_server.domain.selector import Selector
from edgefleet_server.registry.bundle_parts import further_part
from edgefleet_server.registry.package_registry import lengths_of, manifest_of

JOIN_MAX: Final = 1_000
"""Devices added in one run."""


class LateJoining:
    """Adds late joiners when `turn` is called. Not thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._faults = ItemFaults()

    def turn(self, now: float) -> dict[int, list[str]]:
        """Add late joiners to their rollouts; returns them by rollout. No device joins a rollout whose group does not exist any
        more, or has got a query by a field that changes; its timeline says so.

        Raises:
            StoreError: the database refuses; the next run adds them.
        """
        found: dict[int, list[str]] = {}
        ended: list[tuple[late_joiners.LateJoinerWave, str]] = []
        with self._database.read() as connection:
            fleet = QueriedFleet(connection)
            for wave in late_joiners.open_waves(connection):
                with self._faults.apart(wave.rollout, f"rollout {wave.rollout}"):
                    selector = groups.resolve_stored(connection, wave.selector, fleet)
                    if selector is not None and not selector.changing:
                        found[wave.rollout] = _newcomers(connection, wave, selector, now)
                    elif not late_joiners.is_end_noted(connection, wave.rollout):
                        ended.append((wave, selector.changing if selector else ""))
        joined = {rollout: names for rollout, names in found.items() if names}
        for rollout, names in joined.items():
            with self._database.write() as connection:
                late_joiners.add(connection, rollout, names, now)
        for wave, changing in ended:
            with self._database.write() as connection:
                late_joiners.note_end(connection, wave, changing, now)
        return joined


def _newcomers(connection: Connection, wave: late_joiners.LateJoinerWave, selector: Selector, now: float) -> list[str]:
    untried = late_joiners.untried_devices(connection, wave)
    if not untried:
        return []
    package: dict[str, Any] = packages.by_digest(connection, wave.package)
    chosen = plan(
        [candidate for candidate in devices.candidates(connection, wave.slot, now) if candidate.device in untried],
        selector,
        [WavePlan("late-joiners")],
        manifest_of(package),
        wave.package,
        lengths_of(package),
        now,
        [
            further_part(connection, part["slot"], packages.by_digest(connection, part["digest"]), now)
            for part in bundle_parts.named(raw(connection), wave.rollout)[1:]
        ],
    )
    return chosen.waves[0][:JOIN_MAX]
