"""Devices to compare an updated device with: those of the same profile and site (label `site`) that run the slot and were not
updated meanwhile. With too few of the site, those of the profile. The baseline of any device leaves out the minutes of other
updates: a version that failed a moment ago says nothing about the one that runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from edgefleet_contract.package.shadow import shadowed
from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.states import HAS_VERSION
from edgefleet_server.domain.statistics.levels import Minutes, levels
from edgefleet_server.domain.statistics.regression_check import BEFORE_S, CONTROLS_MIN, Change
from edgefleet_server.domain.statistics.summaries import MINUTE_S, unpack

_STAYS: Final = frozenset(state.value for state in HAS_VERSION)
CONTROLS_MAX: Final = 30
"""More devices do not make the median of their changes much more certain."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The terms of a control group. `digest`: of the new version. `since_at`: the earliest offer of it. `among`: only these
    devices: those of the groups that the rollout is cut to; None: all."""

    slot: str
    digest: str
    profile: str
    site: str
    since_at: float
    among: frozenset[str] | None = None


def minutes_of(db: Driver, device: str, since_at: float, until_at: float) -> Minutes:
    """The whole minutes of a device between two times."""
    first = -(-int(since_at) // MINUTE_S) * MINUTE_S
    last = int(until_at) // MINUTE_S * MINUTE_S - MINUTE_S
    rows = db.execute(
        "SELECT at, figures FROM rollup WHERE span_s = ? AND device = ? AND at >= ? AND at <= ? ORDER BY at",
        (MINUTE_S, device, first, last),
    )
    return [(at, unpack(data)) for at, data in rows]


def baseline_minutes(db: Driver, device: str, since_at: float, until_at: float) -> Minutes:
    """The whole minutes of a device between two times in which it ran what it runs at the end: without those before its last
    commit, and those of updates that came to nothing."""
    rows = db.execute(
        "SELECT state, offered_at, finished_at FROM attempt WHERE device = ? AND offered_at < ?"
        " AND (finished_at >= ? OR open AND NOT staging)",
        (device, until_at, since_at),
    )
    updates = [
        (0.0 if state in _STAYS else float(offered_at), until_at if finished_at is None else float(finished_at))
        for state, offered_at, finished_at in rows
    ]
    return [
        (at, figures)
        for at, figures in minutes_of(db, device, since_at, until_at)
        if not any(begin < at + MINUTE_S and at < end for begin, end in updates)
    ]


@dataclass(slots=True)
class ControlGroup:
    """The figures of the devices of one group."""

    minutes: Sequence[Minutes]
    _known: dict[tuple[int, int, int], list[Change]] = field(default_factory=dict)

    def changes(self, since_at: float, offered_at: float, committed_at: float) -> list[Change]:
        """The levels of each device over the periods before the offer and after the commit, in whole minutes."""
        first, last, start = (
            -(-int(since_at) // MINUTE_S) * MINUTE_S,
            int(offered_at) // MINUTE_S * MINUTE_S - MINUTE_S,
            -(-int(committed_at) // MINUTE_S) * MINUTE_S,
        )
        periods = first, last, start
        if periods not in self._known:
            self._known[periods] = [
                Change(
                    before := levels([minute for minute in mine if first <= minute[0] <= last]),
                    levels([minute for minute in mine if minute[0] >= start], before),
                )
                for mine in self.minutes
            ]
        return self._known[periods]


def read(db: Driver, compared: Compared) -> ControlGroup:
    """The group and its figures."""
    devices = _devices(db, compared, compared.site) if compared.site else []
    if len(devices) < CONTROLS_MIN:
        devices = _devices(db, compared, "")
    since_at = compared.since_at
    return ControlGroup(
        [
            [*baseline_minutes(db, device, since_at - BEFORE_S, since_at), *minutes_of(db, device, since_at, 2.0**53)]
            for device in devices
        ]
    )


def _devices(db: Driver, compared: Compared, site: str) -> list[str]:
    """Online devices that run another version in the slot and have neither been offered anything since nor ended an update; of
    one site unless `site` is empty."""
    rows = db.execute(
        "SELECT s.device FROM device_slot s JOIN device d ON d.id = s.device JOIN device_last l ON l.device = s.device"
        " WHERE s.slot = ? AND s.phase = 'committed' AND s.running_digest != ? AND l.presence = 'online' AND d.profile = ?"
        " AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.device = s.device"
        " AND (a.offered_at >= ? OR a.offered_at IS NOT NULL AND a.finished_at >= ?))"
        " AND (? OR json_extract(d.labels, '$.site') = ?) ORDER BY s.device",
        (
            shadowed(compared.slot) or compared.slot,
            compared.digest,
            compared.profile,
            compared.since_at,
            compared.since_at,
            not site,
            site,
        ),
    )
    found = (row[0] for row in rows if compared.among is None or row[0] in compared.among)
    return list(islice(found, CONTROLS_MAX))
