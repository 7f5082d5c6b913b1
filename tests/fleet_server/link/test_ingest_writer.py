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
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import PresenceMessage, Reported, Running, SlotPhase, SlotReport, Stream, TelemetryBatch
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import devices
from edgefleet_server.db.telemetry import events, ingest
from edgefleet_server.link.ingest_writer import BatchResult, IngestWriter, RawMessage
from tests.fleet_server.fakes.virtual_device import event, sample

NAME = "press-07"


class Desk:
    """A database with a store in front of it."""

    def __init__(self, where: Path | str, devices_max: int = 100) -> None:
        self.database = Database(where)
        self.database.migrate()
        self.store = IngestWriter(devices_max)

    def hear(self, *messages: RawMessage, now: float | None = None) -> BatchResult:
        with self.database.ingest_transaction() as connection:
            return self.store.write(raw(connection), messages, time.time() if now is None else now)

    def say(self, kind: str, payload: bytes, *, retained: bool = False, now: float | None = None) -> BatchResult:
        return self.hear(RawMessage(f"{topics.ROOT}/d/{NAME}/up/{kind}", payload, retained), now=now)

    def row(self) -> dict[str, Any]:
        with self.database.read() as connection:
            return devices.detail(connection, NAME)

    def count(self, table: str) -> int:
        with self.database.read() as connection:
            return int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


@pytest.fixture
def desk(where: Path | str) -> Iterator[Desk]:
    opened = Desk(where)
    yield opened
    opened.database.close()


def birth(connection: int = 1, boot: str = "b1", *, online: bool = True) -> bytes:
    return encode(
        PresenceMessage(device=NAME, online=online, boot=boot, connection=connection, profile="cpu", labels={"site": "north"})
    )


def report(version: int, stage: SlotPhase = SlotPhase.COMMITTED, boot: str = "b1", **more: Any) -> bytes:
    running = Running(package="spotter", version="1.0.0", digest="a" * 64)
    slots = {"detector": SlotReport(stage=stage, running=running, **more)}
    return encode(Reported(device=NAME, boot=boot, version=version, generation=3, sent_at=1.0, slots=slots))


def batch(first: int, records: list[dict[str, Any]], epoch: str = "e1", lost: int = 0) -> bytes:
    return encode(TelemetryBatch(device=NAME, epoch=epoch, first_seq=first, records=records, lost_before=lost))


def test_birth_report_and_sample_make_a_row(desk: Desk) -> None:
    """What a list shows comes from the three kinds of messages."""
    outcome = desk.say("presence", birth())
    assert outcome.births == {NAME}
    desk.say("reported", report(1))
    outcome = desk.say("telemetry", batch(1, [sample(0)]))
    assert outcome.acks == {(NAME, Stream.TELEMETRY, "e1"): 1}
    row = desk.row()
    assert (row["online"], row["status"], row["labels"]) == (True, "online", {"site": "north"})
    assert (row["fps"], row["latency_p95_ms"], row["generation_reported"]) == (15.0, 12.0, 3)
    assert row["slots"][0]["running"]["package"] == "spotter"


@pytest.mark.parametrize("together", [True, False])
def test_a_sample_without_pipelines_measures_nothing(desk: Desk, together: bool) -> None:
    """What was measured just before stays; what is over for a while does not."""
    now = time.time()
    bare = {"at": now + 2.0, "window_s": 2.0, "pipelines": {}, "cpu_percent": 5.0}
    records = [sample(0) | {"at": now}, bare]
    desk.say("presence", birth())
    for first, some in [(1, records)] if together else [(1, records[:1]), (2, records[1:])]:
        told = desk.say("telemetry", batch(first, some), now=now + 2.0).samples
    assert ("hall" in told[NAME]) is together
    row = desk.row()
    assert (row["fps"], row["latency_p95_ms"], list(row["pipelines"])) == (15.0, 12.0, ["hall"])
    desk.say("telemetry", batch(3, [bare | {"at": now + 20.0}]), now=now + 20.0)
    row = desk.row()
    assert (row["fps"], row["latency_p95_ms"], row["pipelines"], row["cpu_percent"]) == (0.0, 0.0, {}, 5.0)
    desk.say("telemetry", batch(4, [bare | {"at": now + 22.0, "cpu_percent": 6.0}]), now=now + 22.0)
    assert desk.row()["cpu_percent"] == 6.0


