"""Routes of the recipients of alerts."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.paging import PagingDep
from edgefleet_server.api.schemas.fleet import recipients as schemas
from edgefleet_server.db.alerting import recipients
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import groups
from edgefleet_server.domain.notices.notice import notice_of_test
from edgefleet_server.domain.notices.recipients import checked, shown, with_secret
from edgefleet_server.jobs.notices.sender import TEST_S

router = APIRouter(tags=["alerts"])

RecipientId = Annotated[int, Path(ge=1, le=2**62)]
_SETTINGS = ("url", "secret", "emails", "topic", "key")


@router.get("/alert-recipients", operation_id="list_alert_recipients")
def list_alert_recipients(context: ContextDep, paging: PagingDep) -> schemas.AlertRecipientList:
    """All recipients, by name, without their secrets."""
    with context.database.read() as connection:
        rows, more = paging.cut(recipients.recipients(raw(connection)), lambda record: str(record["name"]))
    return schemas.AlertRecipientList(items=[_shown(record) for record in rows], next_after=more)


@router.get("/alert-recipients/push-key", operation_id="get_push_key")
def get_push_key(context: ContextDep) -> schemas.PushKey:
    """The key with which a browser subscribes to notifications of this server."""
    return schemas.PushKey(public_key=context.notice_sender.push_key.public)


@router.post("/alert-recipients", operation_id="create_alert_recipient", status_code=201)
def create_alert_recipient(context: ContextDep, caller: CallerDep, body: schemas.AlertRecipientRequest) -> schemas.AlertRecipient:
    """Create a recipient. It gets notices of alerts that begin from now on."""
    return _put(context, None, body, caller.name)


@router.put("/alert-recipients/{recipient}", operation_id="change_alert_recipient")
def change_alert_recipient(
    context: ContextDep, caller: CallerDep, recipient: RecipientId, body: schemas.AlertRecipientRequest
) -> schemas.AlertRecipient:
    """Change a recipient."""
    return _put(context, recipient, body, caller.name)


@router.delete("/alert-recipients/{recipient}", operation_id="delete_alert_recipient", status_code=204)
def delete_alert_recipient(context: ContextDep, recipient: RecipientId) -> Response:
    """Delete a recipient with its notifications."""
    with context.database.write() as connection:
        recipients.delete(raw(connection), recipient)
    return Response(status_code=204)


@router.post("/alert-recipients/{recipient}/test", operation_id="test_alert_recipient")
def test_alert_recipient(context: ContextDep, caller: CallerDep, recipient: RecipientId) -> schemas.RecipientTest:
    """Send a test notification, and wait for the result, at most 15 seconds."""
    sender = context.notice_sender
    with context.database.read() as connection:
        found = recipients.recipient_of(recipients.recipient(raw(connection), recipient))
    notice = notice_of_test(found.name, caller.name, time.time(), sender.site)
    error = sender.send(found, notice, TEST_S).error
    return schemas.RecipientTest(delivered=not error, error=error)


def _shown(record: dict[str, Any]) -> schemas.AlertRecipient:
    return schemas.AlertRecipient.model_validate({**record, **shown(record["kind"], record["settings"])})


def _put(context: ContextDep, number: int | None, body: schemas.AlertRecipientRequest, by: str) -> schemas.AlertRecipient:
    record = body.model_dump()
    with context.database.write() as connection:
        db = raw(connection)
        before = recipients.recipient(db, number) if number is not None else None
        given = with_secret(record, {**before["settings"], "kind": before["kind"]} if before else None)
        record["settings"] = checked(body.kind, {name: given[name] for name in _SETTINGS})
        for name in body.groups:
            groups.find(connection, name)
        return _shown(recipients.recipient(db, recipients.put(db, number, record, by, time.time())))
