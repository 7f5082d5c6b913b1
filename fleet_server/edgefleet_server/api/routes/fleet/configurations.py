"""Routes of configurations: what the files of `edgefleet apply` manage."""

from __future__ import annotations

import time
from typing import Any, Final

from fastapi import APIRouter

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.paging import PagingDep
from edgefleet_server.api.schemas.fields import Name, Problem
from edgefleet_server.api.schemas.fleet import configurations as schemas
from edgefleet_server.db.registry import configurations

router = APIRouter(prefix="/configurations", tags=["fleet"])

CHANGED: Final[dict[int | str, dict[str, Any]]] = {409: {"model": Problem, "description": "It has another revision"}}


@router.get("", operation_id="list_configurations")
def list_configurations(context: ContextDep, paging: PagingDep) -> schemas.ConfigurationList:
    """Every configuration with the objects that it manages, by name."""
    with context.database.read() as connection:
        rows, more = paging.cut(configurations.list_all(connection), lambda record: str(record["name"]))
    return schemas.ConfigurationList(items=[schemas.Configuration.model_validate(record) for record in rows], next_after=more)


@router.put("/{name}", operation_id="put_configuration", responses=CHANGED)
def put_configuration(
    context: ContextDep, caller: CallerDep, name: Name, body: schemas.ConfigurationRequest
) -> schemas.Configuration:
    """Store what a configuration manages. This changes none of these objects."""
    record = {
        "name": name,
        "revision": body.revision,
        "resources": [each.model_dump() for each in body.resources],
        "changed_at": time.time(),
        "changed_by": caller.name,
    }
    with context.database.write() as connection:
        return schemas.Configuration.model_validate(configurations.put(connection, record))
