"""Routes of rollouts: preview, create, list, operator actions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Path, Query, Response

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.device_scope import DeviceScopeDep, confined
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.fields import AttemptState, DeviceId, Problem, RolloutState
from edgefleet_server.api.schemas.rollouts import rollout_terms as terms
from edgefleet_server.api.schemas.rollouts import rollouts as schemas
from edgefleet_server.api.schemas.rollouts.shadows import ShadowReport
from edgefleet_server.api.schemas.rollouts.templates import RolloutTemplate, TemplateList
from edgefleet_server.api.services import rollout_plans, rollout_preview
from edgefleet_server.api.services.rollout_defaults import filled, proposed
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import ConflictError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.registry import channels
from edgefleet_server.db.rollouts import attempts as tries
from edgefleet_server.db.rollouts import bundle_parts, skipped_waves
from edgefleet_server.db.rollouts import rollouts as queries
from edgefleet_server.domain.rollout.operator_actions import RolloutAction
from edgefleet_server.domain.rollout.templates import TEMPLATES, Template
from edgefleet_server.registry.package_registry import signed_part

router = APIRouter(prefix="/rollouts", tags=["rollouts"])

RolloutId = Annotated[int, Path(ge=1, le=2**62)]
NOT_NOW: Final[dict[int | str, dict[str, Any]]] = {
    409: {"model": Problem, "description": "The rollout's state does not allow it; the text says what does"}
}

ONCE: Final[dict[int | str, dict[str, Any]]] = {
    200: {"model": schemas.Rollout, "description": "A rollout with this key exists"},
    409: {"model": Problem, "description": "The package is not signed, or the key belongs to another rollout"},
}


@router.post("/preview", operation_id="preview_rollout")
def preview_rollout(
    context: ContextDep, caller: CallerDep, scope: DeviceScopeDep, body: schemas.PreviewRequest
) -> schemas.Preview:
    """Preview the effect and the duration of a rollout, without creating it. Of a caller with roles for groups, it has only
    devices of these, and the duration does not use the past of others."""
    order, body = _order(context, caller), filled(body, context.settings)
    check_not_withdrawn(context, [(body.package, body.version), *((part.package, part.version) for part in body.parts)])
    body = body.model_copy(update={"selector": confined(body.selector, scope)})
    with context.database.read() as connection:
        made = rollout_plans.make(connection, body, order)
        return rollout_preview.preview(connection, body, made, order.now, uses_past=scope.is_all)


@router.post("", operation_id="create_rollout", status_code=201, responses=ONCE)
def create_rollout(
    context: ContextDep, caller: CallerDep, scope: DeviceScopeDep, response: Response, body: schemas.RolloutRequest
) -> schemas.Rollout:
    """Create a rollout: plan its waves and, with `start`, start it. An unsigned package is refused: devices would reject it. With
    a `key`, the same request creates one rollout, however often it is sent. The rollout of a caller with roles for groups has
    only devices of these, also later ones."""
    body = filled(body, context.settings)
    body = body.model_copy(update={"selector": confined(body.selector, scope)})
    if body.start:
        check_signed(context, [(body.package, body.version), *((part.package, part.version) for part in body.parts)])
    with context.database.write() as connection:
        before, rollout = rollout_plans.create_once(connection, body, _order(context, caller))
        if before and scope.groups is not None and not queries.of_groups(connection, scope.groups, rollout):
            raise ConflictError(f"the key {body.key!r} belongs to another rollout; choose another key")
    response.status_code = 200 if before else 201
    return _rollout(context, rollout)


@router.get("", operation_id="list_rollouts")
def list_rollouts(
    context: ContextDep,
    scope: DeviceScopeDep,
    state: Annotated[list[RolloutState], Query()] = [],  # noqa: B006
    key: Annotated[str | None, Query(max_length=300, description="only the one with this key")] = None,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    size: Annotated[int, Query(ge=1, le=200)] = 50,
) -> schemas.RolloutPage:
    """Rollouts, newest first. A caller with roles for groups sees those that have only devices of these."""
    with context.database.read() as connection:
        found, total = queries.page(connection, state, key, (page - 1) * size, size, context.counts.rollout, scope.groups)
    return schemas.RolloutPage(items=[schemas.Rollout.model_validate(record) for record in found], total=total)


@router.get("/templates", operation_id="list_rollout_templates")
def list_rollout_templates(context: ContextDep) -> TemplateList:
    """The predefined plans, and the default one of a new rollout."""
    return templates(context.settings)


@router.get("/{rollout}", operation_id="get_rollout")
def get_rollout(context: ContextDep, rollout: RolloutId) -> schemas.Rollout:
    """One rollout with its waves and gates."""
    with context.database.read() as connection:
        return views.rollout(connection, rollout, context.counts.rollout)


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
    """The attempts of a rollout's devices, latest change first."""
    chosen = tries.AttemptFilter(rollout, wave, state or "", device or "")
    with context.database.read() as connection:
        queries.check_exists(connection, rollout)
        found, total = tries.attempts(connection, chosen, (page - 1) * size, size, time.time())
    return schemas.AttemptPage(items=[schemas.AttemptRow.model_validate(record) for record in found], total=total)


