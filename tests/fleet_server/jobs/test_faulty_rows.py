"""Rows that name something missing: the jobs leave them out and go on with the others. Over both databases."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from edgefleet_server.core.errors import ConflictError, NotFoundError, StoreError
from edgefleet_server.core.item_faults import ItemFaults
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.rollouts import rollouts
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.fleet.job import Job
from edgefleet_server.domain.rollout.operator_actions import RolloutAction
from edgefleet_server.jobs import late_joiners
from edgefleet_server.jobs.alert_evaluator import AlertEvaluator
from edgefleet_server.jobs.rollout_engine import RolloutEngine
from edgefleet_server.jobs.scheduler import JobScheduler
from tests.fleet_server.db.telemetry.test_ingest_turns import NAMES, Fleet, _birth
from tests.fleet_server.db.telemetry.test_ingest_turns import fleet as fleet

ABSENT: dict[str, Any] = {"kind": "absence", "for_s": 0.0, "severity": "warning", "webhooks": [], "emails": []}
OF_GROUP: dict[str, Any] = {"group": "lines", "all": False, "ids": [], "labels": {}}


def rule(fleet: Fleet, name: str, **more: Any) -> None:
    with fleet.database.write() as connection:
        alerts.put_rule(raw(connection), None, name, {**ABSENT, **more}, True, "ada", 1.0)


def group(fleet: Fleet, name: str = "lines", label: str = "north") -> None:
    selector = {"all": False, "ids": [], "labels": {"site": label}}
    with fleet.database.write() as connection:
        groups.put(connection, {"name": name, "selector": selector, "note": "", "changed_at": 1.0, "changed_by": "ada"})


def remove(fleet: Fleet) -> None:
    with fleet.database.write() as connection:
        groups.remove(connection, "lines")


def story(fleet: Fleet, rollout: int) -> list[str]:
    with fleet.database.read() as connection:
        return [row["text"] for row in rollouts.story(connection, rollout)]


def test_alert_rule_of_a_missing_group_leaves_the_others_at_work(fleet: Fleet, caplog: pytest.LogCaptureFixture) -> None:
    """A database of an earlier version can have such a rule. It is logged once, and finds devices again with its group."""
    rule(fleet, "lost", group="lines")
    rule(fleet, "all")
    evaluator = AlertEvaluator(fleet.database)
    with fleet.database.write() as connection:
        raw(connection).execute("UPDATE device_last SET presence = 'offline', presence_at = 1.0")
    with caplog.at_level(logging.ERROR):
        assert evaluator.turn(time.time()) == len(NAMES)
        assert evaluator.turn(time.time()) == 0
    assert [line for line in caplog.messages if "lost" in line] == [
        "alert rule 'lost' is left out: no group 'lines'; `edgefleet group list` lists the groups"
    ]
    group(fleet)
    assert evaluator.turn(time.time()) == len(NAMES)


def test_no_device_joins_a_rollout_of_a_missing_group(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its timeline says so, once; devices join the other rollouts."""
    lost = fleet.roll_out([NAMES], selector=OF_GROUP)
    other = fleet.roll_out([NAMES], slot="pose")
    fleet.receive(("late", "presence", _birth("late")))
    monkeypatch.setattr(late_joiners, "_newcomers", lambda *_: ["late"])  # the package of these tests cannot be planned
    joining = late_joiners.LateJoining(fleet.database)
    assert joining.turn(time.time()) == {other: ["late"]}
    assert joining.turn(time.time()) == {other: ["late"]}
    assert [text for text in story(fleet, lost) if "lines" in text] == [
        "Group 'lines' does not exist any more: no device joins late"
    ]
    assert not [text for text in story(fleet, other) if "lines" in text]


def test_engine_works_beside_a_rollout_that_it_cannot_read(fleet: Fleet, caplog: pytest.LogCaptureFixture) -> None:
    broken = fleet.roll_out([NAMES[:2]], slot="pose", gate={"of_a_later_version": 1})
    whole = fleet.roll_out([NAMES])
    assert RolloutEngine(fleet.database, lambda: 1.0, lambda _turn: None).turn(time.time()).rollouts == {whole}
    assert [f"rollout {broken} is left out" in line for line in caplog.messages] == [True]


def test_thread_of_the_jobs_outlives_a_fault_of_data(fleet: Fleet) -> None:
    """The database's own refusals are no faults of an item."""
    done: list[str] = []

    def fail(_now: float) -> None:
        raise NotFoundError("no group 'lines'")

    scheduler = JobScheduler(fleet.database, cast("Any", SimpleNamespace(jobs=[])), lambda: None, cast("Any", None))
    scheduler.jobs = [Job("first", 0.0, fail), Job("second", 0.0, lambda _now: done.append("second"))]
    scheduler.turn(time.time())
    assert done == ["second"]
    with pytest.raises(StoreError), ItemFaults().apart("item", "an item"):
        raise StoreError("the disk is full")


def test_group_in_use_is_not_deleted(fleet: Fleet) -> None:
    """The text names what uses it: alert rules, and rollouts that newcomers join."""
    group(fleet)
    rule(fleet, "hot", group="lines")
    following = fleet.roll_out([NAMES[:1]], selector=OF_GROUP)
    waiting = fleet.roll_out([NAMES[1:2]], RolloutAction.SUBMIT, selector=OF_GROUP)
    fleet.roll_out([NAMES[2:3]], selector=OF_GROUP, terms={})
    fleet.roll_out([NAMES[3:]], selector=OF_GROUP | {"group": "other"})
    with pytest.raises(ConflictError, match="alert rule 'hot'") as refused:
        remove(fleet)
    joined = ", includes devices that join later)"
    assert f"hot', rollout {following} (running{joined}, rollout {waiting} (awaiting approval{joined}; delete" in str(
        refused.value
    )
    with fleet.database.write() as connection:
        alerts.delete_rule(raw(connection), 1)
        for rollout in (following, waiting):
            rollouts.act(connection, rollout, RolloutAction.ABORT, "", time.time(), "ada")
    remove(fleet)
    with pytest.raises(NotFoundError):
        remove(fleet)


def test_jobs_treat_missing_names_by_item(request: pytest.FixtureRequest) -> None:
    """Whatever raises for a missing name is used in a job only where one item's fault is kept apart."""
    folder = Path(request.config.rootpath) / "fleet_server/edgefleet_server/jobs"
    risky = [path.name for path in folder.glob("*.py") if "groups.find(" in path.read_text() or ".resolve(" in path.read_text()]
    assert all("ItemFaults()" in (folder / name).read_text() for name in risky), risky
