"""Channels that point to versions, and old versions that go: never one that something needs, and their bytes with them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.registry import channels, coverage, packages, versions
from edgefleet_server.db.registry.channels import ChannelMove
from edgefleet_server.db.tables.core import AssignmentRecord, DeviceSlot, PinRecord
from edgefleet_server.db.tables.experiments import ExperimentArm, ExperimentRecord
from edgefleet_server.db.tables.rollouts import AttemptPart, AttemptRecord, RolloutPart, RolloutRecord
from edgefleet_server.db.telemetry import ingest, measurements
from edgefleet_server.domain.policy.version_retention import Version, judge
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.registry.test_push import Shelf

NOW = 1_790_000_000.0
DAY_S = 86_400.0
OLD = NOW - 100 * DAY_S


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def push(shelf: Shelf, version: str, at: float = OLD, name: str = "spotter") -> str:
    return shelf.registry.push(io.BytesIO(tar(files(name, version, size=200_000))), at).digest


def pruned(shelf: Shelf, keep: int = 1, age_s: float = 0.0, model: str | None = None, *, dry_run: bool = False) -> list[str]:
    found = shelf.registry.prune(model, keep, age_s, NOW, dry_run=dry_run)
    return [f"{one.version.model}@{one.version.version}" for one in found if not one.reason]


def test_the_newest_stay_and_what_is_young() -> None:
    listed = [Version("m", f"1.{minor}.0", str(minor), NOW - 10 * minor * DAY_S, 1) for minor in (2, 10, 9, 1)]
    listed.append(Version("m", "1.10.0-rc.1", "rc", OLD, 1))
    found = {one.version.version: one.reason for one in judge(listed, {"2": "a reason"}, keep=2, age_s=15 * DAY_S, now=NOW)}
    assert found == {
        "1.10.0": "one of the newest 2",
        "1.10.0-rc.1": "one of the newest 2",  # a pre-release comes before its release and after what is older
        "1.9.0": "",
        "1.2.0": "a reason",
        "1.1.0": "pushed within the last 15 days",
    }


def test_a_retired_version_loses_its_bytes_and_may_be_pushed_again(shelf: Shelf) -> None:
    push(shelf, "1.0.0")
    before = shelf.on_disk()
    push(shelf, "1.1.0")
    only_new = shelf.on_disk() - before
    assert pruned(shelf, dry_run=True) == ["spotter@1.0.0"]
    assert shelf.on_disk() >= before, "a dry run does nothing"
    assert pruned(shelf) == ["spotter@1.0.0"]
    blobs, freed_bytes = shelf.registry.collect(NOW)
    assert (blobs > 0, freed_bytes > 200_000) == (True, True)
    shared = {hashlib.sha256(data).hexdigest() for path, data in files().items() if path.startswith("golden/")}
    assert shelf.on_disk() == only_new | shared, "what the newer version needs too stays"
    with shelf.database.read() as connection:
        with pytest.raises(NotFoundError, match=r"its versions are 1\.1\.0"):
            packages.find(connection, "spotter", "1.0.0")
        assert [record["version"] for record in packages.list_all(connection)] == ["1.1.0"]
    assert shelf.registry.push(io.BytesIO(tar(files("spotter", "1.0.0", size=200_000))), NOW).new
    assert shelf.on_disk() >= before
    with shelf.database.read() as connection:
        assert packages.find(connection, "spotter", "1.0.0")["created_at"] == NOW
    assert shelf.registry.collect(NOW + DAY_S) == (0, 0)


def test_bytes_that_an_upload_claims_are_not_collected(shelf: Shelf) -> None:
    digest = push(shelf, "1.0.0")
    push(shelf, "1.1.0")
    assert pruned(shelf) == ["spotter@1.0.0"]
    with shelf.database.write() as connection:
        packages.claim(connection, {digest: 1}, NOW - 1)
    shelf.registry.collect(NOW)
    assert digest in shelf.on_disk(), "an upload that began a second ago may just have seen that it is there"
    shelf.registry.collect(NOW + 2 * versions.CLAIM_S)
    assert digest not in shelf.on_disk()


def _device(connection: Connection) -> None:
    ingest.add_device(raw(connection), "d-1", NOW)


def _rollout(connection: Connection, digest: str, state: str) -> int:
    row = {
        "name": "r", "package": digest, "slot": "detector", "state": state, "created_at": NOW, "changed_at": NOW, "selector": {},
        "plans": [], "gate": {}, "policy": {}, "terms": {}, "priority": 0, "wave_timeout_s": 1.0, "state_reason": "",
        "created_by": "", "approved_by": "", "shift": 0,
    }  # fmt: skip
    known = set(RolloutRecord.__table__.columns.keys())  # type: ignore[attr-defined]
    made = connection.execute(insert(RolloutRecord).returning(RolloutRecord.id), {k: v for k, v in row.items() if k in known})  # type: ignore[call-overload]
    return int(made.scalar_one())


def _attempt(connection: Connection, rollout: int, state: str, previous: str | None = None) -> None:
    _device(connection)
    row = {"id": f"{rollout}:d-1:1", "rollout": rollout, "device": "d-1", "wave": 0, "number": 1, "state": state, "open": False}
    row |= {"latest": True, "staging": False, "not_before": 0.0, "updated_at": NOW, "previous": previous, "regressed": ""}
    row |= {"reason": "", "detail": "", "bytes_done": 0, "bytes_total": 0}
    connection.execute(insert(AttemptRecord), row)


def _runs(connection: Connection, digest: str) -> None:
    _device(connection)
    row = {"device": "d-1", "slot": "detector", "phase": "committed", "running_digest": digest}
    connection.execute(insert(DeviceSlot), [{**_slot(), **row}])


def _fetches(connection: Connection, digest: str) -> None:
    _device(connection)
    row = {"device": "d-1", "slot": "detector", "phase": "fetching", "target_digest": digest}
    connection.execute(insert(DeviceSlot), [{**_slot(), **row}])


def _slot() -> dict[str, object]:
    blank: dict[type, object] = {str: "", int: 0, float: 0.0}
    columns = DeviceSlot.__table__.columns  # type: ignore[attr-defined]
    return {each.name: None if each.nullable else blank.get(each.type.python_type, "") for each in columns}


def _assigned(connection: Connection, digest: str) -> None:
    _device(connection)
    row = {"device": "d-1", "slot": "s", "package": digest, "attempt": "", "rollout": 0, "assigned_at": 0.0}
    connection.execute(insert(AssignmentRecord), {**row, "trial_s": 1.0, "trial_frames_min": 0, "hold": False})


def _pinned(connection: Connection, digest: str) -> None:
    _device(connection)
    row = {"device": "d-1", "slot": "s", "package": digest, "reason": "", "pinned_by": "", "pinned_at": NOW}
    connection.execute(insert(PinRecord), row)


def _part(connection: Connection, digest: str) -> None:
    rollout = _rollout(connection, _newest(connection), "running")
    connection.execute(insert(RolloutPart), {"rollout": rollout, "slot": "s", "package": digest, "position": 1})


def _part_before(connection: Connection, digest: str) -> None:
    rollout = _rollout(connection, _newest(connection), "running")
    _attempt(connection, rollout, "trial")
    connection.execute(insert(AttemptPart), {"attempt": f"{rollout}:d-1:1", "slot": "s", "previous": digest})


def _compared(connection: Connection, digest: str) -> None:
    row = {"name": "e", "slot": "s", "state": "running", "split": "hash", "label_key": "", "created_at": NOW, "created_by": ""}
    row |= {"ended_by": "", "taken": ""}
    made = connection.execute(insert(ExperimentRecord).returning(ExperimentRecord.id), row)  # type: ignore[call-overload]
    arm = {"experiment": int(made.scalar_one()), "position": 0, "name": "A", "package": digest, "share": 0.5, "value": ""}
    connection.execute(insert(ExperimentArm), arm)


@pytest.mark.parametrize(
    ("need", "why"),
    [
        (_runs, "1 devices run it"),
        (_fetches, "1 devices are updating to it"),
        (_assigned, "1 devices are assigned to it"),
        (_pinned, "1 devices are pinned to it"),
        (
            lambda db, digest: channels.point(db, "spotter", "stable", "1.0.0", ChannelMove("", NOW)),
            "a channel points to it",
        ),
        (lambda db, digest: _rollout(db, digest, "paused"), "a rollout of it is active"),
        (_part, "a rollout of it is active"),
        (_part_before, "an active rollout may roll back to it"),
        (_compared, "an experiment uses it"),
        (lambda db, digest: _attempt(db, _rollout(db, digest, "completed"), "rolled_back"), "1 devices have it in quarantine"),
        (
            lambda db, digest: _attempt(db, _rollout(db, _newest(db), "running"), "trial", previous=digest),
            "an active rollout may roll back to it",
        ),
    ],
)
def test_what_is_needed_stays_whatever_its_age(shelf: Shelf, need: Callable[[Connection, str], object], why: str) -> None:
    digest = push(shelf, "1.0.0")
    push(shelf, "1.1.0")
    push(shelf, "1.2.0")
    with shelf.database.write() as connection:
        need(connection, digest)
    found = {one.version.version: one.reason for one in shelf.registry.prune(None, 1, 0.0, NOW, dry_run=False)}
    assert found == {"1.2.0": found["1.2.0"], "1.1.0": "", "1.0.0": why}


def _newest(connection: Connection) -> str:
    return str(packages.find(connection, "spotter", "1.2.0")["digest"])


def test_a_rollout_that_is_over_keeps_nothing_but_its_history(shelf: Shelf) -> None:
    digest = push(shelf, "1.0.0")
    push(shelf, "1.1.0")
    with shelf.database.write() as connection:
        _attempt(connection, _rollout(connection, digest, "completed"), "committed")
    assert pruned(shelf) == ["spotter@1.0.0"]
    with shelf.database.read() as connection:
        assert packages.by_digest(connection, digest)["version"] == "1.0.0"
        assert coverage.rolled_out(connection, digest)[0]["counts"] == {"committed": 1}


def test_a_channel_points_moves_and_remembers(shelf: Shelf) -> None:
    for version in ("1.0.0", "1.1.0"):
        push(shelf, version)
    with shelf.database.write() as connection:
        assert channels.point(connection, "spotter", "stable", "1.0.0", ChannelMove("ann", NOW, "first"))
        assert not channels.point(connection, "spotter", "stable", "1.0.0", ChannelMove("ann", NOW + 1))
        assert channels.point(connection, "spotter", "stable", "1.1.0", ChannelMove("bob", NOW + 2, "better"))
        assert channels.find(connection, "spotter", "stable")["version"] == "1.1.0"
        assert channels.find(connection, "spotter", "1.0.0")["version"] == "1.0.0"
        with pytest.raises(NotFoundError, match="no channel 'beta' of spotter; its channels are stable"):
            channels.find(connection, "spotter", "beta")
        with pytest.raises(NotFoundError, match=r"no package spotter@9\.9\.9"):
            channels.point(connection, "spotter", "stable", "9.9.9", ChannelMove("ann", NOW))
        channels.remove(connection, "spotter", "stable", ChannelMove("ann", NOW + 3))
        assert channels.of_model(connection, "spotter") == []
        history = [
            (one["before"], one["version"], one["by"], one["note"])
            for one in channels.history(connection, "spotter", "stable", 9)
        ]
        assert history == [("1.1.0", "", "ann", ""), ("1.0.0", "1.1.0", "bob", "better"), ("", "1.0.0", "ann", "first")]
        for number in range(channels.CHANNELS_MAX):
            channels.point(connection, "spotter", f"c{number}", "1.0.0", ChannelMove("ann", NOW))
        with pytest.raises(ConflictError, match="the maximum"):
            channels.point(connection, "spotter", "one-more", "1.0.0", ChannelMove("ann", NOW))


def test_a_measurement_of_a_device_joins_what_was_measured_before(shelf: Shelf) -> None:
    digest = push(shelf, "1.0.0")
    setting = {
        "variant": "cpu-int8",
        "runtime": "lite_rt",
        "device": "cpu",
        "threads": 4,
        "streams": 1,
        "instances": 1,
        "batch": 1,
    }
    figures = {"p50_ms": 2.0, "p95_ms": 3.0, "per_s": 400.0, "memory_bytes": 0, "load_ms": 1.0}
    swept = {**setting, **figures, "best": True}
    with shelf.database.write() as connection:
        measurements.replace(connection, digest, "pi", "bench-board", [swept], NOW)
        for p95 in (9.0, 5.0):
            measurements.add(connection, digest, "pi", "d-1", {**setting, **figures, "p95_ms": p95}, NOW)
        found = coverage.measured(connection, digest)
    assert [(row["machine"], row["p95_ms"]) for row in found["pi"]] == [("bench-board", 3.0), ("d-1", 5.0)]
