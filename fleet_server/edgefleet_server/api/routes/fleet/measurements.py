"""Routes of benchmark results: the measured speed of a version on each device profile."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter

from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.schemas.fields import PROFILES_MAX, Name, Problem, Version
from edgefleet_server.api.schemas.fleet.measurements import MeasurementList, MeasurementRow, MeasurementUpload
from edgefleet_server.api.schemas.fleet.overview import FieldReport, FieldRow
from edgefleet_server.db.registry import packages
from edgefleet_server.db.telemetry import field_report, measurements

router = APIRouter(tags=["models"])


@router.get("/models/{name}/{version}/measurements", operation_id="list_measurements")
def list_measurements(context: ContextDep, name: Name, version: Version, best: bool = False) -> MeasurementList:
    """Benchmark results of this version; `best`: only the chosen setting of each machine."""
    with context.database.read() as connection:
        digest = packages.find(connection, name, version)["digest"]
        return _list(measurements.of_package(connection, digest, best_only=best))


@router.put(
    "/models/{name}/{version}/measurements",
    operation_id="upload_measurements",
    responses={409: {"model": Problem, "description": "Other files were measured"}},
)
def upload_measurements(context: ContextDep, name: Name, version: Version, body: MeasurementUpload) -> MeasurementList:
    """Replace the benchmark results of this machine."""
    with context.database.write() as connection:
        digest = packages.find(connection, name, version)["digest"]
        measurements.check_digest(digest, body.digest, f"{name}@{version}")
        rows = [row.model_dump() for row in body.rows]
        measurements.replace(connection, digest, body.profile, body.machine, rows, time.time())
        return _list([row for row in measurements.of_package(connection, digest) if row["machine"] == body.machine])


@router.get("/models/{name}/{version}/field", operation_id="get_model_field")
def get_model_field(context: ContextDep, name: Name, version: Version) -> FieldReport:
    """Field report: the latest figures of the devices that run this version now, by profile."""
    with context.database.read() as connection:
        digest = packages.find(connection, name, version)["digest"]
        rows = field_report.of_package(connection, digest)[:PROFILES_MAX]
    return FieldReport(items=[FieldRow.model_validate(row) for row in rows])


def _list(rows: list[dict[str, Any]]) -> MeasurementList:
    fields = MeasurementRow.model_fields
    return MeasurementList(items=[MeasurementRow(**{name: row[name] for name in fields}) for row in rows])
