"""Late joiners: devices that were enrolled or labelled after a rollout was planned and match its selector. They form its
late-joiner wave.

A rollout accepts them if its terms have `follow`; of several for the same slot only the newest. They are offered the version
when the plan is done, under the same gate, ramp and window as other devices (`domain.rollout.offers`).
"""

from __future__ import annotations

from typing import Any, Final

from edgefleet_server.db.assignment import late_joiners
from edgefleet_server.db.backend.engine import Connection, Database, raw
from edgefleet_server.db.devices import devices, groups
from edgefleet_server.db.registry import packages
from edgefleet_server.db.rollouts import bundle_parts
from edgefleet_server.domain.rollout.planning import plan
from edgefleet_server.domain.rollout.waves import WavePlan
from edgefleet_server.registry.bundle_parts import further_part
from edgefleet_server.registry.package_registry import lengths_of, manifest_of

JOIN_MAX: Final = 1_000
"""Devices added in one run."""


def join(database: Database, now: float) -> dict[int, list[str]]:
    """Add late joiners to their rollouts; returns them by rollout.

    Raises:
        StoreError: the database refuses; the next run adds them.
    """
    with database.read() as connection:
        followed = late_joiners.open_waves(connection)
        found = {wave.rollout: _newcomers(connection, wave, now) for wave in followed}
    joined = {rollout: names for rollout, names in found.items() if names}
    for rollout, names in joined.items():
        with database.write() as connection:
            late_joiners.add(connection, rollout, names, now)
    return joined


def _newcomers(connection: Connection, wave: late_joiners.LateJoinerWave, now: float) -> list[str]:
    untried = late_joiners.untried_devices(connection, wave)
    if not untried:
        return []
    package: dict[str, Any] = packages.by_digest(connection, wave.package)
    chosen = plan(
        [candidate for candidate in devices.candidates(connection, wave.slot, now) if candidate.device in untried],
        groups.resolve(connection, wave.selector),
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
