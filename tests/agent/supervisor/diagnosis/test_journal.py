"""The system's journal, by programs that print what journalctl prints."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.supervisor.diagnosis.journal import JournalRead
from edgefleet_agent.supervisor.diagnosis.log_ring import LogQuery
from edgefleet_agent.supervisor.long_commands import Answer
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.wire.messages import Command

ROWS: list[dict[str, Any]] = [
    {"__CURSOR": "s=1", "__REALTIME_TIMESTAMP": "1700000000500000", "PRIORITY": "6", "MESSAGE": "connected", "_COMM": "python3"},
    {"__CURSOR": "s=2", "PRIORITY": "3", "MESSAGE": list(b"bad \xff rtsp://a:hunter2@cam"), "EDGEFLEET_LOGGER": "source"},
]


def read(command: list[str], **args: Any) -> Answer:
    reading = JournalRead(command, LogQuery.of(Command(id="c", op="logs", args={"source": "journal", **args})), 0.0)
    while (answer := reading.turn(0.0, 0.0)) is None:
        time.sleep(0.01)
    return answer


def printing(folder: Path, text: str, code: int = 0) -> list[str]:
    (folder / "out").write_text(text, encoding="utf-8")
    return ["/bin/sh", "-c", f'cat "$0"; exit {code}', str(folder / "out")]


def test_records_have_time_level_and_no_secrets(tmp_path: Path) -> None:
    ok, _, result = read(printing(tmp_path, "\n".join(map(json.dumps, ROWS))))
    assert ok
    first, second = result["records"]
    assert (first["at"], first["level"], first["logger"], first["text"]) == (1700000000.5, "info", "python3", "connected")
    assert (second["level"], second["logger"]) == ("error", "source")
    assert "hunter2" not in second["text"]
    assert result["cursor"] == "s=2"
    assert [line["text"] for line in read(printing(tmp_path, json.dumps(ROWS[0])), level="warning")[2]["records"]] == []


def test_no_lines_and_no_journal_are_not_the_same(tmp_path: Path) -> None:
    assert read(printing(tmp_path, ""), after="s=2") == (True, "", {"records": [], "cursor": "s=2", "lost": 0})
    ok, detail, _ = read(printing(tmp_path, "No journal files were opened due to insufficient permissions.", 1))
    assert not ok
    assert "cannot be read: No journal files were opened" in detail
    with pytest.raises(UnavailableError, match="has no journal"):
        read([str(tmp_path / "missing")])
