"""Preview of a rollout, with a forecast of its duration."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from edgefleet_contract.package.agent_package import AGENT_SLOT, AGENT_TASK
from edgefleet_contract.package.shadow import shadowed
from edgefleet_contract.pipeline.fleet_pipeline import pipeline_of
from edgefleet_server.api.schemas.rollouts import rollouts as schemas
from edgefleet_server.api.schemas.rollouts.rollout_terms import TermsSpec
from edgefleet_server.api.services.rollout_plans import CreatedRollouts
from edgefleet_server.db.backend.engine import Connection, raw
from edgefleet_server.db.devices import identities
from edgefleet_server.db.registry import packages
from edgefleet_server.db.rollouts import regressions
from edgefleet_server.db.rollouts.terms import gate, read, zone_of
from edgefleet_server.db.telemetry import history
from edgefleet_server.domain.maintenance_windows import ZONE_LABEL
from edgefleet_server.domain.policy.version_retention import rank
from edgefleet_server.domain.rollout import forecast
from edgefleet_server.domain.rollout.gates import rules
from edgefleet_server.domain.rollout.planning import RolloutPlan

INELIGIBLE_SHOWN: Final = 1_000
AWAY_SAMPLE_MAX: Final = 2_000
"""Offline devices whose last week is read; the forecast assumes that all others behave like these."""


def preview(
    connection: Connection, body: schemas.PreviewRequest, made: CreatedRollouts, now: float, *, uses_past: bool = True
) -> schemas.Preview:
    """The preview of a rollout as a response body. `uses_past`: the past rollouts of the whole fleet are used for it."""
    plan = made.plan
    return schemas.Preview(
        eligible=plan.eligible,
        ineligible=[
            schemas.IneligibleDevice(device=device, reason=reason) for device, reason in plan.ineligible[:INELIGIBLE_SHOWN]
        ],
        agent_update=_agent_update(connection, plan),
        already=plan.already,
        offline=plan.offline,
        waves=[schemas.WaveCount(name=spec.name, count=len(wave)) for spec, wave in zip(body.waves, plan.waves, strict=True)],
        bytes_total=plan.bytes_total,
        excluded=[
            schemas.ExcludedDevice(device=device, excluded_until=until) for device, until in plan.excluded[:INELIGIBLE_SHOWN]
        ],
        rules=rules(gate(body.gate.model_dump())),
        notes=[*made.notes, *(_doubts(connection, body) if uses_past else [])],
        warnings=_warnings(connection, body, made, now),
        needs_second_person=made.needs_second_person,
        forecast=_forecast(connection, body, made, now, uses_past=uses_past),
    )


def _doubts(connection: Connection, body: schemas.PreviewRequest) -> list[str]:
    """A note on the tolerated failure rate, from the fleet's own past rollouts."""
    found = forecast.doubt(gate(body.gate.model_dump()), *history.past_failures(raw(connection), body.slot, body.package))
    return [found] if found else []


def _warnings(connection: Connection, body: schemas.PreviewRequest, made: CreatedRollouts, now: float) -> list[str]:
    """Labels that no device has, devices that are blocked, a gate that nothing stops, and that nothing will look at the
    quality of the version."""
    devices = [device for wave in made.plan.waves for device in wave]
    is_model = body.slot != AGENT_SLOT and pipeline_of(body.slot) is None and shadowed(body.slot) is None
    found = forecast.quality_warning(
        gate(body.gate.model_dump()),
        golden=made.golden,
        shadow=shadowed(body.slot) is not None,
        measured=regressions.measured(raw(connection), devices, now),
        beside=body.policy.shadow_s > 0 and body.policy.shadow_agreement_percent_min > 0 and is_model,
    )
    stops = forecast.gate_warning(gate(body.gate.model_dump()))
    doubts = [_blocked_warning(connection, devices), stops, found if devices else ""]
    return [*made.unknown_labels, *_window_warnings(body.terms, made, devices), *filter(None, doubts)]


def _blocked_warning(connection: Connection, devices: Sequence[str]) -> str:
    """Devices of the plan that are blocked: they do not come back before they are enrolled again."""
    blocked = identities.blocked_among(connection, devices)
    if not blocked:
        return ""
    more = f" and {len(blocked) - 1} more are" if len(blocked) > 1 else " is"
    return f"{blocked[0]}{more} blocked: not updated until unblocked and enrolled again"


def _window_warnings(terms: TermsSpec, made: CreatedRollouts, devices: Sequence[str]) -> list[str]:
    """A window that never closes, and devices whose time zone is not known."""
    window = terms.window
    if window is None:
        return []
    found = []
    if window.start == window.end:
        whole = "these days from midnight to midnight" if window.days else "always"
        found.append(f"the window {window.start}-{window.end} ends when it starts: it is open {whole}")
    zones = {device: made.candidates[device].labels.get(ZONE_LABEL, "") for device in devices}
    if unknown := [device for device, zone in zones.items() if zone and zone_of(zone) is None]:
        first, more = unknown[0], f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        found.append(
            f"label {ZONE_LABEL}={zones[first]} of {first}{more}: no such time zone; the window has {window.timezone} there"
        )
    return found


def _agent_update(connection: Connection, plan: RolloutPlan) -> schemas.AgentUpdate | None:
    if not plan.agent_needed:
        return None
    needed = max(plan.agent_needed.values(), key=rank)
    agents = [record for record in packages.list_all(connection) if record["manifest"].get("task") == AGENT_TASK]
    newest = max(agents, key=lambda record: rank(record["version"]), default=None)
    found = newest if newest is not None and rank(newest["version"]) >= rank(needed) else None
    return schemas.AgentUpdate(
        devices=len(plan.agent_needed),
        needed=needed,
        package=found["name"] if found else None,
        version=found["version"] if found else None,
    )


def _forecast(
    connection: Connection, body: schemas.PreviewRequest, made: CreatedRollouts, now: float, *, uses_past: bool
) -> schemas.Forecast:
    db = raw(connection)
    online = {device for wave in made.plan.waves for device in wave if made.candidates[device].online}
    away = [device for wave in made.plan.waves for device in wave if device not in online]
    parts = [(body.slot, body.package), *((part.slot, part.package) for part in body.parts)]
    took = history.update_durations(db, parts) if uses_past else [[]]
    plan = forecast.ForecastPlan(
        waves=[
            (sum(device in online for device in wave), sum(device not in online for device in wave)) for wave in made.plan.waves
        ],
        soak_s=body.gate.soak_s,
        offline_s=body.gate.offline_s,
        trial_s=body.policy.trial_s,
        bytes_each=made.plan.bytes_max,
        took_s=took,
        rate=read(body.terms.model_dump(), 0).rate,
        steps=body.gate.test == "both",
    )
    there = history.hours_there(db, away[:AWAY_SAMPLE_MAX], now)
    sampled = [there[index % len(there)] for index in range(len(away))] if there else []
    found = forecast.forecast(plan, sampled, time.gmtime(now).tm_hour)
    return schemas.Forecast(
        waves=[
            schemas.WaveForecast(name=spec.name, p50_s=round(p50, 1), p95_s=round(p95, 1))
            for spec, (p50, p95) in zip(body.waves, found.waves, strict=True)
        ],
        total_p50_s=round(found.total[0], 1),
        total_p95_s=round(found.total[1], 1),
        reached_24h_percent=round(found.reached_24h_percent, 1),
        based_on=sum(map(len, took)),
    )
