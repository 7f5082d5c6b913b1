"""A candidate that one site tries beside what runs: it agrees well but on the machines without an accelerator."""

from __future__ import annotations

import random
from typing import Any

from fastapi import APIRouter, HTTPException, Request

from edgefleet_contract.package.shadow import shadowed
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.rollouts.shadows import ShadowReport
from edgefleet_server.domain.states import AttemptState, RolloutState
from edgefleet_server.domain.statistics.shadows import ShadowComparison, is_below
from tests.fleet_server.dashboard.fake_devices import Device
from tests.fleet_server.dashboard.fake_rollouts import BAD, BAD_ON, FakeRollout, make_rollout

routes = APIRouter(prefix="/api/v1")
SITE = "osaka"


def make_shadow(number: int, devices: list[Device], now: float) -> FakeRollout:
    """A rollout whose waves are over, and whose devices measure."""
    plain: dict[str, Any] = {
        "name": f"Shadow of {BAD}",
        "package": "parts-detector",
        "version": BAD,
        "slot": "shadow-detector",
        "selector": {"all": False, "ids": [], "labels": {"site": SITE}},
        "waves": [{"name": "all"}],
        "gate": {
            "error_percent_max": 60.0,
            "reported_min": 5,
            "offline_s": 120.0,
            "soak_s": 1800.0,
            "test": "threshold",
            "regressions": {"agreement_percent_min": 85.0},
        },
        "policy": {"trial_s": 20.0, "trial_frames_min": 10},
        "wave_timeout_s": 3600.0,
    }
    mine = [device for device in devices if device.labels.get("site") == SITE]
    rollout = make_rollout(number, plain, mine, now)
    rollout.started_at = now
    for attempt in rollout.attempts.values():
        failed = is_below(measured(attempt.device), rollout.gate.regressions)
        attempt.state, attempt.offered_at = AttemptState.REGRESSED if failed else AttemptState.COMMITTED, now
        attempt.updated_at = attempt.finished_at = now + 60
    rollout.waves[0].update(state="passed", started_at=now, finished_at=now + 1900)
    rollout.become(now + 1900, RolloutState.COMPLETED)
    return rollout


def measured(device: Device) -> ShadowComparison:
    """Shadow results of one device."""
    luck = random.Random(device.id)
    if not device.online:
        return ShadowComparison(device.id, device.profile)
    slow = device.profile in BAD_ON
    agrees = luck.gauss(81.0, 4.0) if slow else luck.gauss(94.0, 1.5)
    return ShadowComparison(
        device.id, device.profile, luck.randint(20, 60), min(100.0, agrees), luck.gauss(140 if slow else 112, 6), luck.gauss(2, 1)
    )


@routes.get("/rollouts/{rollout}/shadow", operation_id="get_rollout_shadow")
def get_rollout_shadow(request: Request, rollout: int) -> ShadowReport:
    found = next((one for one in request.app.state.fleet.rollouts if one.id == rollout), None)
    slot = shadowed(found.plain["slot"]) if found else None
    if found is None or slot is None:
        raise HTTPException(404, f"rollout {rollout} is not a shadow rollout")
    devices = [
        attempt.device for attempt in found.attempts.values() if attempt.state in (AttemptState.COMMITTED, AttemptState.REGRESSED)
    ]
    return views.shadow_report(slot, found.gate.regressions, [measured(device) for device in devices])
