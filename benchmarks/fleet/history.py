"""Reads the history of one device among the aggregates of a whole fleet, and measures what these take on disk.

    python -m benchmarks.fleet.history [--devices 300] [--samples 6] [--url postgresql://…] [--json]

The fleet has half a year of days, 40 days of hours and 6 hours of minutes; an hour more of minutes is one that is not over. Bytes
are those of the database's file (SQLite) or its table (PostgreSQL), by rows of each span.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from edgefleet_server.db.backend.driver import write_rows
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry import device_history, ingest, rollups
from edgefleet_server.domain.statistics.history_spans import starts
from edgefleet_server.domain.statistics.summaries import (
    DAY_S,
    HOUR_S,
    MINUTE_S,
    Figures,
    Pipeline,
    Sample,
    StageSummary,
    add,
    merge,
    pack,
)

MONTHS_S: Final = 183 * DAY_S
READS: Final = 15
ROWS: Final = 5_000
SAMPLES_A_MINUTE: Final = 6
"""Of an agent by default."""
Row = tuple[int, str, int, bytes]


def minute(random_: random.Random, warmth: float, samples: int) -> Figures:
    """The figures of a device that sends so many samples a minute."""
    figures: Figures = {}
    for _ in range(samples):
        stages = {name: StageSummary(p95_ms=random_.lognormvariate(2.5 + warmth / 3, 0.15)) for name in ("decode", "invoke")}
        confidence = [random_.randrange(9) for _ in range(10)]
        pipeline = Pipeline(process_fps=random_.gauss(25.0, 1.0), skipped_fps=random_.random(), latency=stages,
                            confidence=confidence, detections_per_frame=random_.expovariate(0.5))  # fmt: skip
        add(figures, Sample(
            pipelines={"p": pipeline}, cpu_percent=random_.gauss(40.0 + 20 * warmth, 4.0), temperature_c=50.0 + 10.0 * warmth,
            worker_rss_bytes=int(random_.gauss(2e8, 1e6)),
        ))  # fmt: skip
    return figures


def shapes(samples: int) -> dict[int, list[bytes]]:
    """Some rows of each span: minutes, hours of sixty of them, days of hours."""
    random_ = random.Random(1)
    minutes = [minute(random_, random_.random(), samples) for _ in range(240)]
    hours = [merge(random_.choices(minutes, k=60)) for _ in range(24)]
    days = [merge(random_.sample(hours, k=24)) for _ in range(4)]
    return {span_s: [pack(each) for each in made] for span_s, made in ((MINUTE_S, minutes), (HOUR_S, hours), (DAY_S, days))}


def _rows(devices: int, span_s: int, since: int, until: int, made: list[bytes]) -> Iterator[Row]:
    for at in range(since, until, span_s):  # in the order in which a server stores them
        for device in range(devices):
            yield span_s, f"d{device:06d}", at, made[(at // span_s + device) % len(made)]


def _store(database: Database, rows: Iterator[Row]) -> int:
    count = 0
    part: list[Row] = []
    for row in rows:
        part.append(row)
        if len(part) == ROWS:
            count += _write(database, part)
            part = []
    return count + _write(database, part)


def _write(database: Database, rows: list[Row]) -> int:
    with database.write() as connection:
        write_rows(raw(connection), rollups.PUT, "rollup", rollups.COLUMNS, rows)
    return len(rows)


def _bytes(database: Database) -> int:
    with database.read() as connection:
        db = raw(connection)
        if database.shared:
            return int(db.execute("SELECT pg_total_relation_size('rollup')").fetchone()[0])
        return int(db.execute("PRAGMA page_count").fetchone()[0]) * int(db.execute("PRAGMA page_size").fetchone()[0])


def _read_ms(database: Database, span_s: int, since: float, until: float) -> float:
    """Median time of one device after another."""
    times = []
    at = starts(span_s, since, until)
    for number in range(READS):
        began = time.perf_counter()
        with database.read() as connection:
            found = device_history.figures_by_start(raw(connection), f"d{number:06d}", span_s, at.start, at.stop)
        merge(found.values())
        times.append(1e3 * (time.perf_counter() - began))
        assert len(found) >= 0.95 * len(at)
    return round(statistics.median(times), 1)


def measure(where: Path | str, devices: int, samples: int) -> dict[str, Any]:
    """All figures of one fleet."""
    made = shapes(samples)
    hour = 1_800_000_000 // HOUR_S * HOUR_S
    day, now = hour // DAY_S * DAY_S, hour + HOUR_S
    spans = ((DAY_S, day - MONTHS_S, day), (HOUR_S, day - 40 * DAY_S, hour), (MINUTE_S, hour - 6 * HOUR_S, now))
    found: dict[str, Any] = {"devices": devices, "samples_a_minute": samples}
    with closing(Database(where)) as database:
        database.migrate()
        with database.write() as connection:
            db = raw(connection)
            for device in range(devices):
                ingest.add_device(db, f"d{device:06d}", 1.0)
            for span_s, until in ((HOUR_S, hour), (DAY_S, day)):
                rollups.set_checkpoint(db, rollups.CLOSED_CHECKPOINTS[span_s], until)
        for span_s, since, until in spans:
            before = _bytes(database)
            rows = _store(database, _rows(devices, span_s, since, until, made[span_s]))
            found[f"bytes_a_row_{span_s}"] = round((_bytes(database) - before) / rows)
        found["six_months_ms"] = _read_ms(database, DAY_S, now - MONTHS_S, now)
        found["thirty_days_ms"] = _read_ms(database, HOUR_S, now - 30 * DAY_S, now)
        found["six_hours_ms"] = _read_ms(database, MINUTE_S, now - 6 * HOUR_S, now)
    per_month = {MINUTE_S: 30 * 1440, HOUR_S: 30 * 24, DAY_S: 30}
    found["kb_a_device_and_month"] = {str(s): round(found[f"bytes_a_row_{s}"] * n / 1e3, 1) for s, n in per_month.items()}
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=300)
    parser.add_argument("--samples", type=int, default=SAMPLES_A_MINUTE, help="a minute")
    parser.add_argument("--url", default="", help="PostgreSQL; default: SQLite in a temporary folder")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(arguments.url or Path(folder) / "fleet.db", arguments.devices, arguments.samples)
    if arguments.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name.replace('_', ' '):24} {value}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
