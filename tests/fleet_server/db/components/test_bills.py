"""Bills of devices through the ingest: stored once by digest, asked for once, and bounded; on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.encoding.codec import encode, to_plain
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.environment_bill import EnvironmentBill, bill_bytes, bill_digest
from edgefleet_contract.wire.messages import CommandReply, PresenceMessage, Reported, Running, SlotPhase, SlotReport
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.components import bills, searches
from edgefleet_server.db.devices import commands, removal
from edgefleet_server.domain.components.spans import ComponentSpan
from edgefleet_server.jobs.bill_requests import BillRequests
from edgefleet_server.link.ingest_writer import BatchResult, IngestWriter

OLD = EnvironmentBill(agent="0.3.0", python="3.11.2", system="debian", packages=[("numpy", "1.26.4"), ("openssl", "3.0.6")])
NEW = EnvironmentBill(agent="0.3.0", python="3.11.2", system="debian", packages=[("numpy", "2.0.0"), ("openssl", "3.0.6")])


def digest(bill: EnvironmentBill) -> str:
    return bill_digest(bill_bytes(bill))


class BilledFleet:
    """A database with its ingest and the job that asks."""

    def __init__(self, where: Path | str) -> None:
        self.database = Database(where)
        self.database.migrate()
        self.writer = IngestWriter(100)
        self.greeted: list[str] = []
        self.requests = BillRequests(self.database, self.greeted.append)
        self._connections = 0

    def say(self, device: str, kind: str, payload: bytes, now: float) -> BatchResult:
        with self.database.ingest_transaction() as connection:
            message = ReceivedMessage(f"{topics.ROOT}/d/{device}/up/{kind}", payload, False)
            return self.writer.write(raw(connection), [message], now)

    def birth(self, device: str, bill: EnvironmentBill | str, now: float) -> BatchResult:
        self._connections += 1
        named = bill if isinstance(bill, str) else digest(bill)
        presence = PresenceMessage(device=device, online=True, boot="b", connection=self._connections, bill=named)
        return self.say(device, "presence", encode(presence), now)

    def requested(self, now: float) -> list[tuple[str, dict[str, Any]]]:
        """Run the job; returns the pending commands of the devices that it asked."""
        self.greeted.clear()
        self.requests.turn(now)
        with self.database.read() as connection:
            return [(device, command) for device in self.greeted for command in commands.pending(connection, device, now)]

    def reply(self, device: str, command: dict[str, Any], bill: Any, now: float) -> BatchResult:
        return self.say(device, "reply", encode(CommandReply(id=command["id"], ok=True, result={"bill": bill})), now)

    def spans(self, name: str) -> list[ComponentSpan]:
        with self.database.read() as connection:
            return searches.spans(raw(connection), name)

    def coverage(self) -> searches.BillCoverage:
        with self.database.read() as connection:
            return searches.coverage(raw(connection))

    def count(self, table: str) -> int:
        with self.database.read() as connection:
            return int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


@pytest.fixture
def fleet(where: Path | str) -> Iterator[BilledFleet]:
    opened = BilledFleet(where)
    yield opened
    opened.database.close()


def test_one_device_of_many_is_requested_and_all_are_found(fleet: BilledFleet) -> None:
    for number in range(3):
        fleet.birth(f"d{number}", OLD, 100.0 + number)
    fleet.birth("older-agent", "", 104.0)
    assert fleet.coverage() == searches.BillCoverage(4, 4, 0)
    ((device, command),) = fleet.requested(110.0)
    assert command["args"] == {"digest": digest(OLD)}
    assert fleet.requested(111.0) == []
    assert fleet.reply(device, command, to_plain(OLD), 112.0).refused == []
    assert fleet.coverage() == searches.BillCoverage(4, 1, 0)
    assert [(span.device, span.version, span.since_at, span.use) for span in fleet.spans("openssl")] == [
        ("d0", "3.0.6", 100.0, "installed"), ("d1", "3.0.6", 101.0, "installed"), ("d2", "3.0.6", 102.0, "installed"),
    ]  # fmt: skip
    with fleet.database.read() as connection:
        counts = searches.counts(raw(connection))
        stored = commands.get(connection, device, command["id"])["result"]
    assert counts["library", "numpy", "1.26.4"] == 3
    assert counts["runtime", "python", "3.11.2"] == 3
    assert stored == {}, "the bill is stored once, not in the command, too"
    assert fleet.count("environment_bill") == 1
    fleet.birth("d7", OLD, 120.0)
    assert fleet.requested(10_000.0) == [], "a known digest is not asked for again"


def test_a_span_lasts_over_bills_with_the_same_version_and_ends_with_another(fleet: BilledFleet) -> None:
    for bill, now in ((OLD, 100.0), (NEW, 200.0)):
        fleet.birth("d0", bill, now)
        ((device, command),) = fleet.requested(now + 1.0)
        fleet.reply(device, command, to_plain(bill), now + 2.0)
    assert [(span.since_at, span.until_at, span.current) for span in fleet.spans("openssl")] == [(100.0, None, True)]
    assert [(span.version, span.since_at, span.until_at, span.current) for span in fleet.spans("numpy")] == [
        ("1.26.4", 100.0, 200.0, False), ("2.0.0", 200.0, None, True),
    ]  # fmt: skip
    fleet.birth("d0", "", 300.0)
    assert [span.until_at for span in fleet.spans("openssl")] == [300.0], "an agent that names no bill may have anything"


def test_a_wrong_bill_is_refused_counted_and_requested_from_another_device_later(fleet: BilledFleet) -> None:
    for name in ("d0", "d1"):
        fleet.birth(name, OLD, 100.0)
    ((first, command),) = fleet.requested(101.0)
    found = fleet.reply(first, command, to_plain(NEW), 102.0)
    assert "SHA-256" in found.refused[0]
    assert found.invalid == {first: 1}
    assert fleet.spans("openssl") == []
    assert fleet.requested(120.0) == []
    ((second, command),) = fleet.requested(100.0 + bills.FIRST_WAIT_S + 2.0)
    assert second != first
    assert fleet.reply(first, command, to_plain(OLD), 200.0).answered == set(), "only the device that was asked may answer"
    assert fleet.reply(second, command, to_plain(OLD), 200.0).refused == []
    assert len(fleet.spans("openssl")) == 2


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"agent": "1", "python": "3", "packages": [["../../etc", "1"]]},
        {"agent": "1", "python": "3", "packages": [["numpy", "1\n2"]]},
        {"agent": "1", "python": "3", "packages": [["numpy", "2"], ["numpy", "1"]]},
        {"agent": "1", "python": "3", "packages": [[f"p{number}", "1"] for number in range(2_001)]},
        {"agent": "1", "python": "3", "more": "x" * 101 * 1024},
    ],
    ids=["empty", "name", "version", "order", "entries", "bytes"],
)
def test_a_bill_of_a_hostile_device_is_refused_although_its_digest_is_right(fleet: BilledFleet, plain: dict[str, Any]) -> None:
    import msgspec

    named = bill_digest(msgspec.json.encode(plain, order="sorted"))
    fleet.birth("d0", named, 100.0)
    ((device, command),) = fleet.requested(101.0)
    assert len(fleet.reply(device, command, plain, 102.0).refused) == 1
    assert fleet.count("bill_component") == 0


def test_changes_a_day_and_spans_of_a_device_are_bounded(fleet: BilledFleet) -> None:
    refused = [len(fleet.birth("d0", f"{number:064x}", 100.0 + number).refused) for number in range(20)]
    assert sum(refused) == 20 - bills.CHANGES_PER_DAY_MAX
    for number in range(100):
        fleet.birth("d0", f"{1000 + number:064x}", 1e6 + number * bills.DAY_S)
    assert fleet.count("device_bill") == bills.SPANS_MAX


def test_bills_that_no_device_has_are_forgotten(fleet: BilledFleet) -> None:
    fleet.birth("d0", OLD, 100.0)
    ((device, command),) = fleet.requested(101.0)
    fleet.reply(device, command, to_plain(OLD), 102.0)
    with fleet.database.write() as connection:
        assert bills.forget(raw(connection)) == 0
        removal.remove(raw(connection), "d0")
        assert bills.forget(raw(connection)) == 1
    assert fleet.count("bill_component") == fleet.count("environment_bill") == 0


def test_the_model_in_a_slot_is_found_too(fleet: BilledFleet) -> None:
    fleet.birth("d0", "", 100.0)
    running = Running(package="spotter", version="1.0.0", digest="a" * 64, since_at=90.0)
    slots = {"detector": SlotReport(phase=SlotPhase.COMMITTED, running=running)}
    report = Reported(device="d0", boot="b", version=1, generation=1, sent_at=1.0, slots=slots)
    fleet.say("d0", "reported", encode(report), 101.0)
    assert fleet.spans("spotter") == [
        ComponentSpan("d0", "package", "spotter", "1.0.0", 90.0, None, True, "a" * 64, "detector")
    ]  # fmt: skip
