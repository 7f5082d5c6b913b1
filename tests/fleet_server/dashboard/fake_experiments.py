"""One experiment of the fake fleet: sixty cameras keep a version, sixty try another that is slower and sees more."""

from __future__ import annotations

import random
import time
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query

from edgefleet_server.api.schemas.rollouts import experiments as schemas
from edgefleet_server.domain.statistics.confidence_intervals import Interval
from edgefleet_server.domain.statistics.experiment import CONFIDENCE, Field, compare
from tests.fleet_server.dashboard.fake_devices import digest

routes = APIRouter(prefix="/api/v1")
_ended: dict[str, Any] = {}
_changed: dict[str, Any] = {}
MEANS = {
    "latency_p95_ms": (11.8, 15.9),
    "dropped_percent": (0.8, 0.81),
    "confidence": (61.0, 67.0),
    "events_per_hour": (14.0, 14.4),
}


def _limits(interval: Interval) -> dict[str, Any]:
    return {"devices": interval.devices, "value": interval.value, "low": interval.low, "high": interval.high}


def _arms() -> list[dict[str, Any]]:
    arms = []
    for name, version, rollout in (("a", "1.1.0", None), ("b", "1.2.0", 2)):
        arm = {"name": name, "package": "parts-detector", "version": version, "digest": digest("parts-detector", version)}
        arm |= {"share": 1.0, "value": "", "devices": 60, "on_version": 60 if name == "a" else 58, "rollout": rollout}
        arms.append(arm | {"rollout_state": "completed" if rollout else None})
    return arms


def plain(now: float) -> dict[str, Any]:
    """The `Experiment` of the REST API, compared by the server's own rules."""
    chance = random.Random(5)
    fields = []
    for index, arm in enumerate("ab"):
        values = {name: [chance.gauss(means[index], 0.15 * means[index]) for _ in range(58)] for name, means in MEANS.items()}
        fields.append(Field(arm, values, 0 if arm == "a" else 2, 0 if arm == "a" else 60))
    figures = [
        {
            "name": found.measure.name,
            "unit": found.measure.unit,
            "lower_is_better": found.measure.lower_is_better,
            "arms": [{"arm": arm, **_limits(interval)} for arm, interval in found.arms.items()],
            "differences": [{"arm": d.arm, **_limits(d.interval), "verdict": d.verdict} for d in found.differences],
        }
        for found in compare(fields, _changed.get("compared", []))
    ]
    head = {"id": 1, "name": "1.2 against 1.1", "slot": "detector", "state": "running", "split": "hash", "label_key": ""}
    head |= {
        "created_at": now - 5 * 3600.0,
        "created_by": "ada",
        "ended_at": None,
        "ended_by": "",
        "chosen_arm": "",
        "chosen_rollout": None,
        "compared": [],
        "review_after_s": 72 * 3600.0,
    }
    return {**head, "arms": _arms(), "figures": figures, "confidence_percent": 100.0 * CONFIDENCE, **_changed, **_ended}


@routes.post("/experiments/preview", operation_id="preview_experiment")
def preview_experiment(body: schemas.ExperimentRequest) -> schemas.ExperimentPreview:
    if len({(arm.package, arm.version) for arm in body.arms}) < len(body.arms):
        raise HTTPException(422, "two arms have the same version")
    whole = sum(arm.share for arm in body.arms)
    arms = [
        schemas.ArmPreview(name=arm.name, devices=round(120 * arm.share / whole), to_update=round(110 * arm.share / whole))
        for arm in body.arms
    ]
    left_out = [schemas.LeftOut(device="toledo-gate1-cam02", reason="arm b: no variant for its runtimes")]
    elsewhere = 0 if body.split == "hash" else 31
    return schemas.ExperimentPreview(arms=arms, elsewhere=elsewhere, left_out=left_out, needs_second_person=False)


@routes.post("/experiments", operation_id="create_experiment", status_code=201)
def create_experiment(body: schemas.ExperimentRequest) -> schemas.ExperimentCreated:
    """Replaces the experiment with the requested one."""
    names = ("name", "compared", "review_after_s", "split")
    _changed.update({name: getattr(body, name) for name in names}, label_key=body.label_key or "")
    return schemas.ExperimentCreated(**plain(time.time()), left_out=[])


@routes.get("/experiments", operation_id="list_experiments")
def list_experiments(size: Annotated[int, Query()] = 50) -> schemas.ExperimentPage:
    return schemas.ExperimentPage(items=[schemas.ExperimentSummary.model_validate(plain(time.time()))][:size], total=1)


@routes.get("/experiments/{number}", operation_id="get_experiment")
def get_experiment(number: int) -> schemas.Experiment:
    if number != 1:
        raise HTTPException(404, f"no experiment {number}")
    return schemas.Experiment.model_validate(plain(time.time()))


@routes.post("/experiments/{number}/choose", operation_id="choose_experiment_arm")
def choose_experiment_arm(number: int, body: schemas.ChooseRequest) -> schemas.Experiment:
    _ended.update(state="ended", chosen_arm=body.arm, chosen_rollout=3, ended_at=time.time(), ended_by="ada")
    return get_experiment(number)


@routes.post("/experiments/{number}/stop", operation_id="stop_experiment")
def stop_experiment(number: int) -> schemas.Experiment:
    _ended.update(state="ended", ended_at=time.time(), ended_by="ada")
    return get_experiment(number)
