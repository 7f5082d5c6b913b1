"""Tools that read models, rollouts and proposals."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from edgefleet_client.operations.proposals import ProposalsState
from edgefleet_client.operations.rollouts import AttemptsState, RolloutsState
from edgefleet_client.schemas.core import AttemptRow
from edgefleet_server.cli.mcp import answers
from edgefleet_server.cli.mcp.access import FleetAccess
from edgefleet_server.cli.mcp.fleet_tools import Page, Size, paged

TIMELINE_MAX: Final = 30
FAILED_SHOWN: Final = 20
WITHOUT: Final[tuple[AttemptsState, ...]] = (
    "rolled_back",
    "regressed",
    "rejected",
    "timed_out",
    "rollback_failed",
    "incompatible",
)
RolloutId = Annotated[int, Field(ge=1, description="Id of a rollout, as listed by list_rollouts")]


class RolloutTools:
    """Reading tools about models, rollouts and proposals."""

    def __init__(self, access: FleetAccess) -> None:
        self._access = access
        self.tools = (
            self.list_models, self.get_model_version, self.list_rollouts, self.get_rollout, self.list_rollout_attempts,
            self.list_proposals, self.get_proposal,
        )  # fmt: skip

    def list_models(self, page: Page = 1, size: Size = 50) -> answers.ModelPage:
        """Models with the names of their versions, newest first."""
        rows = list(self._access.client.models.iterate_models())
        items = [{**row, "versions": [version["version"] for version in row["versions"]]} for row in rows]
        return answers.ModelPage.model_validate(paged(items, page, size))

    def get_model_version(self, name: str, version: str) -> answers.VersionCoverage:
        """One version of a model with its coverage: for each kind of device the variant that it would take, or the reason why
        there is none, and how many run it."""
        models = self._access.client.models
        return answers.VersionCoverage.model_validate(
            {**models.get_coverage(name, version), "version": models.get_model(name, version)}
        )

    def list_rollouts(
        self,
        state: Annotated[list[RolloutsState], Field(description="Only in these states; empty: all")] = [],  # noqa: B006
        page: Page = 1,
        size: Size = 20,
    ) -> answers.RolloutPage:
        """Rollouts, newest first, with their state and its reason."""
        found = self._access.client.rollouts.list_rollouts(state=state or None, page=page, size=size)
        return answers.RolloutPage.model_validate({**found, "page": page, "size": size})

    def get_rollout(self, rollout: RolloutId) -> answers.RolloutDetail:
        """One rollout: why it is in its state, waves, gates with numerator, denominator and limit, the test over the whole
        rollout, the latest events, and the attempts that failed with their reasons."""
        rollouts = self._access.client.rollouts
        found = rollouts.get_rollout(rollout)
        failed = [attempt for state in WITHOUT if found["counts"].get(state) for attempt in self._attempts(rollout, state)]
        failed = [attempt for attempt in failed if attempt["outcome"] != "restored"]
        failed.sort(key=lambda attempt: attempt["updated_at"], reverse=True)
        timeline = rollouts.get_timeline(rollout)["items"][-TIMELINE_MAX:]
        return answers.RolloutDetail.model_validate({**found, "timeline": timeline, "failed_attempts": failed[:FAILED_SHOWN]})

    def _attempts(self, rollout: int, state: AttemptsState) -> list[AttemptRow]:
        return self._access.client.rollouts.list_attempts(rollout, state=state, size=FAILED_SHOWN)["items"]

    def list_rollout_attempts(
        self,
        rollout: RolloutId,
        state: Annotated[AttemptsState | None, Field(description="Only in this state")] = None,
        wave: Annotated[int | None, Field(ge=0, description="Only of this wave, from 0 on")] = None,
        device: Annotated[str | None, Field(description="Only of this device")] = None,
        page: Page = 1,
        size: Size = 20,
    ) -> answers.AttemptPage:
        """Attempts of the devices of a rollout, latest change first; `explanation` says why one is not done, or its result."""
        found = self._access.client.rollouts.list_attempts(rollout, state=state, wave=wave, device=device, page=page, size=size)
        return answers.AttemptPage.model_validate({**found, "page": page, "size": size})

    def list_proposals(
        self,
        state: Annotated[list[ProposalsState], Field(description="Only in these states; empty: all")] = [],  # noqa: B006
        page: Page = 1,
        size: Size = 20,
    ) -> answers.ProposalPage:
        """Proposals of this API token, newest first, with the decisions of people."""
        found = self._access.client.proposals.list_proposals(state=state or None, page=page, size=size)
        return answers.ProposalPage.model_validate({**found, "page": page, "size": size})

    def get_proposal(self, proposal: Annotated[int, Field(ge=1)]) -> answers.ProposalAnswer:
        """One proposal: whether a person has approved or rejected it, with the reason, and what the approved request did."""
        return answers.ProposalAnswer.model_validate(self._access.client.proposals.get_proposal(proposal))
