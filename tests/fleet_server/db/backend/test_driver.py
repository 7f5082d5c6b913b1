"""Both databases return values as they were stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_server.db.backend.driver import write_rows
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.backend.postgresql import NUL_SHOWN
from edgefleet_server.db.telemetry import ingest, rollups

SAMPLES = {
    "plain": (0.1, '{"a": 1}'),
    "exact": (1.7976931348623157e308, '{"a": 0.30000000000000004}'),
    "words": (1e-300, json.dumps({"a": '"quoted" \\ back\\slash\nline \\u0041 ü 日本 \U0001f600'})),
    "nothing": (0.0, json.dumps({"a": "\x00"})),
}


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    opened = Database(where)
    opened.migrate()
    with opened.write() as connection:
        for device in SAMPLES:
            ingest.add_device(raw(connection), device, 1.0)
    yield opened
    opened.close()


def test_many_rows_are_written_as_they_are(database: Database) -> None:
    """Numbers to the last bit, text with all that JSON has to escape, nothing at all."""
    rows = [(5.0, text, fps, 2.0, 0.0, None, 9.5, 2**53 + 1, '["too hot"]', 1, device) for device, (fps, text) in SAMPLES.items()]
    with database.write() as connection:
        ingest.set_samples(raw(connection), rows, 77.0)
    with database.read() as connection:
        found = raw(connection).execute(
            "SELECT device, fps, sample, temperature_c, disk_free_bytes, attention_count, last_seen_at FROM device_last"
        )
        for device, fps, text, temperature, free, count, seen_at in found:
            sampled_fps, sent = SAMPLES[device]
            assert (fps, temperature, free, count, seen_at) == (sampled_fps, None, 2**53 + 1, 1, 77.0)
            shown = sent.replace("\\u0000", NUL_SHOWN) if database.shared else sent
            assert json.loads(text) == json.loads(shown)


def test_an_older_sample_changes_nothing_but_when_it_was_seen(database: Database) -> None:
    """The outbox of a device empties after a night; the clock of the server may have been set back meanwhile."""
    row = ('{"a": 1}', 3.0, 2.0, 0.0, None, 9.5, 1, "[]", 0, "plain")
    with database.write() as connection:
        ingest.set_samples(raw(connection), [(50.0, *row)], 100.0)
        ingest.set_samples(raw(connection), [(40.0, row[0], 9.0, *row[2:])], 90.0)
        ingest.seen(raw(connection), ["plain"], 90.0)
    with database.read() as connection:
        found = raw(connection).execute("SELECT sample_at, fps, last_seen_at FROM device_last WHERE device = 'plain'").fetchone()
    assert tuple(found) == (50.0, 3.0, 90.0)


def test_bytes_and_no_rows(database: Database) -> None:
    """A row of figures is bytes; nothing to write is no statement."""
    rows = [(60, "plain", 0, bytes(range(256))), (60, "exact", 0, b"")]
    with database.write() as connection:
        write_rows(raw(connection), rollups.PUT, "rollup", rollups.COLUMNS, rows)
        write_rows(raw(connection), "nonsense", "rollup", rollups.COLUMNS, [])
    with database.read() as connection:
        found = raw(connection).execute("SELECT span_s, device, at, figures FROM rollup ORDER BY device DESC").fetchall()
    assert [tuple(row) for row in found] == rows
