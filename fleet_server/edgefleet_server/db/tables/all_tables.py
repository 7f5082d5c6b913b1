"""The metadata of all tables: importing this module imports every module of tables."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from sqlmodel import SQLModel

from edgefleet_server.db.tables import (
    components,
    configurations,
    core,
    experiments,
    identities,
    measurements,
    people,
    proposals,
    registry,
    retention,
    rollouts,
    settings,
    telemetry,
    version_shares,
)

MODULES: Final[tuple[ModuleType, ...]] = (
    components,
    configurations,
    core,
    experiments,
    identities,
    measurements,
    people,
    proposals,
    registry,
    retention,
    rollouts,
    settings,
    telemetry,
    version_shares,
)
METADATA: Final = SQLModel.metadata
