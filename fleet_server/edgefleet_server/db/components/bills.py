"""Bills of devices: which device has which one since when, and the request for those that are unknown.

A device only names a digest; the bill is stored once, however many devices have it. What a hostile device can add is bounded:
changes a day, spans a device, entries and bytes a bill.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.wire.environment_bill import EnvironmentBill, bill_bytes, check_bill
from edgefleet_server.core.errors import MessageError
from edgefleet_server.db.backend.driver import Driver, append

CHANGES_PER_DAY_MAX: Final = 12
"""Changes of its bill that are recorded of one device."""
SPANS_MAX: Final = 40
"""Spans that are stored of one device; the oldest ended ones go first."""
DAY_S: Final = 86_400.0
NEW_MAX: Final = 200
REQUESTS_AT_ONCE: Final = 20
FIRST_WAIT_S: Final = 60.0
LAST_WAIT_S: Final = DAY_S


def note(db: Driver, device: str, digest: str, now: float) -> str:
    """Record the digest of a device's birth; empty: it named none. Returns why it was refused; empty: it was not."""
    row = db.execute("SELECT id, bill FROM device_bill WHERE device = ? AND until_at IS NULL", (device,)).fetchone()
    if (row[1] if row else "") == digest:
        return ""
    since = "SELECT count(*) FROM device_bill WHERE device = ? AND since_at > ?"
    if digest and db.execute(since, (device, now - DAY_S)).fetchone()[0] >= CHANGES_PER_DAY_MAX:
        return f"{device}: more than {CHANGES_PER_DAY_MAX} changes of its bill in a day"
    if row:
        db.execute("UPDATE device_bill SET until_at = ? WHERE id = ?", (now, row[0]))
    if digest:
        db.execute("INSERT INTO device_bill (device, bill, since_at) VALUES (?, ?, ?)", (device, digest, now))
        db.execute(
            "DELETE FROM device_bill WHERE device = ? AND until_at IS NOT NULL AND id NOT IN"
            " (SELECT id FROM device_bill WHERE device = ? ORDER BY id DESC LIMIT ?)",
            (device, device, SPANS_MAX),
        )
    return ""


def receive(db: Driver, digest: str, result: dict[str, Any], now: float) -> None:
    """Store the bill in a reply. One that is here already is left as it is.

    Raises:
        MessageError: it is not the bill of this digest; the bill counts it.
    """
    row = db.execute("SELECT received_at FROM environment_bill WHERE digest = ?", (digest,)).fetchone()
    if row is None or row[0] is not None:
        return
    try:
        bill = check_bill(result.get("bill"), digest)
    except MessageError:
        db.execute("UPDATE environment_bill SET refused = refused + 1 WHERE digest = ?", (digest,))
        raise
    db.execute(
        "UPDATE environment_bill SET received_at = ?, left_out = ?, content = ? WHERE digest = ? AND received_at IS NULL",
        (now, bill.left_out, bill_bytes(bill).decode(), digest),
    )
    append(db, "bill_component", ("bill", "kind", "name", "version"), [(digest, *entry) for entry in entries(bill)])


def entries(bill: EnvironmentBill) -> list[tuple[str, str, str]]:
    """The entries of a bill: kind, name, version. A name comes once a kind."""
    rows = {("agent", "edgefleet-agent"): bill.agent, ("runtime", "python"): bill.python, ("kernel", "linux"): bill.kernel}
    if bill.system:
        rows["system", bill.system.lower()] = bill.system_version
    for name, version in bill.packages:
        if name != "edgefleet-agent":
            rows.setdefault(("library", name), version)
    return [(kind, name, version) for (kind, name), version in rows.items() if version]


def requested_digest(db: Driver, command: str) -> str:
    """The digest that a command asked for."""
    row = db.execute("SELECT args FROM command WHERE id = ?", (command,)).fetchone()
    return str(msgspec.json.decode(row[0]).get("digest", "")) if row else ""


def stored(db: Driver, digest: str) -> tuple[EnvironmentBill, bytes]:
    """A bill that was received, and its canonical bytes."""
    content: str = db.execute("SELECT content FROM environment_bill WHERE digest = ?", (digest,)).fetchone()[0]
    data = content.encode()
    return decode(data, EnvironmentBill), data


def is_due(db: Driver, now: float) -> bool:
    """Whether `due` has something to do: most of the time it has not, and a transaction that writes excludes others."""
    row = db.execute(
        "SELECT EXISTS (SELECT 1 FROM environment_bill WHERE received_at IS NULL AND ask_at <= ?)"
        " OR EXISTS (SELECT 1 FROM device_bill WHERE until_at IS NULL AND bill NOT IN (SELECT digest FROM environment_bill))",
        (now,),
    ).fetchone()
    return bool(row[0])


def due(db: Driver, now: float) -> list[tuple[str, str]]:
    """Unknown digests whose bill has to be requested now, each with a device that is online and has it. The next try of each is
    later, and of another device."""
    db.execute(
        "INSERT INTO environment_bill (digest, ask_at, tries, refused, left_out, content)"
        " SELECT DISTINCT bill, 0.0, 0, 0, 0, '' FROM device_bill WHERE until_at IS NULL"
        " AND bill NOT IN (SELECT digest FROM environment_bill) LIMIT ?",
        (NEW_MAX,),
    )
    waiting = db.execute(
        "SELECT digest, tries FROM environment_bill WHERE received_at IS NULL AND ask_at <= ? ORDER BY ask_at, digest LIMIT ?",
        (now, REQUESTS_AT_ONCE),
    ).fetchall()
    found: list[tuple[str, str]] = []
    for digest, tries in waiting:
        devices = db.execute(
            "SELECT b.device FROM device_bill b JOIN device_last l ON l.device = b.device"
            " WHERE b.bill = ? AND b.until_at IS NULL AND l.presence = 'online' ORDER BY b.device LIMIT 100",
            (digest,),
        ).fetchall()
        wait_s = min(FIRST_WAIT_S * 2.0 ** min(tries, 20), LAST_WAIT_S) if devices else FIRST_WAIT_S
        db.execute(
            "UPDATE environment_bill SET ask_at = ?, tries = ? WHERE digest = ?",
            (now + wait_s, tries + (1 if devices else 0), digest),
        )
        if devices:
            found.append((digest, devices[tries % len(devices)][0]))
    return found


def forget(db: Driver) -> int:
    """Delete bills that no device has or had, as far as is known; returns their number."""
    orphans = "SELECT digest FROM environment_bill WHERE digest NOT IN (SELECT bill FROM device_bill)"
    db.execute(f"DELETE FROM bill_component WHERE bill IN ({orphans})")  # noqa: S608 (fixed words)
    return db.execute(f"DELETE FROM environment_bill WHERE digest IN ({orphans})").rowcount  # noqa: S608 (fixed words)
