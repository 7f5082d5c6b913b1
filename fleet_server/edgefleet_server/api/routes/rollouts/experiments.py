"""Routes of experiments, which compare two or more versions."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Path, Query

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.routes.rollouts.rollouts import NOT_NOW, check_signed
from edgefleet_server.api.schemas.rollouts import experiments as schemas
from edgefleet_server.api.services import experiments as trials
from edgefleet_server.api.services import rollout_plans
from edgefleet_server.api.services.rollout_defaults import filled
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.rollouts import experiments

router = APIRouter(prefix="/experiments", tags=["rollouts"])

ExperimentId = Annotated[int, Path(ge=1, le=2**62)]


@router.post("", operation_id="create_experiment", status_code=201, responses=NOT_NOW)
def create_experiment(context: ContextDep, caller: CallerDep, body: schemas.ExperimentRequest) -> schemas.ExperimentCreated:
    """Assign devices to arms, and start a gated rollout of each arm's version."""
    check_signed(context, [(arm.package, arm.version) for arm in body.arms])
    with context.database.write() as connection:
        number, left_out = trials.create(connection, filled(body, context.settings), _order(context, caller))
    return schemas.ExperimentCreated(**_experiment(context, number).model_dump(), left_out=left_out)


@router.post("/preview", operation_id="preview_experiment")
def preview_experiment(context: ContextDep, caller: CallerDep, body: schemas.ExperimentRequest) -> schemas.ExperimentPreview:
    """Preview the assignment of devices to versions, without creating the experiment."""
    with context.database.read() as connection:
        return trials.preview(connection, body, _order(context, caller))


@router.get("", operation_id="list_experiments")
def list_experiments(
    context: ContextDep,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    size: Annotated[int, Query(ge=1, le=200)] = 50,
) -> schemas.ExperimentPage:
    """Experiments, newest first."""
    with context.database.read() as connection:
        found, total = experiments.page(raw(connection), (page - 1) * size, size)
    return schemas.ExperimentPage(items=[schemas.ExperimentSummary.model_validate(record) for record in found], total=total)


@router.get("/{experiment}", operation_id="get_experiment")
def get_experiment(context: ContextDep, experiment: ExperimentId) -> schemas.Experiment:
    """One experiment with its current comparison."""
    with context.database.read() as connection:
        return trials.view(connection, experiment, time.time())


@router.post("/{experiment}/choose", operation_id="choose_experiment_arm", responses=NOT_NOW)
def choose_experiment_arm(
    context: ContextDep, caller: CallerDep, experiment: ExperimentId, body: schemas.ChooseRequest
) -> schemas.Experiment:
    """End an experiment with a winner: a rollout brings the version of one arm to all its devices; running rollouts of the arms
    are aborted."""
    with context.database.write() as connection:
        trials.take(connection, experiment, filled(body, context.settings), _order(context, caller))
    return _experiment(context, experiment)


@router.post("/{experiment}/stop", operation_id="stop_experiment", responses=NOT_NOW)
def stop_experiment(context: ContextDep, caller: CallerDep, experiment: ExperimentId) -> schemas.Experiment:
    """End an experiment without a winner: every device keeps what it runs."""
    with context.database.write() as connection:
        trials.stop(connection, experiment, _order(context, caller))
    return _experiment(context, experiment)


def _order(context: Context, caller: Caller) -> rollout_plans.RolloutOrder:
    return rollout_plans.RolloutOrder(caller.name, time.time(), context.settings.second_person)


def _experiment(context: Context, number: int) -> schemas.Experiment:
    context.wake_engine()
    with context.database.read() as connection:
        found = trials.view(connection, number, time.time())
    context.hub.touch(changed=[arm.rollout for arm in found.arms if arm.rollout] + [found.chosen_rollout or 0])
    return found
