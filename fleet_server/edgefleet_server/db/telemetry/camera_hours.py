"""Detections of pipelines by the hour, for rules about blind cameras.

The last sixty minutes are estimated from two hours: the current one, and the part of the one before that is not over sixty
minutes ago, as if its detections were spread evenly.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from edgefleet_server.db.backend.driver import Driver, write_rows
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry.retention import CHUNK_ROWS, CHUNKS_MAX
from edgefleet_server.domain.statistics.summaries import HOUR_S, Sample

RETENTION_S: Final = 2.0 * HOUR_S
OBSERVED_MIN: Final = 0.8
"""Least part of the last sixty minutes of which samples have arrived: what a device that was away has seen is unknown."""
PIPELINES_MAX: Final = 64
"""Pipelines of one device that are counted: an endless number of names must not fill the table."""
_DETECTIONS_MAX: Final = 1e9
"""Limit for one sample: a device may send any number."""

CameraHours = dict[tuple[str, str, int], list[float]]
"""(device, pipeline, start of the hour) → [seconds, detections]"""

_ADD: Final = (
    "INSERT INTO camera_hour (device, pipeline, at, seconds, detections)"
    " SELECT device, pipeline, at, seconds, detections FROM {rows} AS made WHERE TRUE ON CONFLICT (device, pipeline, at)"
    " DO UPDATE SET seconds = camera_hour.seconds + excluded.seconds, detections = camera_hour.detections + excluded.detections"
)


def count(hours: CameraHours, device: str, hour: int, sample: Sample) -> None:
    """Add what the pipelines of a sample found."""
    seconds = min(max(sample.window_s, 0.0), HOUR_S)
    for name, pipeline in islice(sample.pipelines.items(), PIPELINES_MAX):
        found = hours.setdefault((device, name, hour), [0.0, 0.0])
        found[0] += seconds
        found[1] += min(max(seconds * pipeline.process_fps * pipeline.detections_per_frame, 0.0), _DETECTIONS_MAX)


def add(db: Driver, hours: CameraHours) -> None:
    """Add to the stored hours."""
    rows = [(*key, seconds, detections) for key, (seconds, detections) in hours.items()]
    write_rows(db, _ADD, "camera_hour", ("device", "pipeline", "at", "seconds", "detections"), rows)


def last_hour(db: Driver, now: float) -> dict[tuple[str, str], float]:
    """Detections in the last sixty minutes, by device and pipeline; those without enough samples are left out."""
    hour = int(now) // HOUR_S * HOUR_S
    rest = 1.0 - (now - hour) / HOUR_S
    sums: dict[tuple[str, str], tuple[float, float]] = {}
    query = "SELECT device, pipeline, at, seconds, detections FROM camera_hour WHERE at IN (?, ?)"
    for device, pipeline, at, seconds, detections in db.execute(query, (hour, hour - HOUR_S)):
        share = 1.0 if at == hour else rest
        before = sums.get((device, pipeline), (0.0, 0.0))
        sums[device, pipeline] = (before[0] + share * seconds, before[1] + share * detections)
    return {camera: detections for camera, (seconds, detections) in sums.items() if seconds >= OBSERVED_MIN * HOUR_S}


def trim(database: Database, now: float) -> int:
    """Delete hours that no rule reads any more, in bounded transactions; returns their number."""
    removed = 0
    for _ in range(CHUNKS_MAX):
        with database.write() as connection:
            done = raw(connection).execute(
                "DELETE FROM camera_hour WHERE (device, pipeline, at) IN"
                " (SELECT device, pipeline, at FROM camera_hour WHERE at < ? LIMIT ?)",
                (now - RETENTION_S, CHUNK_ROWS),
            )
        removed += done.rowcount
        if done.rowcount < CHUNK_ROWS:
            break
    return removed
