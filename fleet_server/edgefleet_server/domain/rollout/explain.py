"""One sentence about each attempt: its state, or the reason why it is not done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.encoding.sizes import size
from edgefleet_contract.wire.reason_codes import DISK_FAULT, DISK_READ_ONLY, Reason
from edgefleet_server.domain.states import (
    BACK_OFF,
    DEVICE_EXCLUDED,
    HIGHER_PRIORITY_ROLLOUT,
    OFFLINE_AFTER_UPDATE,
    PINNED,
    RAMP,
    REGRESSION,
    SMALL_STEPS,
    WAVE_SKIPPED,
    WAVE_TIMEOUT,
    WINDOW,
    AttemptState,
    RolloutState,
)

REASONS: Final[dict[str, str]] = {
    Reason.MANIFEST_INVALID.value: "invalid manifest",
    Reason.INCOMPATIBLE.value: "the package is not compatible with the device",
    Reason.NO_SPACE.value: "not enough free disk space",
    DISK_READ_ONLY: "the disk of the device is read-only",
    DISK_FAULT: "the disk of the device does not work",
    Reason.QUARANTINED.value: "the version is quarantined on the device because it failed before",
    Reason.EPOCH_DOWNGRADE.value: "the epoch of the package is lower than that of an earlier version on the device",
    Reason.UNSIGNED.value: "the package is not signed with a trusted key",
    Reason.METADATA_EXPIRED.value: "the signature metadata on the device has expired",
    Reason.METADATA_ROLLBACK.value: "the signature metadata is older than that on the device",
    Reason.METADATA_MISMATCH.value: "the signature metadata is inconsistent",
    Reason.METADATA_INVALID.value: "invalid signature metadata",
    Reason.BLOB_UNKNOWN.value: "the server does not have the file",
    Reason.HASH_MISMATCH.value: "hash mismatch",
    Reason.LENGTH_MISMATCH.value: "file length mismatch",
    Reason.FETCH_TIMEOUT.value: "fetch timeout",
    Reason.MODEL_REFUSED.value: "the runtime cannot load the model",
    Reason.GOLDEN_MISMATCH.value: "the results for the golden samples do not match",
    Reason.OVER_LATENCY.value: "inference latency exceeds the budget of the package",
    Reason.OVER_MEMORY.value: "memory use exceeds the budget of the package",
    Reason.SELFTEST_CRASH.value: "the runtime crashed in the self-test",
    Reason.TRIAL_CRASH.value: "the worker crashed during the trial",
    Reason.TRIAL_UNHEALTHY.value: "pipelines were unhealthy during the trial",
    Reason.TRIAL_TIMEOUT.value: "too few frames during the trial",
    Reason.SERVER_UNREACHABLE.value: "the device lost the connection to the server during the trial",
    Reason.PART_FAILED.value: "another part of the bundle failed",
    Reason.DAMAGED_ON_DISK.value: "files of the version are damaged on disk; the device fetches them again",
    Reason.SUPERSEDED.value: "superseded by a newer version",
    Reason.CANCELLED.value: "withdrawn",
    Reason.OPERATOR_ROLLBACK.value: "rolled back by an operator",
    Reason.ROLLBACK_FAILED.value: "the rollback failed; the device needs manual recovery",
    OFFLINE_AFTER_UPDATE: "the device went offline after the update",
    WAVE_TIMEOUT: "wave timeout",
    REGRESSION: "performance regression after the update",
    PINNED: "the device is pinned to another version",
    WAVE_SKIPPED: "an operator skipped the wave; the device keeps its version",
}

_WAITS: Final = {
    WINDOW: "Waiting for the maintenance window",
    DEVICE_EXCLUDED: "Excluded after repeated failures; `edgefleet device release` ends the exclusion",
    BACK_OFF: "Waiting for the next attempt",
    RAMP: "Waiting because of the rate limit",
    SMALL_STEPS: "Waiting for the results of other devices, which start in small steps",
    HIGHER_PRIORITY_ROLLOUT: "Waiting for a rollout with higher priority",
}


@dataclass(frozen=True, slots=True)
class Case:
    """The facts about an attempt that the sentence is built from. A queued attempt waits for the wave `wave_name` or, by
    `rollout_state`, for the rollout."""

    state: AttemptState
    reason: str
    detail: str
    online: bool
    last_seen_at: float
    since_at: float
    bytes_done: int
    bytes_total: int
    wave_name: str
    rollout_state: RolloutState
    wave_started: bool = False
    wave_needs_approval: bool = False


def why(case: Case, now: float) -> str:
    """One sentence: the result of an attempt, or the reason why it is not done."""
    if not case.online and case.state in _WHILE_AWAY:
        away = f" for {_span(now - case.last_seen_at)}" if case.last_seen_at else ""
        return f"Offline{away}: {_WHILE_AWAY[case.state]}."
    if case.state is AttemptState.QUEUED:
        return _queued(case)
    if case.state is AttemptState.FETCHING and case.bytes_total:
        percent = 100 * case.bytes_done // case.bytes_total
        return f"Fetching: {size(case.bytes_done)} of {size(case.bytes_total)} ({percent} %)."
    if case.state in _PLAIN:
        return _PLAIN[case.state].format(since=_span(now - case.since_at))
    because = REASONS.get(case.reason, case.reason.replace("_", " "))
    parts = [part for part in (because, case.detail) if part]
    return f"{_ENDINGS[case.state]}{': ' if parts else ''}{'; '.join(dict.fromkeys(parts))}."


_WHILE_AWAY: Final = {
    AttemptState.QUEUED: "the update starts with its wave, once the device is online",
    AttemptState.OFFERED: "the update starts once the device is online",
    AttemptState.ACCEPTED: "the update continues once the device is online",
    AttemptState.FETCHING: "fetching resumes once the device is online",
    AttemptState.VERIFIED: "the update continues once the device is online",
    AttemptState.STAGED: "the update continues once the device is online",
    AttemptState.WAITING_WINDOW: "the update continues once the device is online",
    AttemptState.TRIAL: "the trial continues on the device",
}

_PLAIN: Final = {
    AttemptState.OFFERED: "Offered {since} ago, no response yet.",
    AttemptState.ACCEPTED: "Accepted {since} ago, fetch pending.",
    AttemptState.FETCHING: "Fetching for {since}.",
    AttemptState.VERIFIED: "Fetched and verified.",
    AttemptState.STAGED: "Staged and self-tested, activation pending.",
    AttemptState.WAITING_WINDOW: "Staged and self-tested; waiting for its wave.",
    AttemptState.TRIAL: "On trial for {since}.",
    AttemptState.COMMITTED: "Committed and running.",
    AttemptState.ALREADY_INSTALLED: "The device already ran this version.",
}

_ENDINGS: Final = {
    AttemptState.REGRESSED: "Committed with a regression",
    AttemptState.REJECTED: "Refused before activation",
    AttemptState.ROLLED_BACK: "Rolled back to the committed version",
    AttemptState.ROLLBACK_FAILED: "Rollback failed",
    AttemptState.TIMED_OUT: "Timed out",
    AttemptState.SUPERSEDED: "Superseded",
    AttemptState.CANCELLED: "Cancelled",
    AttemptState.INCOMPATIBLE: "Incompatible",
}


def _queued(case: Case) -> str:
    if case.rollout_state is RolloutState.PAUSED:
        return f"Waiting for wave {case.wave_name!r}; the rollout is paused."
    if case.rollout_state is RolloutState.DRAFT:
        return "Waiting for the start of the rollout."
    if case.rollout_state is RolloutState.AWAITING_APPROVAL:
        return "Waiting for approval of the rollout by a second person."
    if case.reason in _WAITS:
        return f"{_WAITS[case.reason]}{': ' if case.detail else ''}{case.detail}."
    if case.wave_needs_approval:
        return f"Waiting for approval of wave {case.wave_name!r}."
    if case.wave_started:
        return "Offer pending."
    return f"Waiting for wave {case.wave_name!r}."


def _span(seconds: float) -> str:
    seconds = max(0.0, seconds)
    for unit, length_s in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length_s:
            return f"{int(seconds // length_s)} {unit}"
    return f"{int(seconds)} s"


def with_parts(sentence: str, stages: Mapping[str, str]) -> str:
    """The sentence with the stage of each part of a bundle (`stages` by slot)."""
    done = [slot for slot, stage in stages.items() if stage == "committed"]
    late = [f"{slot} {_PART_STAGES.get(stage, stage.replace('_', ' '))}" for slot, stage in stages.items() if slot not in done]
    if not late:
        return sentence
    committed = f"; {', '.join(done)} done" if done else ""
    return f"{sentence.rstrip('.')}. Parts: {', '.join(late)}{committed}."


_PART_STAGES: Final = {"absent": "not started", "other": "not started", "trial": "on trial", "staged": "waiting for the trial"}
