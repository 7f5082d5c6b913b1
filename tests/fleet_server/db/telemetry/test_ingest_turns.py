"""The engine's turns over both databases: every statement of a rollout's life, without broker or clock."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Desired, PresenceMessage, Reported, Running, SlotPhase, SlotReport
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.assignment import assignments, exclusions, late_joiners, pins
from edgefleet_server.db.backend import members, settings, shared_secrets
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import commands, device_filters, device_labels, devices, groups, removal
from edgefleet_server.db.registry import packages
from edgefleet_server.db.rollouts import attempts, rollouts
from edgefleet_server.db.telemetry import events, history, ingest, measurements, metric_counts
from edgefleet_server.domain.rollout.operator_actions import RolloutAction
from edgefleet_server.domain.selector import Selector
from edgefleet_server.domain.statistics.sequential_test import TrialCounts
from edgefleet_server.domain.terms import EXCLUSION_FAILURES
from edgefleet_server.jobs.rollout_engine import RolloutEngine
from edgefleet_server.link.ingest_writer import IngestWriter

DIGEST = "d" * 64
OTHER = "e" * 64
NAMES = [f"dev-{number}" for number in range(6)]


class Fleet:
    """Devices whose reports a test determines."""

    def __init__(self, where: Path | str) -> None:
        self.database = Database(where)
        self.database.migrate()
        self.store = IngestWriter(100)
        self.announced: list[tuple[str, str]] = []
        self.engine = RolloutEngine(self.database, lambda: 1.0, lambda _turn: None, self._announce)
        self.versions = dict.fromkeys(NAMES, 0)
        with self.database.write() as connection:
            settings.put(connection, device_labels.TRUST, "site, timezone", "ada", 1.0)
        self.receive(*[(name, "presence", _birth(name)) for name in NAMES])

    def _announce(self, device: str, package: str) -> None:
        with self.database.read() as connection:
            desired = assignments.documents(raw(connection), [device])
        assert not any(package in document for _, _, document in desired), "announced before it is written"
        self.announced.append((device, package))

    def receive(self, *messages: tuple[str, str, bytes]) -> None:
        raw_messages = [
            ReceivedMessage(f"{topics.ROOT}/d/{name}/up/{kind}", payload, retained=False) for name, kind, payload in messages
        ]
        with self.database.ingest_transaction() as connection:
            outcome = self.store.write(raw(connection), raw_messages, time.time())
        assert outcome.refused == []

    def published(self) -> dict[str, Desired]:
        """Documents that were not published yet; they are from now on."""
        with self.database.write() as connection:
            db = raw(connection)
            found = assignments.unpublished(db, 100)
            assignments.confirm(db, [(device, generation) for device, generation, _ in found])
            assert assignments.unpublished(db, 100) == []
        return {device: decode(document.encode(), Desired) for device, _, document in found}

    def answer(self, published: dict[str, Desired], phase: SlotPhase, reason: Reason = Reason.NONE) -> None:
        """Send the reports of these devices about their slot."""
        messages = []
        for name, desired in published.items():
            self.versions[name] += 1
            target = desired.slots["detector"]
            running = Running(package="spotter", version="1.0.0", digest=target.digest) if phase is SlotPhase.COMMITTED else None
            slot = SlotReport(phase=phase, running=running, target=target.digest, attempt=target.attempt, reason=reason)
            report = Reported(
                device=name, boot="b", version=self.versions[name], generation=desired.generation, sent_at=1.0,
                slots={"detector": slot},
            )  # fmt: skip
            messages.append((name, "reported", encode(report)))
        self.receive(*messages)

    def turn(self, ahead_s: float = 0.0) -> None:
        self.engine.turn(time.time() + ahead_s)

    def finish(self) -> None:
        """Turns in which every device takes its desired document, until nothing more happens."""
        for turn in range(6):
            self.turn(ahead_s=turn * 0.01)
            self.answer(self.published(), SlotPhase.COMMITTED)

    def roll_out(
        self, waves: list[list[str]], start: RolloutAction = RolloutAction.START, approvals: Collection[int] = (), **more: Any
    ) -> int:
        now = time.time()
        gate = {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.0}
        record: dict[str, Any] = {
            "name": "r", "package": DIGEST, "slot": "detector", "state": "draft", "created_at": now, "changed_at": now,
            "selector": {"all": True, "ids": [], "labels": {}}, "plans": [], "gate": gate, "state_reason": "",
            "policy": {"trial_s": 1.0, "trial_frames_min": 0}, "wave_timeout_s": 60.0, "priority": 500, "created_by": "ada",
            "terms": {"follow": True, "retry": {"tries_max": 1}}, **more,
        }  # fmt: skip
        with self.database.write() as connection:
            number = rollouts.create(connection, record)
            rollouts.set_waves(connection, number, [(f"w{n}", n in approvals) for n in range(len(waves))], waves, now)
            rollouts.act(connection, number, start, "", now, "ada")
        return number

    def excluded(self) -> set[str]:
        with self.database.read() as connection:
            return set(exclusions.excluded(raw(connection), time.time()))

    def rollout_view(self, rollout: int) -> dict[str, Any]:
        with self.database.read() as connection:
            return rollouts.get(connection, rollout, rollouts.current_figures(connection, time.time()))


@pytest.fixture
def fleet(where: Path | str) -> Iterator[Fleet]:
    opened = Fleet(where)
    with opened.database.write() as connection:
        record = {
            "digest": DIGEST, "name": "spotter", "version": "1.0.0", "created_at": 1.0, "descriptor_bytes": 5_000_000_000,
            "length_bytes": 6_000_000_000, "manifest": {}, "files": [],
        }  # fmt: skip
        assert packages.add(connection, record, {"a" * 64: 5_000_000_000})
        assert not packages.add(connection, record, {"a" * 64: 5_000_000_000})
    yield opened
    opened.database.close()


def _birth(name: str) -> bytes:
    labels = {"site": "north", "timezone": "Asia/Tokyo", "odd": "\x00"}
    return encode(PresenceMessage(device=name, online=True, boot="b", connection=1, profile="cpu", labels=labels))


def test_a_wave_is_announced_as_a_whole_before_its_first_document(fleet: Fleet) -> None:
    """Otherwise its fastest devices would be served before the others are known, and the blocks sent twice."""
    fleet.roll_out([NAMES])
    fleet.turn()
    fleet.turn()
    assert fleet.announced == [(name, DIGEST) for name in NAMES]
    assert set(fleet.published()) == set(NAMES)


def test_rollout_from_draft_to_done(fleet: Fleet) -> None:
    """Two waves, each offered, reported and passed; documents go out once."""
    rollout = fleet.roll_out([NAMES[:2], NAMES[2:]])
    for turn in range(12):
        fleet.turn(ahead_s=turn * 0.5)
        fleet.answer(fleet.published(), SlotPhase.COMMITTED)
    found = fleet.rollout_view(rollout)
    assert found["state"] == "completed"
    assert found["counts"] == {"committed": len(NAMES)}
    with fleet.database.read() as connection:
        db = raw(connection)
        assert metric_counts.attempts(db) == {}
        assert metric_counts.rollouts(db) == {"completed": 1}
        assert list(map(len, history.update_durations(db, [("detector", "spotter")]))) == [len(NAMES)]
        assert history.update_durations(db, [("detector", "looker")]) == [[]], "another package takes another time"
        assert list(map(len, history.update_durations(db, [("detector", "spotter"), ("pose", "poser")]))) == [len(NAMES), 0]
        assert history.past_failures(db, "detector", "spotter") == (1, TrialCounts(0, len(NAMES)))
        assert history.past_failures(db, "detector", "looker") == (0, TrialCounts(0, 0))
        assert history.past_failures(db, "pose", "spotter") == (0, TrialCounts(0, 0))
        assert packages.running_on(connection) == {DIGEST: len(NAMES)}
        assert devices.counts(connection)["on_target"] == len(NAMES)
        assert len(rollouts.story(connection, rollout)) > 4
        assert [row["explanation"] for row in attempts.attempts_of(connection, NAMES[0], 10, time.time())]


def _fail(fleet: Fleet, reason: Reason, *, works_elsewhere: bool) -> None:
    """A rollout to two devices that fails on the first of them, or on both."""
    rollout = fleet.roll_out([NAMES[:2]])
    fleet.turn()
    published = fleet.published()
    fleet.answer({NAMES[0]: published.pop(NAMES[0])}, SlotPhase.ROLLED_BACK, reason)
    if works_elsewhere:
        fleet.answer(published, SlotPhase.COMMITTED)
    else:
        fleet.answer(published, SlotPhase.ROLLED_BACK, reason)
    with fleet.database.write() as connection:
        rollouts.act(connection, rollout, RolloutAction.ABORT, "enough", time.time(), "ada")
    fleet.turn()


@pytest.mark.parametrize(
    ("reason", "works_elsewhere", "excluded"),
    [
        (Reason.TRIAL_CRASH, True, {NAMES[0]}),
        (Reason.TRIAL_CRASH, False, set()),
        (Reason.DAMAGED_ON_DISK, False, set(NAMES[:2])),
    ],
)
def test_versions_that_fail_everywhere_exclude_no_device(
    fleet: Fleet, reason: Reason, *, works_elsewhere: bool, excluded: set[str]
) -> None:
    for _ in range(EXCLUSION_FAILURES):
        _fail(fleet, reason, works_elsewhere=works_elsewhere)
    assert fleet.excluded() == excluded


def test_failures_pause_and_box_and_lane(fleet: Fleet) -> None:
    """A failed wave stops the rollout; a device that failed too often is excluded; a later one joins the late-joiner wave."""
    rollout = fleet.roll_out([NAMES[:3], NAMES[3:]])
    fleet.turn()
    fleet.answer(fleet.published(), SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
    fleet.turn(ahead_s=1.0)
    assert fleet.rollout_view(rollout)["state"] == "paused"
    with fleet.database.write() as connection:
        db = raw(connection)
        assert exclusions.excluded(db, time.time()) == {}
        exclusions.release(db, NAMES[0], time.time())
        rollouts.act(connection, rollout, RolloutAction.RESUME, "", time.time(), "ada")
    fleet.receive(("late", "presence", _birth("late")))
    with fleet.database.write() as connection:
        (wave,) = late_joiners.open_waves(connection)
        assert "late" in late_joiners.untried_devices(connection, wave)
        late_joiners.add(connection, wave.rollout, ["late"], time.time())
        late_joiners.add(connection, wave.rollout, ["late"], time.time())
    assert fleet.rollout_view(rollout)["waves"][-1] | {"gate": 0, "counts": 0} == {
        **fleet.rollout_view(rollout)["waves"][-1], "gate": 0, "counts": 0, "total": 1, "late_joiners": True,
    }  # fmt: skip
    with fleet.database.write() as connection:
        rollouts.act(connection, rollout, RolloutAction.ABORT, "enough", time.time(), "ada")
    for turn in range(3):
        fleet.turn(ahead_s=2.0 + turn)
    assert fleet.rollout_view(rollout)["state"] == "aborted"


def test_who_an_operator_brings_back_is_not_excluded(fleet: Fleet) -> None:
    """Three times in a day: nothing has failed, and the next rollout reaches the devices at once."""
    with fleet.database.write() as connection:
        record = {
            "digest": OTHER, "name": "spotter", "version": "2.0.0", "created_at": 2.0, "descriptor_bytes": 5, "length_bytes": 6,
            "manifest": {}, "files": [],
        }  # fmt: skip
        packages.add(connection, record, {"b" * 64: 5})
    fleet.roll_out([NAMES[:2]])
    fleet.finish()
    for _ in range(3):
        rollout = fleet.roll_out([NAMES[:2]], package=OTHER)
        fleet.finish()
        with fleet.database.write() as connection:
            rollouts.act(connection, rollout, RolloutAction.ROLLBACK, "", time.time(), "ada")
        fleet.finish()
        assert (fleet.rollout_view(rollout)["state"], fleet.rollout_view(rollout)["counts"]) == (
            "rolled_back",
            {"rolled_back": 2},
        )
    assert fleet.excluded() == set()
    fleet.roll_out([NAMES[:2]], package=OTHER)
    fleet.turn()
    assert sorted(fleet.published()) == NAMES[:2]


def test_who_failed_three_times_is_excluded(fleet: Fleet) -> None:
    """Whatever an operator took back in between."""
    for _ in range(3):
        assert fleet.excluded() == set()
        rollout = fleet.roll_out([NAMES[:1]])
        fleet.turn()
        fleet.answer(fleet.published(), SlotPhase.ROLLED_BACK, Reason.DAMAGED_ON_DISK)
        fleet.turn(ahead_s=0.01)
        with fleet.database.write() as connection:
            rollouts.act(connection, rollout, RolloutAction.ROLLBACK, "", time.time(), "ada")
        fleet.turn(ahead_s=0.02)
    assert fleet.excluded() == {NAMES[0]}


def test_lists_groups_pins_and_commands(fleet: Fleet) -> None:
    """Queries of the API on lists, groups, pins and commands."""
    now = time.time()
    with fleet.database.write() as connection:
        db = raw(connection)
        groups.put(connection, {"name": "g", "selector": {}, "note": "", "changed_at": now, "changed_by": "ada"})
        groups.put(connection, {"name": "g", "selector": {}, "note": "again", "changed_at": now, "changed_by": "ada"})
        assert groups.members(connection, Selector(False, frozenset(), {"site": "north"})) == NAMES
        pins.add(db, NAMES[1], "detector", DIGEST, "stays", "ada", now)
        assert [pin["version"] for pin in pins.of_device(db, NAMES[1])] == ["1.0.0"]
        command = {
            "id": "c1", "device": NAMES[0], "op": "identify", "args": {}, "state": "pending", "detail": "", "result": {},
            "created_at": now, "deadline_at": now + 60,
        }  # fmt: skip
        commands.add(connection, command)
        assert commands.waiting_devices(connection, now) == [NAMES[0]]
        assert ingest.finish_command(db, NAMES[0], "c1", True, "done", "{}", now)
        assert not ingest.finish_command(db, NAMES[0], "c1", True, "done", "{}", now)
        assert ingest.born_since(db, now - 60) == NAMES
        figures = {"p50_ms": 1.0, "p95_ms": 2.0, "per_s": 3.0, "memory_bytes": 2**40, "load_ms": 1.0, "best": True}
        whole = {"variant": "v", "runtime": "r", "device": "CPU", "threads": 1, "streams": 1, "instances": 1, "batch": 1}
        measurements.replace(connection, DIGEST, "cpu", "m1", [{**whole, **figures}], now)
        assert measurements.of_package(connection, DIGEST, best_only=True)[0]["memory_bytes"] == 2**40
        db.execute("UPDATE device_last SET births = 1000, births_at = 0 WHERE device = ?", (NAMES[4],))
    with fleet.database.read() as connection:
        for sort in ("id", "-last_seen_at", "fps", "latency_p95_ms", "-version"):
            chosen = device_filters.Filter(search="DEV-", labels={"site": "north"})
            assert devices.page(connection, chosen, sort, 0, 10)[1] == len(NAMES)
        for status in ("online", "offline", "attention", "updating", "flapping", "off_target", "on_target", "pinned"):
            devices.page(connection, device_filters.Filter(status=status), "id", 0, 10)
        assert [one.device for one in devices.candidates(connection, "detector", now) if one.pinned] == [NAMES[1]]
        assert events.newest(connection, events.EventFilter(rule="x", zone="y", text="z")) == []
        assert devices.detail(connection, NAMES[0])["labels"]["site"] == "north"
        assert devices.latest_samples(connection, NAMES) == {}
        assert devices.telemetry(connection, NAMES[0], 0.0, now, 10) == []
    with fleet.database.write() as connection:
        removal.remove(raw(connection), NAMES[5])
    assert shared_secrets.secret(fleet.database, "x") == shared_secrets.secret(fleet.database, "x")


def test_members_come_and_go(fleet: Fleet) -> None:
    """A process without a recent report does not count as alive."""
    one = members.Member("m1", "ingest", "host", 1, "0", 1.0, 100.0, ingests=True, broker_up_at=50.0)
    with fleet.database.ingest_transaction() as connection:
        members.report(connection, one)
        members.report(connection, one)
        assert members.alive(connection, 105.0) == [one]
        assert members.ingest_up_at(members.alive(connection, 105.0)) == 50.0
        assert members.alive(connection, 200.0) == []
        members.leave(connection, "m1", 200.0)
        assert members.alive(connection, 105.0) == []


def test_who_may_not_write_any_more_does_not(fleet: Fleet) -> None:
    """A transaction of a leader whose term is over leaves nothing."""

    def over(_connection: object) -> None:
        raise StoreError("another process leads by now; this one waits for its turn")

    stale = RolloutEngine(fleet.database.checked(over), lambda: 1.0, lambda _turn: None)
    fleet.roll_out([NAMES])
    with pytest.raises(StoreError):
        stale.turn(time.time())
    assert fleet.published() == {}
    fleet.turn()
    assert set(fleet.published()) == set(NAMES)