def test_late_will_of_an_old_connection_is_ignored(desk: Desk) -> None:
    """The device reconnected before the broker noticed that the old line was dead."""
    desk.say("presence", birth(1))
    desk.say("presence", birth(2))
    desk.say("presence", birth(1, online=False))
    assert desk.row()["online"]
    desk.say("presence", birth(2, online=False))
    assert not desk.row()["online"]


def test_silent_devices_are_away_until_they_speak(desk: Desk) -> None:
    """Whatever the broker believes; what it kept is no sign of life."""
    desk.say("presence", birth(), now=1000.0)
    with desk.database.write() as connection:
        assert ingest.silence(raw(connection), seen_before=999.0, now=1180.0) == []
        assert ingest.silence(raw(connection), seen_before=1001.0, now=1181.0) == [NAME]
    desk.say("presence", birth(), retained=True, now=1190.0)
    assert not desk.row()["online"]
    desk.say("telemetry", batch(1, [sample(0)]), now=1200.0)
    assert desk.row()["online"]
    assert desk.row()["online_since_at"] == 1200.0


def test_reports_only_go_forward(desk: Desk) -> None:
    """An older report of the same boot changes nothing; a new boot begins anew; kept words of an old boot do not count."""
    desk.say("presence", birth(boot="b2"))
    desk.say("reported", report(7, SlotPhase.TRIAL, boot="b2"))
    desk.say("reported", report(6, SlotPhase.COMMITTED, boot="b2"))
    assert desk.row()["slots"][0]["stage"] == "trial"
    desk.say("reported", report(90, SlotPhase.COMMITTED, boot="b1"), retained=True)
    assert desk.row()["slots"][0]["stage"] == "trial"


def test_same_batch_twice_is_stored_once(desk: Desk) -> None:
    """At least once on the wire, exactly once in the table; both are acknowledged alike."""
    for _ in range(2):
        outcome = desk.say("events", batch(1, [event(n) for n in range(10)]))
        assert outcome.acks == {(NAME, Stream.EVENTS, "e1"): 10}
    desk.say("events", batch(6, [event(n) for n in range(5, 12)]))
    assert desk.count("event") == 12


def test_a_new_outbox_begins_at_one(desk: Desk) -> None:
    """The device was wiped: another epoch, other records, nothing mistaken for a repeat."""
    desk.say("events", batch(1, [event(0)], "old"))
    desk.say("events", batch(1, [event(1)], "new"))
    assert desk.count("event") == 2


def test_bad_record_does_not_block_the_stream(desk: Desk) -> None:
    """It is refused, counted and acknowledged: it would be no better the next time."""
    outcome = desk.say("telemetry", batch(1, [sample(0), {"at": "yesterday"}, sample(2)]))
    assert outcome.acks == {(NAME, Stream.TELEMETRY, "e1"): 3}
    assert desk.count("telemetry") == 2
    assert "Telemetry" in outcome.refused[0]


def test_old_samples_do_not_overwrite_new_ones(desk: Desk) -> None:
    """An outbox that empties after a night tells of the past."""
    now = time.time()
    desk.say("telemetry", batch(1, [{**sample(0), "at": now, "cpu_percent": 50.0}]))
    desk.say("telemetry", batch(1, [{**sample(0), "at": now - 3600, "cpu_percent": 1.0}], "other"))
    assert desk.row()["cpu_percent"] == 50.0


