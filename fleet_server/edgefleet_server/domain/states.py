"""States of rollouts, waves and attempts, and the sets of states that decisions are made from. Other modules use these sets
instead of listing states."""

from __future__ import annotations

from enum import Enum
from typing import Final


class RolloutState(str, Enum):
    DRAFT = "draft"
    AWAITING_APPROVAL = "awaiting_approval"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    ABORTING = "aborting"
    ABORTED = "aborted"
    ROLLING_BACK = "rolling_back"
    ROLLED_BACK = "rolled_back"


class WaveState(str, Enum):
    PENDING = "pending"
    RUNNING = "running"
    SOAKING = "soaking"
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class AttemptState(str, Enum):
    QUEUED = "queued"
    OFFERED = "offered"
    ACCEPTED = "accepted"
    FETCHING = "fetching"
    VERIFIED = "verified"
    STAGED = "staged"
    WAITING_WINDOW = "waiting_window"
    TRIAL = "trial"
    COMMITTED = "committed"
    REGRESSED = "regressed"
    REJECTED = "rejected"
    ROLLED_BACK = "rolled_back"
    ROLLBACK_FAILED = "rollback_failed"
    TIMED_OUT = "timed_out"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"
    INCOMPATIBLE = "incompatible"
    ALREADY_INSTALLED = "already_installed"


STARTED: Final = frozenset(
    {
        AttemptState.ACCEPTED,
        AttemptState.FETCHING,
        AttemptState.VERIFIED,
        AttemptState.STAGED,
        AttemptState.WAITING_WINDOW,
        AttemptState.TRIAL,
    }
)
"""The device has answered and the update is in progress."""

OPEN: Final = STARTED | {AttemptState.QUEUED, AttemptState.OFFERED}
"""Not ended."""

HAS_VERSION: Final = frozenset({AttemptState.COMMITTED, AttemptState.REGRESSED})
"""The device runs the version and has committed it; regressed: its figures are worse than before."""

FAILED: Final = frozenset(
    {
        AttemptState.REJECTED,
        AttemptState.ROLLED_BACK,
        AttemptState.ROLLBACK_FAILED,
        AttemptState.TIMED_OUT,
        AttemptState.REGRESSED,
    }
)
"""Ended without success. Whether that speaks against the version depends on the reason: `domain.outcomes`."""

BREAKS_BUNDLE: Final = frozenset(
    {
        AttemptState.REJECTED,
        AttemptState.ROLLED_BACK,
        AttemptState.ROLLBACK_FAILED,
        AttemptState.INCOMPATIBLE,
        AttemptState.SUPERSEDED,
    }
)
"""The attempt has ended, perhaps with some parts of a bundle installed: these are withdrawn."""

WAVE_ACTIVE: Final = frozenset({WaveState.RUNNING, WaveState.SOAKING})
WAVE_STARTED: Final = WAVE_ACTIVE | {WaveState.PASSED, WaveState.FAILED}
WAVE_OVER: Final = frozenset({WaveState.PASSED, WaveState.SKIPPED})
"""The next wave may start."""

ROLLOUT_AT_WORK: Final = frozenset({RolloutState.RUNNING, RolloutState.PAUSED, RolloutState.ABORTING, RolloutState.ROLLING_BACK})
"""States in which the engine acts on the rollout or observes its devices."""

PAUSED_BY_GATE: Final = "paused_by_gate"
"""In the timeline: the engine paused a rollout. An operator's pause has the state's own name there."""

# Reasons that only the server can give; those of the device are edgefleet_contract.wire.reason_codes.Reason.
OFFLINE_AFTER_UPDATE: Final = "offline_after_update"
WAVE_TIMEOUT: Final = "wave_timeout"
NEWER_ROLLOUT: Final = "superseded"
WITHDRAWN: Final = "cancelled"
WAVE_SKIPPED: Final = "wave_skipped"
REGRESSION: Final = "regression"
PINNED: Final = "pinned"
# Reasons of committed attempts whose trial had no frame.
NO_FRAMES: Final = "no_frames"
FRAMES_REQUIRED: Final = "frames_required"
# Reasons of queued attempts whose wave has started.
WINDOW: Final = "window"
DEVICE_EXCLUDED: Final = "device_excluded"
BACK_OFF: Final = "back_off"
RAMP: Final = "ramp"
SMALL_STEPS: Final = "small_steps"
HIGHER_PRIORITY_ROLLOUT: Final = "higher_priority_rollout"
OPERATOR_ROLLBACK: Final = "operator_rollback"
