"""The way of an event from the worker's decision to the outbox, with SIGKILL at each step, and of events that were not sent."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_agent.link.outbox import Outbox
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.recording.event_journal import EventJournal, journals, read_found
from edgefleet_agent.supervisor.worker.event_intake import SCAN_S, EventIntake
from edgefleet_contract import worker_process as wire
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.messages import Event, PresenceMessage, Stream
from tests.agent.fakes.device import DirectWorker

NEVER = 10**9


class Port(DirectWorker):
    """A worker that removes what was taken."""

    journal: EventJournal | None = None

    def send(self, message: wire.ToWorker) -> bool:
        if isinstance(message, wire.EventsTaken) and self.journal is not None:
            self.journal.taken(message.journal, message.number)
        return self.up


class Run:
    """One life of worker and supervisor on a state folder."""

    def __init__(self, root: Path) -> None:
        presence = PresenceMessage(device="d", online=True, boot="b", connection=1)
        store = BlobStore(root)
        self.uplink = Uplink(root, presence, BootCounters(root, "kernel"), store, store)
        self.journal = EventJournal(root / "evidence")
        self.port = Port()
        self.port.journal = self.journal
        self.passed_on: list[str] = []
        self.intake = EventIntake(self.uplink, self.port, root / "evidence", lambda event: self.passed_on.append(event.id))
        self.now = 0.0

    def find(self, name: str) -> wire.EventFound:
        found = wire.read_report(self.journal.note(Event(kind="line", id=name))[0])
        assert isinstance(found, wire.EventFound)
        return found

    def turn(self, *found: wire.EventFound) -> None:
        self.now += 0.5
        self.intake.turn(list(found), self.now, 1000.0 + self.now)

    def close(self) -> None:
        self.journal.close()
        self.uplink.outbox.close()


def stored(root: Path) -> list[str]:
    """The ids of the events in the outbox, in their order."""
    outbox = Outbox(root)
    part = outbox.read(Stream.EVENTS, 0)
    outbox.close()
    return [msgspec.json.decode(body)["id"] for body in part.bodies] if part is not None else []


def live(root: Path, kill_at: int) -> None:
    """A life with two events and SIGKILL at the step `kill_at`. Each event that was found is noted in a file first."""
    step = 0

    def reached() -> None:
        nonlocal step
        step += 1
        if step == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    run = Run(root)
    run.turn()
    store, send_on = run.uplink.outbox.add, run.port.send

    def add(*arguments: object) -> None:
        reached()  # received, not stored
        store(*arguments)  # type: ignore[arg-type]
        reached()  # stored, the worker does not know

    def send(message: wire.ToWorker) -> bool:
        reached()
        return send_on(message)

    run.uplink.outbox.add = add  # type: ignore[method-assign,assignment]
    run.port.send = send  # type: ignore[method-assign]
    for name in ("a", "b"):
        found = run.find(name)
        with (root / "found").open("a") as notes:
            notes.write(f"{name}\n")
        reached()  # found, not sent
        run.turn(found)
        reached()
    run.close()


def in_child(work: Callable[[], None]) -> None:
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


@pytest.mark.parametrize("kill_at", [*range(1, 11), NEVER])
def test_every_found_event_is_stored_once_wherever_both_are_killed(kill_at: int, tmp_path: Path) -> None:
    in_child(lambda: live(tmp_path, kill_at))
    found = (tmp_path / "found").read_text().split()
    assert found == (["a"] if kill_at <= 5 else ["a", "b"])
    run = Run(tmp_path)
    run.turn()
    run.turn()
    assert journals(tmp_path / "evidence") == set(), "what is stored is removed"
    run.close()
    assert stored(tmp_path) == found


def test_the_next_worker_removes_and_the_numbers_of_old_journals_are_forgotten(tmp_path: Path) -> None:
    first = Run(tmp_path)
    first.turn(first.find("a"))
    first.close()
    run = Run(tmp_path)
    run.turn()
    assert list(run.uplink.outbox.reached) == [first.journal.name]
    run.now += SCAN_S
    run.turn(run.find("b"))
    assert list(run.uplink.outbox.reached) == [run.journal.name]
    run.close()
    assert stored(tmp_path) == ["a", "b"]


def test_an_event_that_could_not_be_sent_comes_with_the_next_one(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.turn(run.find("a"))
    run.find("b")
    late = run.find("c")
    run.turn(run.find("d"))
    run.turn(late)
    assert run.passed_on == ["a", "b", "c", "d"]
    run.close()
    assert stored(tmp_path) == ["a", "b", "c", "d"]


def test_the_last_event_of_a_worker_that_died_is_stored(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.turn(run.find("a"))
    run.find("b")
    run.port.crashes += 1
    run.turn()
    assert run.passed_on == ["a", "b"]
    run.close()


def test_what_an_ending_worker_writes_after_the_start_of_the_next_supervisor_is_found(tmp_path: Path) -> None:
    ending = EventJournal(tmp_path / "evidence")
    run = Run(tmp_path)
    run.turn()
    ending.note(Event(kind="line", id="late"))
    run.turn()
    assert run.passed_on == []
    run.now += SCAN_S
    run.turn()
    assert run.passed_on == ["late"]
    run.close()


def test_events_wait_while_neither_disk_nor_memory_takes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(tmp_path)
    run.turn()

    def refuse(*_: object) -> None:
        raise StoreError("full")

    with monkeypatch.context() as patch:
        patch.setattr(run.uplink.outbox, "add", refuse)
        for event in (wire.EventFound(event=Event(kind="line", id="a")), run.find("b")):
            with pytest.raises(StoreError):
                run.turn(event)
    run.turn()
    run.turn()
    assert run.passed_on == ["a", "b"]
    run.close()
    assert stored(tmp_path) == ["a", "b"]


def test_what_is_in_memory_stays_in_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(tmp_path)
    run.turn()
    monkeypatch.setattr(Outbox, "on_disk", property(lambda _: False))
    run.turn(run.find("a"))
    monkeypatch.undo()
    assert [found.event.id for found in read_found(tmp_path / "evidence")] == ["a"]
    run.close()
