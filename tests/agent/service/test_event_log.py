"""The file of events: one line each; a disk that refuses costs lines of this file only, and is logged once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgefleet_agent.core.clock import ManualClock
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.service.event_log import RETRY_S, EventLog
from edgefleet_contract.wire.messages import Event

EVENT = Event(id="e1", at=1.0, pipeline="line", rule="crossing", kind="crossing")


def test_each_event_is_a_line(tmp_path: Path) -> None:
    path, faults = tmp_path / "below" / "events.jsonl", DiskFaults()
    with EventLog(str(path), faults) as events:
        events.write(EVENT)
        events.write(EVENT)
    assert not faults.present()
    assert [json.loads(line)["id"] for line in path.read_text().splitlines()] == ["e1", "e1"]


def test_without_a_path_nothing_is_written() -> None:
    faults = DiskFaults()
    with EventLog("", faults) as events:
        events.write(EVENT)
    assert not faults.present()


def test_a_file_that_cannot_be_opened_is_opened_later(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    faults, clock = DiskFaults(), ManualClock()
    with EventLog(str(tmp_path / "file" / "events.jsonl"), faults, clock.monotonic) as events:
        events.write(EVENT)
        events.write(EVENT)
        assert "its lines are lost" in faults.texts()["events_jsonl"]
        assert len(caplog.messages) == 1, "it is logged once"
        (tmp_path / "file").unlink()
        clock.advance(RETRY_S)
        events.write(EVENT)
        assert not faults.present()
    assert len((tmp_path / "file" / "events.jsonl").read_text().splitlines()) == 1