@router.get("/{rollout}/timeline", operation_id="get_timeline")
def get_timeline(context: ContextDep, rollout: RolloutId) -> schemas.Timeline:
    """The timeline of a rollout, oldest event first."""
    with context.database.read() as connection:
        return schemas.Timeline(items=[schemas.TimelineItem.model_validate(row) for row in queries.story(connection, rollout)])


@router.get("/{rollout}/history", operation_id="get_rollout_history")
def get_rollout_history(
    context: ContextDep, rollout: RolloutId, steps: Annotated[int, Query(ge=2, le=500)] = 120
) -> schemas.RolloutHistory:
    """The states of a rollout and its waves over time."""
    with context.database.read() as connection:
        return views.history(connection, rollout, steps, time.time())


@router.get("/{rollout}/shadow", operation_id="get_rollout_shadow")
def get_rollout_shadow(context: ContextDep, rollout: RolloutId) -> ShadowReport:
    """The comparison of a shadow candidate with the incumbent, with the gate's data: for all devices, by profile, and for the
    devices with the lowest agreement."""
    with context.database.read() as connection:
        return views.shadow(connection, rollout, time.time())


@router.post("/{rollout}/start", operation_id="start_rollout", responses=NOT_NOW)
def start_rollout(
    context: ContextDep,
    caller: CallerDep,
    rollout: RolloutId,
    body: Annotated[schemas.ActionRequest, Body(default_factory=schemas.ActionRequest)],
) -> schemas.Rollout:
    """Start a draft. If a second person has to approve (`--second-person`), it waits for that approval."""
    _check_still_signed(context, rollout)
    with context.database.write() as connection:
        rollout_plans.start(connection, rollout, body.reason, _order(context, caller))
    return _rollout(context, rollout)


@router.post("/{rollout}/approve", operation_id="approve_rollout", responses=NOT_NOW)
def approve_rollout(
    context: ContextDep,
    caller: CallerDep,
    rollout: RolloutId,
    body: Annotated[schemas.ApproveRequest, Body(default_factory=schemas.ApproveRequest)],
) -> schemas.Rollout:
    """Approve the start of a wave, or, as another person than its creator, of a rollout."""
    _check_still_signed(context, rollout)
    with context.database.write() as connection:
        rollout_plans.approve(connection, rollout, body.wave, body.reason, _order(context, caller))
    return _rollout(context, rollout)


@router.post("/{rollout}/skip", operation_id="skip_wave", responses=NOT_NOW)
def skip_wave(context: ContextDep, caller: CallerDep, rollout: RolloutId, body: schemas.SkipRequest) -> schemas.Rollout:
    """Skip a wave. Its devices keep what they run (those on trial or updated keep the version); the next wave starts without
    it, and its own limit no longer applies: the sequential test over the whole rollout still does."""
    with context.database.write() as connection:
        skipped_waves.skip_wave(connection, rollout, body.wave, caller.name, body.reason, time.time())
    return _rollout(context, rollout)


@router.post("/{rollout}/pause", operation_id="pause_rollout", responses=NOT_NOW)
def pause_rollout(
    context: ContextDep,
    caller: CallerDep,
    rollout: RolloutId,
    body: Annotated[schemas.ActionRequest, Body(default_factory=schemas.ActionRequest)],
) -> schemas.Rollout:
    """Pause: no further device is offered the version; updates in progress finish."""
    return _act(context, caller, rollout, RolloutAction.PAUSE, body.reason)


