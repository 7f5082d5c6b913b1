"""Alerts about rollouts: paused by a gate, failed, or waiting for a person. Over both databases."""

from __future__ import annotations

import json
import time
from typing import Any

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.api.presenters import views
from edgefleet_server.db.alerting import notices, recipients
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.rollouts import approvals, rollouts
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.fleet.alerts import AlertRuleTerms, Reading, evaluate
from edgefleet_server.domain.notices.recipients import checked
from edgefleet_server.domain.rollout.operator_actions import RolloutAction
from edgefleet_server.jobs.alert_evaluator import AlertEvaluator
from tests.fleet_server.db.telemetry.test_ingest_turns import NAMES, Fleet
from tests.fleet_server.db.telemetry.test_ingest_turns import fleet as fleet

HOOK = "http://localhost/hook"
Found = list[tuple[str, str, bool]]


class Watched:
    """A fleet with one rule, and what its alarm finds."""

    def __init__(self, fleet: Fleet, kind: str, for_s: float = 0.0) -> None:
        rule = {"kind": kind, "for_s": for_s, "severity": "critical", "webhooks": [{"url": HOOK, "secret": ""}]}
        with fleet.database.write() as connection:
            alerts.put_rule(raw(connection), None, "release", {**rule, "emails": ["ops@example.org"]}, True, "ada", 1.0)
        self._database, self._alarm = fleet.database, AlertEvaluator(fleet.database)

    def found(self, ahead_s: float = 1.0) -> Found:
        """(subject, text, whether it is open) of every alert after one more evaluation, oldest first."""
        self._alarm.turn(time.time() + ahead_s)
        with self._database.read() as connection:
            records = alerts.alerts(raw(connection), open_only=False)
        return [(one["subject"], one["text"], one["ended_at"] is None) for one in reversed(records)]

    def notices(self) -> list[dict[str, Any]]:
        """The notices to the recipients, oldest first."""
        with self._database.read() as connection:
            due = notices.due(raw(connection), time.time() + 600.0, 100, 100)
        return [{"to": notice["target"], **json.loads(notice["body"])} for notice in sorted(due, key=lambda one: one["id"])]


def steer(fleet: Fleet, rollout: int, action: RolloutAction, reason: str = "") -> None:
    with fleet.database.write() as connection:
        rollouts.act(connection, rollout, action, reason, time.time(), "ada")


def stop_by_gate(fleet: Fleet) -> int:
    """A rollout of which the first wave failed."""
    number = fleet.roll_out([NAMES[:2], NAMES[2:]])
    fleet.turn()
    fleet.answer(fleet.published(), SlotPhase.REFUSED, Reason.GOLDEN_MISMATCH)
    fleet.turn()
    assert fleet.rollout_view(number)["state"] == "paused"
    return number


def test_rollout_that_a_gate_paused(fleet: Fleet) -> None:
    """Recipients hear of it, with the gate's reason, and again when it is over; it is one alert however long it stands."""
    watched = Watched(fleet, "rollout_paused")
    assert watched.found() == []
    number = stop_by_gate(fleet)
    reason = fleet.rollout_view(number)["state_reason"]
    text = f"'r' is paused: {reason}"
    assert watched.found() == [(f"rollout {number}", text, True)]
    assert watched.found(60.0) == [(f"rollout {number}", text, True)]
    steer(fleet, number, RolloutAction.ABORT)
    assert watched.found(90.0) == [(f"rollout {number}", text, False)]
    assert [(one["to"], one["what"], one["rollout"]) for one in watched.notices()] == [
        (target, what, number) for what in ("began", "ended") for target in (HOOK, "mailto:ops@example.org")
    ]


def test_rollout_that_an_operator_paused_is_no_alert(fleet: Fleet) -> None:
    """An operator's pause is no alert, whatever its reason; a gate that pauses the same rollout later causes one."""
    watched = Watched(fleet, "rollout_paused")
    number = fleet.roll_out([NAMES[:2], NAMES[2:]])
    steer(fleet, number, RolloutAction.PAUSE, "gate of wave 'w0': seen by eye")
    assert watched.found() == []
    steer(fleet, number, RolloutAction.RESUME)
    fleet.turn()
    fleet.answer(fleet.published(), SlotPhase.REFUSED, Reason.GOLDEN_MISMATCH)
    fleet.turn()
    assert [subject for subject, _, _ in watched.found()] == [f"rollout {number}"]
    steer(fleet, number, RolloutAction.RESUME)
    steer(fleet, number, RolloutAction.PAUSE)
    assert [is_open for _, _, is_open in watched.found()] == [False]


