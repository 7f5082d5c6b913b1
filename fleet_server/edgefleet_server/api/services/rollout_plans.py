"""Plans a rollout request: finds the package, selects the devices, and cuts the waves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.package.shadow import shadowed
from edgefleet_contract.pipeline.fleet_pipeline import pipeline_of
from edgefleet_server.api.schemas.rollouts.rollout_terms import Selector, TermsSpec, WaveSpec
from edgefleet_server.api.schemas.rollouts.rollouts import PreviewRequest, RolloutRequest
from edgefleet_server.core.errors import ConflictError, InputError
from edgefleet_server.db.backend.engine import Connection, raw
from edgefleet_server.db.devices import devices, groups
from edgefleet_server.db.registry import channels, packages
from edgefleet_server.db.rollouts import approvals, bundle_parts, creation_keys, rollouts
from edgefleet_server.db.rollouts.terms import zone_of
from edgefleet_server.domain.query.label_names import unknown_labels
from edgefleet_server.domain.rollout.bundle import BundlePart
from edgefleet_server.domain.rollout.operator_actions import RolloutAction
from edgefleet_server.domain.rollout.planning import Candidate, RolloutPlan, plan
from edgefleet_server.domain.rollout.waves import WavePlan, last_wave_fault, takes_rest
from edgefleet_server.domain.states import RolloutState
from edgefleet_server.registry.bundle_parts import further_part
from edgefleet_server.registry.package_registry import lengths_of, manifest_of, notes_of
from edgefleet_server.registry.pipelines import slot_fault


@dataclass(frozen=True, slots=True)
class CreatedRollouts:
    """A plan and the devices it was made from. `needs_second_person`: it includes devices whose rollouts a second person has to
    approve. `notes`: remarks about its packages for the operator. `golden`: all models among them have golden samples.
    `unknown_labels`: sentences about labels of the selector that no device has."""

    plan: RolloutPlan
    candidates: Mapping[str, Candidate]
    needs_second_person: bool
    notes: Sequence[str] = ()
    golden: bool = False
    unknown_labels: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RolloutOrder:
    """Author and time of a request, and the labels (k, v) of devices whose rollouts need a second person."""

    by: str
    now: float
    second: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RolloutScope:
    """The devices of a rollout, as in its request."""

    selector: Selector
    waves: Sequence[WaveSpec]
    terms: TermsSpec


def make(connection: Connection, body: PreviewRequest, order: RolloutOrder) -> CreatedRollouts:
    """Plan a rollout without storing it.

    Raises:
        InputError: a wave or the selector is empty.
        NotFoundError: there is no such package.
    """
    _check_waves(body.waves)
    _check_terms(body.terms)
    return _plan(connection, _bundle(connection, body), body, order)


def create_once(connection: Connection, body: RolloutRequest, order: RolloutOrder) -> tuple[bool, int]:
    """Store a rollout as `create` does, unless one has the request's key; returns (whether there was one, its id).

    Raises:
        ConflictError: the rollout with the key is one of another package or slot.
        InputError, NotFoundError: as `create`.
    """
    before = creation_keys.reserve(connection, body.key) if body.key is not None else None
    if before is None:
        rollout = create(connection, body, order)
        if body.key is not None:
            creation_keys.assign(connection, body.key, rollout)
        return False, rollout
    first = bundle_parts.named(raw(connection), before)[0]
    if (first["package"], first["slot"]) != (body.package, body.slot):
        text = f"the key {body.key!r} belongs to rollout {before} of {first['package']} in slot {first['slot']}"
        raise ConflictError(f"{text}; choose another key")
    return True, before


def create(connection: Connection, body: RolloutRequest, order: RolloutOrder) -> int:
    """Store a rollout with its plan, and start it if requested; returns its id.

    Raises:
        InputError: a wave or the selector is empty, or no device would be updated.
        NotFoundError: there is no such package.
    """
    _check_waves(body.waves)
    _check_terms(body.terms)
    bundle = _bundle(connection, body)
    made = _plan(connection, bundle, body, order)
    _check_work(made, ", ".join(f"{package['name']}@{package['version']}" for _, package in bundle))
    rollout = rollouts.create(
        connection,
        {
            "name": body.name,
            "package": bundle[0][1]["digest"],
            "slot": body.slot,
            "state": RolloutState.DRAFT.value,
            "state_reason": "",
            "created_at": order.now,
            "changed_at": order.now,
            "selector": body.selector.stored(),
            "plans": [spec.model_dump() for spec in body.waves],
            "gate": body.gate.model_dump(),
            "policy": body.policy.model_dump(),
            "terms": body.terms.model_dump(),
            "priority": body.priority,
            "created_by": order.by,
            "wave_timeout_s": body.wave_timeout_s,
        },
    )
    bundle_parts.add(raw(connection), rollout, [BundlePart(slot, package["digest"]) for slot, package in bundle[1:]])
    rollouts.set_waves(connection, rollout, _names(body.waves), made.plan.waves, order.now)
    if body.start:
        _begin(connection, rollout, made, "", order)
    return rollout


def start(connection: Connection, rollout: int, reason: str, order: RolloutOrder) -> None:
    """Start a draft, planned with the current devices; if a second person has to approve, submit it for approval.

    Raises:
        ConflictError: it is not a draft.
        InputError: no device would be updated.
        NotFoundError: there is no such rollout.
    """
    made, specs = _again(connection, rollout, order)
    _begin(connection, rollout, made, reason, order)
    rollouts.set_waves(connection, rollout, _names(specs), made.plan.waves, order.now)


def approve(connection: Connection, rollout: int, wave: int | None, reason: str, order: RolloutOrder) -> None:
    """Approve a wave, or a rollout that waits for a second person, which is planned with the current devices.

    Raises:
        ConflictError: nothing waits for the approval, or the approver created the rollout.
        InputError: no device would be updated any more.
        NotFoundError: there is no such rollout or wave.
    """
    if wave is not None:
        approvals.approve_wave(connection, rollout, wave, order.by, reason, order.now)
        return
    approvals.check_second(connection, rollout, order.by)
    rollouts.act(connection, rollout, RolloutAction.APPROVE, reason, order.now, order.by)
    made, specs = _again(connection, rollout, order)
    rollouts.set_waves(connection, rollout, _names(specs), made.plan.waves, order.now)


def _begin(connection: Connection, rollout: int, made: CreatedRollouts, reason: str, order: RolloutOrder) -> None:
    action = RolloutAction.SUBMIT if made.needs_second_person else RolloutAction.START
    rollouts.act(connection, rollout, action, reason, order.now, order.by)


def _again(connection: Connection, rollout: int, order: RolloutOrder) -> tuple[CreatedRollouts, list[WaveSpec]]:
    draft = rollouts.draft(connection, rollout)
    bundle = [
        (part["slot"], packages.by_digest(connection, part["digest"])) for part in bundle_parts.named(raw(connection), rollout)
    ]
    specs = [WaveSpec.model_validate(spec) for spec in draft["plans"]]
    selector, terms = Selector.model_validate(draft["selector"]), TermsSpec.model_validate(draft["terms"])
    made = _plan(connection, bundle, RolloutScope(selector, specs, terms), order)
    _check_work(made, f"{draft['package']}@{draft['version']}")
    return made, specs


def _names(waves: Sequence[WaveSpec]) -> list[tuple[str, bool]]:
    return [(spec.name, spec.approval) for spec in waves]


Bundle = Sequence[tuple[str, dict[str, Any]]]
"""(slot, package) of every part."""


def _bundle(connection: Connection, body: PreviewRequest | RolloutRequest) -> Bundle:
    slots = [body.slot, *(part.slot for part in body.parts)]
    twice = next((slot for slot in slots if slots.count(slot) > 1), None)
    if twice is not None:
        raise InputError(f"slot {twice!r} is used twice; each part of a bundle requires its own slot")
    beside = next((slot for slot in slots if (about := shadowed(slot)) and (about == AGENT_SLOT or pipeline_of(about))), None)
    if beside is not None:
        raise InputError(f"slot {beside!r}: only models can run as shadow, not pipelines or the agent")
    if body.parts and AGENT_SLOT in slots:
        raise InputError("the agent cannot be part of a bundle; roll it out separately")
    names = [(body.package, body.version), *((part.package, part.version) for part in body.parts)]
    return [(slot, channels.find(connection, *name)) for slot, name in zip(slots, names, strict=True)]


def _plan(
    connection: Connection, bundle: Bundle, scope: PreviewRequest | RolloutRequest | RolloutScope, order: RolloutOrder
) -> CreatedRollouts:
    fault = next((text for text in (slot_fault(package, slot) for slot, package in bundle) if text), "")
    if fault:
        raise InputError(fault)
    slot, package = bundle[0]
    selection = groups.resolve(connection, scope.selector.model_dump())
    if selection.empty:
        raise InputError('selector: empty; set "all": true, "ids", "labels", "query" or "group"')
    if scope.terms.follow and selection.changing:
        raise InputError(
            f"terms.follow: the query selects by {selection.changing}, which changes; only labels, id and profile follow"
        )
    candidates = devices.candidates(connection, slot, order.now)
    planned = plan(
        candidates,
        selection,
        [WavePlan(spec.name, spec.percent, spec.count, spec.labels) for spec in scope.waves],
        manifest_of(package),
        package["digest"],
        lengths_of(package),
        order.now,
        [further_part(connection, slot, package, order.now) for slot, package in bundle[1:]],
    )
    by_name = {candidate.device: candidate for candidate in candidates}
    guarded = any(
        value in (by_name[device].labels.get(key), by_name[device].reported.get(key))  # a claim can only ask for more care
        for wave in planned.waves
        for device in wave
        for key, value in order.second.items()
    )
    golden = all(manifest_of(package).golden for _, package in bundle)
    notes = [note for _, package in bundle for note in notes_of(package)]
    unknown = unknown_labels(selection.label_names, [candidate.labels for candidate in candidates])
    return CreatedRollouts(planned, by_name, guarded, notes, golden, unknown)


def _check_waves(waves: Sequence[WaveSpec]) -> None:
    names = [wave.name for wave in waves]
    if len(set(names)) != len(names):
        raise InputError(f"duplicate wave name: {', '.join(names)}")
    for wave in waves[:-1]:
        if (wave.percent is not None) + (wave.count is not None) + bool(wave.labels) != 1:
            raise InputError(
                f"wave {wave.name!r} requires exactly one of percent, count and labels; only the last wave takes the rest"
            )
    last = waves[-1]
    if not takes_rest(last.percent, last.count, last.labels):
        raise InputError(f"waves: {last_wave_fault(last.name)}: without percent, count and labels")


def _check_terms(terms: TermsSpec) -> None:
    window, rate = terms.window, terms.rate
    if window is not None and zone_of(window.timezone) is None:
        raise InputError(f"terms.window.timezone: {window.timezone!r} is no time zone; use a name such as Europe/Lisbon, or UTC")
    if rate is not None and rate.per_minute > rate.per_minute_max:
        raise InputError(f"terms.rate: per_minute {rate.per_minute} is more than per_minute_max {rate.per_minute_max}")


def _check_work(made: CreatedRollouts, package: str) -> None:
    planned = made.plan
    if planned.eligible:
        return
    reasons = [f"{planned.already} already run it"] if planned.already else []
    if planned.ineligible:
        device, why = planned.ineligible[0]
        reasons.append(f"{len(planned.ineligible)} cannot run it ({device}: {why})")
    reasons = reasons or ["the selector matches no device", *made.unknown_labels]
    raise InputError(f"{package}: nothing to do: {'; '.join(reasons)}")
