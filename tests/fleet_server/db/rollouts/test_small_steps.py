"""Small steps over the limit of a gate, over both databases: what is offered, shown and remembered."""

from __future__ import annotations

import time

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.db.rollouts import attempts, rollouts
from edgefleet_server.jobs.rollout_engine import RolloutEngine
from tests.fleet_server.db.telemetry.test_ingest_turns import NAMES, Fleet, fleet

__all__ = ["fleet"]


def over_the_limit(fleet: Fleet) -> int:
    """A rollout whose only canary failed, after the first offer of its second wave."""
    number = fleet.roll_out([NAMES[:1], NAMES[1:]])
    fleet.turn()
    fleet.answer(fleet.published(), SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
    fleet.turn(ahead_s=1.0)
    fleet.turn(ahead_s=1.5)
    return number


def explanations(fleet: Fleet, rollout: int) -> dict[str, str]:
    with fleet.database.read() as connection:
        found = {name: attempts.attempts_of(connection, name, 10, time.time())[0] for name in NAMES}
    assert {row["rollout"] for row in found.values()} == {rollout}
    return {name: row["explanation"] for name, row in found.items()}


def test_one_device_decides_and_the_others_wait(fleet: Fleet) -> None:
    """A new engine, as after a restart, offers no more. When the one fails, too, the rollout stops."""
    rollout = over_the_limit(fleet)
    view = fleet.rollout_view(rollout)
    assert (view["state"], view["waves"][0]["state"], view["waves"][1]["state"]) == ("running", "passed", "running")
    assert "small steps" in view["waves"][0]["gate"]["text"]
    (chosen,) = published = fleet.published()
    shown = explanations(fleet, rollout)
    assert sum("small steps" in shown[name] for name in NAMES[1:] if name != chosen) == len(NAMES) - 2
    fleet.engine = RolloutEngine(fleet.database, lambda: 1.0, lambda _turn: None, lambda _device, _package: None)
    fleet.turn(ahead_s=2.0)
    assert fleet.published() == {}
    fleet.answer(published, SlotPhase.TRIAL)
    fleet.turn(ahead_s=3.0)
    tested = fleet.rollout_view(rollout)["sequential_test"]
    assert {name: tested[name] for name in ("failed", "tried", "failures_to_stop", "step")} == {
        "failed": 1,
        "tried": 2,
        "failures_to_stop": 1,
        "step": 1,
    }
    fleet.answer(published, SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
    fleet.turn(ahead_s=4.0)
    view = fleet.rollout_view(rollout)
    assert (view["state"], view["counts"]) == ("paused", {"rolled_back": 2, "queued": len(NAMES) - 2})
    assert "gate of wave 'w1': over all waves, 2 of 2 started devices failed" in view["state_reason"]
    assert (view["waves"][1]["state"], view["waves"][1]["gate"]["verdict"]) == ("failed", "breached")
    assert fleet.published() == {}


def test_the_timeline_has_the_reason_for_the_steps(fleet: Fleet) -> None:
    rollout = over_the_limit(fleet)
    with fleet.database.read() as connection:
        story = rollouts.story(connection, rollout)
    (passed,) = (item for item in story if item["kind"] == "wave_passed")
    assert "1 of 1 reported devices failed (100 %); over the limit of 10 %: later devices start in small steps" in passed["text"]


def test_only_devices_of_the_first_wave_run_the_version_beside_theirs(fleet: Fleet) -> None:
    terms = {"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}
    fleet.roll_out([NAMES[:1], NAMES[1:]], policy=terms)
    fleet.turn()
    first = fleet.published()
    fleet.answer(first, SlotPhase.COMMITTED)
    fleet.turn(ahead_s=1.0)
    fleet.turn(ahead_s=1.5)
    second = fleet.published()
    assert first[NAMES[0]].policy.shadow_s == 60.0
    assert second
    assert all(desired.policy.shadow_s == 0.0 for desired in second.values())
    assert first[NAMES[0]].policy.shadow_agreement_percent_min == 30.0
