"""The late-joiner wave of a rollout: devices that started to match its selector after it was planned."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.rollouts import timeline

NAME: Final = "late-joiners"
GROUP_MISSING: Final = "group_missing"


@dataclass(frozen=True, slots=True)
class LateJoinerWave:
    """A rollout that accepts late joiners, with the data needed to plan them."""

    rollout: int
    package: str
    slot: str
    selector: dict[str, Any]


def open_waves(connection: Connection) -> list[LateJoinerWave]:
    """For each slot and selector, the newest rollout with `follow` that is running or completed."""
    rows = raw(connection).execute(
        "SELECT id, package, slot, selector FROM (SELECT id, package, slot, selector, row_number() OVER"
        " (PARTITION BY slot, CAST(selector AS TEXT) ORDER BY id DESC) AS place FROM rollout"
        " WHERE state IN ('running', 'completed') AND CAST(json_extract(terms, '$.follow') AS TEXT) IN ('1', 'true')) AS newest"
        " WHERE place = 1 ORDER BY id DESC"
    )
    return [LateJoinerWave(row[0], row[1], row[2], json.loads(row[3])) for row in rows]


def untried_devices(connection: Connection, wave: LateJoinerWave) -> set[str]:
    """Devices without an attempt in this rollout or in a later one of the slot."""
    rows = raw(connection).execute(
        "SELECT d.id FROM device d WHERE NOT EXISTS (SELECT 1 FROM attempt a JOIN rollout r ON r.id = a.rollout"
        " WHERE a.device = d.id AND a.rollout >= ? AND r.slot = ? AND (a.rollout = ? OR r.state != 'aborted'))",
        (wave.rollout, wave.slot, wave.rollout),
    )
    return {row[0] for row in rows}


def add(connection: Connection, rollout: int, devices: Sequence[str], now: float) -> None:
    """Append devices to the late-joiner wave, which is created if the rollout has none."""
    db = raw(connection)
    state = db.execute("SELECT state FROM rollout WHERE id = ?", (rollout,)).fetchone()[0]
    if state not in ("running", "completed"):
        return
    known = db.execute('SELECT "index" FROM wave WHERE rollout = ? AND late_joiners', (rollout,)).fetchone()
    if known is None:
        index = db.execute('SELECT coalesce(max("index"), -1) + 1 FROM wave WHERE rollout = ?', (rollout,)).fetchone()[0]
        db.execute(
            'INSERT INTO wave (rollout, "index", name, state, total, excused_reported, excused_failed, approval, late_joiners)'
            " VALUES (?, ?, ?, 'pending', 0, 0, 0, FALSE, TRUE)",
            (rollout, index, NAME),
        )
    else:
        index = known[0]
    db.executemany(
        "INSERT INTO attempt (id, rollout, device, wave, number, state, open, latest, staging, not_before,"
        " regressed, reason, detail, updated_at, bytes_done, bytes_total)"
        " VALUES (?, ?, ?, ?, 1, 'queued', TRUE, TRUE, FALSE, 0, '', '', '', ?, 0, 0) ON CONFLICT DO NOTHING",
        [(f"{rollout}:{device}:1", rollout, device, index, now) for device in devices],
    )
    db.execute(
        'UPDATE wave SET total = (SELECT count(*) FROM attempt a WHERE a.rollout = wave.rollout AND a.wave = wave."index"'
        ' AND a.latest) WHERE rollout = ? AND "index" = ?',
        (rollout, index),
    )
    more = f" and {len(devices) - 3} more" if len(devices) > 3 else ""
    timeline.add(db, rollout, now, "joined", f"Joined late: {', '.join(devices[:3])}{more}", wave=index)


def is_end_noted(connection: Connection, rollout: int) -> bool:
    """Whether the timeline says why no device joins the rollout any more."""
    query = "SELECT 1 FROM timeline WHERE rollout = ? AND kind = ?"
    return raw(connection).execute(query, (rollout, GROUP_MISSING)).fetchone() is not None


def note_end(connection: Connection, wave: LateJoinerWave, changing: str, now: float) -> None:
    """Add to the timeline why no device joins the rollout any more: its group does not exist, or selects by a changing field."""
    why = f"selects by {changing} now, which changes" if changing else "does not exist any more"
    text = f"Group {wave.selector['group']!r} {why}: no device joins late"
    timeline.add(raw(connection), wave.rollout, now, GROUP_MISSING, text)
