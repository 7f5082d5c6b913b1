"""Routes of rollouts: preview, create, list, operator actions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas import rollout_terms as terms
from edgefleet_server.api.schemas import rollouts as schemas
from edgefleet_server.api.schemas.core import Problem
from edgefleet_server.api.schemas.fields import AttemptState, DeviceId, RolloutState
from edgefleet_server.api.schemas.shadows import ShadowReport
from edgefleet_server.api.services import rollout_plans, rollout_preview
from edgefleet_server.api.services.rollout_defaults import filled
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.registry import channels
from edgefleet_server.db.rollouts import attempts as tries
from edgefleet_server.db.rollouts import rollouts as queries
from edgefleet_server.db.rollouts import skipped_waves
from edgefleet_server.domain.rollout.operator_actions import RolloutAction
from edgefleet_server.domain.rollout.templates import TEMPLATES, Template
from edgefleet_server.registry.package_registry import signed_part

router = APIRouter(prefix="/rollouts", tags=["rollouts"])

RolloutId = Annotated[int, Path(ge=1, le=2**62)]
NOT_NOW: Final[dict[int | str, dict[str, Any]]] = {
    409: {"model": Problem, "description": "The rollout's state does not allow it; the text says what does"}
}


@router.post("/preview", operation_id="preview_rollout")
def preview_rollout(context: ContextDep, caller: CallerDep, body: schemas.PreviewRequest) -> schemas.Preview:
    """What a rollout would do and how long it would take, without doing it."""
    order, body = _order(context, caller), filled(body, context.settings)
    with context.database.read() as connection:
        return rollout_preview.preview(connection, body, rollout_plans.make(connection, body, order), order.now)


@router.post("", operation_id="create_rollout", status_code=201, responses=NOT_NOW)
def create_rollout(context: ContextDep, caller: CallerDep, body: schemas.RolloutRequest) -> schemas.Rollout:
    """Plan the waves and, with `start`, begin. A rollout of an unsigned package is refused: devices would reject it."""
    body = filled(body, context.settings)
    if body.start:
        check_signed(context, [(body.package, body.version), *((part.package, part.version) for part in body.parts)])
    with context.database.write() as connection:
        rollout = rollout_plans.create(connection, body, _order(context, caller))
    return _rollout(context, rollout)


@router.get("", operation_id="list_rollouts")
def list_rollouts(
    context: ContextDep,
    state: Annotated[list[RolloutState], Query()] = [],  # noqa: B006
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    size: Annotated[int, Query(ge=1, le=200)] = 50,
) -> schemas.RolloutPage:
    """Rollouts, newest first."""
    with context.database.read() as connection:
        found, total = queries.page(connection, state, (page - 1) * size, size, time.time())
    return schemas.RolloutPage(items=[schemas.Rollout.model_validate(record) for record in found], total=total)


@router.get("/templates", operation_id="list_rollout_templates")
def list_rollout_templates(context: ContextDep) -> schemas.TemplateList:
    """Plans that come with the product, and which of them a new rollout begins with."""
    return templates(context.settings.template)


@router.get("/{rollout}", operation_id="get_rollout")
def get_rollout(context: ContextDep, rollout: RolloutId) -> schemas.Rollout:
    """One rollout with its waves and gates."""
    with context.database.read() as connection:
        return views.rollout(connection, rollout, time.time())


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
    chosen = tries.AttemptFilter(rollout, wave, state or "", device or "")
    with context.database.read() as connection:
        queries.check_exists(connection, rollout)
        found, total = tries.attempts(connection, chosen, (page - 1) * size, size, time.time())
    return schemas.AttemptPage(items=[schemas.AttemptRow.model_validate(record) for record in found], total=total)


@router.get("/{rollout}/timeline", operation_id="get_timeline")
def get_timeline(context: ContextDep, rollout: RolloutId) -> schemas.Timeline:
    """What happened, oldest first."""
    with context.database.read() as connection:
        return schemas.Timeline(items=[schemas.TimelineItem.model_validate(row) for row in queries.story(connection, rollout)])


@router.get("/{rollout}/moments", operation_id="list_rollout_moments")
def list_rollout_moments(
    context: ContextDep, rollout: RolloutId, steps: Annotated[int, Query(ge=2, le=500)] = 120
) -> schemas.RolloutMoments:
    """What its waves looked like at any moment of its life."""
    with context.database.read() as connection:
        return views.moments(connection, rollout, steps, time.time())


@router.get("/{rollout}/shadow", operation_id="get_rollout_shadow")
def get_rollout_shadow(context: ContextDep, rollout: RolloutId) -> ShadowReport:
    """How a candidate does beside what runs, as its gate sees it: over all devices, by profile, and where it agrees least."""
    with context.database.read() as connection:
        return views.shadow(connection, rollout, time.time())


@router.post("/{rollout}/start", operation_id="start_rollout", responses=NOT_NOW)
def start_rollout(context: ContextDep, caller: CallerDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Begin a draft. Where two people decide (`--second-person`), it waits for the second one from here on."""
    with context.database.write() as connection:
        rollout_plans.start(connection, rollout, body.reason, _order(context, caller))
    return _rollout(context, rollout)


