"""Types of the operations about audit.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from edgefleet_client.not_required import NotRequired
from edgefleet_client.schemas.core import Role


class AuditEntry(TypedDict):
    """`digest` = SHA-256 over `previous` and every other field; `detail` is JSON."""

    action: str
    actor: str
    at: float
    detail: str
    digest: str
    previous: str
    role: str
    seq: int
    source: str
    status: int
    target: str
    via: str


class AuditPage(TypedDict):
    """Newest first. `next_before_seq` is the `before_seq` of the following page."""

    items: list[AuditEntry]
    next_before_seq: int | None


class AuditVerdict(TypedDict):
    """Whether the chain is valid. `head` (SEQ:DIGEST), stored elsewhere, proves later that no entry was removed from the
    end."""

    entries: int
    fault: str
    head: str
    valid: bool


class DecisionRequest(TypedDict):
    """Fields of DecisionRequest."""

    reason: NotRequired[str]


class DossierRequest(TypedDict):
    """`version`: specifiers of PEP 440, or a version; empty = all. `stage`: that of Article 14 of the Cyber Resilience Act.
    `aware_at`: when the manufacturer became aware, seconds since 1970; measures are listed from then on (null = from the
    first sight of the component on)."""

    aware_at: NotRequired[float | None]
    component: str
    stage: Literal["24h", "72h"]
    version: NotRequired[str]


class FieldChange(TypedDict):
    """A field of the request, with its present value where the server has one."""

    after: Any
    before: Any
    field: str


class Proposal(TypedDict):
    """A request of an API token that waits for the decision of a person. `summary`: what the operation does; `needed`: the
    role that the decision requires; `path`: below `/api/v1`; `note`: the proposer's reason, unverified; `checked`:
    `complete` if the request was tried up to its commit when it was proposed, `partly` if only its fields and what it
    refers to; `status`, `outcome`: the result of the approved request."""

    body: Any
    checked: Literal["complete", "partly"]
    decided_at: float | None
    decided_by: str
    expires_at: float
    id: int
    made_at: float
    method: str
    needed: Role
    note: str
    operation: str
    outcome: str
    path: str
    proposed_by: str
    reason: str
    state: Literal["pending", "approving", "approved", "failed", "rejected", "expired"]
    status: int
    summary: str
    token: str
    token_name: str


class ProposalEffect(TypedDict):
    """The effect of an approval now. `summary`: what the operation does; `refusal`: why the request would be refused now,
    empty if no reason is known; `target`: present values of the object that it changes; `changes`: fields of the request;
    `preview`: of a rollout, its effect."""

    changes: list[FieldChange]
    checked: Literal["complete", "partly"]
    preview: NotRequired[Any]
    refusal: str
    summary: str
    target: dict[str, Any]


class ProposalPage(TypedDict):
    """Fields of ProposalPage."""

    items: list[Proposal]
    total: int


class RejectionRequest(TypedDict):
    """`reason`: shown to the proposer."""

    reason: str
