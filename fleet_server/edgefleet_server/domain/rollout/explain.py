"""One sentence about each attempt: its state, or the reason why it is not done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.domain.states import (
    BACK_OFF,
    DEVICE_EXCLUDED,
    HIGHER_PRIORITY_ROLLOUT,
    OFFLINE_AFTER_UPDATE,
    PINNED,
    RAMP,
    REGRESSION,
    WAVE_SKIPPED,
    WAVE_TIMEOUT,
    WINDOW,
    AttemptState,
    RolloutState,
)

REASONS: Final[dict[str, str]] = {
    Reason.MANIFEST_INVALID.value: "the device could not read the package's manifest",
    Reason.INCOMPATIBLE.value: "the package does not fit the device",
    Reason.NO_SPACE.value: "not enough free disk space",
    Reason.QUARANTINED.value: "this version failed on the device before and is refused from now on",
    Reason.EPOCH_DOWNGRADE.value: "the package's epoch is below one that the device has run",
    Reason.UNSIGNED.value: "the package is not signed by a key that the device trusts",
    Reason.METADATA_EXPIRED.value: "the signatures that the device has are over their date",
    Reason.METADATA_ROLLBACK.value: "it was offered signatures older than those it knows",
    Reason.METADATA_MISMATCH.value: "it was offered signatures that do not belong together",
    Reason.METADATA_INVALID.value: "it was offered signatures that it could not read",
    Reason.BLOB_UNKNOWN.value: "the server had no such file",
    Reason.HASH_MISMATCH.value: "bytes did not match their hash",
    Reason.LENGTH_MISMATCH.value: "a file did not have its length",
    Reason.FETCH_TIMEOUT.value: "fetching took too long",
    Reason.MODEL_REFUSED.value: "the runtime refused the model",
    Reason.GOLDEN_MISMATCH.value: "the model did not find what it must find in its golden samples",
    Reason.OVER_LATENCY.value: "inference was slower than the package's budget",
    Reason.OVER_MEMORY.value: "it needed more memory than the package's budget",
    Reason.SELFTEST_CRASH.value: "the runtime crashed in the self-test",
    Reason.TRIAL_CRASH.value: "the worker crashed during the trial",
    Reason.TRIAL_UNHEALTHY.value: "the pipelines were not healthy during the trial",
    Reason.TRIAL_TIMEOUT.value: "the trial saw too few frames in its time",
    Reason.SERVER_UNREACHABLE.value: "the device could not hear the server during the trial",
    Reason.PART_FAILED.value: "another part of its bundle failed; nothing is wrong with this one",
    Reason.DAMAGED_ON_DISK.value: "the device's disk has damaged the files of this version; it fetches them again",
    Reason.SUPERSEDED.value: "a newer desire took its place",
    Reason.CANCELLED.value: "it was withdrawn",
    Reason.OPERATOR_ROLLBACK.value: "an operator rolled the rollout back",
    Reason.ROLLBACK_FAILED.value: "the device could not go back either: it needs a visit",
    OFFLINE_AFTER_UPDATE: "the device went away after it took the update",
    WAVE_TIMEOUT: "the wave's time was over",
    REGRESSION: "the device does worse than before the update",
    PINNED: "the device is pinned to another version",
    WAVE_SKIPPED: "an operator skipped its wave; the device keeps what it runs",
}

_WAITS: Final = {
    WINDOW: "Waits for its maintenance window",
    DEVICE_EXCLUDED: "Excluded after repeated failures; `edgefleet device release` lets it try now",
    BACK_OFF: "Waits before its next try",
    RAMP: "Waits its turn: so many devices may begin in a minute",
    HIGHER_PRIORITY_ROLLOUT: "Another rollout goes first",
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
        away = _span(now - case.last_seen_at) if case.last_seen_at else "always"
        return f"Away for {away}: {_WHILE_AWAY[case.state]}."
    if case.state is AttemptState.QUEUED:
        return _queued(case)
    if case.state is AttemptState.FETCHING and case.bytes_total:
        percent = 100 * case.bytes_done // case.bytes_total
        return f"Fetching: {_size(case.bytes_done)} of {_size(case.bytes_total)} ({percent} %)."
    if case.state in _PLAIN:
        return _PLAIN[case.state].format(since=_span(now - case.since_at))
    because = REASONS.get(case.reason, case.reason.replace("_", " "))
    parts = [part for part in (because, case.detail) if part]
    return f"{_ENDINGS[case.state]}{': ' if parts else ''}{'; '.join(dict.fromkeys(parts))}."


_WHILE_AWAY: Final = {
    AttemptState.QUEUED: "it is offered the version when its wave has begun and it is back",
    AttemptState.OFFERED: "it takes the offer when it comes back",
    AttemptState.ACCEPTED: "it continues once it is back online",
    AttemptState.FETCHING: "it continues fetching where it stopped once it is back online",
    AttemptState.VERIFIED: "it continues once it is back online",
    AttemptState.STAGED: "it continues once it is back online",
    AttemptState.WAITING_WINDOW: "it continues once it is back online",
    AttemptState.TRIAL: "its trial continues without the server",
}

_PLAIN: Final = {
    AttemptState.OFFERED: "Offered {since} ago, no answer yet.",
    AttemptState.ACCEPTED: "Accepted {since} ago, about to fetch.",
    AttemptState.FETCHING: "Fetching since {since}.",
    AttemptState.VERIFIED: "Every byte is there and verified.",
    AttemptState.STAGED: "Staged and self-tested, about to be activated.",
    AttemptState.WAITING_WINDOW: "Staged and self-tested; waits for its wave to switch.",
    AttemptState.TRIAL: "On trial for {since}.",
    AttemptState.COMMITTED: "Done: the device committed it and runs it.",
    AttemptState.ALREADY_INSTALLED: "Nothing to do: the device ran this version already.",
}

_ENDINGS: Final = {
    AttemptState.REGRESSED: "Runs it, and does worse",
    AttemptState.REJECTED: "Refused before anything changed",
    AttemptState.ROLLED_BACK: "Rolled back to the committed version",
    AttemptState.ROLLBACK_FAILED: "Rolling back failed",
    AttemptState.TIMED_OUT: "Given up",
    AttemptState.SUPERSEDED: "Superseded",
    AttemptState.CANCELLED: "Cancelled",
    AttemptState.INCOMPATIBLE: "Cannot run it",
}


def _queued(case: Case) -> str:
    if case.rollout_state is RolloutState.PAUSED:
        return f"Waits for wave {case.wave_name!r}; the rollout is paused."
    if case.rollout_state is RolloutState.DRAFT:
        return "Waits for the rollout to be started."
    if case.rollout_state is RolloutState.AWAITING_APPROVAL:
        return "Waits for a second person to approve the rollout."
    if case.reason in _WAITS:
        return f"{_WAITS[case.reason]}{': ' if case.detail else ''}{case.detail}."
    if case.wave_needs_approval:
        return f"Waits for the approval of wave {case.wave_name!r}."
    if case.wave_started:
        return "About to be offered the version."
    return f"Waits for wave {case.wave_name!r}."


def _span(seconds: float) -> str:
    seconds = max(0.0, seconds)
    for unit, length_s in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length_s:
            return f"{int(seconds // length_s)} {unit}"
    return f"{int(seconds)} s"


def _size(count_bytes: int) -> str:
    if count_bytes < 1_000_000:
        return f"{count_bytes / 1e3:.0f} kB"
    return f"{count_bytes / 1e6:.1f} MB"


def with_parts(sentence: str, stages: Mapping[str, str]) -> str:
    """The sentence with the stage of each part of a bundle (`stages` by slot)."""
    done = [slot for slot, stage in stages.items() if stage == "committed"]
    late = [f"{slot} {_PART_STAGES.get(stage, stage.replace('_', ' '))}" for slot, stage in stages.items() if slot not in done]
    if not late:
        return sentence
    committed = f"; {', '.join(done)} done" if done else ""
    return f"{sentence.rstrip('.')}. Parts: {', '.join(late)}{committed}."


_PART_STAGES: Final = {"absent": "not begun", "other": "not begun", "trial": "on trial", "staged": "waits for its trial"}
