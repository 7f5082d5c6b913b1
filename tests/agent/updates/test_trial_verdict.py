"""Verdicts on trials with their reasons, and resumption of unfinished updates after a restart."""

from __future__ import annotations

import pytest

from edgefleet_agent.updates.state import RESUME, Resume, TrialWatch, resume
from edgefleet_agent.updates.trial_verdict import CRASHES_FORGIVEN, LOAD_S_MAX, PATIENCE, PATIENCE_S, TrialVerdict, judge
from edgefleet_contract.wire.messages import SlotPhase, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason

POLICY = UpdatePolicy(trial_s=20.0, trial_frames_min=10)
LATE_S = 100.0 + POLICY.trial_s * PATIENCE + PATIENCE_S


def watch(**changes: object) -> TrialWatch:
    good: dict[str, object] = {"began_s": 99.0, "loaded_s": 100.0, "frames": 50, "server_contact": True}
    return TrialWatch(**{**good, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seen", "now", "running", "used", "verdict", "reason"),
    [
        (None, 500.0, True, True, TrialVerdict.OPEN, Reason.NONE),
        (watch(), 119.9, True, True, TrialVerdict.OPEN, Reason.NONE),
        (watch(), 120.0, True, True, TrialVerdict.PASSED, Reason.NONE),
        (watch(), 120.0, False, True, TrialVerdict.OPEN, Reason.NONE),
        (watch(frames=9), 120.0, True, True, TrialVerdict.OPEN, Reason.NONE),
        (watch(frames=9), LATE_S, True, True, TrialVerdict.FAILED, Reason.TRIAL_TIMEOUT),
        (watch(frames=0), 120.0, True, False, TrialVerdict.PASSED, Reason.NONE),
        (watch(server_contact=False), 120.0, True, True, TrialVerdict.OPEN, Reason.NONE),
        (watch(server_contact=False), LATE_S, True, True, TrialVerdict.FAILED, Reason.SERVER_UNREACHABLE),
        (watch(errors=1), 101.0, True, True, TrialVerdict.FAILED, Reason.TRIAL_UNHEALTHY),
        (watch(crashes=CRASHES_FORGIVEN), 120.0, True, True, TrialVerdict.PASSED, Reason.NONE),
        (watch(crashes=CRASHES_FORGIVEN + 1), 101.0, True, True, TrialVerdict.FAILED, Reason.TRIAL_CRASH),
        (watch(loaded_s=None), 99.0 + LOAD_S_MAX, False, True, TrialVerdict.OPEN, Reason.NONE),
        (watch(loaded_s=None), 100.0 + LOAD_S_MAX, False, True, TrialVerdict.FAILED, Reason.TRIAL_TIMEOUT),
    ],
)
def test_verdicts(seen: TrialWatch | None, now: float, running: bool, used: bool, verdict: TrialVerdict, reason: Reason) -> None:
    found = judge(POLICY, seen, running=running, used=used, now=now)
    assert found[:2] == (verdict, reason)
    assert (found[2] == "") == (verdict is TrialVerdict.OPEN), "every verdict says why"


@pytest.mark.parametrize(
    ("frames", "skipped", "text"),
    [
        (3, 1500, "only 3 of 10 frames in 75 s; the version is too slow for this device: 1500 frames came while it was busy"),
        (3, 0, "only 3 of 10 frames in 75 s; no more came: check the camera"),
        (3, 2, "only 3 of 10 frames in 75 s; no more came: check the camera"),
    ],
)
def test_too_few_frames_name_the_version_if_the_camera_gave_enough(frames: int, skipped: int, text: str) -> None:
    found = judge(POLICY, watch(frames=frames, skipped=skipped), running=True, used=True, now=LATE_S)
    assert found[2].startswith(text)


def test_an_offline_site_needs_no_server() -> None:
    policy = UpdatePolicy(trial_s=20.0, trial_frames_min=10, site_offline=True)
    assert judge(policy, watch(server_contact=False), running=True, used=True, now=120.0)[0] is TrialVerdict.PASSED


def test_every_stage_has_a_row_in_the_resume_table() -> None:
    ends = {SlotPhase.WAITING_WINDOW, SlotPhase.ROLLBACK_FAILED}  # not in this version; and nothing to resume
    assert {stage for stage, _ in RESUME} == set(SlotPhase) - ends
    assert [resume(SlotPhase.TRIAL, times) for times in range(4)] == [Resume.TRY_AGAIN, *[Resume.ROLL_BACK] * 3]
    assert {resume(stage, 0) for stage in set(SlotPhase) - ends - {SlotPhase.TRIAL}} == {Resume.GO_ON}
