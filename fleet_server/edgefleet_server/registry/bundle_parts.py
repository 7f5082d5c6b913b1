"""Packages of a bundle as the input of planning."""

from __future__ import annotations

from typing import Any

from edgefleet_server.db.backend.engine import Connection
from edgefleet_server.db.devices import devices
from edgefleet_server.domain.rollout.planning import FurtherPart
from edgefleet_server.registry.package_registry import lengths_of, manifest_of


def further_part(connection: Connection, slot: str, package: dict[str, Any], now: float) -> FurtherPart:
    """A part of a bundle, with every device as a candidate for its slot."""
    known = {candidate.device: candidate for candidate in devices.candidates(connection, slot, now)}
    return FurtherPart(slot, manifest_of(package), package["digest"], lengths_of(package), known)
