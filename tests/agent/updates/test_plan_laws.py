"""Laws of an update (docs/updates.md) over arbitrary histories: desired documents, received bytes, self-tests, crashes, power
cuts, no server.

A small device is simulated around the real `plan`, `judge` and transitions of a record; the simulated executor does the same as
`execute`, without disk and processes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from edgefleet_agent.model_store.garbage import garbage
from edgefleet_agent.model_store.package_store import SOUND, UNKNOWN, PackageIntegrity, PackageState, PackageSurvey
from edgefleet_agent.model_store.slot_record import (
    SlotRecord,
    activate,
    commit,
    end,
    fall_to_factory,
    interrupt,
    roll_back,
    set_aside,
    undo,
    with_factory,
)
from edgefleet_agent.supervisor.slot_report import report_slots
from edgefleet_agent.updates import actions
from edgefleet_agent.updates.bundle_rules import others
from edgefleet_agent.updates.plan import plan
from edgefleet_agent.updates.state import Check, LoadFailure, Observed, Resume, SelfTest, SlotFacts, TrialWatch, resume
from edgefleet_agent.updates.trial_verdict import CRASHES_FORGIVEN
from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.wire.messages import Desired, Running, SlotPhase, SlotReport, SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason

SLOTS = ("detector", "counter")
PACKAGES = tuple(f"{number:064x}" for number in range(1, 7))
FACTORY = "f" * 64
LENGTH = 3
POLICY = UpdatePolicy(trial_s=10.0, trial_frames_min=5)


@dataclass
class Traits:
    """Properties of a package; each one that differs from its default is a fault."""

    compatible: bool = True
    selftest: bool = True
    loads: bool = True
    crashes: bool = False
    errors: bool = False
    frames: bool = True


KINDS = (
    *[Traits()] * 6,
    Traits(compatible=False),
    Traits(selftest=False),
    Traits(loads=False),
    Traits(crashes=True),
    Traits(errors=True),
    Traits(frames=False),
)


@dataclass
class Ram:
    """Memory that a power cut clears."""

    running: dict[str, str] = field(default_factory=dict)
    failures: dict[str, LoadFailure] = field(default_factory=dict)
    watches: dict[str, TrialWatch] = field(default_factory=dict)
    fetching: dict[str, frozenset[str]] = field(default_factory=dict)
    tests: dict[str, SelfTest] = field(default_factory=dict)
    inspected: dict[str, PackageIntegrity] = field(default_factory=dict)
    litter: bool = True


class DeviceMachine(RuleBasedStateMachine):
    """Invariants are the laws; `turn` is the loop."""

    @initialize(
        traits=st.lists(st.sampled_from(KINDS), min_size=len(PACKAGES), max_size=len(PACKAGES)),
        factory=st.booleans(),
    )
    def begin(self, traits: list[Traits], factory: bool) -> None:
        self.traits = dict(zip(PACKAGES, traits, strict=True)) | {FACTORY: Traits()}
        self.records = {slot: with_factory(SlotRecord(), FACTORY if factory else None) for slot in SLOTS}
        self.blocks = dict.fromkeys(PACKAGES, 0) | {FACTORY: LENGTH if factory else 0}
        self.assembled = {FACTORY} if factory else set()
        self.ram = Ram()
        self.damaged: set[str] = set()
        self.desired: Desired | None = None
        self.generation = 0
        self.attempts = 0
        self.now = 100.0
        self.server = True
        self.space = 10**12
        self.passed: set[str] = {FACTORY}
        self.quarantined: set[tuple[str, str]] = set()

    # the world

    @rule(slot=st.sampled_from(SLOTS), digest=st.sampled_from(PACKAGES), same_attempt=st.booleans())
    def desire(self, slot: str, digest: str, same_attempt: bool) -> None:
        self.generation += 1
        self.attempts += 0 if same_attempt else 1
        slots = dict(self.desired.slots) if self.desired else {}
        slots[slot] = SlotTarget(package="p", version="1.0.0", digest=digest, length=LENGTH, attempt=f"a{self.attempts}")
        self.desired = Desired(device="d", generation=self.generation, slots=slots, policy=POLICY)
        self.ram.litter = True

    @rule(digests=st.tuples(*[st.sampled_from(PACKAGES)] * len(SLOTS)))
    def desire_everywhere(self, digests: tuple[str, ...]) -> None:
        for slot, digest in zip(SLOTS, digests, strict=True):
            self.desire(slot=slot, digest=digest, same_attempt=False)

    @rule(digests=st.tuples(*[st.sampled_from(PACKAGES)] * len(SLOTS)))
    def desire_a_bundle(self, digests: tuple[str, ...]) -> None:
        self.generation += 1
        self.attempts += 1
        slots = {
            slot: SlotTarget(package="p", version="1.0.0", digest=digest, length=LENGTH, attempt=f"a{self.attempts}", atomic=True)
            for slot, digest in zip(SLOTS, digests, strict=True)
        }
        self.desired = Desired(device="d", generation=self.generation, slots=slots, policy=POLICY)
        self.ram.litter = True

    @rule(blocks=st.integers(1, LENGTH))
    def bytes_arrive(self, blocks: int) -> None:
        for digest in set().union(*self.ram.fetching.values()):
            self.blocks[digest] = min(LENGTH, self.blocks[digest] + blocks)

    @rule(seconds=st.sampled_from([0.5, 5.0, 11.0, 60.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds
        for slot, watch in list(self.ram.watches.items()):
            if watch.loaded_s is not None and slot in self.ram.running:
                traits = self.traits[self.ram.running[slot]]
                frames = watch.frames + int(10 * seconds) if traits.frames else watch.frames
                errors = watch.errors + (1 if traits.errors else 0)
                contact = watch.server_contact or self.server
                self.ram.watches[slot] = TrialWatch(watch.began_s, watch.loaded_s, frames, errors, watch.crashes, "", contact)
                if traits.crashes:
                    self.worker_crashes()
                    return

    @rule(digest=st.sampled_from(PACKAGES))
    def a_file_rots(self, digest: str) -> None:
        self.traits[digest] = replace(self.traits[digest], loads=False)
        self.worker_crashes()

    @rule(digest=st.sampled_from([*PACKAGES, FACTORY]))
    def the_disk_damages_a_package(self, digest: str) -> None:
        if digest in self.assembled:
            self.damaged.add(digest)
            self.ram.inspected.pop(digest, None)

    @rule(server=st.booleans())
    def server_connects_or_disconnects(self, server: bool) -> None:
        self.server = server

    @rule(space=st.sampled_from([0, 10**12]))
    def disk_fills_or_empties(self, space: int) -> None:
        self.space = space

    @rule()
    def worker_crashes(self) -> None:
        self.ram.running.clear()
        for slot, watch in self.ram.watches.items():
            self.ram.watches[slot] = TrialWatch(watch.began_s, None, watch.frames, watch.errors, watch.crashes + 1)

    @rule()
    def power_cut(self) -> None:
        self.ram = Ram()
        for slot, record in self.records.items():
            if record.trial is None:
                continue
            if resume(SlotPhase.TRIAL, record.trial.interruptions) is Resume.ROLL_BACK:
                self._end_trial(slot, Reason.TRIAL_CRASH)
            else:
                self.records[slot] = interrupt(record)
                self.ram.watches[slot] = TrialWatch(self.now)

    @rule(turns=st.integers(1, 12))
    def turn(self, turns: int) -> None:
        for _ in range(turns):
            action = plan(self.desired, self.observe(), self.now)
            getattr(self, f"do_{type(action).__name__.lower()}")(action)

    @rule(rounds=st.integers(1, 8), seconds=st.sampled_from([0.5, 5.0, 11.0]))
    def a_while_passes(self, rounds: int, seconds: float) -> None:
        for _ in range(rounds):
            self.turn(4)
            self.bytes_arrive(LENGTH)
            self.time_passes(seconds)

    # what the device sees

    def observe(self) -> Observed:
        return Observed(
            slots={slot: self.facts(slot) for slot in SLOTS},
            worker_up=True,
            disk_free_bytes=self.space,
            litter=self.ram.litter,
        )

    def facts(self, slot: str) -> SlotFacts:
        record = self.records[slot]
        target = self.desired.slots.get(slot) if self.desired else None
        running = self.ram.running.get(slot)
        return SlotFacts(
            record=record,
            soundness=self.ram.inspected.get(record.active, UNKNOWN) if record.active else SOUND,
            survey=self.survey(target.digest) if target else None,
            fetching=self.ram.fetching.get(slot, frozenset()),
            selftest=self.ram.tests.get(target.digest) if target else None,
            load_failure=self.ram.failures.get(slot),
            running=Running(package="p", version="1.0.0", digest=running) if running else None,
            watch=self.ram.watches.get(slot),
        )

    def survey(self, digest: str) -> PackageSurvey:
        if not self.traits[digest].compatible:
            return PackageSurvey(reason=Reason.INCOMPATIBLE, detail="no variant")
        spec = BlobSpec(digest, LENGTH)
        if digest in self.damaged and not any(digest in record.retained for record in self.records.values()):
            self.lose(digest)  # as detected by the store when it seals
        missing = () if self.blocks[digest] == LENGTH else (spec,)
        return PackageSurvey(digest in self.assembled, missing, (), self.blocks[digest], LENGTH)

    # what the device does

    def do_wait(self, _action: actions.Wait) -> None:
        pass

    def do_setpipelines(self, _action: actions.SetPipelines) -> None:
        pytest.fail("the pipelines are as they should be")

    def do_fetch(self, action: actions.Fetch) -> None:
        if action.blobs:
            assert self.space > 0, "asked for bytes without space"
        self.ram.fetching[action.slot] = frozenset(spec.digest for spec in action.blobs)

    def do_assemble(self, action: actions.Assemble) -> None:
        assert self.blocks[action.digest] == LENGTH
        self.assembled.add(action.digest)

    def do_startselftest(self, action: actions.StartSelfTest) -> None:
        good = self.traits[action.digest].selftest
        check, reason = (Check.PASSED, Reason.NONE) if good else (Check.FAILED, Reason.GOLDEN_MISMATCH)
        self.ram.tests[action.digest] = SelfTest(action.digest, check, reason)

    def do_inspect(self, action: actions.Inspect) -> None:
        damaged = action.digest in self.damaged
        self.ram.inspected[action.digest] = PackageIntegrity(PackageState.DAMAGED, "model.onnx") if damaged else SOUND

    def do_quarantine(self, action: actions.Quarantine) -> None:
        assert action.digest in self.damaged
        for slot, record in self.records.items():
            if action.digest in record.retained:
                if record.trial is not None and record.trial.digest == action.digest:
                    self.ram.watches.pop(slot, None)
                self.change(slot, set_aside(record, action.digest, action.detail, 1.0))
        self.ram.tests.pop(action.digest, None)
        self.lose(action.digest)
        if action.digest == FACTORY:
            self.assembled.add(FACTORY)
            for slot, record in self.records.items():
                self.change(slot, with_factory(record, FACTORY))

    def lose(self, digest: str) -> None:
        self.damaged.discard(digest)
        self.ram.inspected.pop(digest, None)
        self.assembled.discard(digest)
        self.blocks[digest] = LENGTH if digest == FACTORY else 0

    def do_end(self, action: actions.End) -> None:
        record, target = self.records[action.slot], action.target
        if action.reason is Reason.GOLDEN_MISMATCH and target.digest not in (record.last_good, record.factory):
            self.quarantined.add((action.slot, target.digest))
        self.change(action.slot, end(record, target.digest, target.attempt, action.reason, "", 1.0))
        self.ram.tests.pop(action.target.digest, None)

    def do_activate(self, action: actions.Activate) -> None:
        digest = action.target.digest
        assert self.blocks[digest] == LENGTH, "only verified bytes become active"
        assert digest in self.assembled
        assert self.traits[digest].selftest, "only what passed its self-test becomes active"
        assert (action.slot, digest) not in self.quarantined, "quarantine survives everything"
        assert not self.records[action.slot].has_ended(action.target), "what has just ended is not begun again"
        assert not any(record.trial for record in self.records.values()), "one trial at a time"
        if self.desired is not None:
            for slot, other in others(action.slot, action.target, self.desired.slots).items():
                test = self.ram.tests.get(other.digest)
                there = self.records[slot].active == other.digest
                assert there or (test is not None and test.check is Check.PASSED), "a bundle begins when all its parts are ready"
        self.change(action.slot, activate(self.records[action.slot], action.target, action.policy, 1.0))
        self.ram.watches[action.slot] = TrialWatch(self.now)

    def do_load(self, action: actions.Load) -> None:
        assert action.digest == self.records[action.slot].active, "the worker runs what the record says"
        assert action.digest not in self.damaged, "what the disk has damaged is not loaded"
        if self.traits[action.digest].loads:
            self.ram.running[action.slot] = action.digest
            self.ram.failures.pop(action.slot, None)
            watch = self.ram.watches.get(action.slot)
            if watch is not None:
                self.ram.watches[action.slot] = TrialWatch(watch.began_s, self.now, crashes=watch.crashes)
        else:
            before = self.ram.failures.get(action.slot)
            count = before.count + 1 if before and before.digest == action.digest else 1
            self.ram.failures[action.slot] = LoadFailure(action.digest, Reason.MODEL_REFUSED, "no", count, self.now)

    def do_restartworker(self, _action: actions.RestartWorker) -> None:
        self.ram.running.clear()

    def do_commit(self, action: actions.Commit) -> None:
        record = self.records[action.slot]
        assert record.trial is not None
        watch = self.ram.watches.pop(action.slot)
        assert watch.loaded_s is not None
        assert self.now - watch.loaded_s >= POLICY.trial_s
        assert watch.frames >= POLICY.trial_frames_min
        assert watch.errors == 0
        assert watch.crashes <= CRASHES_FORGIVEN
        assert watch.server_contact
        self.passed.add(record.trial.digest)
        self.change(action.slot, commit(record, action.detail, 1.0))

    def do_rollback(self, action: actions.RollBack) -> None:
        self.ram.watches.pop(action.slot, None)
        self._end_trial(action.slot, action.reason)

    def do_returntoprevious(self, action: actions.ReturnToPrevious) -> None:
        assert not any(record.trial for record in self.records.values())
        self.change(action.slot, undo(self.records[action.slot], action.detail, 1.0))

    def do_usefactory(self, action: actions.UseFactory) -> None:
        self.change(action.slot, fall_to_factory(self.records[action.slot], action.detail, 1.0))

    def do_collect(self, _action: actions.Collect) -> None:
        retained = {digest for record in self.records.values() for digest in record.retained}
        retained |= {target.digest for target in self.desired.slots.values()} if self.desired else set()
        started = {digest for digest, blocks in self.blocks.items() if blocks}
        litter = garbage(retained, self.assembled, started, lambda digest: {digest})
        assert not retained & {*litter.packages, *litter.blobs}, "what is needed is never collected"
        self.assembled -= set(litter.packages)
        for digest in litter.blobs:
            self.blocks[digest] = 0
        self.ram.litter = False

    def _end_trial(self, slot: str, reason: Reason) -> None:
        record = self.records[slot]
        assert record.trial is not None
        assert reason not in (Reason.NONE, Reason.SUPERSEDED, Reason.CANCELLED), "no trial is cut short by a newer desire"
        if reason is not Reason.SERVER_UNREACHABLE and record.trial.digest not in (record.last_good, record.factory):
            self.quarantined.add((slot, record.trial.digest))
        self.change(slot, roll_back(record, reason, "", 1.0))

    def change(self, slot: str, record: SlotRecord) -> None:
        self.records[slot] = record
        self.ram.litter = True

    # the laws

    @invariant()
    def the_fallback_is_committed(self) -> None:
        for record in self.records.values():
            assert {record.last_good, record.factory} - {None} <= self.passed

    @invariant()
    def active_is_committed_or_on_trial(self) -> None:
        for record in self.records.values():
            if record.trial is not None:
                assert record.active == record.trial.digest
            else:
                assert record.active == (record.last_good or record.factory)

    @invariant()
    def quarantine_stays_and_never_runs(self) -> None:
        for slot, digest in self.quarantined:
            assert digest in self.records[slot].quarantine
            assert self.records[slot].active != digest

    @invariant()
    def what_is_active_is_on_the_disk(self) -> None:
        for record in self.records.values():
            needed = {record.active, record.last_good, record.factory} - {None}
            assert needed <= self.assembled

    @invariant()
    def the_report_is_true(self) -> None:
        reports = report_slots(self.desired, self.observe(), {}, 1.0)
        for slot, report in reports.items():
            record = self.records[slot]
            assert (report.phase is SlotPhase.TRIAL) == (record.trial is not None)
            if report.phase is SlotPhase.COMMITTED:
                assert report.target == record.active
                assert record.active in self.passed
            if report.phase in (SlotPhase.ROLLED_BACK, SlotPhase.REFUSED):
                assert report.reason is not Reason.NONE

    @precondition(lambda self: self.desired is not None)
    @rule()
    def left_alone_it_comes_to_rest(self) -> None:
        """With server, space and time, every attempt ends, and the worker runs the active packages."""
        self.server, self.space = True, 10**12
        for _ in range(40):
            self.turn(6)
            self.bytes_arrive(LENGTH)
            self.time_passes(11.0)
        self.turn(12)
        assert isinstance(plan(self.desired, self.observe(), self.now), actions.Wait | actions.Load)
        reports = report_slots(self.desired, self.observe(), {}, 1.0)
        for slot, report in reports.items():
            record = self.records[slot]
            unfinished = (SlotPhase.FETCHING, SlotPhase.FETCHED, SlotPhase.VERIFIED, SlotPhase.STAGED, SlotPhase.TRIAL)
            assert report.phase not in unfinished
            loadable = record.active is None or self.traits[record.active].loads
            assert self.ram.running.get(slot) == (record.active if loadable else None)
        self._all_or_nothing(reports)

    def _all_or_nothing(self, reports: dict[str, SlotReport]) -> None:
        """No committed part of a bundle stays active after another part failed, unless there is no earlier package."""
        assert self.desired is not None
        parts = {slot: target for slot, target in self.desired.slots.items() if target.atomic}
        if not any(reports[slot].phase in (SlotPhase.ROLLED_BACK, SlotPhase.REFUSED) for slot in parts):
            return
        for slot, target in parts.items():
            record = self.records[slot]
            if record.active == target.digest and record.has_ended(target):
                assert (record.previous or record.factory) in (None, record.active)


DeviceMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
TestLaws = DeviceMachine.TestCase
