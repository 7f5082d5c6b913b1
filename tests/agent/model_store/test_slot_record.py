"""The allowed transitions of a slot record, and the records on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.model_store.garbage import Garbage, garbage
from edgefleet_agent.model_store.slot_record import (
    NOT_THE_PACKAGE,
    PHASE_OF_END,
    QUARANTINE_MAX,
    SlotRecord,
    activate,
    commit,
    end,
    fall_to_factory,
    interrupt,
    roll_back,
    with_factory,
)
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_contract.wire.messages import SlotPhase, SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason

A, B, C = ("a" * 64, "b" * 64, "c" * 64)


def target(digest: str, attempt: str = "1") -> SlotTarget:
    return SlotTarget(package="p", version="1.0.0", digest=digest, length=1, attempt=attempt)


def committed(*digests: str) -> SlotRecord:
    record = with_factory(SlotRecord(), digests[0])
    for digest in digests[1:]:
        record = commit(activate(record, target(digest), UpdatePolicy(), 1.0), "", 2.0)
    return record


def test_a_factory_package_runs_where_nothing_else_does() -> None:
    assert with_factory(SlotRecord(), A).active == A
    assert with_factory(committed(A), B).active == B, "a newer factory package takes over from an older one"
    assert with_factory(committed(A, B), C).active == B
    on_trial = activate(committed(A), target(B), UpdatePolicy(), 1.0)
    assert with_factory(on_trial, C).active == B


def test_a_trial_ends_in_commit_or_fallback() -> None:
    record = activate(committed(A, B), target(C), UpdatePolicy(), 1.0)
    assert (record.active, record.fallback) == (C, B)
    good = commit(record, "fine", 2.0)
    assert (good.active, good.last_good, good.previous, good.trial) == (C, C, B, None)
    assert good.ended is not None
    assert good.ended.frames is None
    tried = commit(record, "fine", 2.0, 12).ended
    assert tried is not None
    assert tried.frames == 12
    bad = roll_back(record, Reason.TRIAL_CRASH, "died", 2.0)
    assert (bad.active, bad.last_good, bad.trial, bad.quarantine[C].reason) == (B, B, None, Reason.TRIAL_CRASH)
    assert bad.has_ended(target(C))
    assert not bad.has_ended(target(C, "2"))


def test_without_any_committed_package_a_failed_trial_leaves_nothing() -> None:
    assert roll_back(activate(SlotRecord(), target(A), UpdatePolicy(), 1.0), Reason.MODEL_REFUSED, "", 2.0).active is None


@pytest.mark.parametrize("reason", sorted(NOT_THE_PACKAGE - set(PHASE_OF_END)))
def test_some_ends_are_not_the_packages_fault(reason: Reason) -> None:
    record = roll_back(activate(committed(A), target(B), UpdatePolicy(), 1.0), reason, "", 2.0)
    assert record.quarantine == {}
    assert record.ended is not None
    assert record.ended.phase is SlotPhase.ROLLED_BACK


@pytest.mark.parametrize("reason", sorted(PHASE_OF_END))
def test_what_was_never_tried_is_refused_and_may_come_again(reason: Reason) -> None:
    record = end(committed(A), B, "1", reason, "", 1.0)
    assert record.ended is not None
    assert (record.ended.phase, record.quarantine, record.active) == (SlotPhase.REFUSED, {}, A)


def test_the_committed_package_is_never_quarantined() -> None:
    record = commit(activate(committed(A, B), target(A, "2"), UpdatePolicy(), 1.0), "", 1.0)
    assert end(record, A, "3", Reason.GOLDEN_MISMATCH, "", 1.0).quarantine == {}


def test_unlawful_changes_are_bugs() -> None:
    on_trial = activate(committed(A), target(B), UpdatePolicy(), 1.0)
    quarantined = roll_back(on_trial, Reason.TRIAL_CRASH, "", 2.0)
    for record, digest in ((on_trial, C), (committed(A), A), (quarantined, B)):
        with pytest.raises(ValueError, match="cannot become active"):
            activate(record, target(digest), UpdatePolicy(), 1.0)
    for change in (
        interrupt,
        lambda record: commit(record, "", 1.0),
        lambda record: roll_back(record, Reason.TRIAL_CRASH, "", 1.0),
    ):
        with pytest.raises(ValueError, match="no trial"):
            change(committed(A))
    with pytest.raises(ValueError, match="no factory"):
        fall_to_factory(SlotRecord(active=A), "", 1.0)


def test_the_factory_takes_over_for_a_package_that_rots() -> None:
    record = fall_to_factory(committed(A, B), "gone", 3.0)
    assert (record.active, record.last_good) == (A, A)
    assert record.ended is not None
    assert (record.ended.phase, record.ended.reason, record.ended.detail) == (SlotPhase.ROLLED_BACK, Reason.MODEL_REFUSED, "gone")


def test_quarantine_is_bounded_and_forgets_the_oldest() -> None:
    record = committed(A)
    for number in range(QUARANTINE_MAX + 3):
        record = end(record, f"{number:064x}", "", Reason.TRIAL_CRASH, "x" * 5000, float(number))
    assert len(record.quarantine) == QUARANTINE_MAX
    assert f"{0:064x}" not in record.quarantine


def test_records_survive_and_a_damaged_one_is_set_aside(tmp_path: Path) -> None:
    store = SlotStore(tmp_path)
    record = roll_back(activate(committed(A), target(B), UpdatePolicy(trial_s=3.0), 1.0), Reason.TRIAL_CRASH, "died", 2.0)
    store.write("detector", record)
    store.write("other", committed(A))
    assert SlotStore(tmp_path).read("detector") == record
    (tmp_path / "slots" / "other.json").write_bytes(b"\x00" * 100)
    again = SlotStore(tmp_path)
    assert again.read("other") == SlotRecord()
    assert list((tmp_path / "slots").glob("other.json.damaged-*"))
    assert again.read("detector") == record


def test_garbage_is_what_no_slot_needs() -> None:
    blobs = {A: {A, "f1", "shared"}, B: {B, "f2", "shared"}}
    found = garbage([B], [A, B], [A, B, "f1", "f2", "shared", "stray"], blobs.__getitem__)
    assert found == Garbage(packages=(A,), blobs=(A, "f1", "stray"))
    assert not garbage([A, B], [A, B], [A, B, "f1", "f2", "shared"], blobs.__getitem__)