def test_history_of_a_rollout_that_a_gate_paused(fleet: Fleet) -> None:
    """Its history can be replayed as before."""
    number = stop_by_gate(fleet)
    with fleet.database.read() as connection:
        past = views.history(connection, number, 10, time.time())
    assert past.points[-1].state == "paused"


def test_rollout_that_failed(fleet: Fleet) -> None:
    """From its abort on, with the reason, and for a day; one that never started has not failed."""
    watched = Watched(fleet, "rollout_failed")
    draft = fleet.roll_out([NAMES], start=RolloutAction.SUBMIT)
    steer(fleet, draft, RolloutAction.ABORT)
    number = stop_by_gate(fleet)
    assert watched.found() == []
    steer(fleet, number, RolloutAction.ROLLBACK, "two cameras went blind")
    text = "'r' is being rolled back: two cameras went blind"
    assert watched.found() == [(f"rollout {number}", text, True)]
    for turn in range(4):
        fleet.turn(turn * 0.01)
    assert fleet.rollout_view(number)["state"] == "rolled_back"
    assert watched.found(3_600.0) == [(f"rollout {number}", text, True)]
    assert watched.found(90_000.0) == [(f"rollout {number}", text, False)]


def test_recipient_of_a_group_gets_rollouts_for_it(fleet: Fleet) -> None:
    """Those for other devices are not for it."""
    watched = Watched(fleet, "rollout_approval")
    selector: dict[str, Any] = {"all": False, "ids": NAMES[:2], "labels": {}}
    with fleet.database.write() as connection:
        groups.put(connection, {"name": "lyon", "selector": selector, "note": "", "changed_at": 1.0, "changed_by": ""})
        settings = checked("ntfy", {"topic": "fleet"})
        record = {
            "name": "lyon team",
            "kind": "ntfy",
            "settings": settings,
            "groups": ["lyon"],
            "severities": [],
            "enabled": True,
        }
        recipients.put(raw(connection), None, record, "ada", 1.0)
    fleet.roll_out([NAMES], start=RolloutAction.SUBMIT)
    number = fleet.roll_out([NAMES[:2]], start=RolloutAction.SUBMIT, selector={**selector, "group": "lyon"})
    assert len(watched.found()) == 2
    assert [one["rollout"] for one in watched.notices() if one["to"] == "ntfy lyon team"] == [number]


def test_rollout_that_waits_for_a_second_person(fleet: Fleet) -> None:
    """From when it was submitted; over as soon as it is approved."""
    watched = Watched(fleet, "rollout_approval", for_s=600.0)
    number = fleet.roll_out([NAMES], start=RolloutAction.SUBMIT)
    assert watched.found(500.0) == []
    text = "'r' is waiting for approval by a second person"
    assert watched.found(700.0) == [(f"rollout {number}", text, True)]
    steer(fleet, number, RolloutAction.APPROVE)
    assert watched.found(710.0) == [(f"rollout {number}", text, False)]


def test_wave_that_waits_for_approval(fleet: Fleet) -> None:
    """Not while the wave before it is at work, and not any more once it is approved or skipped."""
    watched = Watched(fleet, "rollout_approval", for_s=60.0)
    number = fleet.roll_out([NAMES[:2], NAMES[2:4], NAMES[4:]], approvals={1, 2})
    fleet.turn()
    assert watched.found(600.0) == []
    fleet.answer(fleet.published(), SlotPhase.COMMITTED)
    fleet.turn()
    fleet.turn(1.0)
    assert [wave["state"] for wave in fleet.rollout_view(number)["waves"]] == ["passed", "pending", "pending"]
    assert watched.found(30.0) == []
    first = (f"rollout {number}", "'r': wave 'w1' is waiting for approval")
    assert watched.found(100.0) == [(*first, True)]
    with fleet.database.write() as connection:
        approvals.approve_wave(connection, number, 1, "ada", "", time.time())
    assert watched.found(110.0) == [(*first, False)]


def test_condition_that_does_not_hold_starts_no_alert() -> None:
    """A device that is there is not away, also for a rule that does not wait."""
    for kind in ("absence", "rollout_paused", "rollout_failed", "rollout_approval"):
        rule = AlertRuleTerms(1, kind, for_s=0.0)
        assert evaluate(rule, {"d": Reading(0.0)}, frozenset(), {}, 100.0).started == []
        assert [one.value for one in evaluate(rule, {"d": Reading(0.5, text="so")}, frozenset(), {}, 100.0).started] == [0.5]
