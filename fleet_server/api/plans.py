"""From a request to a plan: the package is found, the devices are chosen, and waves are cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fleet_server.api.rollout_schemas import PreviewRequest, RolloutRequest, Selector, WaveSpec
from fleet_server.db import devices, packages, rollouts
from fleet_server.db.engine import Connection
from fleet_server.domain.planning import Plan, plan
from fleet_server.domain.selector import Selector as Selection
from fleet_server.domain.states import RolloutState
from fleet_server.domain.steering import Action
from fleet_server.domain.waves import WavePlan
from fleet_server.errors import InputError
from fleet_server.registry.packages import lengths_of, manifest_of


def make(connection: Connection, body: PreviewRequest) -> Plan:
    """What a rollout would do.

    Raises:
        InputError: a wave or the selector says nothing.
        NotFoundError: there is no such package.
    """
    _check_waves(body.waves)
    package = packages.find(connection, body.package, body.version)
    return _plan(connection, package, body.slot, body.selector, body.waves)


def create(connection: Connection, body: RolloutRequest, now: float) -> int:
    """Keep a rollout with its plan, and begin when asked to; its id.

    Raises:
        InputError: a wave or the selector says nothing, or no device would be updated.
        NotFoundError: there is no such package.
    """
    _check_waves(body.waves)
    package = packages.find(connection, body.package, body.version)
    planned = _plan(connection, package, body.slot, body.selector, body.waves)
    _check_work(planned, f"{body.package}@{body.version}")
    rollout = rollouts.create(
        connection,
        {
            "name": body.name,
            "package": package["digest"],
            "slot": body.slot,
            "state": RolloutState.DRAFT.value,
            "state_reason": "",
            "created_at": now,
            "changed_at": now,
            "selector": body.selector.model_dump(),
            "plans": [spec.model_dump() for spec in body.waves],
            "gate": body.gate.model_dump(),
            "policy": body.policy.model_dump(),
            "wave_timeout_s": body.wave_timeout_s,
        },
    )
    rollouts.set_waves(connection, rollout, [spec.name for spec in body.waves], planned.waves, now)
    if body.start:
        rollouts.act(connection, rollout, Action.START, "", now)
    return rollout


def start(connection: Connection, rollout: int, reason: str, now: float) -> None:
    """Begin a draft, with the devices as they are now.

    Raises:
        ConflictError: it is not a draft.
        InputError: no device would be updated.
        NotFoundError: there is no such rollout.
    """
    rollouts.act(connection, rollout, Action.START, reason, now)
    draft = rollouts.draft(connection, rollout)
    package = packages.find(connection, draft["package"], draft["version"])
    specs = [WaveSpec.model_validate(spec) for spec in draft["plans"]]
    planned = _plan(connection, package, draft["slot"], Selector.model_validate(draft["selector"]), specs)
    _check_work(planned, f"{draft['package']}@{draft['version']}")
    rollouts.set_waves(connection, rollout, [spec.name for spec in specs], planned.waves, now)


def _plan(connection: Connection, package: dict[str, Any], slot: str, selector: Selector, waves: Sequence[WaveSpec]) -> Plan:
    selection = Selection(selector.all, frozenset(selector.ids), selector.labels)
    if selection.empty:
        raise InputError('selector chooses nothing; give "all": true, some "ids", or "labels"')
    return plan(
        devices.candidates(connection, slot),
        selection,
        [WavePlan(spec.name, spec.percent, spec.count) for spec in waves],
        manifest_of(package),
        package["digest"],
        lengths_of(package),
    )


def _check_waves(waves: Sequence[WaveSpec]) -> None:
    names = [wave.name for wave in waves]
    if len(set(names)) != len(names):
        raise InputError(f"two waves share a name: {', '.join(names)}")
    for wave in waves[:-1]:
        if (wave.percent is None) == (wave.count is None):
            raise InputError(f"wave {wave.name!r} needs either percent or count; only the last one takes the rest")


def _check_work(planned: Plan, package: str) -> None:
    if planned.eligible:
        return
    reasons = [f"{planned.already} run it already"] if planned.already else []
    if planned.ineligible:
        device, why = planned.ineligible[0]
        reasons.append(f"{len(planned.ineligible)} cannot run it ({device}: {why})")
    raise InputError(f"{package}: nothing to do: {'; '.join(reasons) or 'the selector matches no device'}")
