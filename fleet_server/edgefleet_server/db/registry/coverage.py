"""Coverage of a version: kinds of devices in the fleet, measurements on them, and rollouts of the version."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, String, cast, func, select
from sqlmodel import col

from edgefleet_server.db.tables.core import DeviceLast, DeviceRecord, DeviceSlot
from edgefleet_server.db.tables.measurements import Measurement
from edgefleet_server.db.tables.rollouts import AttemptRecord, RolloutRecord

Record = dict[str, Any]


def kinds(connection: Connection, digest: str) -> list[Record]:
    """Kinds of devices: profile, runtimes, capabilities, version of the agent, number of devices, number online, number that run
    the package."""
    online = func.count().filter(col(DeviceLast.presence) == "online")
    lists = [cast(col(getattr(DeviceRecord, name)), String) for name in ("runtimes", "capabilities")]
    kind: list[Any] = [col(DeviceRecord.profile), *lists, col(DeviceRecord.agent_version)]
    grouped = select(*kind, func.count(), online).join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id)).group_by(*kind)
    run = (
        select(*kind, func.count(func.distinct(col(DeviceRecord.id))))
        .join(DeviceSlot, col(DeviceSlot.device) == col(DeviceRecord.id))
        .where(col(DeviceSlot.running_digest) == digest)
        .group_by(*kind)
    )
    running = {(*row[:4],): int(row[4]) for row in connection.execute(run)}
    found: Sequence[Any] = connection.execute(grouped).all()
    return [
        {
            "profile": profile,
            "runtimes": json.loads(runtimes),
            "capabilities": json.loads(capabilities),
            "agent_version": agent,
            "devices": int(count),
            "online": int(up),
            "running": running.get((profile, runtimes, capabilities, agent), 0),
        }
        for profile, runtimes, capabilities, agent, count, up in found
    ]


def measured(connection: Connection, digest: str) -> dict[str, list[Record]]:
    """By profile: the chosen setting of each measured machine, the lowest latency first."""
    names = ("profile", "machine", "variant", "runtime", "device", "p50_ms", "p95_ms", "per_s", "measured_at")
    statement = select(*[col(getattr(Measurement, name)) for name in names]).where(
        col(Measurement.package) == digest, col(Measurement.best).is_(True)
    )
    found: dict[str, list[Record]] = defaultdict(list)
    for row in connection.execute(statement.order_by(col(Measurement.p95_ms))).mappings():
        found[row["profile"]].append(dict(row))
    return found


def rolled_out(connection: Connection, digest: str, limit: int = 50) -> list[Record]:
    """Rollouts of a package, newest first, with the result of the latest try of each device."""
    columns = [col(getattr(RolloutRecord, name)) for name in ("id", "name", "state", "created_at", "finished_at")]
    newest = select(*columns).where(col(RolloutRecord.package) == digest).order_by(col(RolloutRecord.id).desc()).limit(limit)
    rows = [dict(row) for row in connection.execute(newest).mappings()]
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    ended = (
        select(col(AttemptRecord.rollout), col(AttemptRecord.state), func.count())
        .where(col(AttemptRecord.rollout).in_([row["id"] for row in rows]), col(AttemptRecord.latest).is_(True))
        .group_by(col(AttemptRecord.rollout), col(AttemptRecord.state))
    )
    for rollout, state, count in connection.execute(ended):
        counts[rollout][state] = int(count)
    return [{**row, "counts": counts[row["id"]]} for row in rows]
