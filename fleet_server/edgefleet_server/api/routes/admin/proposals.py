"""Routes of proposals: list them, see their effect, approve or reject them."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Path, Query, Request
from fastapi.responses import Response

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.error_responses import problem_response
from edgefleet_server.api.proposals.approval import NOT_TRIED, carry_out
from edgefleet_server.api.proposals.effect import effect_of
from edgefleet_server.api.schemas.admin import proposals as schemas
from edgefleet_server.api.schemas.fields import Problem
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.people import proposals
from edgefleet_server.domain.policy import roles
from edgefleet_server.domain.policy.proposals import ProposalState

router = APIRouter(prefix="/proposals", tags=["proposals"])

ProposalId = Annotated[int, Path(ge=1, le=2**62)]
DECIDED: Final[dict[int | str, dict[str, Any]]] = {
    404: {"model": Problem, "description": "There is none, or what its request refers to is gone"},
    409: {"model": Problem, "description": "It is decided already, or the state of its object does not allow it any more"},
}


@router.get("", operation_id="list_proposals")
def list_proposals(
    context: ContextDep,
    caller: CallerDep,
    state: Annotated[list[schemas.ProposalState], Query()] = [],  # noqa: B006
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    size: Annotated[int, Query(ge=1, le=200)] = 50,
) -> schemas.ProposalPage:
    """Proposals, newest first. An API token with scope `propose`, and a caller without a role for all devices, see their own;
    those of operations for administrators only are shown to administrators only."""
    with context.database.read() as connection:
        found, total = proposals.page(connection, _reader(caller), state, (page - 1) * size, size, time.time())
    return schemas.ProposalPage(items=[schemas.Proposal.of(record) for record in found], total=total)


@router.get("/{proposal}", operation_id="get_proposal")
def get_proposal(context: ContextDep, caller: CallerDep, proposal: ProposalId) -> schemas.Proposal:
    """One proposal, with the decision and its outcome."""
    return schemas.Proposal.of(_find(context, caller, proposal))


@router.get("/{proposal}/effect", operation_id="get_proposal_effect")
async def get_proposal_effect(
    request: Request, context: ContextDep, caller: CallerDep, proposal: ProposalId
) -> schemas.ProposalEffect:
    """The effect of an approval by the caller now: present and proposed values, and why it would be refused. Changes nothing."""
    record = await asyncio.to_thread(_find, context, caller, proposal)
    return await effect_of(request.app, request.scope, record)


@router.post("/{proposal}/approve", operation_id="approve_proposal", responses=DECIDED, response_model=schemas.Proposal)
async def approve_proposal(
    request: Request,
    context: ContextDep,
    caller: CallerDep,
    proposal: ProposalId,
    body: Annotated[schemas.DecisionRequest, Body(default_factory=schemas.DecisionRequest)],
) -> schemas.Proposal | Response:
    """Approve a proposal: its request runs now, once, with the rights of the signed-in user who approves it. If the request is
    refused because things have changed, the proposal has failed; if the user lacks the role for it, it waits on."""
    _check_person(caller)
    record = await asyncio.to_thread(_find, context, caller, proposal)
    roles.check(caller.role, record["operation"])
    await asyncio.to_thread(_decide, context, caller, proposal, ProposalState.APPROVING, body.reason)
    response = await carry_out(request.app, context, request.scope, record)
    if response.status >= 400:
        later = "; the proposal waits on" if response.status in NOT_TRIED else ""
        return problem_response(request.scope, response.status, f"not done: {response.detail}{later}")
    return schemas.Proposal.of(await asyncio.to_thread(_find, context, caller, proposal))


@router.post("/{proposal}/reject", operation_id="reject_proposal", responses=DECIDED)
def reject_proposal(
    context: ContextDep, caller: CallerDep, proposal: ProposalId, body: schemas.RejectionRequest
) -> schemas.Proposal:
    """Reject a proposal; the proposer sees the reason."""
    _check_person(caller)
    _find(context, caller, proposal)
    _decide(context, caller, proposal, ProposalState.REJECTED, body.reason)
    return schemas.Proposal.of(_find(context, caller, proposal))


def _check_person(caller: Caller) -> None:
    if caller.via == "token":
        raise ConflictError("only a signed-in user can decide on proposals; an API token cannot")


def _reader(caller: Caller) -> proposals.Reader:
    is_own = caller.proposes or not caller.grants.everywhere_as(roles.Role.VIEWER)
    return proposals.Reader(caller.role, caller.key if is_own else "")


def _find(context: Context, caller: Caller, proposal: int) -> dict[str, Any]:
    with context.database.read() as connection:
        return proposals.find(connection, proposal, _reader(caller), time.time())


def _decide(context: Context, caller: Caller, proposal: int, state: ProposalState, reason: str) -> None:
    with context.database.write() as connection:
        proposals.decide(connection, proposal, state, caller.name or "a local user", reason, time.time())