@router.post("/{rollout}/approve", operation_id="approve_rollout", responses=NOT_NOW)
def approve_rollout(context: ContextDep, caller: CallerDep, rollout: RolloutId, body: schemas.ApproveRequest) -> schemas.Rollout:
    """Let a wave begin, or, as another person than the one who ordered it, a rollout."""
    with context.database.write() as connection:
        rollout_plans.approve(connection, rollout, body.wave, body.reason, _order(context, caller))
    return _rollout(context, rollout)


@router.post("/{rollout}/skip", operation_id="skip_wave", responses=NOT_NOW)
def skip_wave(context: ContextDep, caller: CallerDep, rollout: RolloutId, body: schemas.SkipRequest) -> schemas.Rollout:
    """Leave a wave out. Its devices keep what they run (who is on trial or done keeps that); the next wave begins without it, and
    its own limit stops nothing any more: the sequential test over the whole rollout still does."""
    with context.database.write() as connection:
        skipped_waves.skip_wave(connection, rollout, body.wave, caller.name, body.reason, time.time())
    return _rollout(context, rollout)


@router.post("/{rollout}/pause", operation_id="pause_rollout", responses=NOT_NOW)
def pause_rollout(context: ContextDep, caller: CallerDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Offer to no further device; devices on their way finish."""
    return _act(context, caller, rollout, RolloutAction.PAUSE, body.reason)


@router.post("/{rollout}/resume", operation_id="resume_rollout", responses=NOT_NOW)
def resume_rollout(context: ContextDep, caller: CallerDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Go on. Failures seen so far are accepted; the gate counts anew from here."""
    return _act(context, caller, rollout, RolloutAction.RESUME, body.reason)


@router.post("/{rollout}/abort", operation_id="abort_rollout", responses=NOT_NOW)
def abort_rollout(context: ContextDep, caller: CallerDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Stop here: withdraw what is not on trial yet. Devices that have the version keep it."""
    return _act(context, caller, rollout, RolloutAction.ABORT, body.reason)


@router.post("/{rollout}/rollback", operation_id="rollback_rollout", responses=NOT_NOW)
def rollback_rollout(context: ContextDep, caller: CallerDep, rollout: RolloutId, body: schemas.ActionRequest) -> schemas.Rollout:
    """Stop, and bring every device of this rollout back to the version it ran before."""
    return _act(context, caller, rollout, RolloutAction.ROLLBACK, body.reason)


def check_signed(context: Context, names: Sequence[tuple[str, str]]) -> None:
    """
    Raises:
        ConflictError: one of these (package, version) is not signed; devices would reject it.
        NotFoundError: there is no such package.
    """
    with context.database.read() as connection:
        required = [signed_part(channels.find(connection, *name)) for name in names]
    for part in required:
        if not context.trust.is_signed(part):
            raise ConflictError(f"{part.name}@{part.version} is not signed; `edgefleet sign FOLDER --key F` signs it")


def templates(usual: str) -> schemas.TemplateList:
    """Every template; `usual`: the name of the one to begin with."""
    return schemas.TemplateList(usual=usual, items=[_template(template) for template in TEMPLATES.values()])


def _template(template: Template) -> schemas.RolloutTemplate:
    return schemas.RolloutTemplate(
        name=template.name,
        title=template.title,
        waves=[
            terms.WaveSpec(
                name=wave.name,
                percent=wave.percent,
                count=wave.count,
                labels=dict(wave.labels),
                approval=index in template.approvals,
            )
            for index, wave in enumerate(template.waves)
        ],
        gate=terms.GateSpec.model_validate(asdict(template.gate)),
        policy=terms.PolicySpec(trial_s=template.trial_s),
        terms=terms.TermsSpec(rate=terms.RateSpec.model_validate(asdict(template.rate)) if template.rate else None),
    )


def _order(context: Context, caller: Caller) -> rollout_plans.RolloutOrder:
    return rollout_plans.RolloutOrder(caller.name, time.time(), context.settings.second_person)


def _act(context: Context, caller: Caller, rollout: int, action: RolloutAction, reason: str) -> schemas.Rollout:
    with context.database.write() as connection:
        queries.act(connection, rollout, action, reason, time.time(), caller.name)
    return _rollout(context, rollout)


def _rollout(context: Context, rollout: int) -> schemas.Rollout:
    """The current rollout, after the rollout engine and the live clients were notified."""
    context.wake_engine()
    context.hub.touch(changed=[rollout])
    with context.database.read() as connection:
        return views.rollout(connection, rollout, time.time())
