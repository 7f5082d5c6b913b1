"""Counts over the whole fleet and over whole rollouts, shared by all callers of the API (`recent_values`)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from edgefleet_server.api.counts.recent_values import RecentValues
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import device_labels, devices
from edgefleet_server.db.rollouts import rollouts
from edgefleet_server.db.rollouts.figures import RolloutFigures
from edgefleet_server.db.telemetry import events

DAY_S: Final = 86_400.0
LARGE: Final = 1_000
"""Devices of a fleet, or attempts of a rollout, from which on counts are shared; counting fewer takes about a millisecond."""


@dataclass(frozen=True, slots=True)
class DeviceCounts:
    """Numbers of devices by status, the spread of versions, the events of a day, and what selects nothing
    (`device_labels.warnings`)."""

    by_status: Mapping[str, int]
    versions: Sequence[Mapping[str, Any]]
    events_24h: int
    label_warnings: Sequence[str]


class FleetCounts:
    """Both kinds of counts. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._fleet: RecentValues[str, DeviceCounts] = RecentValues(lambda found: found.by_status["devices_total"] >= LARGE)
        self._rollouts: RecentValues[tuple[Any, ...], RolloutFigures] = RecentValues(lambda found: found.attempts >= LARGE)

    def close(self) -> None:
        """End the computations."""
        self._fleet.close()
        self._rollouts.close()

    def devices(self) -> DeviceCounts:
        """The counts of the fleet, in a large one a few seconds old at most.

        Raises:
            StoreError: the database does not answer.
        """
        return self._fleet.get("fleet", self._count_devices)

    def rollout(self, record: rollouts.Record) -> RolloutFigures:
        """The figures of a rollout (its columns and waves), in a large one a few seconds old, but never older than the states
        of the rollout and its waves.

        Raises:
            StoreError: the database does not answer.
        """
        return self._rollouts.get(_states(record), lambda: self._count_attempts(record))

    def rollout_now(self, record: rollouts.Record) -> RolloutFigures:
        """The figures of a rollout as of now, for a reader that gets each change only once.

        Raises:
            StoreError: the database does not answer.
        """
        return self._rollouts.renew(_states(record), lambda: self._count_attempts(record))

    def _count_devices(self) -> DeviceCounts:
        with self._database.read() as connection:
            return DeviceCounts(
                devices.counts(connection),
                devices.versions(connection),
                events.count_since(connection, time.time() - DAY_S),
                device_labels.warnings(connection),
            )

    def _count_attempts(self, record: rollouts.Record) -> RolloutFigures:
        with self._database.read() as connection:
            return rollouts.current_figures(connection, time.time())(record)


def _states(record: rollouts.Record) -> tuple[Any, ...]:
    """The key of a rollout's figures: it changes with its state, so that no state is shown with the counts of the one before."""
    waves = tuple((wave["state"], wave["total"]) for wave in record["waves"])
    return record["id"], record["state"], record["started_at"], record["finished_at"], waves
