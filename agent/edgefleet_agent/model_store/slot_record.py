"""The record of one slot, and its allowed transitions. Pure: records in, records out.

Laws (each has a property test):
1. `active` is the fallback or the package on trial; no other package runs.
2. The fallback is `last_good` (it passed its trial) or, before any trial passed, `factory`.
3. A quarantined package never becomes active.
4. A trial ends by `commit` or `roll_back`, never by a newer desired document.
5. The attempt that ended last is not started again: a failure is not retried in a loop. Only one that found no disk space is
   (`reopen`).

Each function below is one change; `slots.SlotStore.write` makes it one atomic rename.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import Digest, Text
from edgefleet_contract.wire.messages import Count, SlotPhase, SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason

QUARANTINE_MAX = 256
DETAIL_CHARS_MAX = 500
OVERRUNS_MAX = 16

NOT_THE_PACKAGE = frozenset(
    {
        Reason.SERVER_UNREACHABLE,
        Reason.DAMAGED_ON_DISK,
        Reason.PART_FAILED,
        Reason.SUPERSEDED,
        Reason.CANCELLED,
        Reason.OPERATOR_ROLLBACK,
    }
)
"""Reasons for which a trial is rolled back without quarantine: a new attempt may try the package again."""


class TrialRecord(Wire):
    """The trial of an active package that is not yet committed. `interruptions`: starts of the agent that found this trial
    unfinished. `note`: what running beside the package before has shown."""

    digest: Digest
    attempt: str = ""
    policy: UpdatePolicy = msgspec.field(default_factory=UpdatePolicy)
    began_at: float = 0.0
    interruptions: int = 0
    note: Text = ""


class EndedTrial(Wire):
    """Result of the last attempt. `frames`: of the passed trial of a model; None: unknown, or not a model in use."""

    digest: Digest
    phase: SlotPhase
    attempt: str = ""
    reason: Reason = Reason.NONE
    detail: Text = ""
    at: float = 0.0
    frames: Count | None = None


class Quarantined(Wire):
    """Reason and time of a package's quarantine: the device does not run it again."""

    reason: Reason
    detail: Text = ""
    at: float = 0.0


class Damage(Wire):
    """A package whose files this device's disk has damaged. The package is not at fault, and may be installed again."""

    digest: Digest
    detail: Text = ""
    at: float = 0.0


class SlotRecord(Wire):
    """The record of one slot. `previous`: the package before `last_good`, kept so that an operator's rollback needs no download.
    `damage`: the last package that the disk has damaged since the last commit. `overruns`: wall times since the commit at which
    the worker was restarted because its memory was over its ceiling."""

    active: Digest | None = None
    trial: TrialRecord | None = None
    last_good: Digest | None = None
    previous: Digest | None = None
    factory: Digest | None = None
    ended: EndedTrial | None = None
    damage: Damage | None = None
    quarantine: dict[Digest, Quarantined] = msgspec.field(default_factory=dict)
    overruns: list[float] = msgspec.field(default_factory=list)

    @property
    def way_back(self) -> str | None:
        """The package committed before the active one, which a rollback after the commit returns to."""
        back = self.previous or self.factory
        return None if self.trial is not None or back == self.active or back in self.quarantine else back

    @property
    def fallback(self) -> str | None:
        """The package that runs if the trial fails."""
        return self.last_good or self.factory

    @property
    def retained(self) -> set[str]:
        """Digests that are never collected."""
        trial = self.trial.digest if self.trial else None
        return {digest for digest in (self.active, trial, self.last_good, self.previous, self.factory) if digest}

    def has_ended(self, target: SlotTarget) -> bool:
        """Whether the attempt of `target` has ended."""
        return self.ended is not None and (self.ended.digest, self.ended.attempt) == (target.digest, target.attempt)


def with_factory(record: SlotRecord, digest: str | None) -> SlotRecord:
    """Set the factory package; an empty slot, or one with an earlier factory package, runs it."""
    untouched = record.trial is None and record.last_good is None
    return replace(record, factory=digest, active=digest if untouched else record.active)