def test_failed_update_asks_for_attention(desk: Desk) -> None:
    """And says why, in words."""
    desk.say("reported", report(1, SlotPhase.ROLLED_BACK, reason=Reason.TRIAL_CRASH))
    assert desk.row()["attention"] == ["detector: rolled back: the worker crashed during the trial"]
    desk.say("reported", report(2))
    assert desk.row()["attention"] == []


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
    "unknown stage": ("reported", report(1).replace(b"committed", b"exploded")),
    "lone surrogate": ("reply", b'{"id":"x","ok":true,"detail":"\xed\xa0\x80"}'),
    "unknown topic": ("gossip", b"{}"),
    "slots without end": (
        "reported",
        json.dumps({**json.loads(report(1)), "slots": {f"s{n}": {"stage": "trial"} for n in range(65)}}).encode(),
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_messages_are_refused(desk: Desk, case: str) -> None:
    """One line in the outcome, nothing in the tables, and the next message is heard as ever."""
    kind, payload = HOSTILE[case]
    outcome = desk.say(kind, payload)
    assert len(outcome.refused) == 1
    assert "\n" not in outcome.refused[0]
    assert desk.count("device") == 0
    assert desk.say("presence", birth()).births == {NAME}


@pytest.mark.parametrize(
    "topic", ["edgefleet/v1/d/UPPER/up/presence", "edgefleet/v1/d/a b/up/presence", "edgefleet/v1/x", "$SYS/x"]
)
def test_hostile_topics_are_refused(desk: Desk, topic: str) -> None:
    """No device is made of them."""
    assert desk.hear(RawMessage(topic, birth(), retained=False)).refused
    assert desk.count("device") == 0


def test_devices_are_bounded(where: Path | str) -> None:
    """Whoever invents device names does not fill the table."""
    desk = Desk(where, devices_max=3)
    payload = {n: encode(PresenceMessage(device=f"d{n}", online=True, boot="b", connection=1)) for n in range(5)}
    outcome = desk.hear(*[RawMessage(topics.presence(f"d{n}"), payload[n], retained=False) for n in range(5)])
    assert desk.count("device") == 3
    assert len(outcome.refused) == 2
    desk.database.close()


@given(payload=st.binary(max_size=300), kind=st.sampled_from(["presence", "reported", "telemetry", "events", "reply"]))
def test_no_bytes_break_the_store(tmp_path_factory: pytest.TempPathFactory, payload: bytes, kind: str) -> None:
    """Whatever comes, `write` returns."""
    desk = _shared(tmp_path_factory)
    assert desk.say(kind, payload).refused


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(record=st.dictionaries(st.sampled_from(["at", "pipelines", "kind", "id", "label", "box", "x"]), JSON, max_size=6))
def test_no_record_breaks_the_store(tmp_path_factory: pytest.TempPathFactory, record: dict[str, Any]) -> None:
    """Records of any content are kept or refused, and acknowledged."""
    desk = _shared(tmp_path_factory)
    for kind in ("telemetry", "events"):
        epoch = f"{kind}{time.monotonic_ns()}"
        try:
            payload = batch(1, [record], epoch)
        except UnicodeEncodeError:
            continue  # a lone surrogate cannot be sent as JSON
        assert list(desk.say(kind, payload).acks.values()) == [1]


_DESKS: list[Desk] = []


def _shared(factory: pytest.TempPathFactory) -> Desk:
    """One database for all examples of a property."""
    if not _DESKS:
        _DESKS.append(Desk(factory.mktemp("store") / "fleet.db", devices_max=10))
    return _DESKS[0]


def test_events_can_be_asked_for(desk: Desk) -> None:
    """By device, kind and label, newest first, page by page."""
    desk.say("events", batch(1, [event(n) for n in range(5)]))
    with desk.database.read() as connection:
        first = events.newest(connection, device=NAME, kind="visit", label="person", limit=3)
        second = events.newest(connection, before_id=first[-1][0], limit=3)
        assert [json.loads(row[3])["count"] for row in first + second] == [4, 3, 2, 1, 0]
        assert events.newest(connection, kind="line") == []
