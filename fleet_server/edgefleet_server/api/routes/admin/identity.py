"""Routes of enrolment tokens and requests, enrolment and blocking of devices."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Path, Request, Response
from fastapi.responses import JSONResponse

from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.wire.enrolment import EnrolRequest, EnrolWaiting
from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.schemas.admin import identity as schemas
from edgefleet_server.api.schemas.fields import DeviceId
from edgefleet_server.db.devices import enrolment_requests, identities
from edgefleet_server.db.devices.enrolment_requests import RequestState

router = APIRouter(tags=["identity"])

Device = Annotated[DeviceId, Path(description="Device id")]
_WAITING: Final[dict[int | str, dict[str, Any]]] = {202: {"model": schemas.EnrolmentWaiting, "description": "Waits for approval"}}
Token = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$", description="The token's id, not its secret")]


@router.get("/enrolment-tokens", operation_id="list_enrolment_tokens")
def list_enrolment_tokens(context: ContextDep) -> schemas.TokenList:
    """All tokens, newest first; their secrets are not stored."""
    with context.database.read() as connection:
        rows = identities.tokens(connection)
        waiting = enrolment_requests.waiting(connection, time.time())
    return schemas.TokenList(
        items=[schemas.TokenRow.model_validate({**row, "waiting": waiting.get(row["id"], 0)}) for row in rows]
    )


@router.post("/enrolment-tokens", operation_id="create_enrolment_token", status_code=201)
def create_enrolment_token(
    context: ContextDep, request: Request, body: Annotated[schemas.TokenRequest, Body(default_factory=schemas.TokenRequest)]
) -> schemas.NewToken:
    """Create a token with which one device, or a number of them, can enrol once, with the command line for a device."""
    made = context.enrolment.create_token(
        body.device, body.labels, body.life_s, time.time(), body.devices_max, approval=body.approval
    )
    address = context.enrolment_address(str(request.base_url))
    return schemas.NewToken.model_validate({**made, **asdict(address), "command": address.command(body.device, made["token"])})


@router.delete("/enrolment-tokens/{token}", operation_id="revoke_enrolment_token", status_code=204)
def revoke_enrolment_token(context: ContextDep, token: Token) -> Response:
    """Revoke the token: it enrols no more devices."""
    with context.database.write() as connection:
        identities.revoke_token(connection, token, time.time())
    return Response(status_code=204)


@router.get("/enrolment-requests", operation_id="list_enrolment_requests")
def list_enrolment_requests(context: ContextDep) -> schemas.EnrolmentRequestList:
    """Devices that wait for the approval of their enrolment, and those whose approval or denial has no effect yet."""
    with context.database.read() as connection:
        rows = enrolment_requests.requests(connection, time.time())
    return schemas.EnrolmentRequestList(items=[schemas.EnrolmentRequest.model_validate(row) for row in rows])


@router.post("/enrolment-requests/decisions", operation_id="decide_enrolment_requests")
def decide_enrolment_requests(
    context: ContextDep, caller: CallerDep, body: schemas.EnrolmentDecision
) -> schemas.EnrolmentDecisionResult:
    """Approve or deny the enrolment of devices."""
    state = RequestState.APPROVED if body.approve else RequestState.DENIED
    chosen = {one.device: one.key_sha256 for one in body.devices}
    with context.database.write() as connection:
        refused = enrolment_requests.decide(connection, chosen.items(), state, caller.name, time.time())
    return schemas.EnrolmentDecisionResult(done=len(chosen) - len(refused), refused=refused)


@router.post("/enrol", operation_id="enrol_device", response_model=schemas.Enrolled, responses=_WAITING)
def enrol_device(context: ContextDep, body: schemas.Enrol) -> Any:
    """For devices: issue a certificate for a certificate request and a token, which is the only credential. With a token that
    requires an approval the response is 202 until the device is approved."""
    enrol_request = EnrolRequest(token=body.token, device=body.device, request=body.request)
    answer = context.enrolment.enrol(enrol_request, context.device_url, context.trust.file("root"), time.time())
    if isinstance(answer, EnrolWaiting):
        return JSONResponse(to_plain(answer), 202)
    return schemas.Enrolled.model_validate(to_plain(answer))


@router.get("/devices/{device}/identity", operation_id="get_device_identity")
def get_device_identity(context: ContextDep, device: Device) -> schemas.DeviceIdentityStatus:
    """The certificate of a device, and its blocking if it is blocked."""
    with context.database.read() as connection:
        return schemas.DeviceIdentityStatus.model_validate(identities.status_of(connection, device))


@router.put("/devices/{device}/block", operation_id="block_device")
def block_device(
    context: ContextDep, device: Device, body: Annotated[schemas.BlockRequest, Body(default_factory=schemas.BlockRequest)]
) -> schemas.DeviceIdentityStatus:
    """Block a device, stolen or not to be trusted: its certificates are revoked now, its session ends when the broker answers."""
    status = context.enrolment.block(device, body.reason, time.time())
    context.clear_retained(device)
    return schemas.DeviceIdentityStatus.model_validate(status)


@router.delete("/devices/{device}/block", operation_id="unblock_device")
def unblock_device(context: ContextDep, device: Device) -> schemas.DeviceIdentityStatus:
    """Let a device enrol again, with a new token."""
    return schemas.DeviceIdentityStatus.model_validate(context.enrolment.unblock(device))
