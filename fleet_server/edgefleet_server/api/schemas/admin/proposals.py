"""Bodies of the routes about proposals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import StrictModel
from edgefleet_server.domain.policy.roles import Role

ProposalState = Literal["pending", "approving", "approved", "failed", "rejected", "expired"]


class Proposal(BaseModel):
    """A request of an API token that waits for the decision of a person. `summary`: what
    the operation does; `needed`: the role that the decision requires; `path`:
    below `/api/v1`; `note`: the proposer's reason, unverified; `checked`: `complete` if the request was tried up to its commit
    when it was proposed, `partly` if only its fields and what it refers to; `status`, `outcome`: the result of the approved
    request."""

    id: int
    state: ProposalState
    proposed_by: str
    token: str
    token_name: str
    operation: str
    summary: str
    needed: Role
    method: str
    path: str
    body: Any
    note: str
    checked: Literal["complete", "partly"]
    made_at: float
    expires_at: float
    decided_at: float | None
    decided_by: str
    reason: str
    status: int
    outcome: str

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Proposal:
        """The proposal of a row."""
        return cls.model_validate({**record, "body": json.loads(record["body"]) if record["body"] else None})


class ProposalPage(BaseModel):
    items: list[Proposal]
    total: int


class FieldChange(BaseModel):
    """A field of the request, with its present value where the server has one."""

    field: str
    before: Any
    after: Any


class ProposalEffect(BaseModel):
    """The effect of an approval now. `summary`: what the operation does; `refusal`: why the request would be refused now, empty
    if no reason is known; `target`: present values of the object that it changes; `changes`: fields of the request; `preview`: of
    a rollout, its effect."""

    summary: str
    refusal: str
    checked: Literal["complete", "partly"]
    target: dict[str, Any]
    changes: list[FieldChange]
    preview: Any = None


class DecisionRequest(StrictModel):
    reason: Annotated[str, Field(max_length=500)] = ""


class RejectionRequest(StrictModel):
    """`reason`: shown to the proposer."""

    reason: Annotated[str, Field(min_length=1, max_length=500)]