@router.post("/{rollout}/resume", operation_id="resume_rollout", responses=NOT_NOW)
def resume_rollout(
    context: ContextDep,
    caller: CallerDep,
    rollout: RolloutId,
    body: Annotated[schemas.ActionRequest, Body(default_factory=schemas.ActionRequest)],
) -> schemas.Rollout:
    """Resume a paused rollout. Failures so far are accepted; the gate counts from zero again."""
    _check_still_signed(context, rollout)
    return _act(context, caller, rollout, RolloutAction.RESUME, body.reason)


@router.post("/{rollout}/abort", operation_id="abort_rollout", responses=NOT_NOW)
def abort_rollout(
    context: ContextDep,
    caller: CallerDep,
    rollout: RolloutId,
    body: Annotated[schemas.ActionRequest, Body(default_factory=schemas.ActionRequest)],
) -> schemas.Rollout:
    """Abort: withdraw the version from devices that are not on trial yet. Devices that have the version keep it."""
    return _act(context, caller, rollout, RolloutAction.ABORT, body.reason)


@router.post("/{rollout}/rollback", operation_id="rollback_rollout", responses=NOT_NOW)
def rollback_rollout(
    context: ContextDep,
    caller: CallerDep,
    rollout: RolloutId,
    body: Annotated[schemas.ActionRequest, Body(default_factory=schemas.ActionRequest)],
) -> schemas.Rollout:
    """Roll back: return every device of this rollout to the version that it ran before."""
    return _act(context, caller, rollout, RolloutAction.ROLLBACK, body.reason)


def check_signed(context: Context, names: Sequence[tuple[str, str]]) -> None:
    """Check that these (package, version) are signed.

    Raises:
        ConflictError: one of them is not signed, or was withdrawn; devices would reject it.
        NotFoundError: there is no such package.
    """
    check_not_withdrawn(context, names)
    with context.database.read() as connection:
        required = [signed_part(channels.find(connection, *name)) for name in names]
    for part in required:
        if not context.trust.is_signed(part):
            raise ConflictError(f"{part.name}@{part.version} is not signed; `edgefleet sign FOLDER --key F` signs it")


def check_not_withdrawn(context: Context, names: Sequence[tuple[str, str]]) -> None:
    """Check that none of these (package, version) was withdrawn.

    Raises:
        ConflictError: one of them was; devices refuse it.
        NotFoundError: there is no such package.
    """
    with context.database.read() as connection:
        required = [signed_part(channels.find(connection, *name)) for name in names]
    for part in required:
        if part.path in context.trust.withdrawn_paths():
            raise ConflictError(f"{part.name}@{part.version} has been withdrawn; devices refuse it. Choose another version")


def _check_still_signed(context: Context, rollout: int) -> None:
    """Check the packages of a rollout that is about to go on: a version may have been withdrawn since its creation."""
    with context.database.read() as connection:
        parts = bundle_parts.named(raw(connection), rollout)
    check_signed(context, [(part["package"], part["version"]) for part in parts])


def templates(settings: Settings) -> TemplateList:
    """All templates, and the defaults of a request without one."""
    items = [_template(template) for template in TEMPLATES.values()]
    return TemplateList(default=settings.template, defaults=proposed(settings), items=items)


def _template(template: Template) -> RolloutTemplate:
    return RolloutTemplate(
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
        policy=terms.PolicySpec(trial_s=template.trial_s, shadow_s=template.shadow_s),
        terms=terms.TermsSpec(rate=terms.RateSpec.model_validate(asdict(template.rate)) if template.rate else None),
    )


def _order(context: Context, caller: Caller) -> rollout_plans.RolloutOrder:
    return rollout_plans.RolloutOrder(caller.name, time.time(), context.settings.second_person)


def _act(context: Context, caller: Caller, rollout: int, action: RolloutAction, reason: str) -> schemas.Rollout:
    with context.database.write() as connection:
        queries.act(connection, rollout, action, reason, time.time(), caller.name)
    return _rollout(context, rollout)


def _rollout(context: Context, rollout: int) -> schemas.Rollout:
    """Notify the rollout engine and the live clients, and return the current rollout."""
    context.wake_engine()
    context.hub.touch(changed=[rollout])
    with context.database.read() as connection:
        return views.rollout(connection, rollout, context.counts.rollout)
