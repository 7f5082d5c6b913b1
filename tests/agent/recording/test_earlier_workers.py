"""Events that were open when a worker was killed are ended by the next one, each once, with the time that is known of them."""

from __future__ import annotations

import argparse
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.local_database import LocalDatabase
from edgefleet_agent.recording import event_store
from edgefleet_agent.recording.earlier_workers import END_REASON, EarlierWorkers
from edgefleet_agent.recording.event_journal import EventJournal
from edgefleet_agent.recording.event_store import EventStore, Query, StoredEvent, find, search
from edgefleet_agent.service.local_api import make_hub, open_local_api
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.messages import Event, EventPhase

NOW = 1_790_000_000.0


def visit(name: str, phase: EventPhase = EventPhase.NEW, **fields: object) -> Event:
    values: dict[str, object] = {
        "kind": "visit",
        "pipeline": "hall",
        "rule": "visits",
        "label": "person",
        "at": NOW,
        "start_s": 5.0,
    }
    return Event(id=name, phase=phase, **{**values, **fields})  # type: ignore[arg-type]  # names of the struct


class Worker:
    """The parts of a worker that find and store events. wall: its clock."""

    def __init__(self, folder: Path, wall: float) -> None:
        self.wall = wall
        self.ends: list[Event] = []
        self.journal = EventJournal(folder)
        self.earlier = EarlierWorkers(folder, self._on_end)
        self.store = EventStore(folder, 1e9, 1 << 30, DiskFaults(), lambda: self.wall, self.earlier)

    def find(self, event: Event, *, stored: bool = True) -> None:
        self.journal.note(event)
        if stored:
            self.store.write(event)

    def _on_end(self, event: Event) -> None:
        self.journal.note(event)
        self.ends.append(event)

    def killed(self) -> None:
        """End without ending any event; what was found is written."""
        self.store.close()
        self.journal.close()
        self.earlier.close()


def until(condition: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends_s
        time.sleep(0.02)


def at_rest(folder: Path, name: str) -> StoredEvent:
    found = find(folder, name)
    assert found is not None
    return found


def test_what_was_open_is_ended_once_with_the_last_known_time(tmp_path: Path) -> None:
    first = Worker(tmp_path, NOW + 2)
    first.find(visit("seen"))
    first.find(visit("over"))
    first.find(visit("over", EventPhase.END, at=NOW + 1, end_s=6.0))
    first.store.write(visit("seen", EventPhase.UPDATE, score=0.9, data={"so_far_s": 7.0, "snapshot": "hall/seen.jpg"}))
    first.find(visit("unstored", at=NOW + 1), stored=False)
    first.find(visit("level", kind="level", start_s=0.0, data={"from": "2026-09-21T14:13:20.000Z"}))
    first.find(Event(kind="count", id="many", pipeline="hall", phase=EventPhase.NEW))
    first.killed()

    second = Worker(tmp_path, NOW + 900)
    second.killed()
    assert sorted(end.id for end in second.ends) == ["level", "seen", "unstored"]
    assert not any(one.open for one in search(tmp_path, Query()))
    seen = at_rest(tmp_path, "seen").event
    assert (seen.phase, seen.start_s, seen.end_s, seen.at, seen.score) == (EventPhase.END, 5.0, 7.0, NOW + 2, 0.9)
    assert seen.data == {"snapshot": "hall/seen.jpg", "end_reason": END_REASON}
    assert at_rest(tmp_path, "seen").began_at == NOW
    unstored = at_rest(tmp_path, "unstored").event
    assert (unstored.at, unstored.end_s, unstored.data["end_reason"]) == (NOW + 1, 5.0, END_REASON)
    assert at_rest(tmp_path, "level").event.data["to"] == "2026-09-21T14:13:22.000Z"
    assert "end_reason" not in at_rest(tmp_path, "over").event.data

    third = Worker(tmp_path, NOW + 901)
    third.killed()
    assert third.ends == []


def test_an_event_without_changes_is_known_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_store, "CONTINUES_S", 0.0)
    monkeypatch.setattr(event_store, "HEAL_S", 0.02)
    first = Worker(tmp_path, NOW)
    first.find(visit("parked"))
    until(lambda: find(tmp_path, "parked") is not None)
    first.wall = NOW + 3600
    with closing(sqlite3.connect(tmp_path / event_store.FILE)) as database:
        until(lambda: database.execute("SELECT changed_at FROM events").fetchone() == (NOW + 3600,))
    first.killed()
    Worker(tmp_path, NOW + 9000).killed()
    assert at_rest(tmp_path, "parked").event.at == NOW + 3600


def test_an_end_that_only_the_journal_has_is_no_second_one(tmp_path: Path) -> None:
    first = Worker(tmp_path, NOW)
    first.find(visit("a"))
    first.find(visit("a", EventPhase.END, at=NOW + 3, end_s=8.0), stored=False)  # killed before the store had it
    first.killed()
    second = Worker(tmp_path, NOW + 9)
    second.killed()
    assert second.ends == []
    assert at_rest(tmp_path, "a").event.end_s == 8.0


def test_a_beginning_in_the_journal_does_not_undo_a_better_view(tmp_path: Path) -> None:
    first = Worker(tmp_path, NOW)
    first.find(visit("a", score=0.4))
    first.store.write(visit("a", EventPhase.UPDATE, score=0.8))
    first.killed()
    Worker(tmp_path, NOW + 9).killed()
    assert at_rest(tmp_path, "a").event.score == 0.8


def test_the_events_of_a_worker_that_still_ends_are_left_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_store, "HEAL_S", 0.02)
    ending = Worker(tmp_path, NOW)
    ending.find(visit("a"))
    ending.find(visit("b"))
    until(lambda: find(tmp_path, "b") is not None)
    following = Worker(tmp_path, NOW + 1)
    following.find(visit("own"))
    until(lambda: find(tmp_path, "own") is not None)
    assert following.ends == []
    ending.find(visit("a", EventPhase.END, at=NOW + 1, end_s=6.0), stored=False)
    ending.killed()
    until(lambda: bool(following.ends))
    following.killed()
    assert [end.id for end in following.ends] == ["b"], "neither the one that ended nor its own"


def test_what_the_disk_does_not_give_now_is_ended_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Worker(tmp_path, NOW)
    first.find(visit("a"))
    first.killed()
    monkeypatch.setattr(event_store, "HEAL_S", 0.02)
    rows, refused = LocalDatabase.rows, list[str]()

    def refuse_once(database: LocalDatabase, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        if not refused:
            refused.append(statement)
            raise StoreError("cannot be read")
        return rows(database, statement, values)

    monkeypatch.setattr(LocalDatabase, "rows", refuse_once)
    second = Worker(tmp_path, NOW + 9)
    until(lambda: bool(second.ends))
    second.killed()
    assert (len(refused), [end.id for end in second.ends]) == (1, ["a"])


def test_the_service_sends_the_ends_to_the_supervisor(tmp_path: Path) -> None:
    first = Worker(tmp_path, NOW)
    first.find(visit("a"))
    first.killed()
    arguments = argparse.Namespace(device="d", evidence=tmp_path, evidence_days=14.0, events_bytes=1 << 20, local_api="{}")
    hub, sent = make_hub(arguments), list[Event]()
    open_local_api(hub, arguments, lambda *_: None, sent.append, DiskFaults())
    hub.close()
    assert [(event.id, event.phase, event.data["end_reason"]) for event in sent] == [("a", EventPhase.END, END_REASON)]
