"""Routes of snoozes of alerts."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Response

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.paging import PagingDep, number_key
from edgefleet_server.api.schemas.fleet import snoozes as schemas
from edgefleet_server.core.errors import InputError
from edgefleet_server.db.alerting import snoozes
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import devices, groups
from edgefleet_server.db.telemetry import alerts

router = APIRouter(tags=["alerts"])

SnoozeId = Annotated[int, Path(ge=1, le=2**62)]
LENGTH_S_MAX: Final = 366 * 86_400.0


@router.get("/alert-snoozes", operation_id="list_alert_snoozes")
def list_alert_snoozes(context: ContextDep, paging: PagingDep) -> schemas.SnoozeList:
    """Snoozes that go on."""
    with context.database.read() as connection:
        found = snoozes.current(raw(connection), time.time())
    rows, more = paging.cut(found, lambda record: f"{record['until_at']:019.6f} {number_key(record['id'])}")
    return schemas.SnoozeList(items=[_shown(record) for record in rows], next_after=more)


@router.post("/alert-snoozes", operation_id="create_alert_snooze", status_code=201)
def create_alert_snooze(context: ContextDep, caller: CallerDep, body: schemas.SnoozeRequest) -> schemas.Snooze:
    """Hold back the notices of alerts until a time, for a reason; alerts are still recorded. Those that are still open then are
    announced then."""
    now = time.time()
    if body.rule is None and body.group is None and body.device is None:
        raise InputError("a snooze requires rule, group or device")
    if not now < body.until_at <= now + LENGTH_S_MAX:
        raise InputError("until_at: must be in the future, at most 366 days from now")
    with context.database.write() as connection:
        db = raw(connection)
        if body.rule is not None:
            alerts.rule(db, body.rule)
        if body.group is not None:
            groups.find(connection, body.group)
        if body.device is not None:
            devices.check_exists(connection, body.device)
        record = {**body.model_dump(), "group": body.group or "", "device": body.device or ""}
        number = snoozes.add(db, record, caller.name, now)
        return next(_shown(one) for one in snoozes.current(db, now) if one["id"] == number)


@router.delete("/alert-snoozes/{snooze}", operation_id="end_alert_snooze", status_code=204)
def end_alert_snooze(context: ContextDep, snooze: SnoozeId) -> Response:
    """End a snooze now."""
    with context.database.write() as connection:
        snoozes.end(raw(connection), snooze, time.time())
    return Response(status_code=204)


def _shown(record: dict[str, Any]) -> schemas.Snooze:
    return schemas.Snooze.model_validate({**record, "group": record["group"] or None, "device": record["device"] or None})
