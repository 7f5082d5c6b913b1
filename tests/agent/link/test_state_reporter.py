"""A report is sent when its content has changed, at most once a second, with a rising version, and not again after a restart."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_agent.link.state_reporter import REPEAT_S, StateReporter
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire.messages import Reported, SlotPhase, SlotReport


class Line:
    def __init__(self) -> None:
        self.reports: list[Reported] = []
        self.up = True

    def publish(self, message: Outgoing) -> int | None:
        if not self.up:
            return None
        assert message.retain
        self.reports.append(decode(message.payload, Reported))
        return len(self.reports)


def report(stage: SlotPhase = SlotPhase.FETCHING, wall: float = 1000.0, free: int = 5) -> Reported:
    return Reported(
        device="d", boot="b", version=0, generation=1, sent_at=wall, slots={"s": SlotReport(phase=stage)}, disk_free_bytes=free
    )


def make(folder: Path, kernel: str = "k") -> tuple[StateReporter, Line]:
    return StateReporter(folder, BootCounters(folder, kernel)), Line()


def test_only_news_and_only_once_a_second(tmp_path: Path) -> None:
    reporter, line = make(tmp_path)
    for tenth in range(50):
        stage = SlotPhase.FETCHING if tenth % 2 else SlotPhase.FETCHED
        reporter.turn(report(stage), tenth / 10, line.publish)
    assert len(line.reports) == 5
    reporter.turn(report(SlotPhase.TRIAL), 6.0, line.publish)
    for tenth in range(70, 200):
        reporter.turn(report(SlotPhase.TRIAL, 1000.0 + tenth, free=tenth), tenth / 10, line.publish)
    versions = [sent.version for sent in line.reports]
    assert versions == sorted(set(versions))
    assert len(versions) == 6, "free space alone is no news"


def test_what_the_broker_took_is_not_sent_again_after_a_restart(tmp_path: Path) -> None:
    reporter, line = make(tmp_path)
    reporter.reconnected()
    reporter.turn(report(), 0.0, line.publish)
    reporter.published(1, 1000.0)
    again, line = make(tmp_path)
    again.reconnected()
    again.turn(report(wall=1001.0), 0.0, line.publish)
    assert line.reports == []
    again.turn(report(SlotPhase.TRIAL, 1002.0), 1.0, line.publish)
    assert [sent.version for sent in line.reports] == [2], "versions go on"


def test_what_the_broker_may_not_have_is_sent_again(tmp_path: Path) -> None:
    reporter, line = make(tmp_path)
    reporter.turn(report(), 0.0, line.publish)
    reporter.reconnected()
    reporter.turn(report(), 2.0, line.publish)
    assert len(line.reports) == 2


def test_a_server_that_lost_its_memory_gets_it_with_a_later_connection(tmp_path: Path) -> None:
    reporter, line = make(tmp_path)
    reporter.turn(report(), 0.0, line.publish)
    reporter.published(1, 1000.0)
    reporter.turn(report(wall=1000.0 + 2 * REPEAT_S), 10.0, line.publish)
    assert len(line.reports) == 1, "not in the same connection"
    reporter.reconnected()
    reporter.turn(report(wall=1000.0 + 2 * REPEAT_S), 20.0, line.publish)
    assert len(line.reports) == 2


def test_without_a_connection_it_is_stored_for_later(tmp_path: Path) -> None:
    reporter, line = make(tmp_path)
    line.up = False
    reporter.turn(report(), 0.0, line.publish)
    line.up = True
    reporter.turn(report(), 2.0, line.publish)
    assert len(line.reports) == 1


def test_counters_rise_over_restarts_and_begin_anew_with_the_machine(tmp_path: Path) -> None:
    first = BootCounters(tmp_path, "kernel-1")
    assert [first.next_connection(), first.next_connection(), first.next_report()] == [1, 2, 1]
    second = BootCounters(tmp_path, "kernel-1")
    assert (second.boot, second.next_connection(), second.next_report()) == (first.boot, 3, 2)
    third = BootCounters(tmp_path, "kernel-2")
    assert third.boot != first.boot
    assert third.next_connection() == 1
    (tmp_path / "boot.json").write_bytes(b"{half")
    assert BootCounters(tmp_path, "kernel-2").boot != third.boot


def test_the_message_is_the_report(tmp_path: Path) -> None:
    reporter, line = make(tmp_path)
    reporter.turn(report(), 0.0, line.publish)
    assert line.reports == [replace(report(), version=1)]
