"""Measurements of packages on devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.tables.core import columns_of
from edgefleet_server.db.tables.measurements import Measurement

SETTING = ("variant", "runtime", "device", "threads", "streams", "instances", "batch")
MACHINES_MAX = 32
MEASUREMENTS_MAX = 20_000
"""Of a list: the machines of every profile together."""
"""Limit of machines of one profile; above it, the oldest are deleted."""


def replace(connection: Connection, package: str, profile: str, machine: str, rows: Sequence[dict[str, Any]], now: float) -> None:
    """Replace the measurements of a machine by these rows."""
    own = (col(Measurement.package) == package, col(Measurement.profile) == profile)
    connection.execute(delete(Measurement).where(*own, col(Measurement.machine) == machine))
    common = {"package": package, "profile": profile, "machine": machine, "measured_at": now}
    connection.execute(insert(Measurement), [{**row, **common} for row in rows])
    known = select(col(Measurement.machine)).where(*own).group_by(col(Measurement.machine))
    newest_first = known.order_by(func.max(col(Measurement.measured_at)).desc())
    forgotten = list(connection.execute(newest_first.offset(MACHINES_MAX)).scalars())
    if forgotten:
        connection.execute(delete(Measurement).where(*own, col(Measurement.machine).in_(forgotten)))


def add(connection: Connection, package: str, profile: str, machine: str, row: dict[str, Any], now: float) -> None:
    """Add the measurement of one setting of a machine, in place of an earlier one of the same setting; it becomes the best one if
    none was chosen yet."""
    own = (col(Measurement.package) == package, col(Measurement.profile) == profile, col(Measurement.machine) == machine)
    same = [col(getattr(Measurement, name)) == row[name] for name in SETTING]
    connection.execute(delete(Measurement).where(*own, *same))
    chosen = connection.execute(select(col(Measurement.id)).where(*own, col(Measurement.best).is_(True)).limit(1)).first()
    values = {**row, "package": package, "profile": profile, "machine": machine, "measured_at": now, "best": chosen is None}
    connection.execute(insert(Measurement), values)


def of_package(connection: Connection, package: str, *, best_only: bool = False) -> list[dict[str, Any]]:
    """Measurements by profile and machine, the lowest latency first."""
    statement = select(*columns_of(Measurement)).where(col(Measurement.package) == package)
    if best_only:
        statement = statement.where(col(Measurement.best).is_(True))
    ordered = statement.order_by(col(Measurement.profile), col(Measurement.machine), col(Measurement.p95_ms)).limit(
        MEASUREMENTS_MAX
    )
    return [dict(row) for row in connection.execute(ordered).mappings()]


def check_digest(known: str, measured: str, what: str) -> None:
    """Check that the measured package (`what`) is the one in the registry.

    Raises:
        ConflictError: the figures are of other files than those of the registry.
    """
    if known != measured:
        raise ConflictError(
            f"{what} has other content ({known[:12]}) than the measured package ({measured[:12]}); measure the pushed version"
        )
