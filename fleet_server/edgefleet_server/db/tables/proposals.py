"""Table of proposals. Times are float seconds since 1970 (UTC)."""

from __future__ import annotations

from sqlmodel import Field, SQLModel


class ProposalRecord(SQLModel, table=True):
    """A request that waits for, or had, the decision of a person. `token`, `token_name`, `proposed_by`: the API token and its
    owner; `summary`: what the operation does; `needed`: the role that it requires; `path`: below `/api/v1`, with the query;
    `body`: JSON or empty; `checked`: how far the request was tried without effect; `status`: HTTP status of the approved request,
    0 = not yet; `outcome`: what became of it, for the proposer."""

    __tablename__ = "proposal"

    id: int | None = Field(default=None, primary_key=True)
    state: str = Field(index=True)
    token: str = Field(index=True)
    token_name: str
    proposed_by: str
    operation: str
    summary: str
    needed: str
    method: str
    path: str
    body: str
    note: str
    checked: str
    made_at: float
    expires_at: float
    decided_at: float | None = None
    decided_by: str = ""
    reason: str = ""
    status: int = 0
    outcome: str = ""
