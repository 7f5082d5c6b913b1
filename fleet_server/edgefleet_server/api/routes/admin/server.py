"""Routes of the server's certificates."""

from __future__ import annotations

import time

from fastapi import APIRouter

from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.schemas.admin import server as schemas
from edgefleet_server.api.schemas.fields import CERTIFICATES_MAX
from edgefleet_server.db.devices import certificates

router = APIRouter(tags=["identity"])


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
