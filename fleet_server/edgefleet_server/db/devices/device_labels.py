"""Labels of devices: those of the enrolment token and of operators. What a device reports of itself counts only under keys that
the setting `trust_reported` names, and below the others.

That setting is read from the database in the transaction that stores labels, so that all processes of a server agree on it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import Connection

from edgefleet_server.core.errors import InputError, NotFoundError
from edgefleet_server.db.backend.driver import Driver, SharedDriver
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.rollouts.terms import zone_of
from edgefleet_server.domain.maintenance_windows import ZONE_LABEL
from edgefleet_server.domain.query.parsing import parse
from edgefleet_server.domain.query.terms import QueryField
from edgefleet_server.domain.selector import base_labels, edits_for, effective_labels

TRUST: Final = "trust_reported"
UNKNOWN: Final = "no device {!r}; `edgefleet device list` lists the devices"

PLACES: Final = {"lat": "the map", "lon": "the map", "timezone": "update windows in local time"}
"""What the server itself reads labels for."""
USERS_SHOWN: Final = 5

_plain = msgspec.json.Decoder(dict[str, str]).decode
_decode = msgspec.json.Decoder(dict[str, str | None]).decode


def _encode(labels: Mapping[str, str | None]) -> str:
    return msgspec.json.encode(labels).decode()


def trusted(db: Driver) -> frozenset[str]:
    """The keys under which labels that devices report count."""
    row = db.execute("SELECT value FROM setting WHERE name = ?", (TRUST,)).fetchone()
    return (
        frozenset(key for part in msgspec.json.decode(row[0], type=str).split(",") if (key := part.strip()))
        if row
        else frozenset()
    )


def check(labels: Mapping[str, str | None]) -> None:
    """Check labels that a person gives, to a device or to a token for devices.

    Raises:
        InputError: a value has control characters, or the label `timezone` names no time zone.
    """
    for key, value in labels.items():
        if value is not None and any(character < " " or character == "\x7f" for character in value):
            raise InputError(f"label {key}={value!r}: a label cannot have control characters")
    zone = labels.get(ZONE_LABEL)
    if zone and zone_of(zone) is None:
        raise InputError(f"label {ZONE_LABEL}={zone}: no such time zone; use a name such as Europe/Lisbon, or UTC")


def report(db: Driver, device: str, reported: Mapping[str, str]) -> None:
    """Store the labels that a device reports. The caller has locked the device."""
    db.execute("UPDATE device SET labels_own = ? WHERE id = ?", (_encode(reported), device))
    _settle(db, [device])


def enrol(connection: Connection, device: str, labels: Mapping[str, str]) -> None:
    """Store the labels of the token with which a device enrols, above those of earlier ones. The device may be unknown yet: it
    gets them when it connects."""
    db = raw(connection)
    row = db.execute("SELECT labels FROM enrolled_labels WHERE device = ?", (device,)).fetchone()
    labels = {**(_plain(row[0]) if row else {}), **labels}
    db.execute(
        "INSERT INTO enrolled_labels (device, labels, at) VALUES (?, ?, ?)"
        " ON CONFLICT (device) DO UPDATE SET labels = excluded.labels, at = excluded.at",
        (device, _encode(labels), time.time()),
    )
    _lock(db, [device])
    _settle(db, [device])


def set_labels(connection: Connection, device: str, labels: Mapping[str, str]) -> None:
    """Give a device exactly these labels.

    Raises:
        NotFoundError: the device is unknown.
        InputError: a label that it does not have yet is refused by `check`.
    """
    db = raw(connection)
    _lock(db, [device])
    found = next(((base, stored) for _, base, _, stored in _rows(db, [device])), None)
    if found is None:
        raise NotFoundError(UNKNOWN.format(device))
    base, stored = found
    check({key: value for key, value in labels.items() if stored.get(key) != value})
    db.execute("UPDATE device SET label_edits = ? WHERE id = ?", (_encode(edits_for(base, labels)), device))
    _settle(db, [device])


def change_labels(connection: Connection, device: str, changes: Mapping[str, str | None]) -> None:
    """Set some labels of a device, and remove those that are None.

    Raises:
        NotFoundError, InputError: as `set_labels`.
    """
    row = raw(connection).execute("SELECT labels FROM device WHERE id = ?", (device,)).fetchone()
    if row is None:
        raise NotFoundError(UNKNOWN.format(device))
    merged = {**_decode(row[0]), **changes}
    set_labels(connection, device, {key: value for key, value in merged.items() if value is not None})


def settle(connection: Connection) -> int:
    """Compute the labels of all devices anew, for a server that starts, and after a change of `trust_reported`; returns the
    number of devices whose labels changed."""
    db = raw(connection)
    if isinstance(db, SharedDriver):
        _lock(db, [row[0] for row in db.execute("SELECT id FROM device")])
        db.lock_new_devices()
    return _settle(db, None)


def _lock(db: Driver, devices: list[str]) -> None:
    if isinstance(db, SharedDriver):
        db.lock_devices(devices)


def _settle(db: Driver, devices: list[str] | None) -> int:
    changed = [
        (_encode(labels), device)
        for device, base, edits, stored in _rows(db, devices)
        if (labels := effective_labels(base, edits)) != stored
    ]
    if changed:
        db.executemany("UPDATE device SET labels = ? WHERE id = ?", changed)
    return len(changed)


LabelRow = tuple[str, dict[str, str], dict[str, str | None], dict[str, str | None]]
"""Device, labels without the edits of operators, these edits, stored labels."""


def _rows(db: Driver, devices: Iterable[str] | None) -> list[LabelRow]:
    """The rows of these devices that exist; None: of all."""
    keys = trusted(db)
    text = (
        "SELECT d.id, d.labels_own, d.label_edits, d.labels, e.labels FROM device d"
        " LEFT JOIN enrolled_labels e ON e.device = d.id"
    )
    rows = (
        list(db.execute(text))
        if devices is None
        else [row for device in devices for row in db.execute(f"{text} WHERE d.id = ?", (device,))]
    )
    return [(row[0], base_labels(_plain(row[4] or "{}"), _plain(row[1]), keys), _decode(row[2]), _decode(row[3])) for row in rows]


def warnings(connection: Connection) -> list[str]:
    """Labels that devices report and that select nothing, but are named by a selection: one sentence for each key, with what to
    do; and labels `timezone` that name no time zone."""
    users = _users(connection)
    db = raw(connection)
    counts: dict[str, int] = {}
    for own, labels in db.execute("SELECT labels_own, labels FROM device WHERE CAST(labels_own AS TEXT) != '{}'"):
        known = _plain(labels)
        for key in _plain(own).keys() & users.keys():
            if key not in known:
                counts[key] = counts.get(key, 0) + 1
    return [_sentence(key, counts[key], users[key]) for key in sorted(counts)] + _unknown_zones(db)


def _unknown_zones(db: Driver) -> list[str]:
    rows = db.execute(
        "SELECT json_extract(labels, '$.timezone') AS zone, count(*), min(id) FROM device GROUP BY zone ORDER BY zone"
    )
    return [
        f"label {ZONE_LABEL}={zone} of {device}{f' and {count - 1} more' if count > 1 else ''}: no such time zone; windows have"
        " the time zone of their rollout there. Set a name such as Europe/Lisbon with `edgefleet device label`"
        for zone, count, device in rows
        if zone and zone_of(zone) is None
    ]


def _sentence(key: str, count: int, users: list[str]) -> str:
    report = "1 device reports" if count == 1 else f"{count} devices report"
    return (
        f"label {key!r}: {report} it, which selects nothing; it is used by {_listed(users)}. Set it with"
        f" `edgefleet device label`, or add {key!r} to the setting trust_reported"
    )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - USERS_SHOWN} more" if len(names) > USERS_SHOWN else ""
    return ", ".join(names[:USERS_SHOWN]) + more


_Selecting = tuple[str, dict[str, Any], list[dict[str, Any]]]
"""What selects, its selector, its waves."""


def _users(connection: Connection) -> dict[str, list[str]]:
    """The selections that name a label, by its key."""
    users = {key: [place] for key, place in PLACES.items()}
    named: list[_Selecting] = [(f"group {each['name']!r}", each["selector"], []) for each in groups.list_all(connection)]
    rows = raw(connection).execute(
        "SELECT id, selector, plans FROM rollout WHERE state IN ('draft', 'awaiting_approval')"
        " OR (state IN ('running', 'completed') AND CAST(json_extract(terms, '$.follow') AS TEXT) IN ('1', 'true'))"
    )
    named += [(f"rollout {row[0]}", msgspec.json.decode(row[1]), msgspec.json.decode(row[2])) for row in rows]
    for name, selector, plans in named:
        for key in sorted(_keys(selector, plans)):
            users.setdefault(key, []).append(name)
    return users


def _keys(selector: Mapping[str, Any], plans: Iterable[Mapping[str, Any]]) -> set[str]:
    query = selector.get("query")
    queried = {term.name for term in parse(query).terms if term.field is QueryField.LABEL} if query else set()
    return queried.union(selector.get("labels") or (), *(plan.get("labels") or () for plan in plans))
