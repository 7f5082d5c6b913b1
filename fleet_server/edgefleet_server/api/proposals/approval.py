"""Carries out the request of an approved proposal, once, with the rights of the approver."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection
from starlette.types import ASGIApp, Scope

from edgefleet_server.api.context import Context
from edgefleet_server.api.proposals.inner_request import InnerResponse, send_inner
from edgefleet_server.db.people import proposals
from edgefleet_server.domain.policy.proposals import ProposalState

NOT_TRIED: Final = frozenset({401, 403, 429, 503, 507})
"""Statuses after which the proposal waits again: the approver lacks the role, or the server cannot do it now."""
INTERRUPTED: Final = "the server failed while the request ran; see what was done in the audit log before it is proposed again"


@dataclass(frozen=True, slots=True)
class ApprovedRequest:
    """A request of a proposal, in the state of the inner request: the authorization adds both names to its audit entry, and
    calls `commit` in the transaction of its change."""

    record: dict[str, Any]

    def commit(self, connection: Connection, status: int) -> None:
        """Mark the proposal as approved.

        Raises:
            ConflictError: it was decided meanwhile.
        """
        proposals.carried_out(connection, self.record["id"], status)

    def audit_detail(self, body: Any) -> dict[str, Any]:
        """The detail of the audit entry. `body`: that of the request, without secrets."""
        names = ("id", "proposed_by", "token", "token_name", "note")
        own = {name: self.record[name] for name in names}
        return {**(body if isinstance(body, dict) else {"body": body}), "proposal": own}


async def carry_out(app: ASGIApp, context: Context, outer: Scope, record: dict[str, Any]) -> InnerResponse:
    """Run the request of a proposal in state `approving`, and store what became of it; returns its response."""
    ended = False
    try:
        state = {"inner": "approved", "approved_request": ApprovedRequest(record)}
        response = await send_inner(app, outer, record["method"], record["path"], record["body"].encode(), state)
        ended = True
    finally:
        if not ended:
            await _keep(context, lambda db: proposals.finish(db, record["id"], ProposalState.FAILED, 500, INTERRUPTED))
    if response.status in NOT_TRIED:
        await _keep(context, lambda db: proposals.release(db, record["id"]))
    elif response.status >= 400:
        text = INTERRUPTED if response.status >= 500 else response.detail
        await _keep(context, lambda db: proposals.finish(db, record["id"], ProposalState.FAILED, response.status, text))
    else:
        text = outcome_of(record["operation"], response.content)
        await _keep(context, lambda db: proposals.finish(db, record["id"], ProposalState.APPROVED, response.status, text))
    return response


def outcome_of(operation: str, content: Any) -> str:
    """The result of a successful request in one line: `create_rollout: id 12, state running`."""
    if not isinstance(content, dict):
        return f"{operation}: done"
    names = ("id", "name", "state", "version", "revision", "devices", "done")
    found = [f"{name} {content[name]}" for name in names if isinstance(content.get(name), (str, int))]
    return f"{operation}: {', '.join(found) or 'done'}"


async def _keep(context: Context, change: Callable[[Connection], None]) -> None:
    def write() -> None:
        with context.database.write() as connection:
            change(connection)

    await asyncio.to_thread(write)
