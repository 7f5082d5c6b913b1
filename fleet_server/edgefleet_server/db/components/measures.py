"""The measures about a component: entries of the audit log, and the timelines of its rollouts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from edgefleet_server.db.backend.driver import Driver
from edgefleet_server.domain.components.dossier import Measure

MEASURES_MAX: Final = 1_000
ACTIONS: Final = (
    "withdraw_version", "block_device", "unblock_device", "decommission_device", "create_rollout", "start_rollout",
    "pause_rollout", "resume_rollout", "abort_rollout", "rollback_rollout", "set_channel", "pin_device", "bulk_devices",
)  # fmt: skip


def since(db: Driver, component: str, devices: Collection[str], since_at: float) -> tuple[list[Measure], int]:
    """Measures since a time, oldest first, and the number of those beyond `MEASURES_MAX`. Texts of requests are left out: they
    have reasons that people wrote for others."""
    marks = ", ".join("?" * len(ACTIONS))
    found = [
        Measure(at, "audit", seq, f"{action} {target}".strip(), component in f"{target} {detail}" or _last(target) in devices)
        for seq, at, action, target, detail in db.execute(
            f"SELECT seq, at, action, target, detail FROM audit WHERE at >= ? AND status < 400 AND action IN ({marks})"  # noqa: S608
            " ORDER BY seq LIMIT 10000",
            (since_at, *ACTIONS),
        )
    ]
    rows = db.execute(
        "SELECT t.rollout, t.at, r.name, t.text FROM timeline t JOIN rollout r ON r.id = t.rollout WHERE t.at >= ?"
        " AND t.device IS NULL AND (r.package IN (SELECT digest FROM package WHERE name = ?) OR r.id IN (SELECT p.rollout"
        " FROM rollout_part p JOIN package k ON k.digest = p.package WHERE k.name = ?)) ORDER BY t.id LIMIT 10000",
        (since_at, component, component),
    )
    found += [Measure(at, "timeline", rollout, f"rollout {name}: {text}", True) for rollout, at, name, text in rows]
    found.sort(key=lambda measure: (measure.at, measure.source, measure.number, measure.text))
    return found[:MEASURES_MAX], max(0, len(found) - MEASURES_MAX)


def _last(target: str) -> str:
    return target.rpartition("/")[2].rpartition("=")[2]
