"""The devices of groups that users have roles for. Membership is read in each request, so that it takes effect at once.

Such a group selects by labels and ids alone: what a device reports of itself must not give anyone a right over it. A group that
selects otherwise gives no right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

import msgspec
from sqlalchemy import Connection

from edgefleet_server.core.errors import InputError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.people import user_grants
from edgefleet_server.domain.query.parsing import parse
from edgefleet_server.domain.query.terms import QueriedDevice, QueryField
from edgefleet_server.domain.selector import carries

FIXED: Final = frozenset({QueryField.LABEL, QueryField.ID})

_labels = msgspec.json.Decoder(dict[str, str]).decode


def devices_of(connection: Connection, names: Collection[str]) -> frozenset[str]:
    """The devices of all these groups; a group that does not exist has none."""
    found: set[str] = set()
    for record in _named(connection, names):
        found.update(groups.members(connection, groups.resolve(connection, record["selector"])))
    return frozenset(found)


def groups_of(connection: Connection, device: str, names: Collection[str]) -> frozenset[str]:
    """Those of these groups that a device is in; none if it is unknown."""
    row = raw(connection).execute("SELECT labels FROM device WHERE id = ?", (device,)).fetchone() if names else None
    if row is None:
        return frozenset()
    facts = QueriedDevice(device, _labels(row[0]))
    return frozenset(record["name"] for record in _named(connection, names) if _selects(record["selector"], facts))


def _named(connection: Connection, names: Collection[str]) -> list[groups.Record]:
    """Those of these groups that exist and give rights."""
    found = [record for record in groups.list_all(connection) if record["name"] in names] if names else []
    return [record for record in found if not _reported(record["selector"])]


def granted_groups_of(connection: Connection, device: str) -> frozenset[str]:
    """The groups that a device is in, of those that users or API tokens have roles for."""
    return groups_of(connection, device, user_grants.groups(raw(connection)))


def check_groups(connection: Connection, names: Iterable[str]) -> None:
    """Check that roles can be given for these groups.

    Raises:
        InputError: a group selects by what devices report.
        NotFoundError: there is no such group.
    """
    for name in names:
        check_selector(name, groups.find(connection, name)["selector"])


def check_selector(name: str, selector: dict[str, Any]) -> None:
    """Check that a group for which users have roles may select so.

    Raises:
        InputError: it selects by what devices report.
    """
    if reported := _reported(selector):
        raise InputError(
            f"group {name!r} selects by {', '.join(reported)}, which devices report; a group for roles selects by labels and ids"
        )


def _reported(selector: dict[str, Any]) -> list[str]:
    """The fields of a selector that devices report."""
    terms = parse(selector["query"]).terms if selector.get("query") else []
    return sorted({term.field.value for term in terms if term.field not in FIXED})


def _selects(selector: dict[str, Any], device: QueriedDevice) -> bool:
    if selector["all"] or device.id in selector["ids"]:
        return True
    if selector.get("query"):
        return carries(device.labels, selector["labels"]) and parse(selector["query"]).matches(device)
    return bool(selector["labels"]) and carries(device.labels, selector["labels"])
