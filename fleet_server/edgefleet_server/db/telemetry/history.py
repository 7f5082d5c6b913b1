"""Past durations and failures of updates, and hours of presence of devices, for forecasts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.outcomes import REPORTED, Outcome, outcome
from edgefleet_server.domain.states import AttemptState
from edgefleet_server.domain.statistics.sequential_test import TrialCounts
from edgefleet_server.domain.statistics.summaries import HOUR_S

UPDATES_MAX: Final = 500
ROLLOUTS_MAX: Final = 20
DAYS: Final = 7
DAY_S: Final = 86_400


Part = tuple[str, str]
"""A slot, and the name of the package in it. Other packages in a slot take other times and fail otherwise."""


def update_durations(db: Driver, parts: Sequence[Part]) -> list[list[float]]:
    """Seconds from offer to commit of the latest updates of exactly these parts together, as one list; if there are none, those
    of each part alone, one list for each."""
    together = _durations(db, parts)
    return [together] if together or len(parts) == 1 else [_durations(db, [part]) for part in parts]


def _durations(db: Driver, parts: Sequence[Part]) -> list[float]:
    first = " OR ".join(["r.slot = ? AND k.name = ?"] * len(parts))
    further = first.replace("r.slot", "p.slot")
    text = (
        "SELECT a.finished_at - a.offered_at FROM attempt a JOIN rollout r ON r.id = a.rollout"  # noqa: S608 (fixed words)
        " JOIN package k ON k.digest = r.package"
        f" WHERE a.state = 'committed' AND a.finished_at > a.offered_at AND ({first})"
        " AND (SELECT count(*) FROM rollout_part p WHERE p.rollout = r.id) = ?"
        " AND (SELECT count(*) FROM rollout_part p JOIN package k ON k.digest = p.package"
        f" WHERE p.rollout = r.id AND ({further})) = ?"
        " ORDER BY a.finished_at DESC LIMIT ?"
    )
    named = [text for part in parts for text in part]
    rows = db.execute(text, (*named, len(parts) - 1, *named, len(parts) - 1, UPDATES_MAX))
    return [float(row[0]) for row in rows]


def past_failures(db: Driver, slot: str, package: str) -> tuple[int, TrialCounts]:
    """(number, failed and reported devices) of the latest completed rollouts of a package in a slot: of versions that were
    kept."""
    rows = db.execute(
        "SELECT a.rollout, a.state, a.reason, count(*) FROM attempt a WHERE a.latest AND NOT a.open AND a.rollout IN"
        " (SELECT r.id FROM rollout r JOIN package k ON k.digest = r.package WHERE r.slot = ? AND k.name = ?"
        " AND r.state = 'completed' ORDER BY r.id DESC LIMIT ?)"
        " GROUP BY a.rollout, a.state, a.reason",
        (slot, package, ROLLOUTS_MAX),
    ).fetchall()
    judged = [(rollout, outcome(AttemptState(state), reason), number) for rollout, state, reason, number in rows]
    tried = [each for each in judged if each[1] in REPORTED - {Outcome.RESTORED}]
    failed = sum(number for _, ended, number in tried if ended is Outcome.FAILED)
    return len({rollout for rollout, _, _ in tried}), TrialCounts(failed, sum(number for _, _, number in tried))


def hours_there(db: Driver, devices: Sequence[str], now: float) -> list[dict[int, float]]:
    """For each device, the share of the last week's days on which it sent telemetry in each hour of the day (UTC)."""
    found: list[dict[int, float]] = []
    for device in devices:
        hours: defaultdict[int, int] = defaultdict(int)
        for (at,) in db.execute(
            "SELECT at FROM rollup WHERE span_s = ? AND device = ? AND at >= ?", (HOUR_S, device, now - DAYS * DAY_S)
        ):
            hours[at // HOUR_S % 24] += 1
        found.append({hour: count / DAYS for hour, count in hours.items()})
    return found
