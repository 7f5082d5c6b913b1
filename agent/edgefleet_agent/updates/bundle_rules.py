"""Parts that belong together: targets of one document with the same attempt, each marked `atomic`. Pure.

None of them becomes active before all of them are here, verified and self-tested; that is where most updates fail, and then
nothing has changed. They are tried one after another, because a crash must have one suspect; when one fails its trial, those
that had been committed already go back to what was committed before in their slots. In between, a device runs some parts of the
new version beside some of the old one: that is the price of one trial at a time.
"""

from __future__ import annotations

from collections.abc import Mapping

from edgefleet_agent.updates.state import Check, Observed, SlotFacts
from edgefleet_contract.wire.messages import SlotPhase, SlotTarget


def others(slot: str, target: SlotTarget, targets: Mapping[str, SlotTarget]) -> dict[str, SlotTarget]:
    """The other parts of its bundle, by slot; none for a target that stands alone."""
    if not target.atomic:
        return {}
    return {name: other for name, other in targets.items() if name != slot and other.atomic and other.attempt == target.attempt}


def failed_part(parts: Mapping[str, SlotTarget], observed: Observed) -> str:
    """A failed part of these and the reason, as text; "" if none failed."""
    for slot, target in parts.items():
        facts = observed.slots.get(slot)
        if facts is not None and _failed(target, facts):
            ended = facts.record.ended
            why = (
                ended.reason
                if ended is not None and facts.record.has_ended(target)
                else facts.record.quarantine[target.digest].reason
            )
            return f"part {slot!r} of its bundle failed: {why.value}"
    return ""


def unready_part(parts: Mapping[str, SlotTarget], observed: Observed) -> str:
    """A part of these that cannot become active yet; "" if all can or are."""
    for slot, target in parts.items():
        facts = observed.slots.get(slot)
        if facts is None or not (_is_there(target, facts) or _tested(target, facts)):
            return slot
    return ""


def reverts(target: SlotTarget, facts: SlotFacts) -> bool:
    """Whether a part was committed in this very attempt and has something to go back to."""
    record = facts.record
    back = record.previous or record.factory
    return (
        record.trial is None
        and record.active == target.digest
        and record.has_ended(target)
        and record.ended is not None
        and record.ended.phase is SlotPhase.COMMITTED
        and back is not None
        and back != record.active
        and back not in record.quarantine
    )


def _failed(target: SlotTarget, facts: SlotFacts) -> bool:
    record = facts.record
    if record.has_ended(target):
        return record.ended is not None and record.ended.phase is not SlotPhase.COMMITTED
    return target.digest in record.quarantine and target.digest != record.active


def _is_there(target: SlotTarget, facts: SlotFacts) -> bool:
    return facts.record.active == target.digest


def _tested(target: SlotTarget, facts: SlotFacts) -> bool:
    test = facts.selftest
    ready = facts.survey is not None and facts.survey.ready
    return ready and test is not None and test.digest == target.digest and test.check is Check.PASSED
