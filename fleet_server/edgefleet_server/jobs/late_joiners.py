"""Devices that come to match a rollout later: enrolled, or labelled, after it was planned. They form its catch-up lane.

A rollout takes them in when its terms say `follow`; of several for the same slot the newest does. They are offered the version
when the plan is done, under the same gate, ramp and window as everybody else (`domain.offers`).
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
"""Devices that one turn takes in."""


def join(database: Database, now: float) -> dict[int, list[str]]:
    """Take in who came to match; devices by rollout.

    Raises:
        StoreError: the database refuses; they are taken in the next time.
    """
    with database.read() as connection:
        open_lanes = late_joiners.open_waves(connection)
        found = {lane.rollout: _newcomers(connection, lane, now) for lane in open_lanes}
    joined = {rollout: names for rollout, names in found.items() if names}
    for rollout, names in joined.items():
        with database.write() as connection:
            late_joiners.add(connection, rollout, names, now)
    return joined


def _newcomers(connection: Connection, lane: late_joiners.LateJoinerWave, now: float) -> list[str]:
    strangers = late_joiners.untried_devices(connection, lane)
    if not strangers:
        return []
    package: dict[str, Any] = packages.by_digest(connection, lane.package)
    chosen = plan(
        [candidate for candidate in devices.candidates(connection, lane.slot, now) if candidate.device in strangers],
        groups.resolve(connection, lane.selector),
        [WavePlan("catch-up")],
        manifest_of(package),
        lane.package,
        lengths_of(package),
        now,
        [
            further_part(connection, part["slot"], packages.by_digest(connection, part["digest"]), now)
            for part in bundle_parts.named(raw(connection), lane.rollout)[1:]
        ],
    )
    return chosen.waves[0][:JOIN_MAX]
