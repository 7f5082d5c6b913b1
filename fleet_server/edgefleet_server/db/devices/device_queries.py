"""Devices that match a query. The facts are read in a few statements, and compared here: no database knows the order of
versions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

import msgspec
from sqlalchemy import Connection, select
from sqlmodel import col

from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices.device_filters import has_state
from edgefleet_server.db.tables.core import DeviceLast, DeviceRecord
from edgefleet_server.domain.query.label_names import unknown_labels
from edgefleet_server.domain.query.terms import DeviceQuery, QueriedDevice
from edgefleet_server.domain.selector import carries

_labels = msgspec.json.Decoder(dict[str, str]).decode


class QueriedFleet:
    """All devices, with the facts that queries have asked for so far: several queries share what is read. For one
    transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._packages: set[str] = set()
        self._states: set[str] = set()

    def matching(self, query: DeviceQuery, labels: Mapping[str, str], ids: Collection[str]) -> list[str]:
        """The devices that match and carry all `labels`, together with those of `ids` that exist; ordered by id."""
        for package in query.packages - self._packages:
            self._add_package(package)
        for state in query.states - self._states:
            self._add_state(state)
        return [
            device.id
            for device in self._devices.values()
            if device.id in ids or (carries(device.labels, labels) and query.matches(device))
        ]

    def unknown_labels(self, named: Collection[str]) -> list[str]:
        """A sentence for each label that no device has."""
        return unknown_labels(named, [device.labels for device in self._devices.values()]) if named else []

    @cached_property
    def _devices(self) -> dict[str, QueriedDevice]:
        rows = raw(self._connection).execute("SELECT id, labels, profile, agent_version FROM device ORDER BY id")
        return {row[0]: QueriedDevice(row[0], _labels(row[1]), row[2], row[3]) for row in rows}

    def _add_package(self, package: str) -> None:
        self._packages.add(package)
        statement = "SELECT device, running_version FROM device_slot WHERE running_package = ?"
        for device, version in raw(self._connection).execute(statement, (package,)):
            self._devices[device].packages.setdefault(package, []).append(version)

    def _add_state(self, state: str) -> None:
        self._states.add(state)
        statement = (
            select(col(DeviceRecord.id)).join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id)).where(has_state(state))
        )
        for device in self._connection.execute(statement).scalars():
            self._devices[device].states.add(state)
