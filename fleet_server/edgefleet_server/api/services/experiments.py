"""Experiments: assignment of versions to devices, rollouts of the arms, comparison, and end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from edgefleet_server.api.schemas.rollouts import experiments as schemas
from edgefleet_server.api.schemas.rollouts.rollout_terms import GateSpec, PolicySpec, Selector, WaveSpec
from edgefleet_server.api.schemas.rollouts.rollouts import PreviewRequest, RolloutRequest
from edgefleet_server.api.services import rollout_plans
from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError
from edgefleet_server.db.backend.engine import Connection, raw
from edgefleet_server.db.registry import packages
from edgefleet_server.db.rollouts import experiments, rollouts
from edgefleet_server.domain.rollout.operator_actions import RolloutAction
from edgefleet_server.domain.states import RolloutState
from edgefleet_server.domain.statistics.confidence_intervals import Interval
from edgefleet_server.domain.statistics.experiment import CONFIDENCE, ArmPlan, Difference, compare, split_by_hash, split_by_label

LEFT_OUT_SHOWN: Final = 1_000
_STOPPED: Final = (RolloutState.RUNNING.value, RolloutState.PAUSED.value, RolloutState.AWAITING_APPROVAL.value)


@dataclass(frozen=True, slots=True)
class _How:
    """Common values of the rollouts of an experiment."""

    slot: str
    waves: Sequence[WaveSpec]
    gate: GateSpec
    policy: PolicySpec


def create(
    connection: Connection, body: schemas.ExperimentRequest, order: rollout_plans.RolloutOrder
) -> tuple[int, list[schemas.LeftOut]]:
    """Assign the devices, store the experiment, and start the rollouts; returns its id, and the devices left out.

    Raises:
        InputError: the arms or the split are incomplete, or an arm would have no device.
        NotFoundError: there is no such package.
    """
    _check(body)
    able, members, left_out = _assigned(connection, body, order)
    empty = [arm.name for arm in body.arms if arm.name not in members.values()]
    if empty:
        raise InputError(f"arm {empty[0]!r} would have no device: only {len(able)} can run all versions; select more devices")
    how = _How(body.slot, body.waves, body.gate, body.policy)
    record = {
        "name": body.name, "slot": body.slot, "state": "running", "split": body.split, "label_key": body.label_key or "",
        "created_at": order.now, "created_by": order.by, "ended_by": "", "chosen_arm": "",
        "compared": ",".join(body.compared), "review_after_s": body.review_after_s,
    }  # fmt: skip
    rows = []
    for arm in body.arms:
        mine = [device for device, name in members.items() if name == arm.name]
        title = f"{body.name}: {arm.name}"[:120]
        rollout = _bring(connection, title, (arm.package, arm.version), mine, how, order)
        package = packages.find(connection, arm.package, arm.version)
        rows.append({"name": arm.name, "package": package["digest"], "share": arm.share, "value": arm.value, "rollout": rollout})
    return experiments.create(connection, record, rows, members), left_out[:LEFT_OUT_SHOWN]


def preview(
    connection: Connection, body: schemas.ExperimentRequest, order: rollout_plans.RolloutOrder
) -> schemas.ExperimentPreview:
    """Preview of the assignment of versions to devices.

    Raises:
        InputError: the arms or the split are incomplete.
        NotFoundError: there is no such package.
    """
    _check(body)
    able, members, left_out = _assigned(connection, body, order)
    arms, guarded = [], False
    for arm in body.arms:
        mine = [device for device, name in members.items() if name == arm.name]
        made = (
            rollout_plans.make(connection, _preview_request((arm.package, arm.version), body.slot, mine), order) if mine else None
        )
        guarded = guarded or (made is not None and made.needs_second_person)
        arms.append(schemas.ArmPreview(name=arm.name, devices=len(mine), to_update=made.plan.eligible if made else 0))
    return schemas.ExperimentPreview(
        arms=arms, elsewhere=len(able) - len(members), left_out=left_out[:LEFT_OUT_SHOWN], needs_second_person=guarded
    )


def take(connection: Connection, number: int, body: schemas.ChooseRequest, order: rollout_plans.RolloutOrder) -> None:
    """End an experiment with one arm's version for all its devices.

    Raises:
        NotFoundError: there is no such experiment or arm.
        ConflictError: it is over.
    """
    record = _running(connection, number)
    arm = next((arm for arm in record["arms"] if arm["name"] == body.arm), None)
    if arm is None:
        names = ", ".join(arm["name"] for arm in record["arms"])
        raise NotFoundError(f"experiment {number} has no arm {body.arm!r}; must be one of {names}")
    _stop_rollouts(connection, record, f"experiment {number} chose arm {body.arm}", order)
    how = _How(record["slot"], body.waves, body.gate, body.policy)
    devices = experiments.members(raw(connection), number)
    title = f"{record['name']}: arm {body.arm}"[:120]
    rollout = _bring(connection, title, (arm["package"], arm["version"]), devices, how, order)
    experiments.end(raw(connection), number, order.by, order.now, body.arm, rollout)


def stop(connection: Connection, number: int, order: rollout_plans.RolloutOrder) -> None:
    """End an experiment without a winner: every device keeps what it runs.

    Raises:
        NotFoundError: there is no such experiment.
        ConflictError: it is over.
    """
    record = _running(connection, number)
    _stop_rollouts(connection, record, f"experiment {number} was stopped", order)
    experiments.end(raw(connection), number, order.by, order.now)


def view(connection: Connection, number: int, now: float) -> schemas.Experiment:
    """One experiment with its comparison.

    Raises:
        NotFoundError: there is no such experiment.
    """
    db = raw(connection)
    record = experiments.get(db, number)
    figures = [
        schemas.Figure(
            name=found.measure.name,
            unit=found.measure.unit,
            lower_is_better=found.measure.lower_is_better,
            arms=[schemas.Estimate(arm=arm, **_limits(interval)) for arm, interval in found.arms.items()],
            differences=[_difference(each) for each in found.differences],
        )
        for found in compare(experiments.fields(db, record, now), record["compared"])
    ]
    return schemas.Experiment.model_validate({**record, "figures": figures, "confidence_percent": 100.0 * CONFIDENCE})


def _difference(found: Difference) -> schemas.DifferenceFrom:
    return schemas.DifferenceFrom(arm=found.arm, **_limits(found.interval), verdict=found.verdict)


def _limits(interval: Interval) -> dict[str, Any]:
    return {"devices": interval.devices, "value": interval.value, "low": interval.low, "high": interval.high}


def _check(body: schemas.ExperimentRequest) -> None:
    names = [arm.name for arm in body.arms]
    if len(set(names)) != len(names):
        raise InputError(f"duplicate arm name: {', '.join(names)}")
    if len({(arm.package, arm.version) for arm in body.arms}) != len(names):
        raise InputError("two arms have the same version")
    if body.split == "label":
        values = [arm.value for arm in body.arms]
        if not body.label_key or not all(values) or len(set(values)) != len(values):
            raise InputError("a split by label requires label_key and a different value in each arm")


def _assigned(
    connection: Connection, body: schemas.ExperimentRequest, order: rollout_plans.RolloutOrder
) -> tuple[list[str], Mapping[str, str], list[schemas.LeftOut]]:
    """Devices that can run every arm's version (device → arm), and selected devices that cannot."""
    arms = [ArmPlan(arm.name, arm.share, arm.value) for arm in body.arms]
    able, labels, left_out = _able(connection, body, order)
    if body.split == "hash":
        return able, split_by_hash(able, arms, body.name), left_out
    return able, split_by_label({device: labels[device] for device in able}, body.label_key or "", arms), left_out


