"""Devices that are set aside because their last tries failed (`domain.terms.boxed_until`). Nothing is kept: it follows from the
attempts themselves."""

from __future__ import annotations

import json
import sqlite3
from typing import Final

from fleet_server.domain.states import FAILED, AttemptState
from fleet_server.domain.terms import BOX_FAILURES, BOX_WINDOW_S, boxed_until

_STATES: Final = json.dumps(sorted(state.value for state in FAILED - {AttemptState.REGRESSED}))


def boxed(db: sqlite3.Connection, now: float, device: str = "") -> dict[str, float]:
    """Devices in the box (or the one that is asked about), and until when each is.

    A commit, or an operator's release, begins the count anew.
    """
    suspects = db.execute(
        "SELECT device FROM attempt WHERE state IN (SELECT value FROM json_each(?)) AND finished_at > ?"
        " AND (? = '' OR device = ?) GROUP BY device HAVING count(*) >= ?",
        (_STATES, now - BOX_WINDOW_S, device, device, BOX_FAILURES),
    ).fetchall()
    found = {}
    for (name,) in suspects:
        count, last_at = db.execute(
            "SELECT count(*), coalesce(max(a.finished_at), 0) FROM attempt a WHERE a.device = ?"
            " AND a.state IN (SELECT value FROM json_each(?))"
            " AND a.finished_at > max(?, (SELECT released_at FROM device WHERE id = a.device),"
            " coalesce((SELECT max(c.finished_at) FROM attempt c WHERE c.device = a.device AND c.state = 'committed'), 0))",
            (name, _STATES, now - BOX_WINDOW_S),
        ).fetchone()
        until = boxed_until(count, last_at)
        if until > now:
            found[name] = until
    return found


def release(db: sqlite3.Connection, device: str, now: float) -> None:
    """Failures so far count no more."""
    db.execute("UPDATE device SET released_at = ? WHERE id = ?", (now, device))
