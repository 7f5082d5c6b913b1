"""The outbox delivers records in order and keeps each until its ack; a full outbox drops telemetry before events and counts the
loss."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from edgefleet_agent.core.disk_faults import DiskState
from edgefleet_agent.link.outbox import ANSWERS_MAX, RECORD_BYTES_MAX, Outbox
from edgefleet_contract.wire.messages import RECORDS_PER_BATCH_MAX, Ack, Stream
from tests.import_path import import_path
from tests.small_disk import SmallDisk, mounted

EVENTS, TELEMETRY = Stream.EVENTS, Stream.TELEMETRY
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    outbox = Outbox(tmp_path)
    yield outbox
    outbox.close()


def ack(outbox: Outbox, seq: int, stream: Stream = EVENTS) -> Ack:
    return Ack(stream=stream, epoch=outbox.epoch, seq=seq)


def bodies(count: int, size: int = 20) -> list[bytes]:
    return [json.dumps({"n": number}).encode().ljust(size) for number in range(count)]


def test_records_leave_by_ack_alone(outbox: Outbox) -> None:
    outbox.add(EVENTS, bodies(5), 1.0)
    first = outbox.read(EVENTS, 0)
    assert first is not None
    assert (first.first_seq, first.last_seq, first.lost_before) == (1, 5, 0)
    assert outbox.read(EVENTS, 5) is None
    assert outbox.acked(ack(outbox, 3))
    rest = outbox.read(EVENTS, 0)
    assert rest is not None
    assert (rest.first_seq, rest.bodies) == (4, bodies(5)[3:])
    assert outbox.waiting == 2


def test_an_ack_of_another_epoch_or_of_the_future_changes_nothing(outbox: Outbox) -> None:
    outbox.add(EVENTS, bodies(3), 1.0)
    assert not outbox.acked(Ack(stream=EVENTS, epoch="other", seq=3))
    assert not outbox.acked(ack(outbox, 4))
    assert outbox.waiting == 3


def test_numbers_are_never_used_twice(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.add(EVENTS, bodies(3), 1.0)
    outbox.acked(ack(outbox, 3))
    epoch = outbox.epoch
    outbox.close()
    again = Outbox(tmp_path)
    assert again.epoch == epoch
    again.add(EVENTS, bodies(1), 1.0)
    part = again.read(EVENTS, 0)
    assert part is not None
    assert part.first_seq == 4
    again.close()


def test_batches_are_bounded_in_records_and_bytes(outbox: Outbox) -> None:
    outbox.add(TELEMETRY, bodies(RECORDS_PER_BATCH_MAX + 1), 1.0)
    part = outbox.read(TELEMETRY, 0)
    assert part is not None
    assert len(part.bodies) == RECORDS_PER_BATCH_MAX
    outbox.add(EVENTS, bodies(10, 30_000), 1.0)
    part = outbox.read(EVENTS, 0)
    assert part is not None
    assert len(part.bodies) == 2


def test_events_outlive_telemetry_and_losses_are_counted(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path, bytes_max=100_000)
    outbox.add(EVENTS, bodies(50, 1000), 1.0)
    for _ in range(20):
        outbox.add(TELEMETRY, bodies(10, 1000), 1.0)
    part = outbox.read(EVENTS, 0)
    assert part is not None
    assert (part.first_seq, len(part.bodies)) == (1, 50), "no event is lost while there is telemetry"
    newest = outbox.read(TELEMETRY, 0)
    assert newest is not None
    assert newest.last_seq == 200
    assert newest.lost_before == newest.first_seq - 1 == outbox.lost
    for _ in range(20):
        outbox.add(EVENTS, bodies(10, 1000), 1.0)
    assert outbox.read(TELEMETRY, 0) is None
    part = outbox.read(EVENTS, 0)
    assert part is not None
    assert part.lost_before == part.first_seq - 1 > 0
    outbox.close()


def test_old_records_go(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path, age_s_max={EVENTS: 100.0, TELEMETRY: 10.0})
    for stream in Stream:
        outbox.add(stream, bodies(2), 1000.0)
    outbox.add(EVENTS, bodies(1), 1050.0)
    assert outbox.waiting == 3
    assert outbox.lost == 2
    outbox.close()


def test_a_record_beyond_the_limit_leaves_its_number_empty(outbox: Outbox) -> None:
    outbox.add(EVENTS, [b"{}", b"x" * (RECORD_BYTES_MAX + 1), b"{}"], 1.0)
    first, second = outbox.read(EVENTS, 0), outbox.read(EVENTS, 1)
    assert first is not None
    assert second is not None
    assert (first.first_seq, first.last_seq, second.first_seq, second.lost_before) == (1, 1, 3, 1)


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "outbox.db").write_bytes(b"not a database" * 1000)
    outbox = Outbox(tmp_path)
    outbox.add(EVENTS, bodies(1), 1.0)
    assert outbox.waiting == 1
    assert list(tmp_path.glob("outbox.db.damaged-*"))
    outbox.close()


def test_answers_are_remembered_and_bounded(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    for number in range(ANSWERS_MAX + 10):
        outbox.remember(f"c{number}", b"%d" % number)
    outbox.close()
    again = Outbox(tmp_path)
    assert again.answer_to("c9") is None
    assert again.answer_to("c10") == b"10"
    assert again.answer_to(f"c{ANSWERS_MAX + 9}") == b"%d" % (ANSWERS_MAX + 9)
    again.close()


def test_what_was_added_is_there_after_kill_9(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from edgefleet_agent.link.outbox import Outbox\n"
        "from edgefleet_contract.wire.messages import Stream\n"
        "box = Outbox(pathlib.Path(sys.argv[1]))\n"
        "for n in range(10**6):\n"
        "    box.add(Stream.EVENTS, [b'{}'], 1.0); print(n + 1, flush=True)\n"
    )
    env = {**os.environ, "PYTHONPATH": import_path()}
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=env) as writer:
        assert writer.stdout is not None
        printed = [next(writer.stdout) for _ in range(20)]
        writer.send_signal(signal.SIGKILL)
        printed += list(writer.stdout)
    outbox = Outbox(tmp_path)
    assert outbox.waiting >= len(printed)
    assert outbox.next_seq(EVENTS) == outbox.waiting + 1
    outbox.close()


class OutboxMachine(RuleBasedStateMachine):
    """Compares the outbox with a list: records that are neither acked nor lost are present, in order, after any operations."""

    def __init__(self) -> None:
        super().__init__()
        self._made = tempfile.TemporaryDirectory()
        self.folder = Path(self._made.name)
        self.outbox = Outbox(self.folder)
        self.model: dict[Stream, dict[int, bytes]] = {stream: {} for stream in Stream}
        self.next = dict.fromkeys(Stream, 1)

    @rule(stream=st.sampled_from(Stream), count=st.integers(1, 8))
    def add(self, stream: Stream, count: int) -> None:
        added = [json.dumps({stream.value: self.next[stream] + offset}).encode() for offset in range(count)]
        self.outbox.add(stream, added, 1.0)
        self.model[stream] |= dict(enumerate(added, self.next[stream]))
        self.next[stream] += count

    @rule(stream=st.sampled_from(Stream), share=st.floats(0, 1.2))
    def ack(self, stream: Stream, share: float) -> None:
        seq = int(self.next[stream] * share)
        accepted = self.outbox.acked(Ack(stream=stream, epoch=self.outbox.epoch, seq=seq))
        assert accepted == (seq < self.next[stream])
        if accepted:
            self.model[stream] = {number: body for number, body in self.model[stream].items() if number > seq}

    @rule()
    def restart(self) -> None:
        self.outbox.close()
        self.outbox = Outbox(self.folder)

    @invariant()
    def it_holds_what_it_should(self) -> None:
        for stream in Stream:
            found: dict[int, bytes] = {}
            after = 0
            while (part := self.outbox.read(stream, after)) is not None:
                found |= dict(enumerate(part.bodies, part.first_seq))
                after = part.last_seq
            assert found == self.model[stream]

    def teardown(self) -> None:
        self.outbox.close()
        self._made.cleanup()


OutboxMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestOutbox = OutboxMachine.TestCase


@pytest.mark.parametrize("jump_s", [20 * 365 * 86400.0, -20 * 365 * 86400.0])
def test_a_clock_that_is_set_loses_nothing_and_keeps_nothing_for_ever(tmp_path: Path, jump_s: float) -> None:
    outbox = Outbox(tmp_path, age_s_max={Stream.TELEMETRY: 600.0, Stream.EVENTS: 600.0})
    wall = 1_900_000_000.0
    outbox.add(Stream.EVENTS, [b'{"n":1}'], wall)
    wall += jump_s
    outbox.add(Stream.EVENTS, [b'{"n":2}'], wall)
    assert (outbox.waiting, outbox.lost) == (2, 0)
    outbox.close()
    outbox = Outbox(tmp_path, age_s_max={Stream.TELEMETRY: 600.0, Stream.EVENTS: 600.0})
    wall -= jump_s
    outbox.add(Stream.EVENTS, [b'{"n":3}'], wall)
    assert outbox.waiting == 3
    outbox.add(Stream.TELEMETRY, [b"{}"], wall + 590.0)
    outbox.add(Stream.TELEMETRY, [b"{}"], wall + 700.0)
    assert outbox.waiting == 2, "their time is over all the same"
    outbox.close()


def delivered(outbox: Outbox, stream: Stream = EVENTS) -> list[tuple[str, int, bytes]]:
    """Reads and acknowledges everything: epoch, number and body, in the order of sending."""
    found: list[tuple[str, int, bytes]] = []
    while (part := outbox.read(stream, 0)) is not None:
        found += [(part.epoch, seq, body) for seq, body in enumerate(part.bodies, part.first_seq)]
        assert outbox.acked(Ack(stream=stream, epoch=part.epoch, seq=part.last_seq))
    return found


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with mounted(tmp_path / "disk", "4m") as disk:
        yield disk


def healed(outbox: Outbox) -> None:
    """Waits until the outbox is on the disk again."""
    ends_s = time.monotonic() + 120
    while outbox.faults.present():
        assert time.monotonic() < ends_s
        outbox.turn()
        time.sleep(0.02)


def numbered(first: int, count: int) -> list[bytes]:
    return [b'{"n": %d}' % number for number in range(first, first + count)]


@pytest.mark.parametrize("acked", [False, True])
def test_a_disk_that_fills_and_works_again_loses_and_repeats_nothing(disk: SmallDisk, acked: bool) -> None:
    outbox = Outbox(disk.folder)
    outbox.add(EVENTS, numbered(0, 5), 1.0)
    first_epoch = outbox.epoch
    disk.fill()
    added = 5
    while not outbox.faults.present():
        outbox.add(EVENTS, numbered(added, 100), 1.0)
        added += 100
    outbox.add(EVENTS, numbered(added, 3), 1.0)
    added += 3
    assert outbox.faults.present()["outbox"].state is DiskState.FULL
    assert (outbox.waiting, outbox.lost) == (added, 0)
    assert outbox.epoch != first_epoch, "the file does not know the numbers in memory"
    found = delivered(outbox) if acked else []
    disk.free()
    healed(outbox)
    outbox.add(EVENTS, numbered(added, 2), 1.0)
    assert outbox.epoch == first_epoch
    outbox.close()
    outbox = Outbox(disk.folder)
    found += delivered(outbox)
    assert sorted(json.loads(body)["n"] for _, _, body in found) == list(range(added + 2))
    assert len({(epoch, seq) for epoch, seq, _ in found}) == added + 2, "no number stands for two records"
    assert outbox.lost == 0
    outbox.close()


def test_a_power_cut_while_in_memory_uses_no_number_again(disk: SmallDisk) -> None:
    outbox = Outbox(disk.folder)
    outbox.add(EVENTS, numbered(0, 5), 1.0)
    outbox.close()
    disk.remount("ro")
    outbox = Outbox(disk.folder)
    assert outbox.faults.present()["outbox"].state is DiskState.READ_ONLY
    outbox.add(EVENTS, numbered(5, 5), 1.0)
    found = delivered(outbox)
    assert [json.loads(body)["n"] for _, _, body in found] == list(range(10)), "what the file holds is sent first"
    disk.remount("rw")
    outbox = Outbox(disk.folder)  # as after a power cut: nothing was merged
    outbox.add(EVENTS, numbered(10, 1), 1.0)
    again = delivered(outbox)
    assert [json.loads(body)["n"] for _, _, body in again] == [0, 1, 2, 3, 4, 10], "the same records under the same numbers"
    assert set(again) & set(found) == set(found[:5])
    assert not {(epoch, seq) for epoch, seq, _ in again[5:]} & {(epoch, seq) for epoch, seq, _ in found}
    outbox.close()


def test_a_record_that_the_disk_has_changed_is_lost_alone(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.add(EVENTS, numbered(0, 3), 1.0)
    outbox.close()
    with sqlite3.connect(tmp_path / "outbox.db") as database:
        database.execute("UPDATE records SET body = ? WHERE seq = 2", (b'{"n": \xff}',))
    database.close()
    outbox = Outbox(tmp_path)
    assert [seq for _, seq, _ in delivered(outbox)] == [1, 3]
    assert outbox.lost == 1
    outbox.close()


def test_a_file_found_damaged_at_a_start_counts_as_lost_with_an_unknown_number(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.add(EVENTS, bodies(20), 1.0)
    outbox.close()
    assert (outbox.lost, outbox.files_lost) == (0, 0)
    (tmp_path / "outbox.db").write_bytes(b"garbage " * 2000)
    for starts in range(3):
        damaged = Outbox(tmp_path)
        assert (damaged.lost, damaged.files_lost, damaged.waiting) == (0, 1, starts), "also after further starts"
        damaged.add(EVENTS, bodies(1), 1.0)
        damaged.close()


def test_the_records_of_a_damaged_file_are_counted(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    for _ in range(20):
        outbox.add(EVENTS, bodies(200, 1000), 1.0)
    with (tmp_path / "outbox.db").open("r+b") as file:
        file.seek(0)
        file.write(b"x" * 3_000_000)
    assert len(delivered(outbox)) < 4000, "the cache has a part of them"
    outbox.add(EVENTS, bodies(1), 1.0)
    assert outbox.faults.present()["outbox"].state is DiskState.DAMAGED
    lost = outbox.lost
    assert lost > 2000
    assert outbox.files_lost == 0
    assert len(list(tmp_path.glob("outbox.db.damaged-*"))) == 1
    outbox.close()
    again = Outbox(tmp_path)
    assert again.lost == lost, "the number outlives a restart"
    again.close()


@pytest.mark.parametrize("removed", ["outbox.db*", "outbox.db-wal"])
def test_a_file_that_is_removed_under_the_agent_is_written_again(tmp_path: Path, removed: str) -> None:
    outbox = Outbox(tmp_path)
    outbox.add(EVENTS, numbered(0, 3), 1.0)
    for path in tmp_path.glob(removed):
        path.unlink()
    outbox.add(EVENTS, numbered(3, 3), 1.0)
    outbox.close()
    outbox = Outbox(tmp_path)
    assert [json.loads(body)["n"] for _, _, body in delivered(outbox)] == list(range(6))
    outbox.close()
