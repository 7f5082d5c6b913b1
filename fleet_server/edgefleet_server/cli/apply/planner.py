"""The plan: all changes in the order in which they are carried out, and what is no longer in the files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from edgefleet_server.cli.apply import (
    alert_changes,
    group_changes,
    model_changes,
    pipeline_changes,
    recipient_changes,
    rollout_changes,
)
from edgefleet_server.cli.apply.changes import Change, Outcome
from edgefleet_server.cli.apply.context import PlanContext
from edgefleet_server.core.errors import NotFoundError
from edgefleet_server.domain.policy.roles import Role

ORDER: Final = ("rollout", "alert", "recipient", "channel", "group")
"""Kinds in the order in which objects are deleted: what uses another is deleted first."""


def plan(context: PlanContext, *, prune: bool) -> list[Change]:
    """All changes. prune: also delete what earlier applies of this configuration made and the files no longer have.

    Raises:
        InputError: the files are not valid for this server.
    """
    changes = [
        *model_changes.plan(context),
        *group_changes.plan(context),
        *pipeline_changes.plan(context),
        *alert_changes.plan(context),
        *recipient_changes.plan(context),
    ]
    changes += [*rollout_changes.plan(context), *pipeline_changes.assignments(context)]
    return [*changes, *_absent(context, changes, prune=prune)]


def _absent(context: PlanContext, changes: list[Change], *, prune: bool) -> Iterator[Change]:
    present = {(change.kind, change.name) for change in changes if change.recorded}
    absent = [key for key in context.ownership.resources if key not in present]
    for kind, name in sorted(absent, key=lambda key: ORDER.index(key[0])):
        resource = context.ownership.resources[kind, name]
        number = resource.get("id")
        exists = _exists(context, kind, name, number)
        if not prune:
            if exists:
                yield Change("none", kind, name, note="no longer in the files; --prune deletes what this configuration made")
            continue
        change = Change("release", kind, name, recorded=True, id=number)
        if not exists:
            change.note = "no longer managed"
        elif not resource["made"]:
            change.note = "no longer managed; it was there before, and stays"
        else:
            change.action, change.run = "delete", _deletion(context, kind, name, number)
            change.role = Role.ADMIN if kind in ("alert", "recipient") else Role.OPERATOR
            change.note = f"rollout {number} is aborted" if kind == "rollout" else ""
        yield change


def _deletion(context: PlanContext, kind: str, name: str, number: int | None) -> Callable[[], Outcome]:
    if kind == "rollout":
        return partial(rollout_changes.abort, context, number)
    deletions = {
        "alert": alert_changes.delete,
        "recipient": recipient_changes.delete,
        "channel": model_changes.remove_channel,
        "group": group_changes.delete,
    }
    return partial(deletions[kind], context, name)


def _exists(context: PlanContext, kind: str, name: str, number: int | None) -> bool:
    if kind == "group":
        return name in context.groups
    if kind == "alert":
        return name in context.alert_rules
    if kind == "recipient":
        return name in context.recipients
    if kind == "channel":
        model, _, channel = name.partition("/")
        return any(each["channel"] == channel for each in context.client.models.iterate_channels(model=model))
    try:
        return rollout_changes.is_open(context, number)
    except NotFoundError:
        return False
