"""Field report of a version: the latest figures of the devices that run it now, by kind of device."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select
from sqlmodel import col

from edgefleet_server.db.tables.core import DeviceLast, DeviceRecord, DeviceSlot


def of_package(connection: Connection, digest: str) -> list[dict[str, Any]]:
    """One row per profile, the most devices first. Figures are those of connected devices that have sent a sample; the figures of
    a device cover all its pipelines."""
    columns = (
        col(DeviceRecord.profile),
        col(DeviceLast.presence),
        col(DeviceLast.fps),
        col(DeviceLast.latency_p95_ms),
        col(DeviceLast.dropped_per_s),
        col(DeviceLast.temperature_c),
    )
    statement = (
        select(*columns)
        .join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id))
        .join(DeviceSlot, col(DeviceSlot.device) == col(DeviceRecord.id))
        .where(col(DeviceSlot.running_digest) == digest)
    )
    by_profile: defaultdict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(statement):
        by_profile[row.profile].append(row)
    found = [_summary(profile, rows) for profile, rows in by_profile.items()]
    return sorted(found, key=lambda row: (-row["devices"], row["profile"]))


def _summary(profile: str, rows: Sequence[Any]) -> dict[str, Any]:
    online = [row for row in rows if row.presence == "online"]
    measured = [row for row in online if row.fps > 0]
    latency = sorted(row.latency_p95_ms for row in measured)
    warm = [row.temperature_c for row in online if row.temperature_c is not None]
    return {
        "profile": profile,
        "devices": len(rows),
        "online": len(online),
        "measured": len(measured),
        "fps_mean": _mean([row.fps for row in measured]),
        "latency_p95_median_ms": latency[len(latency) // 2] if latency else None,
        "latency_p95_worst_ms": latency[-1] if latency else None,
        "dropped_per_s_mean": _mean([row.dropped_per_s for row in measured]),
        "temperature_mean_c": _mean(warm),
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None
