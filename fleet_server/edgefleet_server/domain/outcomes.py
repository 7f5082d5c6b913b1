"""The outcome of an attempt: one definition of failed, reported and rolled back for gates, counts, API, pages and commands.

It follows from the state and from whom the reason speaks against (`domain.reasons`): a device that was refused the version by its
full disk has not shown anything about the version, and one that an operator took back has not failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from edgefleet_server.domain.reasons import Against, against
from edgefleet_server.domain.states import FAILED, FRAMES_REQUIRED, NO_FRAMES, OPERATOR_ROLLBACK, AttemptState


class Outcome(str, Enum):
    """Each attempt has exactly one. `faulted`: ended by its device, the line or an operator's setting, without a word about the
    version. `restored`: took the version, and an operator rolled it back. `untried`: committed without a frame; `unproven`: the
    same under a gate that requires frames."""

    QUEUED = "queued"
    FETCHING = "fetching"
    STAGED = "staged"
    TRIAL = "trial"
    SUCCEEDED = "succeeded"
    UNTRIED = "untried"
    UNPROVEN = "unproven"
    ALREADY_INSTALLED = "already_installed"
    FAILED = "failed"
    FAULTED = "faulted"
    RESTORED = "restored"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"
    INCOMPATIBLE = "incompatible"


_OF_STATE: Final = {
    AttemptState.QUEUED: Outcome.QUEUED,
    AttemptState.OFFERED: Outcome.FETCHING,
    AttemptState.ACCEPTED: Outcome.FETCHING,
    AttemptState.FETCHING: Outcome.FETCHING,
    AttemptState.VERIFIED: Outcome.STAGED,
    AttemptState.STAGED: Outcome.STAGED,
    AttemptState.WAITING_WINDOW: Outcome.STAGED,
    AttemptState.TRIAL: Outcome.TRIAL,
    AttemptState.ALREADY_INSTALLED: Outcome.ALREADY_INSTALLED,
    AttemptState.SUPERSEDED: Outcome.SUPERSEDED,
    AttemptState.CANCELLED: Outcome.CANCELLED,
    AttemptState.INCOMPATIBLE: Outcome.INCOMPATIBLE,
}

_COMMITTED: Final = {NO_FRAMES: Outcome.UNTRIED, FRAMES_REQUIRED: Outcome.UNPROVEN}

REPORTED: Final = frozenset({Outcome.SUCCEEDED, Outcome.UNTRIED, Outcome.FAILED, Outcome.RESTORED})
"""The device has shown something about the version: the denominator of the gate's percentage."""

UNJUDGED: Final = frozenset({Outcome.FAULTED, Outcome.UNPROVEN})
"""The device was to try the version and has ended without a result: it counts neither for nor against the version."""

HAS_COMMITTED: Final = frozenset({Outcome.SUCCEEDED, Outcome.UNTRIED, Outcome.UNPROVEN})
"""The device runs the version, and nothing speaks against it."""

LEFT: Final = frozenset({Outcome.SUPERSEDED, Outcome.CANCELLED, Outcome.INCOMPATIBLE, Outcome.ALREADY_INSTALLED})
"""The device is not to try the version any more: excluded from the gate."""


def outcome(state: AttemptState, reason: str) -> Outcome:
    """The outcome of an attempt, from its state and reason code."""
    if state is AttemptState.ROLLED_BACK and reason == OPERATOR_ROLLBACK:
        return Outcome.RESTORED
    if state in FAILED:
        by_version = state is AttemptState.ROLLBACK_FAILED or against(reason) in (Against.VERSION, None)
        return Outcome.FAILED if by_version else Outcome.FAULTED
    return _COMMITTED.get(reason, Outcome.SUCCEEDED) if state is AttemptState.COMMITTED else _OF_STATE[state]


@dataclass(frozen=True, slots=True)
class CountedResults:
    """Devices that have reported, and those of them that failed."""

    failed: int
    reported: int


NONE_ACCEPTED: Final = CountedResults(0, 0)


def results(failed: int, reported: int, accepted: CountedResults) -> CountedResults:
    """The results that gates, sentences and pages count: without those that an operator accepted at the last resume. Accepted
    devices that have failed since then count again."""
    failed = max(0, failed - accepted.failed)
    return CountedResults(failed, max(failed, reported - accepted.reported))


def not_counting(accepted: CountedResults) -> str:
    """The end of a sentence with counts: which results it leaves out; empty if none."""
    if not accepted.reported:
        return ""
    plural = "s" if accepted.reported > 1 else ""
    return f", not counting {accepted.reported} device{plural} ({accepted.failed} failed) accepted by an operator"


def sentence(counts: Mapping[Outcome, int], accepted: CountedResults = NONE_ACCEPTED) -> str:
    """The results so far in words, for banners and logs; empty without any. accepted: by an operator at the last resume."""
    seen = results(counts.get(Outcome.FAILED, 0), sum(counts.get(each, 0) for each in REPORTED), accepted)
    faulted, restored = counts.get(Outcome.FAULTED, 0), counts.get(Outcome.RESTORED, 0)
    shown = seen.reported or accepted.reported
    parts = [f"{seen.failed} of {seen.reported} reported devices failed{not_counting(accepted)}"] if shown else []
    parts += [f"{faulted} with a fault of device, transfer or set-up"] if faulted else []
    untried = counts.get(Outcome.UNTRIED, 0) + counts.get(Outcome.UNPROVEN, 0)
    parts += [f"{untried} not tried on frames"] if untried else []
    parts += [f"{restored} restored by an operator"] if restored else []
    return "; ".join(parts)


def count(attempts: Iterable[tuple[AttemptState, str, int]]) -> Counter[Outcome]:
    """Sum numbers of attempts, given by state and reason, to numbers by outcome."""
    found: Counter[Outcome] = Counter()
    for state, reason, number in attempts:
        found[outcome(state, reason)] += number
    return found
