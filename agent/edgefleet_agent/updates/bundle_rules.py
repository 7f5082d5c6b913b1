"""Parts that belong together: targets of one document with the same attempt, each marked `atomic`. Pure.

None of them becomes active before all are present, verified and self-tested; most failures happen in these steps, before anything
has changed. Their trials run one after another, so that a crash has a single possible cause; if one trial fails, the parts
already committed return to the packages that their slots committed before. In between, a device runs parts of the new and of the
old version atomic: this is the cost of one trial at a time.
"""

from __future__ import annotations

from collections.abc import Mapping

from edgefleet_agent.updates.state import Check, Observed, SlotFacts
from edgefleet_contract.wire.messages import SlotPhase, SlotTarget


def others(slot: str, target: SlotTarget, targets: Mapping[str, SlotTarget]) -> dict[str, SlotTarget]:
    """The other parts of its bundle, by slot; empty for a target without a bundle."""
    if not target.atomic:
        return {}
    return {name: other for name, other in targets.items() if name != slot and other.atomic and other.attempt == target.attempt}


def failed_part(parts: Mapping[str, SlotTarget], observed: Observed) -> str:
    """Names a failed part and its reason; "" if none failed."""
    for slot, target in parts.items():
        facts = observed.slots.get(slot)
        if facts is not None and _failed(target, facts):
            ended = facts.record.ended
            why = (
                ended.reason
                if ended is not None and facts.record.has_ended(target)
                else facts.record.quarantine[target.digest].reason
            )
            return f"slot {slot!r} of its bundle failed: {why.value}"
    return ""


def unready_part(parts: Mapping[str, SlotTarget], observed: Observed) -> str:
    """Names a part that cannot become active yet; "" if all can or are active."""
    for slot, target in parts.items():
        facts = observed.slots.get(slot)
        if facts is None or not (_is_there(target, facts) or _tested(target, facts)):
            return slot
    return ""


def reverts(target: SlotTarget, facts: SlotFacts) -> bool:
    """Whether a part was committed by this attempt and has an earlier package to return to."""
    record = facts.record
    return (
        record.active == target.digest
        and record.has_ended(target)
        and record.ended is not None
        and record.ended.phase is SlotPhase.COMMITTED
        and record.way_back is not None
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
