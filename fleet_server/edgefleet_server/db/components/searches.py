"""Devices that have a component, since when: from the digests of their bills, and of the packages in their slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from edgefleet_server.db.backend.driver import Driver
from edgefleet_server.domain.components.spans import ComponentSpan, joined

PACKAGE: Final = "package"


@dataclass(frozen=True, slots=True)
class BillCoverage:
    """Number of devices: all, those whose bill is unknown, those whose bill leaves entries out for want of room."""

    devices: int
    unknown: int
    incomplete: int


def coverage(db: Driver) -> BillCoverage:
    """The part of the fleet that the answers are about."""
    devices = db.execute("SELECT count(*) FROM device").fetchone()[0]
    known = db.execute(
        "SELECT count(*), coalesce(sum(CASE WHEN e.left_out > 0 THEN 1 ELSE 0 END), 0) FROM device_bill b"
        " JOIN environment_bill e ON e.digest = b.bill WHERE b.until_at IS NULL AND e.received_at IS NOT NULL"
    ).fetchone()
    return BillCoverage(int(devices), int(devices) - int(known[0]), int(known[1]))


def counts(db: Driver) -> Counter[tuple[str, str, str]]:
    """Devices by (kind, name, version), of what they have now."""
    found: Counter[tuple[str, str, str]] = Counter()
    rows = db.execute(
        "SELECT c.kind, c.name, c.version, sum(n.devices) FROM (SELECT bill, count(*) AS devices FROM device_bill"
        " WHERE until_at IS NULL GROUP BY bill) n JOIN bill_component c ON c.bill = n.bill GROUP BY c.kind, c.name, c.version"
    )
    for kind, name, version, devices in rows:
        found[kind, name, version] = int(devices)
    rows = db.execute(
        "SELECT running_package, running_version, count(DISTINCT device) FROM device_slot WHERE running_digest <> ''"
        " GROUP BY running_package, running_version"
    )
    for name, version, devices in rows:
        found[PACKAGE, name, version] = int(devices)
    return found


def spans(db: Driver, name: str) -> list[ComponentSpan]:
    """Every span of a component that is stored, by device."""
    return joined([*_installed(db, name), *_packages(db, name)])


def _installed(db: Driver, name: str) -> Iterator[ComponentSpan]:
    rows = db.execute(
        "SELECT b.device, c.kind, c.version, b.since_at, b.until_at, b.bill FROM bill_component c"
        " JOIN device_bill b ON b.bill = c.bill WHERE c.name = ?",
        (name,),
    )
    for device, kind, version, since_at, until_at, bill in rows:
        yield ComponentSpan(device, kind, name, version, since_at, until_at, until_at is None, bill)


def _packages(db: Driver, name: str) -> Iterator[ComponentSpan]:
    """Spans of what slots run, and of what attempts committed before, until the next one did. A device reports since when a model
    is loaded: since the last restart of its worker. The attempt that committed it is older."""
    committed = _committed(db, name)
    lasting = {row[:2] + row[3:4]: row[4] for row in sorted(committed, key=lambda row: -row[4]) if row[5] is None}
    running: set[tuple[str, str, str]] = set()
    rows = db.execute(
        "SELECT device, slot, running_version, running_digest, json_extract(running, '$.since_at'), since_at FROM device_slot"
        " WHERE running_package = ? AND running_digest <> ''",
        (name,),
    )
    for device, slot, version, digest, running_at, report_at in rows:
        key = (device, slot, digest)
        running.add(key)
        since_at = float(running_at or 0.0) or report_at
        yield ComponentSpan(device, PACKAGE, name, version, min(since_at, lasting.get(key, since_at)), None, True, digest, slot)
    for device, slot, version, digest, since_at, until_at in committed:
        if until_at is not None or (device, slot, digest) not in running:
            yield ComponentSpan(device, PACKAGE, name, version, since_at, until_at, False, digest, slot)


_PARTS: Final = "(SELECT id AS rollout, slot, package FROM rollout UNION ALL SELECT rollout, slot, package FROM rollout_part)"
_DONE: Final = "a.state IN ('committed', 'regressed') AND a.finished_at IS NOT NULL"


def _committed(db: Driver, name: str) -> list[tuple[str, str, str, str, float, float | None]]:
    """The committed attempts: device, slot, version, digest, since, and when the next attempt on that slot committed."""
    rows = db.execute(
        f"SELECT a.device, p.slot, k.version, k.digest, a.finished_at, (SELECT min(b.finished_at) FROM attempt b"  # noqa: S608
        f" JOIN {_PARTS} q ON q.rollout = b.rollout WHERE b.device = a.device AND q.slot = p.slot AND q.package <> p.package"
        f" AND {_DONE.replace('a.', 'b.')} AND b.finished_at > a.finished_at)"
        f" FROM package k JOIN {_PARTS} p ON p.package = k.digest JOIN attempt a ON a.rollout = p.rollout"
        f" WHERE k.name = ? AND {_DONE}",
        (name,),
    )
    return [tuple(row) for row in rows]
