"""Routes of the audit log: entries (actor, change, time, address) and verification of the hash chain."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.schemas.admin import people as schemas
from edgefleet_server.api.schemas.fields import TimeAt
from edgefleet_server.db.people import audit, audit_archive

router = APIRouter(prefix="/audit", tags=["audit"])


@router.get("", operation_id="list_audit")
def list_audit(
    context: ContextDep,
    actor: Annotated[str, Query(max_length=100)] = "",
    action: Annotated[str, Query(max_length=100)] = "",
    since_at: TimeAt | None = None,
    before_seq: Annotated[int, Query(ge=1, le=2**62)] | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> schemas.AuditPage:
    """Entries, newest first."""
    with context.database.read() as connection:
        rows = audit.newest(connection, actor=actor, action=action, since_at=since_at, before_seq=before_seq, limit=limit)
    more = rows[-1]["seq"] if len(rows) == limit else None
    return schemas.AuditPage(items=[schemas.AuditEntry.model_validate(row) for row in rows], next_before_seq=more)


@router.get("/verification", operation_id="verify_audit")
def verify_audit(
    context: ContextDep, head: Annotated[str, Query(pattern=r"^([0-9]{1,18}:[0-9a-f]{64})?$")] = ""
) -> schemas.AuditVerdict:
    """Verify the hash chain, archived entries included. `head`: an earlier head (SEQ:DIGEST) that the log must still contain."""
    with context.database.read() as connection:
        verdict = audit.check(connection, head, context.settings.data / audit_archive.FOLDER)
    return schemas.AuditVerdict(valid=not verdict.fault, entries=verdict.entries, head=verdict.head, fault=verdict.fault)
