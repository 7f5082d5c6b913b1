"""Builds the `Desired` document of a device from its assignments; its generation only rises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edgefleet_contract.wire.messages import Desired, SlotTarget, UpdatePolicy


@dataclass(frozen=True, slots=True)
class TrialTerms:
    """Terms of the trial on a device. `shadow_s`: for so long it runs it beside the committed one before, 0: not at all; the two
    have to agree by `shadow_agreement_percent_min`."""

    trial_s: float
    trial_frames_min: int
    shadow_s: float = 0.0
    shadow_agreement_percent_min: float = 0.0

    @property
    def without_shadow(self) -> TrialTerms:
        """The same trial, without running beside the committed version before."""
        return TrialTerms(self.trial_s, self.trial_frames_min)


@dataclass(frozen=True, slots=True)
class Assignment:
    """The version assigned to one slot of a device. `length`: bytes of the package's descriptor blob; `hold`: fetched, but not
    activated before its wave; `atomic`: one of several parts of which the device takes all or none."""

    package: str
    version: str
    digest: str
    length: int
    attempt: str
    rollout: int
    trial: TrialTerms
    hold: bool = False
    atomic: bool = False


def next_desired(
    device: str,
    current: Desired | None,
    assignments: Mapping[str, Assignment],
    *,
    generation_seen: int = 0,
) -> Desired | None:
    """The document to publish next, or None when `current` has the same content.

    `generation_seen` is the generation that the device reports: a device ignores documents that are not above it, so a server
    whose database was restored from an older copy has to continue above it.
    """
    slots = {
        slot: SlotTarget(
            package=a.package,
            version=a.version,
            digest=a.digest,
            length=a.length,
            attempt=a.attempt,
            hold=bool(a.hold),
            atomic=bool(a.atomic),
        )
        for slot, a in sorted(assignments.items())
    }
    generation = current.generation if current else 0
    if not slots and current is None:
        return None
    policy = _policy(assignments) if assignments else (current.policy if current else UpdatePolicy())
    if current is not None and current.slots == slots and current.policy == policy and generation >= generation_seen:
        return None
    return Desired(device=device, generation=max(generation, generation_seen) + 1, slots=slots, policy=policy)


def _policy(assignments: Mapping[str, Assignment]) -> UpdatePolicy:
    """The policy of a document: that of the latest rollout among its assignments."""
    latest = max(assignments.values(), key=lambda assignment: assignment.rollout).trial
    return UpdatePolicy(
        trial_s=latest.trial_s,
        trial_frames_min=latest.trial_frames_min,
        shadow_s=latest.shadow_s,
        shadow_agreement_percent_min=latest.shadow_agreement_percent_min,
    )