def _preview_request(version: tuple[str, str], slot: str, devices: Sequence[str]) -> PreviewRequest:
    selector, waves = Selector(ids=list(devices)), [WaveSpec(name="all")]
    return PreviewRequest(package=version[0], version=version[1], slot=slot, selector=selector, waves=waves)


def _able(
    connection: Connection, body: schemas.ExperimentRequest, order: rollout_plans.RolloutOrder
) -> tuple[list[str], Mapping[str, Mapping[str, str]], list[schemas.LeftOut]]:
    """Devices that can run every arm's version, labels of all devices, and selected devices that cannot."""
    left_out: dict[str, str] = {}
    chosen: set[str] = set()
    labels: dict[str, Mapping[str, str]] = {}
    for arm in body.arms:
        request = PreviewRequest(
            package=arm.package, version=arm.version, slot=body.slot, selector=body.selector, waves=[WaveSpec(name="all")]
        )
        made = rollout_plans.make(connection, request, order)
        left_out |= {device: f"arm {arm.name}: {why}" for device, why in made.plan.ineligible if device not in left_out}
        chosen |= {device for wave in made.plan.waves for device in wave} | set(made.plan.running)
        labels = {name: candidate.labels for name, candidate in made.candidates.items()}
    able = sorted(chosen - left_out.keys())
    return able, labels, [schemas.LeftOut(device=device, reason=why) for device, why in sorted(left_out.items())]


def _bring(
    connection: Connection,
    title: str,
    version: tuple[str, str],
    devices: Sequence[str],
    how: _How,
    order: rollout_plans.RolloutOrder,
) -> int | None:
    """Start a rollout of a version to these devices; returns its id, None if all of them run the version."""
    if not rollout_plans.make(connection, _preview_request(version, how.slot, devices), order).plan.eligible:
        return None
    body = RolloutRequest(
        name=title,
        package=version[0],
        version=version[1],
        slot=how.slot,
        selector=Selector(ids=list(devices)),
        waves=list(how.waves),
        gate=how.gate,
        policy=how.policy,
        priority=defaults.PRIORITY,
    )
    return rollout_plans.create(connection, body, order)


def _running(connection: Connection, number: int) -> experiments.Record:
    record = experiments.get(raw(connection), number)
    if record["state"] != "running":
        raise ConflictError(f"experiment {number} has ended; create a new one")
    return record


def _stop_rollouts(connection: Connection, record: experiments.Record, reason: str, order: rollout_plans.RolloutOrder) -> None:
    for arm in record["arms"]:
        if arm["rollout"] is not None and arm["rollout_state"] in _STOPPED:
            rollouts.act(connection, arm["rollout"], RolloutAction.ABORT, reason, order.now, order.by)
