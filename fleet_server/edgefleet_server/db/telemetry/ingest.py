"""Statements of the ingest path: plain tuples are written by prepared SQL inside the caller's transaction, without an object per
row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from edgefleet_server.db.backend.driver import Driver, append, write_rows
from edgefleet_server.db.devices import device_labels
from edgefleet_server.domain.delivery.stream_cursor import Cursor
from edgefleet_server.domain.fleet.presence import DevicePresence, PresenceState, births_now

Row = tuple[Any, ...]

DEVICES_PER_QUERY: Final = 200
"""Devices in one query."""


def encode(value: Any) -> str:
    """JSON text of a column."""
    return msgspec.json.encode(value).decode()


def device_exists(db: Driver, device: str) -> bool:
    """Whether the device has a row."""
    return db.execute("SELECT 1 FROM device WHERE id = ?", (device,)).fetchone() is not None


def known_devices(db: Driver, devices: Sequence[str]) -> set[str]:
    """Those of `devices` that have a row."""
    return {row[0] for row in _of_devices(db, "SELECT id FROM device WHERE id IN", devices)}


def _of_devices(db: Driver, text: str, devices: Sequence[str]) -> Iterator[Row]:
    """Rows of a query that ends with IN, for these devices."""
    for start in range(0, len(devices), DEVICES_PER_QUERY):
        some = tuple(devices[start : start + DEVICES_PER_QUERY])
        yield from db.execute(f"{text} ({', '.join('?' * len(some))})", some)


def count_devices(db: Driver) -> int:
    """Number of known devices."""
    return int(db.execute("SELECT count(*) FROM device").fetchone()[0])


def add_device(db: Driver, device: str, now: float) -> None:
    """Add a new device."""
    db.execute(
        "INSERT INTO device (id, first_seen_at, agent_version, profile, runtimes, capabilities, hardware,"
        " labels, labels_own, label_edits, released_at) VALUES (?, ?, '', '', '[]', '[]', '{}', '{}', '{}', '{}', 0)"
        " ON CONFLICT DO NOTHING",
        (device, now),
    )
    db.execute(
        "INSERT INTO device_last (device, presence, presence_at, boot, boot_before, connection, last_seen_at,"
        " report_boot, report_version, generation, pipelines, disk_free_bytes, attention_slots, attention_sample,"
        " attention_count, sample_at, sample, fps, latency_p95_ms, dropped_per_s, cpu_percent, births, births_at, authorities)"
        " VALUES (?, 'offline', ?, '', '', 0, ?, '', 0, 0, '{}', 0, '[]', '[]', 0, 0, '{}', 0, 0, 0, 0, 0, 0, '[]')"
        " ON CONFLICT DO NOTHING",
        (device, now, now),
    )


# -- presence


def presence_of(db: Driver, device: str) -> DevicePresence | None:
    """The presence of a device; None if it has never connected."""
    row = db.execute(
        "SELECT presence, boot, connection, presence_at, boot_before FROM device_last WHERE device = ? AND boot != ''", (device,)
    ).fetchone()
    return None if row is None else DevicePresence(PresenceState(row[0]), row[1], row[2], row[3], row[4])


def set_presence(db: Driver, device: str, presence: DevicePresence) -> None:
    """Store a presence."""
    db.execute(
        "UPDATE device_last SET presence = ?, boot = ?, connection = ?, presence_at = ?, boot_before = ? WHERE device = ?",
        (presence.state.value, presence.boot, presence.connection, presence.since_at, presence.boot_before, device),
    )


def set_birth(db: Driver, device: str, row: Row, reported: Mapping[str, str], now: float) -> None:
    """Store the contents of a birth: `row` = agent version, profile, and as JSON runtimes, capabilities, hardware; `reported`:
    labels that the device gives itself."""
    known = db.execute("SELECT births, births_at FROM device_last WHERE device = ?", (device,)).fetchone()
    births = births_now(known[0], known[1], now) + 1.0
    db.execute("UPDATE device_last SET births = ?, births_at = ? WHERE device = ?", (births, now, device))
    db.execute(
        "UPDATE device SET agent_version = ?, profile = ?, runtimes = ?, capabilities = ?, hardware = ? WHERE id = ?",
        (*row, device),
    )
    device_labels.report(db, device, reported)


def born_since(db: Driver, since_at: float) -> list[str]:
    """Devices that connected since `since_at` and are online."""
    rows = db.execute("SELECT device FROM device_last WHERE births_at >= ? AND presence = 'online'", (since_at,))
    return [row[0] for row in rows]


_SEEN: Final = (
    "last_seen_at = said.last_seen_at,"
    " presence_at = CASE device_last.presence WHEN 'silent' THEN said.last_seen_at ELSE device_last.presence_at END,"
    " presence = CASE device_last.presence WHEN 'silent' THEN 'online' ELSE device_last.presence END"
)


def seen(db: Driver, devices: Sequence[str], now: float) -> None:
    """Record the arrival of messages of these devices; silent ones are online again."""
    write_rows(
        db,
        f"UPDATE device_last SET {_SEEN}"  # noqa: S608 (fixed words)
        " FROM {rows} AS said WHERE device_last.device = said.device AND device_last.last_seen_at <> said.last_seen_at",
        "device_last",
        ("device", "last_seen_at"),
        [(device, now) for device in devices],
    )


def silence(db: Driver, seen_before: float, now: float) -> list[str]:
    """Mark online devices last seen before `seen_before` as silent; returns their ids."""
    rows = db.execute(
        "UPDATE device_last SET presence = 'silent', presence_at = ? WHERE presence = 'online' AND last_seen_at < ?"
        " RETURNING device",
        (now, seen_before),
    ).fetchall()
    return [row[0] for row in rows]


# -- reports


@dataclass(frozen=True, slots=True)
class ReportKnown:
    """The stored report of a device (boot, version), and the boot of its presence."""

    boot: str
    version: int
    presence_boot: str


def report_known(db: Driver, device: str) -> ReportKnown:
    """The identification of the stored report of a device."""
    row = db.execute("SELECT report_boot, report_version, boot FROM device_last WHERE device = ?", (device,)).fetchone()
    return ReportKnown(row[0], row[1], row[2])


def set_report(db: Driver, device: str, report: Row, slots: Sequence[Row]) -> None:
    """Replace a device's report: (boot, version, generation, pipelines JSON, disk free, authorities JSON, attention JSON, its
    count) and slots
    (slot, phase, running package, version, digest, running JSON, target, attempt, reason, detail, bytes done, total, since)."""
    db.execute(
        "UPDATE device_last SET report_boot = ?, report_version = ?, generation = ?, pipelines = ?, disk_free_bytes = ?,"
        " authorities = ?, attention_slots = ?, attention_count = ? + json_array_length(attention_sample) WHERE device = ?",
        (*report, device),
    )
    db.execute("DELETE FROM device_slot WHERE device = ?", (device,))
    db.executemany(
        "INSERT INTO device_slot (device, slot, phase, running_package, running_version, running_digest, running, target_digest,"
        " attempt, reason, detail, bytes_done, bytes_total, since_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(device, *slot) for slot in slots],
    )


# -- streams


def cursor_of(db: Driver, device: str, stream: str, epoch: str) -> Cursor:
    """The cursor of a stream; a new one if nothing is stored."""
    row = db.execute(
        "SELECT seq, ahead, gap_at, lost FROM cursor WHERE device = ? AND stream = ? AND epoch = ?", (device, stream, epoch)
    ).fetchone()
    if row is None:
        return Cursor()
    return Cursor(row[0], tuple((first, last) for first, last in msgspec.json.decode(row[1])), row[2], row[3])


StreamKey = tuple[str, str, str]
"""(device, stream, epoch)"""


def cursors_of(db: Driver, devices: Sequence[str]) -> dict[StreamKey, Cursor]:
    """The cursors of all streams of these devices."""
    found: dict[StreamKey, Cursor] = {}
    text = "SELECT device, stream, epoch, seq, ahead, gap_at, lost FROM cursor WHERE device IN"
    for row in _of_devices(db, text, devices):
        ahead = tuple((first, last) for first, last in msgspec.json.decode(row[4]))
        found[row[0], row[1], row[2]] = Cursor(row[3], ahead, row[5], row[6])
    return found


def drop_old_cursors(db: Driver, device: str, stream: str, keep: int) -> None:
    """Delete the cursors of a stream except those of the `keep` newest epochs."""
    db.execute(
        "DELETE FROM cursor WHERE device = ? AND stream = ? AND epoch NOT IN"
        " (SELECT epoch FROM cursor WHERE device = ? AND stream = ? ORDER BY updated_at DESC LIMIT ?)",
        (device, stream, device, stream, keep),
    )


def set_cursors(db: Driver, cursors: Mapping[StreamKey, tuple[Cursor, int]], now: float) -> None:
    """Store cursors; the number beside each is added to the count of refused records, which violate the contract."""
    columns = ("device", "stream", "epoch", "seq", "ahead", "gap_at", "lost", "refused", "updated_at")
    write_rows(
        db,
        "INSERT INTO cursor (device, stream, epoch, seq, ahead, gap_at, lost, refused, updated_at)"
        " SELECT device, stream, epoch, seq, ahead, gap_at, lost, refused, updated_at FROM {rows} AS said WHERE TRUE"
        " ON CONFLICT (device, stream, epoch) DO UPDATE SET"
        " seq = excluded.seq, ahead = excluded.ahead, gap_at = excluded.gap_at, lost = excluded.lost,"
        " refused = cursor.refused + excluded.refused, updated_at = excluded.updated_at",
        "cursor",
        columns,
        [
            (*key, cursor.seq, encode(cursor.ahead) if cursor.ahead else "[]", cursor.gap_at, cursor.lost, refused, now)
            for key, (cursor, refused) in cursors.items()
        ],
    )


def add_samples(db: Driver, rows: Sequence[Row]) -> None:
    """Append samples: rows of (device, at, received_at, record)."""
    append(db, "telemetry", ("device", "at", "received_at", "record"), rows)


def add_events(db: Driver, rows: Sequence[Row]) -> None:
    """Append events: rows of (device, at, received_at, kind, label, record)."""
    append(db, "event", ("device", "at", "received_at", "kind", "label", "record"), rows)


MEASURED_S: Final = 15.0
"""Time within which a worker that was restarted, or was idle since the last sample, sends figures again."""
SAMPLE: Final = (
    "sample_at", "sample", "fps", "latency_p95_ms", "dropped_per_s", "temperature_c", "cpu_percent", "disk_free_bytes",
    "attention_sample",
)  # fmt: skip


def set_samples(db: Driver, rows: Sequence[Row], now: float, *, unmeasured: bool = False) -> None:
    """Store the latest samples of devices, and the time of their last message: rows of (`SAMPLE`, number of warnings, device).

    Older samples than the stored one are ignored: a device that was offline sends old samples from its outbox. Samples that are
    `unmeasured` have no pipelines; figures measured less than `MEASURED_S` before stay.
    """
    stays = f" AND (device_last.fps = 0 OR device_last.sample_at < said.sample_at - {MEASURED_S})" if unmeasured else ""
    write_rows(
        db,
        f"UPDATE device_last SET {_SEEN},"  # noqa: S608 (fixed words)
        " sample_at = said.sample_at, sample = said.sample, fps = said.fps, latency_p95_ms = said.latency_p95_ms,"
        " dropped_per_s = said.dropped_per_s, temperature_c = said.temperature_c, cpu_percent = said.cpu_percent,"
        " disk_free_bytes = said.disk_free_bytes, attention_sample = said.attention_sample,"
        " attention_count = said.attention_count + json_array_length(device_last.attention_slots)"
        " FROM {rows} AS said WHERE device_last.device = said.device AND device_last.sample_at <= said.sample_at"
        f"{stays}",
        "device_last",
        (*SAMPLE, "attention_count", "device", "last_seen_at"),
        [(*row, now) for row in rows],
    )


# -- commands


def finish_command(db: Driver, device: str, command: str, ok: bool, detail: str, result: str, now: float) -> bool:
    """Store the reply to a command; False if the command is unknown or has ended."""
    done = db.execute(
        "UPDATE command SET state = ?, detail = ?, result = ?, finished_at = ? WHERE id = ? AND device = ? AND state = 'pending'",
        ("done" if ok else "failed", detail, result, now, command, device),
    )
    return done.rowcount > 0
