"""The device's event store: search, limits, and independence of pipelines from its disk."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.core.disk_faults import DiskFaults, DiskState
from edgefleet_agent.recording.event_store import FILE, EventStore, Query, find, search
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.messages import Event, EventPhase
from tests.small_disk import mounted

NOW = 1_790_000_000.0


def event(number: int, phase: EventPhase = EventPhase.NEW, **fields: object) -> Event:
    values: dict[str, object] = {"kind": "zone", "label": "person", "zone": "door", "pipeline": "hall", "rule": "at_door"}
    values |= {"at": NOW + number, "start_s": 1.0}
    made = Event(id=f"e-{number}", phase=phase, **{**values, **fields})  # type: ignore[arg-type]  # names of the struct
    if phase is EventPhase.END:
        made.end_s = 4.0
    return made


def stored(folder: Path, *events: Event, keep_s: float = 1e9, keep_bytes: int = 1 << 30, wall: float = NOW) -> DiskFaults:
    """Writes the events with one store and closes it. Returns the faults."""
    faults = DiskFaults()
    store = EventStore(folder, keep_s, keep_bytes, faults, lambda: wall)
    for one in events:
        store.write(one)
    store.close()
    return faults


def ids(folder: Path, **query: object) -> list[str]:
    return [one.event.id for one in search(folder, Query(**query))]  # type: ignore[arg-type]  # names of the query


def test_an_event_is_one_row_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    stored(tmp_path, event(1), event(1, EventPhase.UPDATE, score=0.8))
    assert find(tmp_path, "e-1").open  # type: ignore[union-attr]  # it is there
    stored(tmp_path, event(1, EventPhase.END, at=NOW + 4, score=0.9), event(1, EventPhase.UPDATE, score=0.1))
    (one,) = search(tmp_path, Query())
    assert (one.open, one.began_at, one.event.score, one.event.phase) == (False, NOW + 1, 0.9, EventPhase.END)


def test_an_end_alone_has_its_start_time(tmp_path: Path) -> None:
    stored(tmp_path, event(1, EventPhase.END, at=NOW + 4))
    assert search(tmp_path, Query())[0].began_at == NOW + 1


def test_search(tmp_path: Path) -> None:
    others = {"label": "dog", "zone": "", "pipeline": "yard", "rule": "visits", "kind": "visit"}
    stored(tmp_path, event(1), event(2, **others), event(3), event(4, kind="count"), Event(kind="line"))
    assert ids(tmp_path) == ["e-3", "e-2", "e-1"]
    for name, value in others.items():
        assert ids(tmp_path, **{name: value}) == (["e-2"] if value else ["e-3", "e-2", "e-1"])
    assert ids(tmp_path, label="person", since_at=NOW + 2) == ["e-3"]
    assert ids(tmp_path, before_at=NOW + 3, limit=1) == ["e-2"]
    assert ids(tmp_path / "nowhere") == []
    assert find(tmp_path, "e-9") is None


def test_too_old_and_too_many_give_way(tmp_path: Path) -> None:
    stored(tmp_path, *(event(number) for number in range(100)))
    stored(tmp_path, event(200), keep_s=50.0, wall=NOW + 51)  # by when they were written
    assert ids(tmp_path) == ["e-200"]
    stored(tmp_path, *(event(number) for number in range(100)), wall=NOW + 51)
    stored(tmp_path, event(300), keep_bytes=20_000, wall=NOW + 52)
    left = ids(tmp_path, limit=1000)
    assert 20 < len(left) < 80
    assert left[0] == "e-300"


def test_a_clock_that_was_set_back_deletes_nothing(tmp_path: Path) -> None:
    stored(tmp_path, event(1), keep_s=60.0)
    stored(tmp_path, event(2), keep_s=60.0, wall=NOW - 86400 * 365)
    assert ids(tmp_path) == ["e-2", "e-1"]


def waits(for_what: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + 120
    while not for_what():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


def test_events_are_found_while_the_disk_is_full_and_afterwards(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "4m") as disk:
        faults = DiskFaults()
        store = EventStore(disk.folder, 1e9, 1 << 30, faults, lambda: NOW)
        store.write(event(1))
        waits(lambda: ids(disk.folder) == ["e-1"])
        disk.fill()
        count = 1
        while not faults.present():
            count += 1
            store.write(event(count, data={"x": "y" * 10_000}))
            time.sleep(0.01)
        store.write(event(count + 1))
        waits(lambda: store.find(f"e-{count + 1}") is not None)
        assert [one.event.id for one in store.search(Query(limit=1000))] == [f"e-{n}" for n in range(count + 1, 0, -1)]
        assert faults.present()["events"].state is DiskState.FULL
        assert "e-1" in ids(disk.folder, limit=1000), "other processes read the file"
        assert main(["event", "search", "--evidence", str(disk.folder)]) == 0
        disk.free()
        waits(lambda: not faults.present())
        store.close()
        assert ids(disk.folder, limit=1000) == [f"e-{n}" for n in range(count + 1, 0, -1)]
        assert store.lost == 0


@pytest.mark.parametrize("how", ["full", "read-only"])
def test_the_command_reads_on_a_disk_that_takes_nothing(tmp_path: Path, how: str, capsys: pytest.CaptureFixture[str]) -> None:
    with mounted(tmp_path / "disk", "1m") as disk:
        stored(disk.folder, event(1))
        if how == "full":
            disk.fill()
        else:
            disk.remount("ro")
        assert main(["event", "search", "--evidence", str(disk.folder), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["id"] == "e-1"


def test_a_folder_that_cannot_be_made_is_made_later(tmp_path: Path) -> None:
    folder = tmp_path / "disk" / "state"
    folder.parent.write_text("a file where the disk should be mounted")
    faults = DiskFaults()
    store = EventStore(folder, 1e9, 1 << 30, faults, lambda: NOW)
    store.write(event(1))
    assert list(faults.present()) == ["events"]
    folder.parent.unlink()
    waits(lambda: not faults.present())
    store.close()
    assert ids(folder) == ["e-1"]


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="cannot read"):
        search(tmp_path, Query())
    faults = stored(tmp_path, event(1), event(2))
    assert faults.present()["events"].state is DiskState.DAMAGED
    assert ids(tmp_path) == ["e-2", "e-1"]
    (aside,) = tmp_path.glob(f"{FILE}.damaged-*")
    assert aside.read_bytes().startswith(b"no database")


def test_search_while_it_is_written(tmp_path: Path) -> None:
    store = EventStore(tmp_path, 1e9, 1 << 30, DiskFaults(), lambda: NOW)
    for number in range(500):
        store.write(event(number))
        if number % 50 == 0:
            search(tmp_path, Query(limit=5))
    store.close()
    assert len(ids(tmp_path, limit=1000)) + store.lost == 500


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored(tmp_path, event(1, EventPhase.END, data={"snapshot": "hall/e-1.jpg"}, score=0.75), event(2))
    assert main(["event", "search", "--evidence", str(tmp_path), "--label", "person", "--zone", "door"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert len(table) == 3
    assert all(word in table[2] for word in ("3.0 s", "0.75", "e-1"))
    assert main(["event", "search", "--evidence", str(tmp_path), "--json", "--limit", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "e-2"
    assert main(["event", "show", "e-1", "--evidence", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == {"snapshot": str(tmp_path / "hall/e-1.jpg")}
    assert main(["event", "show", "e-7", "--evidence", str(tmp_path)]) == 2
    assert main(["event", "search", "--evidence", str(tmp_path), "--since", "soon"]) == 2
    assert main(["event", "search", "--evidence", str(tmp_path), "--label", "cat"]) == 0
    assert "no matching events" in capsys.readouterr().out


def test_rows_can_be_read_by_anything_that_reads_sqlite(tmp_path: Path) -> None:
    stored(tmp_path, event(1))
    with sqlite3.connect(tmp_path / FILE) as database:
        assert database.execute("SELECT label, zone, phase FROM events").fetchall() == [("person", "door", "new")]
