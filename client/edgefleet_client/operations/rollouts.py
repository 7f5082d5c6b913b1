"""Operations about rollouts.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from edgefleet_client.pages import numbered
from edgefleet_client.schemas.core import AttemptRow
from edgefleet_client.schemas.experiments import (
    ChooseRequest,
    Experiment,
    ExperimentCreated,
    ExperimentPage,
    ExperimentPreview,
    ExperimentRequest,
    ExperimentSummary,
)
from edgefleet_client.schemas.rollout_requests import ActionRequest, ApproveRequest, PreviewRequest, RolloutRequest, SkipRequest
from edgefleet_client.schemas.rollouts import (
    AttemptPage,
    Preview,
    Rollout,
    RolloutHistory,
    RolloutPage,
    ShadowReport,
    TemplateList,
    Timeline,
)
from edgefleet_client.transport import Transport

RolloutsState: TypeAlias = Literal[
    "draft",
    "awaiting_approval",
    "running",
    "paused",
    "completed",
    "aborting",
    "aborted",
    "rolling_back",
    "rolled_back",
]
AttemptsState: TypeAlias = Literal[
    "queued",
    "offered",
    "accepted",
    "fetching",
    "verified",
    "staged",
    "waiting_window",
    "trial",
    "committed",
    "regressed",
    "rejected",
    "rolled_back",
    "rollback_failed",
    "timed_out",
    "superseded",
    "cancelled",
    "incompatible",
    "already_installed",
]


class RolloutsOperations:
    """Operations about rollouts."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_experiments(self, *, page: int | None = None, size: int | None = None) -> ExperimentPage:
        """Experiments, newest first. Role: viewer."""
        query = {"page": page, "size": size}
        answer: ExperimentPage = self._transport.ask("GET", ("experiments",), query=query)
        return answer

    def iterate_experiments(self) -> Iterator[ExperimentSummary]:
        """Every item of `list_experiments`, one request a page."""
        return numbered(lambda at: self.list_experiments(page=at, size=200))

    def create_experiment(self, body: ExperimentRequest) -> ExperimentCreated:
        """Assign devices to arms, and start a gated rollout of each arm's version. Role: operator."""
        answer: ExperimentCreated = self._transport.ask("POST", ("experiments",), json=body)
        return answer

    def preview_experiment(self, body: ExperimentRequest) -> ExperimentPreview:
        """Preview the assignment of devices to versions, without creating the experiment. Role: viewer."""
        answer: ExperimentPreview = self._transport.ask("POST", ("experiments", "preview"), json=body)
        return answer

    def get_experiment(self, experiment: int) -> Experiment:
        """One experiment with its current comparison. Role: viewer."""
        answer: Experiment = self._transport.ask("GET", ("experiments", experiment))
        return answer

    def choose_experiment_arm(self, experiment: int, body: ChooseRequest) -> Experiment:
        """End an experiment with a winner: a rollout brings the version of one arm to all its devices; running rollouts of
        the arms are aborted. Role: operator."""
        answer: Experiment = self._transport.ask("POST", ("experiments", experiment, "choose"), json=body)
        return answer

    def stop_experiment(self, experiment: int) -> Experiment:
        """End an experiment without a winner: every device keeps what it runs. Role: operator."""
        answer: Experiment = self._transport.ask("POST", ("experiments", experiment, "stop"))
        return answer

    def list_rollouts(
        self,
        *,
        state: Sequence[RolloutsState] | None = None,
        key: str | None = None,
        page: int | None = None,
        size: int | None = None,
    ) -> RolloutPage:
        """Rollouts, newest first. A caller with roles for groups sees those that have only devices of these. Role: viewer."""
        query = {"state": state, "key": key, "page": page, "size": size}
        answer: RolloutPage = self._transport.ask("GET", ("rollouts",), query=query)
        return answer

    def iterate_rollouts(
        self,
        *,
        state: Sequence[RolloutsState] | None = None,
        key: str | None = None,
    ) -> Iterator[Rollout]:
        """Every item of `list_rollouts`, one request a page."""
        return numbered(lambda at: self.list_rollouts(state=state, key=key, page=at, size=200))

    def create_rollout(self, body: RolloutRequest) -> tuple[bool, Rollout]:
        """Create a rollout: plan its waves and, with `start`, start it. An unsigned package is refused: devices would reject
        it. With a `key`, the same request creates one rollout, however often it is sent. The rollout of a caller with
        roles for groups has only devices of these, also later ones. Returns (whether it is new, the object). Role:
        operator."""
        answer: tuple[bool, Rollout] = self._transport.create("POST", ("rollouts",), json=body)
        return answer

    def preview_rollout(self, body: PreviewRequest) -> Preview:
        """Preview the effect and the duration of a rollout, without creating it. Of a caller with roles for groups, it has
        only devices of these, and the duration does not use the past of others. Role: viewer."""
        answer: Preview = self._transport.ask("POST", ("rollouts", "preview"), json=body)
        return answer

    def list_rollout_templates(self) -> TemplateList:
        """The predefined plans, and the default one of a new rollout. Role: viewer."""
        answer: TemplateList = self._transport.ask("GET", ("rollouts", "templates"))
        return answer

    def get_rollout(self, rollout: int) -> Rollout:
        """One rollout with its waves and gates. Role: viewer."""
        answer: Rollout = self._transport.ask("GET", ("rollouts", rollout))
        return answer

    def abort_rollout(self, rollout: int, body: ActionRequest | None = None) -> Rollout:
        """Abort: withdraw the version from devices that are not on trial yet. Devices that have the version keep it. Role:
        operator."""
        answer: Rollout = self._transport.ask("POST", ("rollouts", rollout, "abort"), json=body)
        return answer

    def approve_rollout(self, rollout: int, body: ApproveRequest | None = None) -> Rollout:
        """Approve the start of a wave, or, as another person than its creator, of a rollout. Role: operator."""
        answer: Rollout = self._transport.ask("POST", ("rollouts", rollout, "approve"), json=body)
        return answer

    def list_attempts(
        self,
        rollout: int,
        *,
        wave: int | None = None,
        state: AttemptsState | None = None,
        device: str | None = None,
        page: int | None = None,
        size: int | None = None,
    ) -> AttemptPage:
        """The attempts of a rollout's devices, latest change first. Role: viewer."""
        query = {"wave": wave, "state": state, "device": device, "page": page, "size": size}
        answer: AttemptPage = self._transport.ask("GET", ("rollouts", rollout, "attempts"), query=query)
        return answer

    def iterate_attempts(
        self,
        rollout: int,
        *,
        wave: int | None = None,
        state: AttemptsState | None = None,
        device: str | None = None,
    ) -> Iterator[AttemptRow]:
        """Every item of `list_attempts`, one request a page."""
        return numbered(lambda at: self.list_attempts(rollout, wave=wave, state=state, device=device, page=at, size=500))

    def get_rollout_history(self, rollout: int, *, steps: int | None = None) -> RolloutHistory:
        """The states of a rollout and its waves over time. Role: viewer."""
        query = {"steps": steps}
        answer: RolloutHistory = self._transport.ask("GET", ("rollouts", rollout, "history"), query=query)
        return answer

    def pause_rollout(self, rollout: int, body: ActionRequest | None = None) -> Rollout:
        """Pause: no further device is offered the version; updates in progress finish. Role: operator."""
        answer: Rollout = self._transport.ask("POST", ("rollouts", rollout, "pause"), json=body)
        return answer

    def resume_rollout(self, rollout: int, body: ActionRequest | None = None) -> Rollout:
        """Resume a paused rollout. Failures so far are accepted; the gate counts from zero again. Role: operator."""
        answer: Rollout = self._transport.ask("POST", ("rollouts", rollout, "resume"), json=body)
        return answer

    def rollback_rollout(self, rollout: int, body: ActionRequest | None = None) -> Rollout:
        """Roll back: return every device of this rollout to the version that it ran before. Role: operator."""
        answer: Rollout = self._transport.ask("POST", ("rollouts", rollout, "rollback"), json=body)
        return answer

    def get_rollout_shadow(self, rollout: int) -> ShadowReport:
        """The comparison of a shadow candidate with the incumbent, with the gate's data: for all devices, by profile, and
        for the devices with the lowest agreement. Role: viewer."""
        answer: ShadowReport = self._transport.ask("GET", ("rollouts", rollout, "shadow"))
        return answer

    def skip_wave(self, rollout: int, body: SkipRequest) -> Rollout:
        """Skip a wave. Its devices keep what they run (those on trial or updated keep the version); the next wave starts
        without it, and its own limit no longer applies: the sequential test over the whole rollout still does. Role:
        operator."""
        answer: Rollout = self._transport.ask("POST", ("rollouts", rollout, "skip"), json=body)
        return answer

    def start_rollout(self, rollout: int, body: ActionRequest | None = None) -> Rollout:
        """Start a draft. If a second person has to approve (`--second-person`), it waits for that approval. Role: operator."""
        answer: Rollout = self._transport.ask("POST", ("rollouts", rollout, "start"), json=body)
        return answer

    def get_timeline(self, rollout: int) -> Timeline:
        """The timeline of a rollout, oldest event first. Role: viewer."""
        answer: Timeline = self._transport.ask("GET", ("rollouts", rollout, "timeline"))
        return answer
