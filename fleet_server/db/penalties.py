"""Devices that are set aside because their last tries failed (`domain.terms.boxed_until`). Nothing is kept: it follows from the
attempts themselves."""

from __future__ import annotations

import sqlite3
from typing import Final

from fleet_server.domain.states import FAILED, AttemptState
from fleet_server.domain.terms import BOX_FAILURES, BOX_WINDOW_S, boxed_until

_STATES: Final = [state.value for state in sorted(FAILED - {AttemptState.REGRESSED})]
_MARKS: Final = ", ".join("?" * len(_STATES))

_SINCE: Final = (
    "SELECT count(*), coalesce(max(a.finished_at), 0) FROM attempt a WHERE a.device = ?"
    f" AND a.state IN ({_MARKS}) AND a.finished_at > max(?, (SELECT released_at FROM device WHERE id = a.device),"
    " coalesce((SELECT max(c.finished_at) FROM attempt c WHERE c.device = a.device AND c.state = 'committed'), 0))"
)


def boxed(db: sqlite3.Connection, now: float, device: str = "") -> dict[str, float]:
    """Devices in the box (or the one that is asked about), and until when each is.

    A commit, or an operator's release, begins the count anew.
    """
    one = " AND a.device = ?" if device else ""
    suspects = db.execute(
        f"SELECT a.device FROM attempt a WHERE a.state IN ({_MARKS}) AND a.finished_at > ?{one}"  # noqa: S608 (marks only)
        " GROUP BY a.device HAVING count(*) >= ?",
        (*_STATES, now - BOX_WINDOW_S, *([device] if device else []), BOX_FAILURES),
    ).fetchall()
    found = {}
    for (name,) in suspects:
        count, last_at = db.execute(_SINCE, (name, *_STATES, now - BOX_WINDOW_S)).fetchone()
        until = boxed_until(count, last_at)
        if until > now:
            found[name] = until
    return found


def release(db: sqlite3.Connection, device: str, now: float) -> None:
    """Failures so far count no more."""
    db.execute("UPDATE device SET released_at = ? WHERE id = ?", (now, device))
