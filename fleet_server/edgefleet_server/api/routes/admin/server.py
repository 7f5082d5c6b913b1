"""Routes of the server's certificates."""

from __future__ import annotations

import time
from typing import Annotated, Final

from fastapi import APIRouter, Body, Query

from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.schemas.admin import server as schemas
from edgefleet_server.api.schemas.fields import CERTIFICATES_MAX
from edgefleet_server.db.devices import certificates

router = APIRouter(tags=["identity"])

DAY_S: Final = 86_400.0
ONLINE_DAYS: Final = 30.0


@router.get("/certificates", operation_id="get_certificates")
def get_certificates(context: ContextDep) -> schemas.CertificateReport:
    """The authority's certificate, and those of devices, ordered by expiry."""
    now = time.time()
    with context.database.read() as connection:
        items = [schemas.IssuedRow.model_validate(row) for row in certificates.ending(connection, now, CERTIFICATES_MAX)]
        counts = certificates.counts(connection, now)
    facts = context.enrolment.authority_facts()
    authority = schemas.AuthorityState(**facts, device_days=context.settings.certificate_days)
    return schemas.CertificateReport(authority=authority, items=items, **counts)


@router.get("/certificates/rotation", operation_id="get_authority_rotation")
def get_authority_rotation(
    context: ContextDep,
    online_days: Annotated[float, Query(ge=0.0, le=3650.0, description="Days of `missing_online`")] = ONLINE_DAYS,
) -> schemas.RotationReport:
    """The state of the rotation of the server's authority, and the devices that are missing."""
    return schemas.RotationReport.model_validate(context.enrolment.rotation(online_days * DAY_S, time.time()))


@router.post("/certificates/rotation", operation_id="begin_authority_rotation")
def begin_authority_rotation(context: ContextDep) -> schemas.RotationReport:
    """Begin a rotation of the server's authority: devices renew their certificates, with both authorities trusted."""
    context.enrolment.rotate(time.time())
    return schemas.RotationReport.model_validate(context.enrolment.rotation(ONLINE_DAYS * DAY_S, time.time()))


@router.post("/certificates/rotation/finish", operation_id="finish_authority_rotation")
def finish_authority_rotation(
    context: ContextDep, body: Annotated[schemas.RotationEnd, Body(default_factory=schemas.RotationEnd)]
) -> schemas.RotationReport:
    """End the rotation: the old authority is trusted no more."""
    context.enrolment.finish_rotation(body.online_days * DAY_S, body.leave, time.time())
    return schemas.RotationReport.model_validate(context.enrolment.rotation(body.online_days * DAY_S, time.time()))
