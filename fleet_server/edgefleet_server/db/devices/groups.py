"""Groups: named selectors. A device is a member as soon as it matches. A query in a selector is answered when the selector is
resolved; what it costs: `QueriedFleet`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, delete, func, select
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError
from edgefleet_server.db.backend.driver import is_among, upsert
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices.device_queries import QueriedFleet
from edgefleet_server.db.people import user_grants
from edgefleet_server.db.tables.core import DeviceRecord, GroupRecord, columns_of
from edgefleet_server.domain.query.parsing import parse
from edgefleet_server.domain.selector import Selector

GROUPS_MAX: Final = 1_000
USERS_SHOWN: Final = 5
NO_GROUP: Final = "no group {!r}; `edgefleet group list` lists the groups"

Record = dict[str, Any]


def list_all(connection: Connection) -> list[Record]:
    """Every group, by name."""
    rows = connection.execute(select(*columns_of(GroupRecord)).order_by(col(GroupRecord.name))).mappings()
    return [dict(row) for row in rows]


def find(connection: Connection, name: str) -> Record:
    """One group.

    Raises:
        NotFoundError: there is no such group.
    """
    row = connection.execute(select(*columns_of(GroupRecord)).where(col(GroupRecord.name) == name)).mappings().one_or_none()
    if row is None:
        raise NotFoundError(NO_GROUP.format(name))
    return dict(row)


def put(connection: Connection, record: Record) -> None:
    """Create or change a group (columns of the table).

    Raises:
        ConflictError: there are too many.
    """
    count = connection.execute(select(func.count()).select_from(GroupRecord)).scalar_one()
    if count >= GROUPS_MAX:
        raise ConflictError(f"the limit of {GROUPS_MAX} groups is reached; delete one first")
    statement = upsert(connection, GroupRecord).values(record)
    connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=record))


def remove(connection: Connection, name: str) -> None:
    """Delete a group; its devices stay.

    Raises:
        ConflictError: it is in use; the text names what uses it.
        NotFoundError: there is none.
    """
    find(connection, name)
    if used := _users(connection, name):
        more = f" and {len(used) - USERS_SHOWN} more" if len(used) > USERS_SHOWN else ""
        raise ConflictError(
            f"group {name!r} is used by {', '.join(used[:USERS_SHOWN])}{more}; delete the rules and recipients, abort the"
            " rollouts and take the roles first (`edgefleet alert rules`, `edgefleet rollout list`, `edgefleet user list`)"
        )
    connection.execute(delete(GroupRecord).where(col(GroupRecord.name) == name))


def _users(connection: Connection, name: str) -> list[str]:
    """The alert rules, recipients and roles of the group, and the rollouts that newcomers of the group join, as text. A draft
    without late joiners is none: without its group it is refused when it starts."""
    db = raw(connection)
    rules = db.execute("SELECT name FROM alert_rule WHERE json_extract(rule, '$.group') = ? ORDER BY id", (name,)).fetchall()
    recipients = db.execute("SELECT name, groups FROM alert_recipient ORDER BY id").fetchall()
    rows = db.execute(
        "SELECT id, state, selector FROM rollout WHERE state IN ('draft', 'awaiting_approval', 'running', 'paused')"
        " AND CAST(json_extract(terms, '$.follow') AS TEXT) IN ('1', 'true') ORDER BY id"
    )
    follow = [row[:2] for row in rows if name in selected_groups(json.loads(row[2]))]
    held = user_grants.holders(db, name)
    routed = [f"alert recipient {row[0]!r}" for row in recipients if name in json.loads(row[1])]
    return (
        [f"alert rule {rule[0]!r}" for rule in rules]
        + routed
        + held
        + [f"rollout {rollout} ({state.replace('_', ' ')}, includes devices that join later)" for rollout, state in follow]
    )


def selected_groups(selector: Record) -> list[str]:
    """The groups that a stored selector names."""
    return [*([selector["group"]] if selector.get("group") else []), *selector.get("within", ())]


def resolve(connection: Connection, selector: Record, fleet: QueriedFleet | None = None) -> Selector:
    """The selector of a request: that of its group if it names one, cut to the groups `within`. `fleet`: for several queries in
    one transaction.

    Raises:
        InputError: its query is none, or has `all` or a group beside it.
        NotFoundError: there is no such group.
    """
    found = _resolve(connection, selector, fleet)
    if not selector.get("within"):
        return found
    allowed: set[str] = set()
    for record in list_all(connection):
        if record["name"] in selector["within"]:
            allowed.update(members(connection, _resolve(connection, record["selector"], fleet)))
    return Selector(ids=frozenset(allowed.intersection(members(connection, found))), queried=True, changing=found.changing)


def _resolve(connection: Connection, selector: Record, fleet: QueriedFleet | None) -> Selector:
    chosen = selector
    if selector.get("group"):
        chosen = find(connection, selector["group"])["selector"]
    if selector.get("query") and (selector.get("group") or selector["all"]):
        raise InputError('selector: "query" goes with "labels" and "ids", not with "all" or "group"')
    ids = frozenset(chosen["ids"])
    if not chosen.get("query"):
        return Selector(chosen["all"], ids, chosen["labels"], label_names=frozenset(chosen["labels"]))
    query = parse(chosen["query"])
    found = (fleet or QueriedFleet(connection)).matching(query, chosen["labels"], ids)
    names = query.label_names | chosen["labels"].keys()
    return Selector(ids=frozenset(found), queried=True, changing=query.changing, label_names=names)


def resolve_stored(connection: Connection, selector: Record, fleet: QueriedFleet | None = None) -> Selector | None:
    """The selector of stored data, as `resolve`; None if its group does not exist any more."""
    try:
        return resolve(connection, selector, fleet)
    except NotFoundError:
        return None


def members_within(connection: Connection, names: Sequence[str]) -> frozenset[str]:
    """The devices that are in one of these groups."""
    selector = {"all": True, "ids": [], "labels": {}, "within": list(names)}
    return frozenset(members(connection, resolve(connection, selector)))


def members(connection: Connection, selector: Selector) -> list[str]:
    """The devices that match, ordered by id; evaluated by the database at every call, unless a query has found them."""
    if selector.queried:
        return sorted(selector.ids)
    statement = select(col(DeviceRecord.id)).order_by(col(DeviceRecord.id))
    if not selector.all:
        by_label = [col(DeviceRecord.labels)[key].as_string() == value for key, value in selector.labels.items()]
        named = is_among(col(DeviceRecord.id), selector.ids)
        matches = by_label[0] if by_label else named
        for condition in by_label[1:]:
            matches = matches & condition
        statement = statement.where((named | matches) if by_label else named)
    return list(connection.execute(statement).scalars())
