"""Small steps over the limit of a gate, over both databases: what is offered, shown and remembered."""

from __future__ import annotations

import time

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.db.rollouts import rollouts
from edgefleet_server.domain.rollout.operator_actions import RolloutAction
from edgefleet_server.jobs.rollout_engine import RolloutEngine
from tests.fleet_server.db.telemetry.test_ingest_turns import NAMES, Fleet, fleet

__all__ = ["fleet"]


def over_the_limit(fleet: Fleet) -> int:
    """A rollout whose only canary failed, after a device of the second wave was drawn into the first."""
    number = fleet.roll_out([NAMES[:1], NAMES[1:]])
    fleet.turn()
    fleet.answer(fleet.published(), SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
    fleet.turn(ahead_s=1.0)
    fleet.turn(ahead_s=1.5)
    return number


def test_one_device_decides_and_the_others_wait(fleet: Fleet) -> None:
    """A new engine, as after a restart, offers no more. When the one fails, too, the rollout stops."""
    rollout = over_the_limit(fleet)
    view = fleet.rollout_view(rollout)
    assert (view["state"], view["waves"][0]["state"], view["waves"][1]["state"]) == ("running", "running", "pending")
    assert [wave["total"] for wave in view["waves"]] == [2, len(NAMES) - 2]
    assert "small steps" in view["waves"][0]["gate"]["text"]
    published = fleet.published()
    assert len(published) == 1
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
    assert "gate of wave 'w0': over all waves, 2 of 2 started devices failed" in view["state_reason"]
    assert [wave["state"] for wave in view["waves"]] == ["failed", "pending"]
    assert view["waves"][0]["gate"]["verdict"] == "breached"
    assert fleet.published() == {}


def test_the_timeline_has_the_reason_for_the_draw(fleet: Fleet) -> None:
    rollout = over_the_limit(fleet)
    with fleet.database.read() as connection:
        story = rollouts.story(connection, rollout)
    started, again = (item["text"] for item in story if item["kind"] == "wave_running")
    assert started == "Wave 'w0' started"
    why = "because 1 of 1 devices failed, over the limit of 10 %: too few to decide"
    assert again == f"Wave 'w0' goes on: with 1 more device of the next wave, {why}"


def test_a_drawn_device_runs_the_version_beside_its_own(fleet: Fleet) -> None:
    """It is one of the first wave, as the canary is. A version that a shadow finds is found on it, too."""
    terms = {"trial_s": 1.0, "trial_frames_min": 0, "shadow_s": 60.0, "shadow_agreement_percent_min": 30.0}
    fleet.roll_out([NAMES[:1], NAMES[1:]], policy=terms)
    fleet.turn()
    fleet.answer(fleet.published(), SlotPhase.ROLLED_BACK, Reason.TRIAL_UNHEALTHY)
    fleet.turn(ahead_s=1.0)
    fleet.turn(ahead_s=1.5)
    (drawn,) = fleet.published().values()
    assert drawn.policy.shadow_s == 60.0


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


def test_no_device_is_drawn_from_a_wave_by_label(fleet: Fleet) -> None:
    """The plan of the rollout says which waves are."""
    rollout = fleet.roll_out([NAMES[:1], NAMES[1:], []], plans=[{}, {"labels": {"site": "lyon"}}, {}])
    fleet.turn()
    fleet.answer(fleet.published(), SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
    for ahead_s in (1.0, 1.5):
        fleet.turn(ahead_s=ahead_s)
    view = fleet.rollout_view(rollout)
    assert (view["state"], [wave["total"] for wave in view["waves"]]) == ("paused", [1, 5, 0])
    assert view["state_reason"].endswith("no device of wave 'w1' joins it, because waves by label are kept apart")
    assert fleet.published() == {}


def test_a_wave_without_devices_has_a_reason(fleet: Fleet) -> None:
    """One lent its only device, the other is of labels that no device has."""
    plans = [{}, {}, {"labels": {"site": "lyon"}}, {}]
    rollout = fleet.roll_out([NAMES[:1], NAMES[1:2], [], NAMES[2:]], plans=plans)
    fleet.turn()
    fleet.answer(fleet.published(), SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
    for ahead_s in (1.0, 1.5):
        fleet.turn(ahead_s=ahead_s)
    texts = [wave["gate"]["text"] for wave in fleet.rollout_view(rollout)["waves"]]
    assert texts[1:3] == ["no devices left for it: earlier waves took them", "no device has its labels"]


def test_after_a_resume_every_view_counts_the_same_devices(fleet: Fleet) -> None:
    """Reason, sentence of the results, gate and test: two failures that an operator accepted are in none of them, and named."""
    rollout = over_the_limit(fleet)
    fleet.answer(fleet.published(), SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
    fleet.turn(ahead_s=2.0)
    with fleet.database.write() as connection:
        rollouts.act(connection, rollout, RolloutAction.RESUME, "", time.time() + 2.0, "ada")
    accepted = "not counting 2 devices (2 failed) accepted by an operator"
    assert fleet.rollout_view(rollout)["results"] == f"0 of 0 reported devices failed, {accepted}"
    ahead_s = 3.0
    while fleet.rollout_view(rollout)["state"] == "running" and ahead_s < 20.0:
        fleet.turn(ahead_s=ahead_s)
        started = fleet.published()
        fleet.answer(started, SlotPhase.TRIAL)
        fleet.turn(ahead_s=ahead_s + 0.2)
        tested = fleet.rollout_view(rollout)["sequential_test"]
        assert (tested["accepted"], tested["accepted_failed"]) == (2, 2) if tested else not started
        fleet.answer(started, SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
        ahead_s += 1.0
    view = fleet.rollout_view(rollout)
    failed = view["outcomes"]["failed"] - 2
    assert view["state"] == "paused"
    assert f"{failed} of {failed} started devices failed" in view["state_reason"]
    assert view["state_reason"].endswith(accepted)
    assert view["results"] == f"{failed} of {failed} reported devices failed, {accepted}"
    assert sum(wave["gate"]["failed"] for wave in view["waves"]) == failed
    assert accepted in view["waves"][0]["gate"]["text"]
