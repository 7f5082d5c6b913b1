"""Messages of the live updates. Conventions as in `schemas`."""

from __future__ import annotations

from pydantic import BaseModel

from edgefleet_server.api.schemas.fleet.devices import DeviceRow, TelemetryPoint
from edgefleet_server.api.schemas.fleet.events import EventRow
from edgefleet_server.api.schemas.fleet.overview import Overview
from edgefleet_server.api.schemas.rollouts.rollouts import AttemptRow, Rollout


class TelemetryMessage(BaseModel):
    """Data of a `telemetry` message; only with topic `device:ID`."""

    device: str
    point: TelemetryPoint


StreamMessage = Overview | DeviceRow | TelemetryMessage | Rollout | AttemptRow | EventRow
"""Data of a server-sent event, by its name: overview, device, telemetry, rollout, attempt, event."""
