"""Rollouts: a version and a plan for devices. A definition has one rollout, which its key on the server makes sure of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from edgefleet_client.schemas.rollout_requests import ActionRequest, PreviewRequest, RolloutRequest
from edgefleet_client.schemas.rollouts import Preview, Rollout
from edgefleet_contract.encoding.names import VERSION_PATTERN
from edgefleet_server.cli.apply.changes import Change, Outcome, digest_of
from edgefleet_server.cli.apply.context import PlanContext
from edgefleet_server.cli.apply.documents import Assignment, FleetRollout, plain
from edgefleet_server.cli.apply.group_changes import check_query
from edgefleet_server.cli.rollouts.plan_options import WAVES, waves_of
from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.rollout.waves import last_wave_fault, takes_rest

STOPPED: Final = frozenset({"paused", "aborting", "aborted", "rolling_back", "rolled_back"})
OPEN: Final = frozenset({"draft", "awaiting_approval", "running", "paused"})
TITLE_MAX: Final = 120


@dataclass(frozen=True, slots=True)
class RolloutDefinition:
    """A rollout of the files. version: resolved when it is called; for a pipeline that is stored first, only afterwards. pending:
    objects (kind, name) that the plan changes before it."""

    name: str
    place: str
    package: str
    slot: str
    assignment: Assignment
    version: Callable[[], str]
    pending: list[tuple[str, str]]


def plan(context: PlanContext) -> Iterator[Change]:
    """The rollouts of models.

    Raises:
        InputError: a version, channel, group or template does not exist, or the devices are not clear.
    """
    for entry, rollout in context.files.of("rollouts", FleetRollout):
        version = _resolved(context, entry.place, rollout.model, rollout.version)
        named = [(rollout.model, version), *((part.package, part.version) for part in rollout.parts)]
        pending = [("model", f"{model}@{each}") for model, each in named if ("model", f"{model}@{each}") in context.coming]
        known = partial(str, version)
        yield plan_rollout(
            context, RolloutDefinition(entry.name, entry.place, rollout.model, rollout.slot, rollout, known, pending)
        )


def plan_rollout(context: PlanContext, definition: RolloutDefinition) -> Change:
    """The change of one rollout: none if its key exists, or if no device needs it."""
    context.ownership.check("rollout", definition.name, definition.place)
    body = _body(context, definition)
    pending = list(definition.pending)
    if (group := definition.assignment.group) is not None:
        if group not in context.groups and ("group", group) not in context.coming:
            raise InputError(f"{definition.place}: rollout {definition.name}: no group {group!r}; add it to `groups`")
        pending += [("group", group)] if ("group", group) in context.coming else []
    change = Change("none", "rollout", definition.name, recorded=True)
    known = context.ownership.resources.get(("rollout", definition.name))
    change.id = known.get("id") if known else None
    if any(kind == "pipeline" for kind, _ in pending):
        change.action, change.details = "create", [*_summary(body, "the new version"), *_after(pending)]
        change.run = lambda: _start(context, definition, body, change)
        return change
    change.digest = _digest(definition, body, definition.version())
    existing = _find(context, definition, change.digest)
    if existing is not None:
        change.id = existing["id"]
        reason = f": {existing['state_reason']}" if existing["state_reason"] else ""
        change.note = f"rollout {existing['id']} is {existing['state']}{reason}"
        if existing["state"] == "draft" and definition.assignment.start:
            change.action, change.run = "change", partial(_start_draft, context, existing["id"])
        if existing["state"] in STOPPED:
            change.drift = "it was stopped; `repeat` with another number starts it anew"
        return change
    change.details = _summary(body, definition.version())
    if pending:
        change.details += _after(pending)
    else:
        preview = _preview(context, body, definition.version())
        if not preview["eligible"]:
            change.note = f"nothing to do: {_reason(preview)}"
            return change
        waves = ", ".join(f"{wave['name']} {wave['count']}" for wave in preview["waves"])
        change.details.append(f"+ devices: {preview['eligible']} ({waves})")
        change.details += [f"! {warning}" for warning in preview.get("warnings", ())]
    change.action = "create"
    change.run = lambda: _start(context, definition, body, change)
    return change


def abort(context: PlanContext, rollout: int | None) -> Outcome:
    """Abort a rollout that is not over; devices that have the version keep it."""
    if rollout is not None and context.client.rollouts.get_rollout(rollout)["state"] in OPEN:
        body: ActionRequest = {"reason": f"removed from configuration {context.ownership.name}"}
        context.client.rollouts.abort_rollout(rollout, body)
        return rollout, "aborted"
    return rollout, ""


def is_open(context: PlanContext, rollout: int | None) -> bool:
    """Whether a rollout can still update devices."""
    return rollout is not None and context.client.rollouts.get_rollout(rollout)["state"] in OPEN


def _start(context: PlanContext, definition: RolloutDefinition, body: Mapping[str, Any], change: Change) -> Outcome:
    version = definition.version()
    change.digest = _digest(definition, body, version)
    preview = _preview(context, body, version)
    if not preview["eligible"]:
        change.action = "none"
        return change.id, f"nothing to do: {_reason(preview)}"
    key = _key(context, definition, change.digest)
    named = {
        "version": version,
        "name": f"{definition.name} {version}"[:TITLE_MAX],
        "key": key,
        "start": definition.assignment.start,
    }
    request = {**body, **named}
    is_new, made = context.client.rollouts.create_rollout(cast("RolloutRequest", request))
    return made["id"], f"rollout {made['id']} {'is' if is_new else 'was there and is'} {made['state']}"


def _start_draft(context: PlanContext, rollout: int) -> Outcome:
    made = context.client.rollouts.start_rollout(rollout, {"reason": ""})
    return rollout, f"rollout {rollout} is {made['state']}"


def _find(context: PlanContext, definition: RolloutDefinition, digest: str) -> Rollout | None:
    items = context.client.rollouts.list_rollouts(key=_key(context, definition, digest))["items"]
    return items[0] if items else None


def _key(context: PlanContext, definition: RolloutDefinition, digest: str) -> str:
    return f"apply/{context.ownership.name}/{definition.name}/{digest}"


def _digest(definition: RolloutDefinition, body: Mapping[str, Any], version: str) -> str:
    return digest_of({**body, "version": version, "repeat": definition.assignment.repeat})


def _preview(context: PlanContext, body: Mapping[str, Any], version: str) -> Preview:
    names = ("package", "slot", "parts", "selector", "waves", "gate", "policy", "terms")
    request = {**{name: body[name] for name in names}, "version": version}
    return context.client.rollouts.preview_rollout(cast("PreviewRequest", request))


def _reason(preview: Preview) -> str:
    if preview["ineligible"]:
        first = preview["ineligible"][0]
        return f"{len(preview['ineligible'])} devices cannot run it ({first['device']}: {first['reason']})"
    return f"{preview['already']} devices already run it" if preview["already"] else "the selector matches no device"


def _after(pending: list[tuple[str, str]]) -> list[str]:
    return [f"+ devices: known after {' and '.join(f'{kind} {name}' for kind, name in pending)}"]


def _summary(body: Mapping[str, Any], version: str) -> list[str]:
    selector = body["selector"]
    target = f"group {selector['group']}" if "group" in selector else _target(selector)
    return [f"+ package: {body['package']}@{version} in slot {body['slot']}", f"+ for: {target}"]


def _target(selector: Mapping[str, Any]) -> str:
    if selector["all"]:
        return "all devices"
    parts = [f"{key}={value}" for key, value in sorted(selector["labels"].items())]
    query = [selector["query"]] if "query" in selector else []
    return " ".join([*parts, *query, *selector["ids"]])


def _resolved(context: PlanContext, place: str, model: str, version: str) -> str:
    """The version that a version or channel stands for after the plan."""
    if re.match(VERSION_PATTERN, version):
        if version not in context.versions.get(model, {}) and ("model", f"{model}@{version}") not in context.coming:
            raise InputError(f"{place}: {model}@{version} is not in the registry; add it to `models`")
        return version
    if (model, version) in context.channels:
        return context.channels[model, version]
    for each in context.client.models.iterate_channels(model=model):
        if each["channel"] == version:
            return each["version"]
    raise InputError(f"{place}: model {model!r} has no channel {version!r}; add it to `models`")


def _body(context: PlanContext, definition: RolloutDefinition) -> dict[str, Any]:
    """The request without what is only known later: version, name and key."""
    assignment = definition.assignment
    selected = bool(assignment.labels or assignment.devices or assignment.query)
    if (assignment.group is not None) + assignment.all + selected != 1:
        raise InputError(
            f"{definition.place}: rollout {definition.name}: set one of `group`, `all: true`, and `labels`, `query` or `devices`"
        )
    check_query(assignment.query, f"{definition.place}: rollout {definition.name}", alone=True)
    template: Mapping[str, Any] = {}
    if assignment.template is not None:
        if assignment.template not in context.templates:
            known = ", ".join(context.templates)
            raise InputError(f"{definition.place}: no template {assignment.template!r}; must be one of {known}")
        template = cast("Mapping[str, Any]", context.templates[assignment.template])
    selector = {"all": assignment.all, "ids": sorted(set(assignment.devices)), "labels": assignment.labels}
    if assignment.query:
        selector["query"] = assignment.query
    given = plain(assignment)
    body: dict[str, Any] = {
        "package": definition.package,
        "slot": definition.slot,
        "parts": given.get("parts", []),
        "selector": {"group": assignment.group} if assignment.group is not None else selector,
        "waves": _waves(definition, given["wave_list"], template),
        "gate": {**template.get("gate", {}), **given["gate"]},
        "policy": {**template.get("policy", {}), **given["policy"]},
        "terms": {**(template.get("terms") or {}), **given["terms"]},
    }
    return {**body, **{name: given[name] for name in ("priority", "wave_timeout_s") if name in given}}


def _waves(definition: RolloutDefinition, listed: list[dict[str, Any]], template: Mapping[str, Any]) -> list[dict[str, Any]]:
    written = definition.assignment.waves
    if listed and written:
        raise InputError(f"{definition.place}: rollout {definition.name}: set one of `waves` and `wave_list`")
    if listed:
        last = listed[-1]
        if not takes_rest(last.get("percent"), last.get("count"), last.get("labels") or {}):
            raise InputError(f"{definition.place}: rollout {definition.name}: wave_list: {last_wave_fault(last['name'])}")
        return listed
    if not written and template.get("waves"):
        return list(template["waves"])
    try:
        return waves_of(written or WAVES)
    except InputError as error:
        raise InputError(f"{definition.place}: rollout {definition.name}: {str(error).replace('--waves', 'waves')}") from error