def activate(record: SlotRecord, target: SlotTarget, policy: UpdatePolicy, at: float, note: str = "") -> SlotRecord:
    """Start the trial of `target`. `at` is wall time. `note`: see `TrialRecord`.

    Raises:
        ValueError: a trial is running, or the package is already active or quarantined: the caller's plan is wrong.
    """
    if record.trial or target.digest == record.active or target.digest in record.quarantine:
        raise ValueError(f"{target.digest} cannot become active in {record}")
    trial = TrialRecord(digest=target.digest, attempt=target.attempt, policy=policy, began_at=at, note=note)
    return replace(record, active=target.digest, trial=trial)


def commit(record: SlotRecord, detail: str, at: float, frames: int | None = None) -> SlotRecord:
    """End a passed trial: its package becomes the fallback. `frames`: of the trial.

    Raises:
        ValueError: no trial is running.
    """
    trial = _trial(record)
    ended = EndedTrial(
        digest=trial.digest,
        phase=SlotPhase.COMMITTED,
        attempt=trial.attempt,
        detail=detail[:DETAIL_CHARS_MAX],
        at=at,
        frames=frames,
    )
    previous = record.last_good if record.last_good != trial.digest else record.previous
    return replace(record, trial=None, last_good=trial.digest, previous=previous, ended=ended, damage=None, overruns=[])


def roll_back(record: SlotRecord, reason: Reason, detail: str, at: float) -> SlotRecord:
    """End a failed trial: return to the fallback, and quarantine the package.

    Raises:
        ValueError: no trial is running.
    """
    trial = _trial(record)
    back = replace(record, active=record.fallback, trial=None)
    return end(back, trial.digest, trial.attempt, reason, detail, at)


def undo(record: SlotRecord, detail: str, at: float) -> SlotRecord:
    """Return from the package committed by the last attempt to the one committed before, because another part of its bundle
    failed. It is not quarantined.

    Raises:
        ValueError: a trial is running, or there is no earlier package.
    """
    back, ended = record.way_back, record.ended
    if back is None or ended is None:
        raise ValueError(f"no previous package in {record}")
    failed = replace(ended, phase=SlotPhase.ROLLED_BACK, reason=Reason.PART_FAILED, detail=detail[:DETAIL_CHARS_MAX], at=at)
    return replace(record, active=back, last_good=record.previous, previous=None, ended=failed, overruns=[])


def overrun(record: SlotRecord, at: float) -> SlotRecord:
    """Count a restart of the worker whose memory was over its ceiling. `at`: wall time."""
    return replace(record, overruns=[*record.overruns, at][-OVERRUNS_MAX:])


def return_for_memory(record: SlotRecord, detail: str, at: float) -> SlotRecord:
    """Return from the committed package to the one committed before, or to none in the slot of a shadow candidate, because the
    worker's memory grows with it. It is quarantined, and the attempt that installed it has failed.

    Raises:
        ValueError: a trial is running, or no attempt has ended with this package.
    """
    ended = record.ended
    if record.trial or ended is None or ended.digest != record.active:
        raise ValueError(f"no attempt of the active package in {record}")
    back = replace(record, active=record.way_back, last_good=record.previous, previous=None, overruns=[])
    return end(back, ended.digest, ended.attempt, Reason.OVER_MEMORY, detail, at)


def set_aside(record: SlotRecord, digest: str, detail: str, at: float) -> SlotRecord:
    """Stop using the package `digest`, whose files the disk has damaged. The slot runs the package committed before it, or the
    factory package, or none; the attempt that installed it is open again, so that it is fetched and tried again.
    """
    quarantine = record.quarantine
    committed = [each for each in (record.last_good, record.previous) if each not in (None, digest) and each not in quarantine]
    last_good, previous = (*committed, None, None)[:2]
    factory = record.factory if record.factory != digest else None
    trial = record.trial if record.trial is not None and record.trial.digest != digest else None
    ended = record.ended if record.ended is not None and record.ended.digest != digest else None
    return replace(
        record,
        active=trial.digest if trial is not None else last_good or factory,
        trial=trial,
        last_good=last_good,
        previous=previous,
        factory=factory,
        ended=ended,
        damage=Damage(digest=digest, detail=detail[:DETAIL_CHARS_MAX], at=at),
        overruns=[],
    )


