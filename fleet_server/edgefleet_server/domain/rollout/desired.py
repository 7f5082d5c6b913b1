"""Builds the `Desired` document of a device from its assignments; its generation only rises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edgefleet_contract.wire.messages import Desired, SlotTarget, UpdatePolicy


@dataclass(frozen=True, slots=True)
class Assignment:
    """What one slot of a device shall run. `length` is that of the package's descriptor blob; `hold`: it waits for its wave;
    `atomic`: it is a part of several that are taken all or none."""

    package: str
    version: str
    digest: str
    length: int
    attempt: str
    rollout: int
    trial_s: float
    trial_frames_min: int
    hold: bool = False
    atomic: bool = False


def next_desired(
    device: str,
    current: Desired | None,
    assignments: Mapping[str, Assignment],
    *,
    generation_seen: int = 0,
) -> Desired | None:
    """The document to publish next, or None when `current` says it already.

    `generation_seen` is what the device reports: a device ignores what is not above it, so a server whose database was restored
    from an older copy must climb over it.
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
    """A document has one policy: that of the latest rollout that touched the device."""
    latest = max(assignments.values(), key=lambda assignment: assignment.rollout)
    return UpdatePolicy(trial_s=latest.trial_s, trial_frames_min=latest.trial_frames_min)
