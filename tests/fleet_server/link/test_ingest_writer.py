"""Messages into tables: what is kept, what is refused, and that nothing hostile gets further than one line of text."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import PresenceMessage, Reported, Running, SlotPhase, SlotReport, Stream, TelemetryBatch
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import devices
from edgefleet_server.db.telemetry import events, ingest
from edgefleet_server.link.ingest_writer import BatchResult, IngestWriter
from tests.fleet_server.fakes.virtual_device import event, sample

NAME = "press-07"


class IngestHarness:
    """A database with a store in front of it."""

    def __init__(self, where: Path | str, devices_max: int = 100) -> None:
        self.database = Database(where)
        self.database.migrate()
        self.store = IngestWriter(devices_max)

    def write(self, *messages: ReceivedMessage, now: float | None = None) -> BatchResult:
        with self.database.ingest_transaction() as connection:
            return self.store.write(raw(connection), messages, time.time() if now is None else now)

    def say(self, kind: str, payload: bytes, *, retained: bool = False, now: float | None = None) -> BatchResult:
        return self.write(ReceivedMessage(f"{topics.ROOT}/d/{NAME}/up/{kind}", payload, retained), now=now)

    def row(self) -> dict[str, Any]:
        with self.database.read() as connection:
            return devices.detail(connection, NAME)

    def count(self, table: str) -> int:
        with self.database.read() as connection:
            return int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


@pytest.fixture
def harness(where: Path | str) -> Iterator[IngestHarness]:
    opened = IngestHarness(where)
    yield opened
    opened.database.close()


def birth(connection: int = 1, boot: str = "b1", *, online: bool = True) -> bytes:
    return encode(
        PresenceMessage(device=NAME, online=online, boot=boot, connection=connection, profile="cpu", labels={"site": "north"})
    )


def report(version: int, phase: SlotPhase = SlotPhase.COMMITTED, boot: str = "b1", **more: Any) -> bytes:
    running = Running(package="spotter", version="1.0.0", digest="a" * 64)
    slots = {"detector": SlotReport(phase=phase, running=running, **more)}
    return encode(Reported(device=NAME, boot=boot, version=version, generation=3, sent_at=1.0, slots=slots))


def batch(first: int, records: list[dict[str, Any]], epoch: str = "e1", lost: int = 0) -> bytes:
    return encode(TelemetryBatch(device=NAME, epoch=epoch, first_seq=first, records=records, lost_before=lost))


def test_birth_report_and_sample_make_a_row(harness: IngestHarness) -> None:
    """The row of a device combines the three kinds of messages."""
    outcome = harness.say("presence", birth())
    assert outcome.births == {NAME}
    harness.say("reported", report(1))
    outcome = harness.say("telemetry", batch(1, [sample(0)]))
    assert outcome.acks == {(NAME, Stream.TELEMETRY, "e1"): 1}
    row = harness.row()
    assert (row["online"], row["status"], row["labels"], row["reported_labels"]) == (True, "online", {}, {"site": "north"})
    assert (row["fps"], row["latency_p95_ms"], row["generation_reported"]) == (15.0, 12.0, 3)
    assert row["slots"][0]["running"]["package"] == "spotter"


@pytest.mark.parametrize("together", [True, False])
def test_a_sample_without_pipelines_measures_nothing(harness: IngestHarness, together: bool) -> None:
    """Recent figures stay; older ones are cleared."""
    now = time.time()
    bare = {"at": now + 2.0, "window_s": 2.0, "pipelines": {}, "cpu_percent": 5.0}
    records = [sample(0) | {"at": now}, bare]
    harness.say("presence", birth())
    for first, some in [(1, records)] if together else [(1, records[:1]), (2, records[1:])]:
        listed = harness.say("telemetry", batch(first, some), now=now + 2.0).samples
    assert ("hall" in listed[NAME]) is together
    row = harness.row()
    assert (row["fps"], row["latency_p95_ms"], list(row["pipelines"])) == (15.0, 12.0, ["hall"])
    harness.say("telemetry", batch(3, [bare | {"at": now + 20.0}]), now=now + 20.0)
    row = harness.row()
    assert (row["fps"], row["latency_p95_ms"], row["pipelines"], row["cpu_percent"]) == (0.0, 0.0, {}, 5.0)
    harness.say("telemetry", batch(4, [bare | {"at": now + 22.0, "cpu_percent": 6.0}]), now=now + 22.0)
    assert harness.row()["cpu_percent"] == 6.0


def test_late_will_of_an_old_connection_is_ignored(harness: IngestHarness) -> None:
    """The device reconnected before the broker noticed that the old line was dead."""
    harness.say("presence", birth(1))
    harness.say("presence", birth(2))
    harness.say("presence", birth(1, online=False))
    assert harness.row()["online"]
    harness.say("presence", birth(2, online=False))
    assert not harness.row()["online"]


def test_silent_devices_are_away_until_they_speak(harness: IngestHarness) -> None:
    """Whatever the broker believes; what it kept is no sign of life."""
    harness.say("presence", birth(), now=1000.0)
    with harness.database.write() as connection:
        assert ingest.silence(raw(connection), seen_before=999.0, now=1180.0) == []
        assert ingest.silence(raw(connection), seen_before=1001.0, now=1181.0) == [NAME]
    harness.say("presence", birth(), retained=True, now=1190.0)
    assert not harness.row()["online"]
    harness.say("telemetry", batch(1, [sample(0)]), now=1200.0)
    assert harness.row()["online"]
    assert harness.row()["online_since_at"] == 1200.0


def test_reports_only_go_forward(harness: IngestHarness) -> None:
    """An older report of the same boot changes nothing; a new boot starts again; retained messages of an old boot do not
    count."""
    harness.say("presence", birth(boot="b2"))
    harness.say("reported", report(7, SlotPhase.TRIAL, boot="b2"))
    harness.say("reported", report(6, SlotPhase.COMMITTED, boot="b2"))
    assert harness.row()["slots"][0]["phase"] == "trial"
    harness.say("reported", report(90, SlotPhase.COMMITTED, boot="b1"), retained=True)
    assert harness.row()["slots"][0]["phase"] == "trial"


def test_same_batch_twice_is_stored_once(harness: IngestHarness) -> None:
    """At least once on the wire, exactly once in the table; both are acknowledged alike."""
    for _ in range(2):
        outcome = harness.say("events", batch(1, [event(n) for n in range(10)]))
        assert outcome.acks == {(NAME, Stream.EVENTS, "e1"): 10}
    harness.say("events", batch(6, [event(n) for n in range(5, 12)]))
    assert harness.count("event") == 12


def test_a_new_outbox_starts_at_one(harness: IngestHarness) -> None:
    """The device was wiped: another epoch, other records, nothing mistaken for a repeat."""
    harness.say("events", batch(1, [event(0)], "old"))
    harness.say("events", batch(1, [event(1)], "new"))
    assert harness.count("event") == 2


def test_bad_record_does_not_block_the_stream(harness: IngestHarness) -> None:
    """It is refused, counted and acknowledged: it would be no better the next time."""
    outcome = harness.say("telemetry", batch(1, [sample(0), {"at": "yesterday"}, sample(2)]))
    assert outcome.acks == {(NAME, Stream.TELEMETRY, "e1"): 3}
    assert harness.count("telemetry") == 2
    assert "Telemetry" in outcome.refused[0]


def test_old_samples_do_not_overwrite_new_ones(harness: IngestHarness) -> None:
    """An outbox that is drained after a night sends past records."""
    now = time.time()
    harness.say("telemetry", batch(1, [{**sample(0), "at": now, "cpu_percent": 50.0}]))
    harness.say("telemetry", batch(1, [{**sample(0), "at": now - 3600, "cpu_percent": 1.0}], "other"))
    assert harness.row()["cpu_percent"] == 50.0


def test_failed_update_raises_a_device_warning(harness: IngestHarness) -> None:
    """And says why, in words."""
    harness.say("reported", report(1, SlotPhase.ROLLED_BACK, reason=Reason.TRIAL_CRASH))
    assert harness.row()["attention"] == ["detector: rolled back: the worker crashed during the trial"]
    harness.say("reported", report(2))
    assert harness.row()["attention"] == []


HOSTILE = {
    "not JSON": ("presence", b"\x00\x01"),
    "empty": ("presence", b""),
    "another's name": ("presence", encode(PresenceMessage(device="other", online=True, boot="b", connection=1))),
    "too many labels": ("presence", json.dumps({**json.loads(birth()), "labels": {f"k{n}": "v" for n in range(99)}}).encode()),
    "huge number": ("presence", birth().replace(b'"connection":1', b'"connection":' + b"9" * 40)),
    "endless nesting": ("reported", b"[" * 200_000),
    "huge": ("telemetry", b'{"x":"' + b"a" * 300_000 + b'"}'),
    "no records": ("events", b'{"device":"press-07","epoch":"e","first_seq":1,"records":[]}'),
    "sequence zero": ("events", b'{"device":"press-07","epoch":"e","first_seq":0,"records":[{}]}'),
    "sequence beyond counting": ("events", b'{"device":"press-07","epoch":"e","first_seq":99999999999999999999,"records":[{}]}'),
    "unknown phase": ("reported", report(1).replace(b"committed", b"exploded")),
    "lone surrogate": ("reply", b'{"id":"x","ok":true,"detail":"\xed\xa0\x80"}'),
    "unknown topic": ("gossip", b"{}"),
    "slots without end": (
        "reported",
        json.dumps({**json.loads(report(1)), "slots": {f"s{n}": {"phase": "trial"} for n in range(65)}}).encode(),
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_messages_are_refused(harness: IngestHarness, case: str) -> None:
    """One line in the outcome, nothing in the tables, and the next message is processed as usual."""
    kind, payload = HOSTILE[case]
    outcome = harness.say(kind, payload)
    assert len(outcome.refused) == 1
    assert "\n" not in outcome.refused[0]
    assert harness.count("device") == 0
    assert harness.say("presence", birth()).births == {NAME}


@pytest.mark.parametrize(
    "topic", ["edgefleet/v1/d/UPPER/up/presence", "edgefleet/v1/d/a b/up/presence", "edgefleet/v1/x", "$SYS/x"]
)
def test_hostile_topics_are_refused(harness: IngestHarness, topic: str) -> None:
    """No device is made of them."""
    assert harness.write(ReceivedMessage(topic, birth(), retained=False)).refused
    assert harness.count("device") == 0


def test_devices_are_bounded(where: Path | str) -> None:
    """Invented device names do not fill the table."""
    harness = IngestHarness(where, devices_max=3)
    payload = {n: encode(PresenceMessage(device=f"d{n}", online=True, boot="b", connection=1)) for n in range(5)}
    outcome = harness.write(*[ReceivedMessage(topics.presence(f"d{n}"), payload[n], retained=False) for n in range(5)])
    assert harness.count("device") == 3
    assert len(outcome.refused) == 2
    harness.database.close()


@given(payload=st.binary(max_size=300), kind=st.sampled_from(["presence", "reported", "telemetry", "events", "reply"]))
def test_no_bytes_break_the_store(tmp_path_factory: pytest.TempPathFactory, payload: bytes, kind: str) -> None:
    """Whatever comes, `write` returns."""
    harness = _shared(tmp_path_factory)
    assert harness.say(kind, payload).refused


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(record=st.dictionaries(st.sampled_from(["at", "pipelines", "kind", "id", "label", "box", "x"]), JSON, max_size=6))
def test_no_record_breaks_the_store(tmp_path_factory: pytest.TempPathFactory, record: dict[str, Any]) -> None:
    """Records of any content are kept or refused, and acknowledged."""
    harness = _shared(tmp_path_factory)
    for kind in ("telemetry", "events"):
        epoch = f"{kind}{time.monotonic_ns()}"
        try:
            payload = batch(1, [record], epoch)
        except UnicodeEncodeError:
            continue  # a lone surrogate cannot be sent as JSON
        assert list(harness.say(kind, payload).acks.values()) == [1]


_DESKS: list[IngestHarness] = []


def _shared(factory: pytest.TempPathFactory) -> IngestHarness:
    """One database for all examples of a property."""
    if not _DESKS:
        _DESKS.append(IngestHarness(factory.mktemp("store") / "fleet.db", devices_max=10))
    return _DESKS[0]


def test_events_can_be_queried(harness: IngestHarness) -> None:
    """By device, kind and label, newest first, page by page."""
    harness.say("events", batch(1, [event(n) for n in range(5)]))
    with harness.database.read() as connection:
        first = events.newest(connection, events.EventFilter(device=NAME, kind="visit", label="person"), limit=3)
        second = events.newest(connection, before_id=first[-1][0], limit=3)
        assert [json.loads(row[3])["count"] for row in first + second] == [4, 3, 2, 1, 0]
        assert events.newest(connection, events.EventFilter(kind="line")) == []
