"""The metadata with every table in it: importing this module imports each module of tables."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from sqlmodel import SQLModel

from edgefleet_server.db.tables import (
    core,
    experiments,
    identities,
    measurements,
    people,
    registry,
    retention,
    settings,
    telemetry,
    version_shares,
)

MODULES: Final[tuple[ModuleType, ...]] = (
    core,
    experiments,
    identities,
    measurements,
    people,
    registry,
    retention,
    settings,
    telemetry,
    version_shares,
)
METADATA: Final = SQLModel.metadata
