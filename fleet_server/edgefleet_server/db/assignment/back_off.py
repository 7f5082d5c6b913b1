"""Device back-off: devices that get no offers because their last tries failed (`domain.terms.backed_off_until`). No state is
stored: it follows from the attempts themselves."""

from __future__ import annotations

from typing import Final

from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.states import FAILED, OPERATOR_ROLLBACK, AttemptState
from edgefleet_server.domain.terms import BACK_OFF_FAILURES, BACK_OFF_WINDOW_S, backed_off_until

_STATES: Final = ", ".join(f"'{state.value}'" for state in sorted(FAILED - {AttemptState.REGRESSED}, key=str))

_FAILURE: Final = f"state IN ({_STATES}) AND reason <> '{OPERATOR_ROLLBACK}'"
"""SQL condition of an attempt that counts against its device; attempts that an operator rolled back do not."""


def backed_off(db: Driver, now: float, device: str = "") -> dict[str, float]:
    """Backed-off devices, or only `device`, each with the time until which it is.

    A commit, or a release by an operator, resets the count.
    """
    suspects = db.execute(
        f"SELECT device FROM attempt WHERE {_FAILURE} AND finished_at > ?"  # noqa: S608 (our own names)
        " AND (? = '' OR device = ?) GROUP BY device HAVING count(*) >= ?",
        (now - BACK_OFF_WINDOW_S, device, device, BACK_OFF_FAILURES),
    ).fetchall()
    found = {}
    for (name,) in suspects:
        count, last_at = db.execute(
            "SELECT count(*), coalesce(max(a.finished_at), 0) FROM attempt a WHERE a.device = ?"  # noqa: S608 (our own names)
            f" AND {_FAILURE} AND a.finished_at > ?"
            " AND a.finished_at > (SELECT released_at FROM device WHERE id = a.device) AND a.finished_at >"
            " coalesce((SELECT max(c.finished_at) FROM attempt c WHERE c.device = a.device AND c.state = 'committed'), 0)",
            (name, now - BACK_OFF_WINDOW_S),
        ).fetchone()
        until = backed_off_until(count, last_at)
        if until > now:
            found[name] = until
    return found


def release(db: Driver, device: str, now: float) -> None:
    """Reset the count of failures of a device."""
    db.execute("UPDATE device SET released_at = ? WHERE id = ?", (now, device))
