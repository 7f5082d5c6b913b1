"""Several parts seen as one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.domain.rollout.attempts import runs
from edgefleet_server.domain.rollout.bundle import BundlePart, joint_fact, name_of, one_fact
from edgefleet_server.domain.rollout.explain import with_parts
from edgefleet_server.domain.rollout.facts import DeviceFact, SlotFact

PARTS = (BundlePart("detector", "d" * 64), BundlePart("pose", "e" * 64), BundlePart("pipeline-gate", "f" * 64))
NAME = name_of(PARTS)


def slot_fact(phase: SlotPhase, running: str, attempt: str = "1:a:1", reason: str = "none") -> SlotFact:
    return SlotFact(phase, running_digest=running, attempt=attempt, reason=reason)


def committed(part: BundlePart) -> SlotFact:
    return slot_fact(SlotPhase.COMMITTED, part.digest)


def test_a_bundle_of_one_is_what_it_was() -> None:
    """Nothing changes for a rollout of one package."""
    assert name_of(PARTS[:1]) == PARTS[0].digest
    fact = slot_fact(SlotPhase.TRIAL, "o" * 64)
    assert joint_fact(PARTS[:1], {"detector": fact}, PARTS[0].digest) == fact


def test_name_does_not_depend_on_the_order() -> None:
    assert name_of(PARTS) == name_of(PARTS[::-1])
    assert name_of(PARTS) != name_of(PARTS[:2])


SLOTS = st.fixed_dictionaries(
    {
        part.slot: st.none() | st.builds(slot_fact, st.sampled_from(list(SlotPhase)), st.sampled_from([part.digest, "o" * 64]))
        for part in PARTS
    }
)


@given(SLOTS)
def test_done_is_done_with_every_part(slots: dict[str, SlotFact | None]) -> None:
    """It runs the bundle exactly where it runs each part; it has failed exactly where one of the reported parts has."""
    found = joint_fact(PARTS, slots, NAME)
    assert runs(found, NAME) == all(runs(slots[part.slot], part.digest) for part in PARTS)
    if found is None:
        assert not any(slots.values())
    elif all(slots.values()):
        failed = {SlotPhase.ROLLED_BACK, SlotPhase.REFUSED, SlotPhase.ROLLBACK_FAILED}
        assert (found.phase in failed) == any(fact.phase in failed for fact in slots.values() if fact)
        assert (found.phase is SlotPhase.COMMITTED) == all(fact.phase is SlotPhase.COMMITTED for fact in slots.values() if fact)


def test_the_part_at_fault_is_named_not_those_that_went_with_it() -> None:
    slots = {
        "detector": slot_fact(SlotPhase.ROLLED_BACK, "o" * 64, reason=Reason.PART_FAILED.value),
        "pose": slot_fact(SlotPhase.ROLLED_BACK, "o" * 64, reason=Reason.GOLDEN_MISMATCH.value),
        "pipeline-gate": slot_fact(SlotPhase.REFUSED, "o" * 64, reason=Reason.PART_FAILED.value),
    }
    found = joint_fact(PARTS, slots, NAME)
    assert found is not None
    assert (found.reason, found.detail) == ("golden_mismatch", "part pose: golden mismatch")


def test_an_account_of_mixed_attempts_is_of_none() -> None:
    """One part does not know the new offer yet: the bundle has not either."""
    slots = {part.slot: committed(part) for part in PARTS} | {"pose": slot_fact(SlotPhase.COMMITTED, "o" * 64, attempt="0:a:1")}
    found = joint_fact(PARTS, slots, NAME)
    assert found is not None
    assert (found.attempt, found.running_digest) == ("", "")


def test_what_keeps_one_part_back_keeps_all() -> None:
    facts = {part.slot: DeviceFact(None, committed(part)) for part in PARTS}
    facts["pose"] = DeviceFact(None, None, pinned="pinned to 1.0.0", higher_priority_rollout=7, newer_rollout=True)
    found = one_fact(PARTS, facts, NAME)
    assert (found.pinned, found.higher_priority_rollout, found.newer_rollout) == ("pinned to 1.0.0", 7, True)
    assert not runs(found.slot, NAME)


def test_the_sentence_names_the_parts_that_are_not_there() -> None:
    sentence = with_parts("On trial for 9 s.", {"detector": "committed", "pose": "trial", "pipeline-gate": "staged"})
    assert sentence == "On trial for 9 s. Parts: pose on trial, pipeline-gate waiting for the trial; detector done."
