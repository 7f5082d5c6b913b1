"""Groups of devices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from edgefleet_client.schemas.devices import GroupRequest
from edgefleet_server.cli.apply.changes import Change, Outcome, additions, differences, digest_of
from edgefleet_server.cli.apply.context import PlanContext
from edgefleet_server.cli.apply.documents import FleetGroup
from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.query.parsing import parse


def plan(context: PlanContext) -> Iterator[Change]:
    """The groups of the files.

    Raises:
        InputError: a group selects nothing.
    """
    for entry, group in context.files.of("groups", FleetGroup):
        context.ownership.check("group", entry.name, entry.place)
        if not (group.all or group.labels or group.devices or group.query):
            raise InputError(
                f"{entry.place}: groups.{entry.name} selects nothing; set `labels`, `query`, `devices` or `all: true`"
            )
        check_query(group.query, f"{entry.place}: groups.{entry.name}", alone=not group.all)
        desired = {"all": group.all, "devices": sorted(set(group.devices)), "labels": group.labels, "note": group.note}
        if group.query:
            desired["query"] = group.query
        change = Change("none", "group", entry.name, digest=digest_of(desired), recorded=True)
        before = context.groups.get(entry.name)
        held = _plain(before) if before else None
        if held != desired:
            change.action = "create" if held is None else "change"
            change.details = additions(desired) if held is None else differences(held, desired)
            by = before["changed_by"] if before else ""
            change.drift = context.ownership.drift("group", entry.name, change.digest, exists=held is not None, by=by)
            change.run = _put(context, entry.name, desired)
            context.coming.add(("group", entry.name))
        yield change


def check_query(query: str, place: str, *, alone: bool) -> None:
    """Check a query of a file; `alone`: without `all`.

    Raises:
        InputError: it is none, or stands beside `all`; the text begins with the place.
    """
    if not query:
        return
    if not alone:
        raise InputError(f"{place}: set one of `query` and `all`")
    try:
        parse(query)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _plain(group: Any) -> dict[str, Any]:
    selector = group["selector"]
    devices = sorted(set(selector.get("ids", ())))
    query = {"query": selector["query"]} if selector.get("query") else {}
    return {
        "all": selector.get("all", False),
        "devices": devices,
        "labels": selector.get("labels", {}),
        "note": group["note"],
        **query,
    }


def _put(context: PlanContext, name: str, desired: Mapping[str, Any]) -> Any:
    def run() -> Outcome:
        selector = {"all": desired["all"], "ids": desired["devices"], "labels": desired["labels"]}
        if "query" in desired:
            selector["query"] = desired["query"]
        body: GroupRequest = {"selector": selector, "note": desired["note"]}  # type: ignore[typeddict-item]
        made = context.client.devices.put_group(name, body)
        return None, f"{made['count']} devices"

    return run


def delete(context: PlanContext, name: str) -> Outcome:
    """Delete a group; its devices stay."""
    context.client.devices.delete_group(name)
    return None, ""