def emptied(record: SlotRecord) -> SlotRecord:
    """Empty the slot: no package is active or committed in it; quarantines stay.

    Raises:
        ValueError: a trial is running.
    """
    if record.trial:
        raise ValueError(f"a trial is running in {record}")
    return SlotRecord(quarantine=record.quarantine)


def end(record: SlotRecord, digest: str, attempt: str, reason: Reason, detail: str, at: float) -> SlotRecord:
    """Record the end of an attempt, and quarantine the package if it was at fault."""
    phase = PHASE_OF_END.get(reason, SlotPhase.ROLLED_BACK)
    detail = detail[:DETAIL_CHARS_MAX]
    ended = EndedTrial(digest=digest, phase=phase, attempt=attempt, reason=reason, detail=detail, at=at)
    quarantine = dict(record.quarantine)
    if phase is SlotPhase.ROLLED_BACK and reason not in NOT_THE_PACKAGE and digest not in (record.last_good, record.factory):
        quarantine[digest] = Quarantined(reason=reason, detail=detail, at=at)
        while len(quarantine) > QUARANTINE_MAX:
            del quarantine[min(quarantine, key=lambda key: quarantine[key].at)]
    return replace(record, ended=ended, quarantine=quarantine)


def reopen(record: SlotRecord) -> SlotRecord:
    """Forget the last attempt, which ended for want of disk space: it may be tried again.

    Raises:
        ValueError: it ended for another reason.
    """
    if record.ended is None or record.ended.reason is not Reason.NO_SPACE:
        raise ValueError(f"no attempt without disk space in {record}")
    return replace(record, ended=None)


def interrupt(record: SlotRecord) -> SlotRecord:
    """Count a start of the agent that found the trial unfinished.

    Raises:
        ValueError: no trial is running.
    """
    trial = _trial(record)
    return replace(record, trial=replace(trial, interruptions=trial.interruptions + 1))


def fall_to_factory(record: SlotRecord, detail: str, at: float) -> SlotRecord:
    """Run the factory package: the last good one can no longer be loaded (a damaged disk, a removed runtime).

    Raises:
        ValueError: a trial is running, or there is no factory package.
    """
    if record.trial or record.factory is None:
        raise ValueError(f"no factory package in {record}")
    if record.ended is not None and record.ended.digest == record.active:
        record = end(record, record.ended.digest, record.ended.attempt, Reason.MODEL_REFUSED, detail, at)
    return replace(record, active=record.factory, last_good=record.factory, previous=None, overruns=[])


PHASE_OF_END: dict[Reason, SlotPhase] = {
    Reason.MANIFEST_INVALID: SlotPhase.REFUSED,
    Reason.INCOMPATIBLE: SlotPhase.REFUSED,
    Reason.NO_SPACE: SlotPhase.REFUSED,
    Reason.QUARANTINED: SlotPhase.REFUSED,
    Reason.EPOCH_DOWNGRADE: SlotPhase.REFUSED,
    Reason.UNSIGNED: SlotPhase.REFUSED,
    Reason.METADATA_EXPIRED: SlotPhase.REFUSED,
    Reason.METADATA_ROLLBACK: SlotPhase.REFUSED,
    Reason.METADATA_MISMATCH: SlotPhase.REFUSED,
    Reason.METADATA_INVALID: SlotPhase.REFUSED,
    Reason.BLOB_UNKNOWN: SlotPhase.REFUSED,
    Reason.NOT_ASSIGNED: SlotPhase.REFUSED,
    Reason.HASH_MISMATCH: SlotPhase.REFUSED,
    Reason.LENGTH_MISMATCH: SlotPhase.REFUSED,
    Reason.FETCH_TIMEOUT: SlotPhase.REFUSED,
    Reason.PART_FAILED: SlotPhase.REFUSED,
}
"""Reasons that count as refused: nothing was changed and the package was not tried. Every other reason follows a trial: rolled
back."""


def _trial(record: SlotRecord) -> TrialRecord:
    if record.trial is None:
        raise ValueError(f"no trial in {record}")
    return record.trial
