"""The groups of alerts."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.devices.device_queries import QueriedFleet
from edgefleet_server.db.telemetry import alerts


class AlertGroups:
    """The groups `names`, with their devices, which are looked up when they are needed."""

    def __init__(self, connection: Connection, names: Iterable[str]) -> None:
        self._connection = connection
        self._names = sorted(set(names))
        self._devices: dict[str, frozenset[str]] | None = None
        self._fleet = QueriedFleet(connection)

    def of(self, device: str | None, rollout: int | None) -> list[str]:
        """Those that the device of an alert is in, or that its rollout is for."""
        if rollout is not None:
            return [name for name in alerts.rollout_groups(raw(self._connection), rollout) if name in self._names]
        if self._devices is None:
            self._devices = {name: self._members(name) for name in self._names}
        return [name for name, devices in self._devices.items() if device in devices]

    def _members(self, name: str) -> frozenset[str]:
        selector = groups.resolve_stored(self._connection, {"group": name}, self._fleet)
        return frozenset(groups.members(self._connection, selector)) if selector else frozenset()
