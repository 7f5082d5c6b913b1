"""`edgefleet-agent event export`: everything that the device has, in one folder."""

from __future__ import annotations

import csv
import json
import math
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.recording.event_export import export_events
from edgefleet_agent.recording.event_journal import EventJournal
from edgefleet_agent.recording.event_store import PAGE, EventStore, Query
from edgefleet_contract.wire.messages import Event, EventPhase
from tests.small_disk import mounted

NOW = 1_000_000.0


def event(name: str, at: float, phase: EventPhase = EventPhase.END, **fields: Any) -> Event:
    return Event(kind="zone", id=name, at=at, phase=phase, pipeline="hall", rule="desk", label="person", **fields)


def fill(folder: Path, *events: Event) -> None:
    store = EventStore(folder, 1e9, 10**9, DiskFaults(), lambda: NOW)
    for each in events:
        store.write(each)
    store.close()


def export(capsys: pytest.CaptureFixture[str], folder: Path, into: Path, *options: str) -> dict[str, Any]:
    assert main(["event", "export", str(into), "--evidence", str(folder), "--json", *options]) == 0
    summary: dict[str, Any] = json.loads(capsys.readouterr().out)
    return summary


def lines(into: Path) -> list[dict[str, Any]]:
    return [json.loads(line, parse_constant=pytest.fail) for line in (into / "events.jsonl").read_text().splitlines()]


def test_all_events_with_their_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, into = tmp_path / "evidence", tmp_path / "out"
    (folder / "hall").mkdir(parents=True)
    (folder / "hall/a.jpg").write_bytes(b"picture")
    (folder / "hall/a.mp4").write_bytes(b"clip")
    files = {"snapshot": "hall/a.jpg", "clip": "hall/a.mp4"}
    fill(
        folder,
        event("b", 200.0, EventPhase.NEW, start_s=2.0, data={"snapshot": "hall/b.jpg"}),
        event("a", 103.0, start_s=0.0, end_s=3.0, score=math.nan, data={**files, "extreme": math.inf}),
        event("c", 300.0, zone="=1+1", data={"clip": "../../secret"}),
    )
    summary = export(capsys, folder, into)
    assert summary == {
        "folder": str(into), "events": 3, "open": 1, "files": 2, "bytes": 11, "missing": 2, "newest_in_memory": False,
    }  # fmt: skip
    found = lines(into)
    assert [(each["id"], each["open"], each["began_at"]) for each in found] == [
        ("a", False, 100.0),
        ("b", True, 200.0),
        ("c", False, 300.0),
    ]
    assert found[0]["files"] == {"snapshot": "files/hall/a.jpg", "clip": "files/hall/a.mp4"}
    assert found[0]["data"]["extreme"] is None
    assert "score" not in found[0]
    assert (into / "files/hall/a.mp4").read_bytes() == b"clip"
    with (into / "events.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["lasted_s"], row["open"], row["score"]) for row in rows] == [
        ("a", "3.0", "no", ""), ("b", "", "yes", ""), ("c", "", "no", ""),
    ]  # fmt: skip
    assert rows[2]["zone"] == "'=1+1", "a spreadsheet computes nothing"
    assert rows[0]["began"] == "1970-01-01T00:01:40.000Z"


def test_a_span_of_time_and_other_filters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "e", *(event(f"{number}", float(number)) for number in (100, 200, 300)))
    journal = EventJournal(tmp_path / "e")
    journal.note(event("400", 400.0))
    assert export(capsys, tmp_path / "e", tmp_path / "all")["events"] == 4
    assert export(capsys, tmp_path / "e", tmp_path / "some", "--since", "200", "--before", "400")["events"] == 2
    assert export(capsys, tmp_path / "e", tmp_path / "none", "--label", "cat")["events"] == 0
    assert (tmp_path / "none/events.jsonl").read_text() == ""


def test_the_last_events_before_a_kill_are_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "e", event("a", 100.0, EventPhase.NEW), event("b", 200.0))
    journal = EventJournal(tmp_path / "e")
    for each in (event("b", 200.0), event("a", 110.0), event("c", 300.0, EventPhase.NEW)):
        journal.note(each)
    assert export(capsys, tmp_path / "e", tmp_path / "out")["events"] == 3
    assert [(each["id"], each["open"]) for each in lines(tmp_path / "out")] == [("a", False), ("b", False), ("c", True)]


def test_nothing_is_overwritten_and_no_part_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "e", event("a", 100.0))
    (tmp_path / "there").mkdir()
    (tmp_path / "file").write_text("x")
    for into in ("there", "file"):
        assert main(["event", "export", str(tmp_path / into), "--evidence", str(tmp_path / "e")]) == 2
        assert "exists; specify a new folder" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "x"
    (tmp_path / "e/events.db").write_bytes(b"damaged" * 1000)
    assert main(["event", "export", str(tmp_path / "out"), "--evidence", str(tmp_path / "e")]) != 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["e", "file", "there"]


def test_memory_does_not_grow_with_the_number_of_events(tmp_path: Path) -> None:
    count = 6 * PAGE + 1
    fill(tmp_path / "e", *(event(f"{number:05}", 1.0 + number // 10, data={"note": "x" * 2000}) for number in range(2000)))
    fill(tmp_path / "e", *(event(f"{number:05}", 1.0 + number // 10, data={"note": "x" * 2000}) for number in range(2000, count)))
    tracemalloc.start()
    summary = export_events(tmp_path / "e", Query(), tmp_path / "out", NOW)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert summary.events == count
    assert peak < 2000 * PAGE * 4 < 2000 * count
    assert len({each["id"] for each in lines(tmp_path / "out")}) == count


@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_a_source_on_a_failing_disk(fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with mounted(tmp_path / "disk", "4m") as disk:
        fill(disk.folder / "e", event("a", 100.0))
        journal = EventJournal(disk.folder / "e")
        journal.note(event("b", 200.0))
        journal.close()
        if fault == "full":
            disk.fill()
        else:
            disk.remount("ro")
        assert export(capsys, disk.folder / "e", tmp_path / "out")["events"] == 2
    assert [each["id"] for each in lines(tmp_path / "out")] == ["a", "b"]


@pytest.mark.parametrize("action", [["search"], ["show", "e-1"], ["export", "out"]])
def test_a_folder_that_does_not_exist_is_no_empty_one(
    action: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["event", *action, "--evidence", "evidnce"]) == 2
    assert "evidnce: no such folder" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("limit", ["0", "-5", "1001"])
def test_limits_of_a_search_are_those_of_the_api(limit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["event", "search", f"--limit={limit}", "--evidence", str(tmp_path)])
    assert "is not a whole number from 1 to 1000" in capsys.readouterr().err
