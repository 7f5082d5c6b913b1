"""Several packages in one rollout: a device has succeeded when it runs every part, and has failed when one part failed.

The engine handles one version of one slot. A bundle is presented to it as such a version: its name is derived from all digests,
and the reports of a device about all parts are combined into one. So a bundle follows the rules of a rollout of one package.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.domain.rollout.facts import DeviceFact, SlotFact
from edgefleet_server.domain.states import NO_FRAMES

PARTS_MAX: Final = 8
_FAILED: Final = (SlotPhase.ROLLBACK_FAILED, SlotPhase.ROLLED_BACK, SlotPhase.REFUSED)
_ON_THE_WAY: Final = (
    SlotPhase.ABSENT,
    SlotPhase.FETCHING,
    SlotPhase.FETCHED,
    SlotPhase.VERIFIED,
    SlotPhase.STAGED,
    SlotPhase.WAITING_WINDOW,
    SlotPhase.TRIAL,
)
"""Stages in their order: the stage of a bundle is that of its slowest part."""


@dataclass(frozen=True, slots=True)
class BundlePart:
    """A package and the slot it goes to."""

    slot: str
    digest: str


def name_of(parts: Sequence[BundlePart]) -> str:
    """The digest that identifies the version for the engine: that of the only part, or one over the digests of all."""
    if len(parts) == 1:
        return parts[0].digest
    text = "".join(f"{part.slot} {part.digest}\n" for part in sorted(parts, key=lambda part: part.slot))
    return hashlib.sha256(text.encode()).hexdigest()


def joint_fact(parts: Sequence[BundlePart], facts: Mapping[str, SlotFact | None], name: str) -> SlotFact | None:
    """The reports of a device about all `parts`, combined into one of a version called `name`; `facts` by slot. None without a
    report."""
    known = [(part, fact) for part in parts for fact in [facts.get(part.slot)] if fact is not None]
    if not known:
        return None
    if len(known) < len(parts):
        part, first = known[0]
        return replace(first, phase=SlotPhase.ABSENT, running_digest="", attempt="", reason=Reason.NONE.value, detail="")
    attempts = {fact.attempt for _, fact in known}
    part, fact = _deciding_part(known)
    detail = fact.detail
    if fact.phase in _FAILED and len(parts) > 1:
        detail = f"part {part.slot}: {detail or fact.reason.replace('_', ' ')}"[:500]
    return SlotFact(
        phase=fact.phase,
        running_digest=_running(known, name),
        attempt=attempts.pop() if len(attempts) == 1 else "",
        reason=fact.reason,
        detail=detail,
    )


def _deciding_part(known: Sequence[tuple[BundlePart, SlotFact]]) -> tuple[BundlePart, SlotFact]:
    """The part whose state is the state of the bundle: one that failed by its own fault, else one that failed because of another
    part, else the slowest, else one that was not tried on frames."""
    failed = [(part, fact) for part, fact in known if fact.phase in _FAILED]
    if failed:
        return min(failed, key=lambda one: (one[1].reason == Reason.PART_FAILED.value, _FAILED.index(one[1].phase)))
    late = [(part, fact) for part, fact in known if fact.phase in _ON_THE_WAY]
    if late:
        return min(late, key=lambda one: _ON_THE_WAY.index(one[1].phase))
    return next((one for one in known if one[1].reason == NO_FRAMES), known[0])


def _running(known: Sequence[tuple[BundlePart, SlotFact]], name: str) -> str:
    """The digest that the device runs in place of the bundle: `name` if it runs every part, another one if it runs no part, else
    empty."""
    right = [fact.running_digest == part.digest for part, fact in known]
    if all(right):
        return name
    return "" if any(right) else known[0][1].running_digest


def one_fact(parts: Sequence[BundlePart], facts: Mapping[str, DeviceFact], name: str) -> DeviceFact:
    """The facts about a device for a bundle called `name`, from its `facts` by slot: a hindrance of one part holds for all."""
    every = [facts[part.slot] for part in parts]
    return replace(
        every[0],
        slot=joint_fact(parts, {part.slot: facts[part.slot].slot for part in parts}, name),
        newer_rollout=any(fact.newer_rollout for fact in every),
        higher_priority_rollout=max(fact.higher_priority_rollout for fact in every),
        pinned=next((fact.pinned for fact in every if fact.pinned), ""),
    )
