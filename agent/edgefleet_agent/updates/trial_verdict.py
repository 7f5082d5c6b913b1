"""Judges a trial: passed, failed or open, with the reason. Pure.

A trial passes if the worker has run the package for `trial_s` without a crash or an inference error, the package has processed at
least `trial_frames_min` frames (if a pipeline uses the slot), and a message of the server has arrived since its start (unless the
site is offline). Missing frames or server contact only delay the verdict up to a limit, because a camera that returns late is not
a fault of the model. A first crash of the worker restarts the trial's time, because its cause is unknown; a second crash within a
trial counts as the model's fault.
"""

from __future__ import annotations

from enum import Enum

from edgefleet_agent.updates.state import TrialWatch
from edgefleet_contract.wire.messages import UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason

PATIENCE = 3.0
"""Limit of a trial's total time, as a multiple of `trial_s`; `PATIENCE_S` is added."""
PATIENCE_S = 15.0
CRASHES_FORGIVEN = 1
LOAD_S_MAX = 180.0
"""Time limit for loading the package; after it the load counts as failed."""


class TrialVerdict(Enum):
    OPEN = "open"
    PASSED = "passed"
    FAILED = "failed"


Judgement = tuple[TrialVerdict, Reason, str]

_OPEN: Judgement = (TrialVerdict.OPEN, Reason.NONE, "")


def judge(policy: UpdatePolicy, watch: TrialWatch | None, *, running: bool, used: bool, now: float) -> Judgement:
    """The verdict, with its reason as a code and as text. `running`: the worker reports that it runs the package on trial."""
    if watch is None:
        return _OPEN
    if watch.crashes > CRASHES_FORGIVEN:
        reason = Reason.OVER_MEMORY if watch.killed_for_memory else Reason.TRIAL_CRASH
        return TrialVerdict.FAILED, reason, watch.crash_detail or "the worker crashed during the trial"
    if watch.loaded_s is None or not running:
        waited_s = now - watch.began_s
        if waited_s > LOAD_S_MAX:
            return TrialVerdict.FAILED, Reason.TRIAL_TIMEOUT, f"the worker did not load the package within {waited_s:.0f} s"
        return _OPEN
    if watch.errors:
        return TrialVerdict.FAILED, Reason.TRIAL_UNHEALTHY, f"{watch.errors} inference errors in {watch.frames} frames"
    elapsed_s = now - watch.loaded_s
    if elapsed_s < policy.trial_s:
        return _OPEN
    frames_min = policy.trial_frames_min if used else 0
    server_ok = watch.server_contact or policy.site_offline
    if watch.frames >= frames_min and server_ok:
        return TrialVerdict.PASSED, Reason.NONE, f"{watch.frames} frames in {elapsed_s:.0f} s on trial"
    if elapsed_s < policy.trial_s * PATIENCE + PATIENCE_S:
        return _OPEN
    if watch.frames < frames_min:
        return TrialVerdict.FAILED, Reason.TRIAL_TIMEOUT, _why_few(watch, frames_min, elapsed_s)
    return (
        TrialVerdict.FAILED,
        Reason.SERVER_UNREACHABLE,
        f"no contact with the server for {elapsed_s:.0f} s with the new package",
    )


def _why_few(watch: TrialWatch, frames_min: int, elapsed_s: float) -> str:
    few = f"only {watch.frames} of {frames_min} frames in {elapsed_s:.0f} s"
    if watch.frames + watch.skipped >= frames_min:
        return f"{few}; the version is too slow for this device: {watch.skipped} frames came while it was busy and were skipped"
    return f"{few}; no more came: check the camera"
