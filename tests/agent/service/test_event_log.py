"""The file of events: one line each; a disk that refuses costs lines of this file only, and is logged once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgefleet_agent.service.event_log import EventLog
from edgefleet_agent.sinks.jsonl import JsonLinesSink
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.messages import Event

EVENT = Event(id="e1", at=1.0, pipeline="line", rule="crossing", kind="crossing")


def test_each_event_is_a_line(tmp_path: Path) -> None:
    path = tmp_path / "below" / "events.jsonl"
    with EventLog(str(path)) as events:
        assert events.fault == ""
        events.write(EVENT)
        events.write(EVENT)
    assert [json.loads(line)["id"] for line in path.read_text().splitlines()] == ["e1", "e1"]


def test_without_a_path_nothing_is_written() -> None:
    with EventLog("") as events:
        events.write(EVENT)
        assert events.fault == ""


def test_a_file_that_cannot_be_opened_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with EventLog(str(tmp_path / "file" / "events.jsonl")) as events:
        events.write(EVENT)
        assert "events are not written to it until the next start" in events.fault


def test_a_failure_is_logged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def refuse(_sink: JsonLinesSink, _event: Event) -> None:
        raise StoreError("full")

    with EventLog(str(tmp_path / "events.jsonl")) as events, monkeypatch.context() as patched:
        patched.setattr(JsonLinesSink, "write", refuse)
        events.write(EVENT)
        events.write(EVENT)
    assert caplog.messages == ["full"]
