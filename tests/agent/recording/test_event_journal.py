"""The journal of found events: what it keeps over a death, and what it removes."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from edgefleet_agent.recording import event_journal
from edgefleet_agent.recording.event_journal import EventJournal, journals, read_found
from edgefleet_contract.wire.messages import Event
from edgefleet_contract.worker_process import EventFound, read_report


def ids(folder: Path, taken: dict[str, int] | None = None) -> list[str]:
    return [found.event.id for found in read_found(folder, taken)]


def test_a_noted_event_is_on_the_disk_and_its_message_is_the_same_line(tmp_path: Path) -> None:
    journal = EventJournal(tmp_path / "evidence")
    line, noted = journal.note(Event(kind="line", id="a"))
    found = read_report(line)
    assert noted
    assert found == EventFound(event=Event(kind="line", id="a"), journal=journal.name, number=1)
    assert list(read_found(tmp_path / "evidence")) == [found]
    journal.note(Event(kind="line", id="b"))
    assert ids(tmp_path / "evidence", {journal.name: 1}) == ["b"]


def test_a_line_that_was_being_written_at_a_death_is_left_out(tmp_path: Path) -> None:
    journal = EventJournal(tmp_path)
    for number in range(3):
        journal.note(Event(kind="line", id=f"{number}"))
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-5])
    assert ids(tmp_path) == ["0", "1"]
    path.write_bytes(b"noise\n" + path.read_bytes())
    assert ids(tmp_path) == ["0", "1"]


def test_taken_events_are_removed_and_the_numbers_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_journal, "FILE_BYTES_MAX", 400)
    journal = EventJournal(tmp_path)
    for number in range(1, 21):
        journal.note(Event(kind="line", id=f"{number}"))
    assert len(list(tmp_path.iterdir())) == 5
    journal.taken(journal.name, 10)
    assert ids(tmp_path, {journal.name: 10}) == [f"{number}" for number in range(11, 21)]
    assert len(ids(tmp_path)) < 14
    journal.taken(journal.name, 20)
    assert ids(tmp_path) == []
    assert list(tmp_path.iterdir()) == []
    assert read_report(journal.note(Event(kind="line"))[0]).number == 21  # type: ignore[union-attr]


def test_the_journal_of_an_earlier_worker_is_removed_when_all_of_it_is_taken(tmp_path: Path) -> None:
    earlier, own = EventJournal(tmp_path), EventJournal(tmp_path)
    earlier.note(Event(kind="line", id="a"))
    earlier.note(Event(kind="line", id="b"))
    own.note(Event(kind="line", id="c"))
    own.taken(earlier.name, 1)
    assert journals(tmp_path) == {earlier.name, own.name}
    own.taken(earlier.name, 2)
    assert ids(tmp_path) == ["c"]


def test_a_journal_that_is_not_taken_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_journal, "FILE_BYTES_MAX", 200)
    monkeypatch.setattr(event_journal, "BYTES_MAX", 1000)
    journal = EventJournal(tmp_path)
    noted = [journal.note(Event(kind="line", id=f"{number}"))[1] for number in range(30)]
    assert noted[0]
    assert not noted[-1]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 1200
    journal.taken(journal.name, sum(noted))
    assert journal.note(Event(kind="line", id="later"))[1]


def test_a_full_disk_takes_no_number_and_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = EventJournal(tmp_path)
    write = os.write
    halves = iter([3, 0])

    def full(file: int, data: bytes) -> int:
        if (length := next(halves, None)) is None:
            raise OSError(errno.ENOSPC, "full")
        return write(file, data[:length])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        for number in range(4):
            line, noted = journal.note(Event(kind="line", id=f"{number}"))
            assert not noted
            assert read_report(line) == EventFound(event=Event(kind="line", id=f"{number}"))
    assert journal.note(Event(kind="line", id="after"))[1]
    assert ids(tmp_path) == ["after"]
    assert len(list(tmp_path.iterdir())) <= 2
