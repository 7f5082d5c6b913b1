"""Rollouts: preview, create, watch, steer."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from fleet_server.api import rollout_schemas as schemas
from fleet_server.api.context import ContextDep
from fleet_server.api.fields import AttemptState, DeviceId, RolloutState
from fleet_server.api.schemas import Problem

router = APIRouter(prefix="/rollouts", tags=["rollouts"])

RolloutId = Annotated[int, Path(ge=1, le=2**62)]
NOT_NOW = {409: {"model": Problem, "description": "The rollout's state does not allow it; the text says what does"}}


@router.post("/preview", operation_id="preview_rollout")
def preview_rollout(context: ContextDep, body: schemas.PreviewRequest) -> schemas.Preview:
    """What a rollout would do, without doing it."""
    raise NotImplementedError


@router.post("", operation_id="create_rollout", status_code=201, responses=NOT_NOW)
def create_rollout(context: ContextDep, body: schemas.RolloutRequest) -> schemas.Rollout:
    """Plan the waves and, with `start`, begin."""
    raise NotImplementedError


@router.get("", operation_id="list_rollouts")
def list_rollouts(
    context: ContextDep,
    state: Annotated[list[RolloutState], Query()] = [],  # noqa: B006
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    size: Annotated[int, Query(ge=1, le=200)] = 50,
) -> schemas.RolloutPage:
    """Rollouts, newest first."""
    raise NotImplementedError


@router.get("/{rollout}", operation_id="get_rollout")
def get_rollout(context: ContextDep, rollout: RolloutId) -> schemas.Rollout:
    """One rollout with its waves and gates."""
    raise NotImplementedError


@router.get("/{rollout}/attempts", operation_id="list_attempts")
def list_attempts(
    context: ContextDep,
    rollout: RolloutId,
    wave: Annotated[int, Query(ge=0, le=100)] | None = None,
    state: AttemptState | None = None,
    device: DeviceId | None = None,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    size: Annotated[int, Query(ge=1, le=500)] = 50,
) -> schemas.AttemptPage:
    """Devices of a rollout and how each is doing, latest change first."""
    raise NotImplementedError


@router.get("/{rollout}/timeline", operation_id="get_timeline")
def get_timeline(context: ContextDep, rollout: RolloutId) -> schemas.Timeline:
    """What happened, oldest first."""
    raise NotImplementedError


@router.post("/{rollout}/start", operation_id="start_rollout", responses=NOT_NOW)
def start_rollout(context: ContextDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Begin a draft."""
    raise NotImplementedError


@router.post("/{rollout}/pause", operation_id="pause_rollout", responses=NOT_NOW)
def pause_rollout(context: ContextDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Offer to no further device; devices on their way finish."""
    raise NotImplementedError


@router.post("/{rollout}/resume", operation_id="resume_rollout", responses=NOT_NOW)
def resume_rollout(context: ContextDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Go on. Failures seen so far are accepted; the gate counts anew from here."""
    raise NotImplementedError


@router.post("/{rollout}/abort", operation_id="abort_rollout", responses=NOT_NOW)
def abort_rollout(context: ContextDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Stop here: withdraw what is not on trial yet. Devices that have the version keep it."""
    raise NotImplementedError


@router.post("/{rollout}/rollback", operation_id="rollback_rollout", responses=NOT_NOW)
def rollback_rollout(context: ContextDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Stop, and bring every device of this rollout back to the version it ran before."""
    raise NotImplementedError
