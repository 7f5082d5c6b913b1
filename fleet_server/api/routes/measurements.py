"""How fast a version runs on which kind of device."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter

from fleet_server.api import schemas
from fleet_server.api.context import ContextDep
from fleet_server.api.fields import Name, Version
from fleet_server.api.measurement_schemas import MeasurementList, MeasurementRow, MeasurementUpload
from fleet_server.api.overview_schemas import FieldReport, FieldRow
from fleet_server.db import field, measurements, packages

router = APIRouter(tags=["models"])


@router.get("/models/{name}/{version}/measurements", operation_id="list_measurements")
def list_measurements(context: ContextDep, name: Name, version: Version, best: bool = False) -> MeasurementList:
    """What was measured of this version; `best`: only the chosen setting of each machine."""
    with context.database.read() as connection:
        digest = packages.find(connection, name, version)["digest"]
        return _list(measurements.of_package(connection, digest, best_only=best))


@router.put(
    "/models/{name}/{version}/measurements",
    operation_id="upload_measurements",
    responses={409: {"model": schemas.Problem, "description": "Other files were measured"}},
)
def upload_measurements(context: ContextDep, name: Name, version: Version, body: MeasurementUpload) -> MeasurementList:
    """Replace what is known of this machine."""
    with context.database.write() as connection:
        digest = packages.find(connection, name, version)["digest"]
        measurements.check_digest(digest, body.digest, f"{name}@{version}")
        rows = [row.model_dump() for row in body.rows]
        measurements.replace(connection, digest, body.profile, body.machine, rows, time.time())
        return _list([row for row in measurements.of_package(connection, digest) if row["machine"] == body.machine])


@router.get("/models/{name}/{version}/field", operation_id="get_model_field")
def get_model_field(context: ContextDep, name: Name, version: Version) -> FieldReport:
    """How a version does on the devices that run it now, by kind of device."""
    with context.database.read() as connection:
        digest = packages.find(connection, name, version)["digest"]
        return FieldReport(items=[FieldRow.model_validate(row) for row in field.of_package(connection, digest)])


def _list(rows: list[dict[str, Any]]) -> MeasurementList:
    fields = MeasurementRow.model_fields
    return MeasurementList(items=[MeasurementRow(**{name: row[name] for name in fields}) for row in rows])
