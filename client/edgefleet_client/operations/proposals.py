"""Operations about proposals.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from edgefleet_client.pages import numbered
from edgefleet_client.schemas.audit import DecisionRequest, Proposal, ProposalEffect, ProposalPage, RejectionRequest
from edgefleet_client.transport import Transport

ProposalsState: TypeAlias = Literal["pending", "approving", "approved", "failed", "rejected", "expired"]


class ProposalsOperations:
    """Operations about proposals."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_proposals(
        self,
        *,
        state: Sequence[ProposalsState] | None = None,
        page: int | None = None,
        size: int | None = None,
    ) -> ProposalPage:
        """Proposals, newest first. An API token with scope `propose`, and a caller without a role for all devices, see their
        own; those of operations for administrators only are shown to administrators only. Role: viewer."""
        query = {"state": state, "page": page, "size": size}
        answer: ProposalPage = self._transport.ask("GET", ("proposals",), query=query)
        return answer

    def iterate_proposals(self, *, state: Sequence[ProposalsState] | None = None) -> Iterator[Proposal]:
        """Every item of `list_proposals`, one request a page."""
        return numbered(lambda at: self.list_proposals(state=state, page=at, size=200))

    def get_proposal(self, proposal: int) -> Proposal:
        """One proposal, with the decision and its outcome. Role: viewer."""
        answer: Proposal = self._transport.ask("GET", ("proposals", proposal))
        return answer

    def approve_proposal(self, proposal: int, body: DecisionRequest | None = None) -> Proposal:
        """Approve a proposal: its request runs now, once, with the rights of the signed-in user who approves it. If the
        request is refused because things have changed, the proposal has failed; if the user lacks the role for it, it
        waits on. Role: operator."""
        answer: Proposal = self._transport.ask("POST", ("proposals", proposal, "approve"), json=body)
        return answer

    def get_proposal_effect(self, proposal: int) -> ProposalEffect:
        """The effect of an approval by the caller now: present and proposed values, and why it would be refused. Changes
        nothing. Role: viewer."""
        answer: ProposalEffect = self._transport.ask("GET", ("proposals", proposal, "effect"))
        return answer

    def reject_proposal(self, proposal: int, body: RejectionRequest) -> Proposal:
        """Reject a proposal; the proposer sees the reason. Role: operator."""
        answer: Proposal = self._transport.ask("POST", ("proposals", proposal, "reject"), json=body)
        return answer
