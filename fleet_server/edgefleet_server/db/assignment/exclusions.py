"""Exclusion of devices: they get no offers because their last tries failed (`domain.terms.excluded_until`). No state is stored:
it follows from the attempts themselves."""

from __future__ import annotations

from typing import Final

from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.reasons import MEANINGS, Against
from edgefleet_server.domain.states import FAILED, AttemptState
from edgefleet_server.domain.terms import EXCLUSION_FAILURES, EXCLUSION_WINDOW_S, excluded_until

_STATES: Final = ", ".join(f"'{state.value}'" for state in sorted(FAILED - {AttemptState.REGRESSED}, key=str))

_BY_PEOPLE: Final = ", ".join(f"'{code}'" for code in sorted(MEANINGS) if MEANINGS[code].against is Against.OPERATOR)

_FAILURE: Final = f"state IN ({_STATES}) AND reason NOT IN ({_BY_PEOPLE})"
"""SQL condition of an attempt that may count against its device; attempts that people ended or set up wrong do not."""

_WORKS: Final = ", ".join(f"'{state.value}'" for state in (AttemptState.COMMITTED, AttemptState.ALREADY_INSTALLED))
_OWN: Final = (Against.DEVICE, Against.LINE)
_OWN_FAULTS: Final = ", ".join(f"'{code}'" for code in sorted(MEANINGS) if MEANINGS[code].against in _OWN)

_ALONE: Final = (
    f"(a.reason IN ({_OWN_FAULTS}) OR EXISTS (SELECT 1 FROM attempt o"  # noqa: S608 (our own names)
    f" WHERE o.rollout = a.rollout AND o.device <> a.device AND o.state IN ({_WORKS})))"
)
"""SQL condition of a failure that other devices do not share: what speaks against a version counts only where it works elsewhere.
Otherwise the devices of first waves, on which bad versions are stopped, would miss the good one that follows."""


def excluded(db: Driver, now: float, device: str = "") -> dict[str, float]:
    """Excluded devices, or only `device`, each with the time until which it is.

    A commit, or a release by an operator, resets the count.
    """
    suspects = db.execute(
        f"SELECT device FROM attempt WHERE {_FAILURE} AND finished_at > ?"  # noqa: S608 (our own names)
        " AND (? = '' OR device = ?) GROUP BY device HAVING count(*) >= ?",
        (now - EXCLUSION_WINDOW_S, device, device, EXCLUSION_FAILURES),
    ).fetchall()
    found = {}
    for (name,) in suspects:
        count, last_at = db.execute(
            "SELECT count(*), coalesce(max(a.finished_at), 0) FROM attempt a WHERE a.device = ?"  # noqa: S608 (our own names)
            f" AND {_FAILURE} AND {_ALONE} AND a.finished_at > ?"
            " AND a.finished_at > (SELECT released_at FROM device WHERE id = a.device) AND a.finished_at >"
            " coalesce((SELECT max(c.finished_at) FROM attempt c WHERE c.device = a.device AND c.state = 'committed'), 0)",
            (name, now - EXCLUSION_WINDOW_S),
        ).fetchone()
        until = excluded_until(count, last_at)
        if until > now:
            found[name] = until
    return found


def release(db: Driver, device: str, now: float) -> None:
    """Reset the count of failures of a device."""
    db.execute("UPDATE device SET released_at = ? WHERE id = ?", (now, device))
