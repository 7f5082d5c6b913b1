"""The register of faults: what is said of them, and when they end."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from edgefleet_agent.core.disk_faults import NOTICE_S, DiskFaults, DiskState
from edgefleet_agent.core.state_file import Consequences, StateFile
from edgefleet_contract.encoding.codec import Wire
from tests.small_disk import mounted


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Value(Wire):
    """A value on disk."""

    number: int = 0


def test_a_full_disk_is_one_sentence_that_names_its_stores(tmp_path: Path) -> None:
    faults = DiskFaults()
    for store in ("outbox", "events", "uploads"):
        faults.set(store, DiskState.FULL, f"{store}: kept in memory (disk full); free some space", tmp_path / store)
    faults.set("identity", DiskState.DAMAGED, "the identity was damaged; its copy is used")
    assert faults.sentences() == [
        f"disk full: events, outbox, uploads cannot be written; free some space on the disk of {tmp_path}",
        "the identity was damaged; its copy is used",
    ]
    assert len(faults.texts()) == 4, "each store has its own text"
    faults.clear("outbox")
    faults.clear("events")
    assert faults.sentences()[1] == "uploads: kept in memory (disk full); free some space"


def test_stores_on_other_disks_and_of_other_faults_have_their_own_sentences(tmp_path: Path) -> None:
    faults = DiskFaults()
    with mounted(tmp_path / "disk", "1m") as disk:
        faults.set("events", DiskState.FULL, "events: no space", disk.folder)
        faults.set("outbox", DiskState.FULL, "outbox: no space", tmp_path)
        faults.set("slots/", DiskState.READ_ONLY, "slots: read-only", tmp_path)
        assert faults.sentences() == ["events: no space", "outbox: no space", "slots: read-only"]


@pytest.mark.parametrize("waits", [True, False])
def test_what_is_waited_for_ends_with_its_arrival_and_a_loss_after_an_hour(tmp_path: Path, *, waits: bool) -> None:
    clock = Clock()
    faults = DiskFaults(clock=clock)
    path = tmp_path / "value.json"
    path.write_bytes(b"\0" * 9)
    follows = Consequences("this follows", "that follows", waits=waits)
    file = StateFile(path, Value, faults, follows)
    assert file.read() is None
    assert "this follows" in faults.texts()["value.json"]
    assert "that follows" not in faults.texts()["value.json"]
    clock.now += NOTICE_S * 2 if waits else NOTICE_S - 1
    assert "value.json" in faults.texts(), "a text that still holds"
    file.store(Value(number=1))
    assert ("value.json" in faults.texts()) != waits
    clock.now += 2
    assert not faults.texts()


def test_only_one_of_two_processes_logs_a_fault(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    supervisor = DiskFaults()
    worker = DiskFaults(
        lambda store, fault, over: supervisor.clear(store) if over else supervisor.set(store, fault.state, fault.text),
        logged=False,
    )
    worker.set("events", DiskState.FULL, "events: no space")
    worker.clear("events")
    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]
