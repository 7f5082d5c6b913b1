"""State of the device for the loop: desired, stored and running packages. `observe` makes the input of `plan`."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.core import plugins
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.model_store.package_store import SOUND, PackageIntegrity, PackageState, PackageStore, PackageSurvey
from edgefleet_agent.model_store.slot_record import SlotRecord, interrupt, roll_back, with_factory
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.model_store.trust import TRUSTED
from edgefleet_agent.supervisor.certificate_renewal import CertificateRenewal
from edgefleet_agent.supervisor.worker_client import WorkerClient, used_slots
from edgefleet_agent.updates.deferral import DeferralRules, deferral
from edgefleet_agent.updates.delta_patcher import DeltaPatcher
from edgefleet_agent.updates.fleet_pipelines import FleetPipelines
from edgefleet_agent.updates.self_update import SelfUpdate
from edgefleet_agent.updates.selftest_runner import SelfTestRunner
from edgefleet_agent.updates.signature_checker import SignatureChecker
from edgefleet_agent.updates.state import LoadFailure, Observed, Resume, SlotFacts, TrialWatch, resume
from edgefleet_agent.updates.usb_import import UsbImports
from edgefleet_contract.core.atomic_files import read_if_there, write_atomic
from edgefleet_contract.core.errors import ManifestError, MessageError, PipelineError, StoreError
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX, decode, encode
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_BYTES_MAX, pipeline_of
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec, read_pipeline
from edgefleet_contract.wire.messages import Desired, Running, SlotPhase, SlotTarget
from edgefleet_contract.wire.reason_codes import Reason

DAMAGES_MAX = 3

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Device:
    """State of one device. `pipelines` and `own_errors` are those of its own folder; `fleet_pipelines`,
    those that came as packages, go before them."""

    id: str
    folder: Path
    packages: PackageStore
    slots: SlotStore
    worker: WorkerClient
    selftests: SelfTestRunner
    signatures: SignatureChecker
    renewal: CertificateRenewal
    uplink: Uplink
    pipelines: dict[str, PipelineSpec]
    usb_imports: UsbImports
    patcher: DeltaPatcher
    known_time: TrustedTime
    self_update: SelfUpdate | None = None
    rules: DeferralRules = field(default_factory=DeferralRules)
    models_bytes_max: int = 0
    deferral: str = ""
    connection_fault: str = ""
    """Why this device cannot connect, and what to do; "" if it can."""
    start_faults: list[str] = field(default_factory=list)
    """Failed disk operations of the start, and the functions lost by them."""
    own_errors: dict[str, str] = field(default_factory=dict)
    desired: Desired | None = None
    pipeline_errors: dict[str, str] = field(default_factory=dict)
    damages: dict[str, int] = field(default_factory=dict)
    factories: dict[str, Path] = field(default_factory=dict)
    """Slot to the folder that its factory package came from."""
    litter: bool = True
    fleet_pipelines: FleetPipelines = field(init=False)
    _doubted: dict[str, float] = field(default_factory=dict)
    _running_since: dict[str, float] = field(default_factory=dict)
    _pushed: dict[str, PipelineSpec] | None = None

    def __post_init__(self) -> None:
        self.fleet_pipelines = FleetPipelines(self.id)

    def start(self, now: float, wall: float) -> None:
        """Restore the state of the last run: the desired document, and unfinished trials (`state.RESUME`).

        Raises:
            StoreError: the disk cannot be used.
        """
        data = read_if_there(self.folder / "desired.json", MESSAGE_BYTES_MAX)
        if data is not None:
            try:
                self.desired = decode(data, Desired)
            except MessageError as error:
                log.error("the desire on disk is damaged (%s); the server's next one counts", error)
        self._read_pushed()
        for slot in self.slots.names():
            if slot != AGENT_SLOT:  # whose starts the launcher counts
                self._resume(slot, now, wall)

    def install_factory(self, slot: str, target: SlotTarget) -> None:
        """Make `target`, whose package is here, the factory package of `slot`."""
        record = self.slots.read(slot)
        if record.factory != target.digest:
            self.slots.write(slot, with_factory(record, target.digest))

    def renew_factory(self, slot: str) -> None:
        """Put the slot's factory package together again, where the disk has taken it and its own folder still has it."""
        source = self.factories.get(slot)
        if source is None or self.slots.read(slot).factory is not None:
            return
        try:
            self.install_factory(slot, self.packages.install_folder(source))
        except (ManifestError, StoreError) as error:
            log.error("no factory package for slot %s: %s", slot, error)

    def accept(self, desired: Desired) -> bool:
        """Take a desire that is newer than all before; on the disk when this returns. False: it is an old one.

        Raises:
            StoreError: the disk cannot keep it; the old desire stands.
        """
        if self.desired is not None and desired.generation <= self.desired.generation:
            return False
        write_atomic(self.folder / "desired.json", encode(desired))
        self.usb_imports.superseded(desired.generation)
        self.desired = desired
        self.litter = True
        self._read_pushed()
        for slot, target in desired.slots.items():
            log.info("generation %d: slot %s shall run %s@%s", desired.generation, slot, target.package, target.version)
        return True

    def specs(self) -> dict[str, PipelineSpec]:
        """The pipelines to run: those that came as packages, and for the rest those of the desire or the device's own."""
        return self._programs()[0]

    def written(self) -> Iterator[tuple[str, str, str]]:
        """(name, text, version of the package or "") of each pipeline: those of the fleet, then the own ones beside or under
        them."""
        for slot in self.slots.names():
            name, active = pipeline_of(slot), self.slots.read(slot).active
            text = self.fleet_pipelines.text(active) if active is not None else ""
            if name is not None and active is not None and text:
                yield name, text, self.about(active).version
        for name, spec in self.pipelines.items():
            data = read_if_there(Path(spec.file), PIPELINE_BYTES_MAX)
            yield name, (data or b"").decode(errors="replace"), ""

    def wrong_pipelines(self) -> dict[str, str]:
        """Errors of pipelines that cannot run, by name."""
        return {**self.pipeline_errors, **self._programs()[1]}

    def _programs(self) -> tuple[dict[str, PipelineSpec], dict[str, str]]:
        digests = [(slot, self.slots.read(slot).active) for slot in self.slots.names()]
        active = [(slot, digest, self.packages.folder(digest)) for slot, digest in digests if digest is not None]
        return self.fleet_pipelines.over(self.pipelines if self._pushed is None else self._pushed, active)

    def set_own_pipelines(self, pipelines: dict[str, PipelineSpec], errors: dict[str, str]) -> None:
        """Replace the pipelines of the device's own folder."""
        self.pipelines, self.own_errors = pipelines, errors
        self._read_pushed()

    def runnable(self) -> list[PipelineSpec]:
        """Those whose every slot has a package loaded."""
        return [spec for spec in self.specs().values() if all(slot in self.worker.running for slot in spec.slots())]

    def target(self, slot: str) -> SlotTarget | None:
        desired = self.effective_desired
        return desired.slots.get(slot) if desired is not None else None

    @property
    def effective_desired(self) -> Desired | None:
        """The server's desire, with what was imported by hand since."""
        local = self.usb_imports.local.slots
        if not local:
            return self.desired
        desired = self.desired or Desired(device=self.id, generation=1)
        # Who carries a stick to a device without a line does not ask that the line works.
        policy = desired.policy if self.uplink.connected else replace(desired.policy, site_offline=True)
        return replace(desired, slots={**desired.slots, **local}, policy=policy)

    def check_signatures(self, now: float, wall: float) -> None:
        """One step of the signature checker; signed metadata also gives a lower bound of the time."""
        self.signatures.turn(self.uplink.metadata, now, self.known_time.at(now, wall))
        self.known_time.learn(self.signatures.signed_at, now)
        self.known_time.turn(now)

    def poll_usb_imports(self, now: float) -> None:
        """Take what came on a stick, and clear away what came and is settled.

        Raises:
            StoreError: the disk cannot be used.
        """
        offer = self.usb_imports.turn(self.desired.generation if self.desired else 0, now)
        if offer is not None:
            self.signatures.offer(offer)
            self.uplink.blocks.retry_local_sources()
        for digest in self.usb_imports.just_taken():
            self.packages.doubt(digest)  # who brings it anew may have a reason
        for digest, slot in self.usb_imports.waiting.items():
            record, target = self.slots.read(slot), self.target(slot)
            sound = self.packages.soundness(digest).state is PackageState.SOUND
            running = record.active == digest and record.trial is None and sound
            if running or target is None or target.digest != digest or record.has_ended(target):
                self.usb_imports.done(digest)

    def change(self, slot: str, record: SlotRecord) -> None:
        """One change of a record, one atomic rename."""
        self.slots.write(slot, record)
        self.litter = True

    def retained(self) -> set[str]:
        """Packages that are never collected: of every record, every target, and what still runs."""
        retained = {digest for slot in self.slots.names() for digest in self.slots.read(slot).retained}
        retained |= {target.digest for target in (self.effective_desired.slots.values() if self.effective_desired else ())}
        return retained | {running.digest for running in self.worker.running.values()}

    def about(self, digest: str) -> Running:
        """Name and version of a package whose descriptor is here.

        Raises:
            ManifestError: it is not here.
        """
        descriptor = self.packages.describe(digest)
        return Running(package=descriptor.name, version=descriptor.version, digest=digest)

    def observe(self, now: float, wall: float) -> Observed:
        """The input of `plan`."""
        used = used_slots(self.specs())
        names = dict.fromkeys([*self.slots.names(), *(self.effective_desired.slots if self.effective_desired else ())])
        return Observed(
            slots={
                slot: self._facts(slot, slot in used, now, wall)
                for slot in names
                if slot != AGENT_SLOT or self.self_update is not None or self.target(slot) is not None
            },
            worker_up=self.worker.port.up,
            pipelines_differ=self.worker.pipelines_differ(self.runnable()),
            disk_free_bytes=self._room_bytes(),
            litter=self.litter,
            tester_busy=self.selftests.busy,
            deferral=self.deferral,
        )

    def judge_moment(self, temperature_c: float | None, wall: float) -> None:
        """Update `deferral`: whether updates may continue now."""
        there = time.localtime(wall)
        inhibited = bool(self.rules.inhibit_file) and Path(self.rules.inhibit_file).exists()
        self.deferral = deferral(self.rules, temperature_c, inhibited=inhibited, minute=there.tm_hour * 60 + there.tm_min)

    def _room_bytes(self) -> int:
        """Bytes left for models: the smaller of free disk space and quota."""
        free, quota = self.packages.blobs.free_bytes(), self.models_bytes_max
        return min(free, max(0, quota - self.packages.blobs.used_bytes())) if quota else free

    def _facts(self, slot: str, used: bool, now: float, wall: float) -> SlotFacts:
        record, target, blocks = self.slots.read(slot), self.target(slot), self.uplink.blocks
        open_target = target is not None and target.digest != record.active and not record.has_ended(target)
        survey = self._survey(target, record) if target is not None and open_target and not record.trial else None
        endorsement = TRUSTED
        if target is not None and survey is not None and target.digest not in record.quarantine:
            epoch_min = self._epoch(target.package, record.fallback)
            reachable = self.uplink.connected or bool(self.usb_imports.waiting)
            at = self.known_time.at(now, wall)
            endorsement = self.signatures.endorsement(target, epoch_min, now, at, connected=reachable)
        if slot == AGENT_SLOT and self.self_update is None:
            text = "this agent was not started by its launcher (`edgefleet-agent launch`); install the Debian package"
            record, survey = replace(record, trial=None), PackageSurvey(reason=Reason.INCOMPATIBLE, detail=text)
            endorsement = TRUSTED
        failure = blocks.failure(slot)
        needed = self.packages.blobs_of(target.digest) if target is not None and survey is not None else set()
        facts = SlotFacts(
            record=record,
            soundness=self._soundness(slot, record),
            survey=survey,
            endorsement=endorsement,
            fetching=blocks.requested(slot),
            patching=self._patching(target, record, survey, now) if endorsement is TRUSTED else False,
            fetch_reason=failure.reason if failure else Reason.NONE,
            fetch_detail=failure.detail if failure else "",
            bytes_sent_again=sum(blocks.sent_again_bytes.get(digest, 0) for digest in needed),
            selftest=self.selftests.result(target.digest) if target is not None else None,
            loading=self.worker.loading(slot),
            load_failure=self.worker.failures.get(slot),
            running=self._own_running() if slot == AGENT_SLOT else self.worker.running.get(slot),
            watch=self._own_watch(record, now) if slot == AGENT_SLOT else self.worker.watch(slot),
            used=used,
        )
        return facts if pipeline_of(slot) is None else self._pipeline_facts(slot, target, facts, now, wall)

    def _soundness(self, slot: str, record: SlotRecord) -> PackageIntegrity:
        """Integrity of the active package; one that just failed to load is verified again, even if its files did not change."""
        if record.active is None or slot == AGENT_SLOT:
            return SOUND
        failure = self.worker.failures.get(slot)
        if failure is not None and failure.digest == record.active and self._doubted.get(slot) != failure.at_s:
            self._doubted[slot] = failure.at_s
            self.packages.doubt(record.active)
        return self.packages.soundness(record.active)

    def _pipeline_facts(self, slot: str, target: SlotTarget | None, facts: SlotFacts, now: float, wall: float) -> SlotFacts:
        """Add the facts of a pipeline's slot: whether it runs, whether it can run, and which slot it waits for."""
        name, active = pipeline_of(slot) or "", facts.record.active
        specs, wrong = self._programs()
        spec = specs.get(name)
        fault = wrong.get(name, "")
        if not fault and spec is not None and self.worker.port.up:
            fault = self.worker.refusal(spec)
        runs = active is not None and not fault and self.worker.port.up and (spec is None or self.worker.runs(spec))
        if active is None or not runs:
            self._running_since.pop(slot, None)
        running = None
        if active is not None and runs:
            since_at = self._running_since.setdefault(slot, wall)
            running = replace(self.about(active), since_at=since_at)
            self.worker.pipeline_loaded(slot, now)
        objection, awaited = self._hurdles(slot, target, facts)
        return dataclasses.replace(
            facts,
            running=running,
            watch=self.worker.watch(slot),
            load_failure=LoadFailure(active, Reason.TRIAL_UNHEALTHY, fault, 1, now) if active is not None and fault else None,
            used=spec is not None and spec.source.kind not in (EVENTS, *plugins.names("sensors")),
            objection=objection,
            awaited=awaited,
        )

    def _hurdles(self, slot: str, target: SlotTarget | None, facts: SlotFacts) -> tuple[str, str]:
        """Why the desired pipeline cannot work here, and the slot of models that it has to wait for; "" each where nothing."""
        if target is None or facts.survey is None or not facts.survey.ready:
            return "", ""
        folder = self.packages.folder(target.digest)
        objection = self.fleet_pipelines.objection(slot, target.digest, folder, self.pipelines)
        if objection:
            return objection, ""
        needed = self.fleet_pipelines.slots(slot, target.digest, folder, self.pipelines)
        absent = [each for each in needed if self.slots.read(each).active is None]
        coming = [each for each in absent if self.target(each) is not None]
        if len(coming) < len(absent):
            missing = next(each for each in absent if each not in coming)
            have = ", ".join(each for each in self.slots.names() if self.slots.read(each).active and pipeline_of(each) is None)
            return f"it needs a model in slot {missing!r}; this device has {have or 'none'}", ""
        return "", coming[0] if coming else ""

    def _patching(self, target: SlotTarget | None, record: SlotRecord, survey: PackageSurvey | None, now: float) -> bool:
        """Whether pieces of what is missed may come from the version that is committed now."""
        if target is None or survey is None or not survey.missing or record.fallback is None or not target.delta_length:
            return False
        try:
            same = self.packages.describe(record.fallback).name == target.package
        except ManifestError:
            return False
        return same and self.patcher.waits_for_patch(target, survey.missing, [self.packages.folder(record.fallback)], now)

    def _own_running(self) -> Running | None:
        if self.self_update is None or not self.self_update.digest:
            return None
        try:
            return self.about(self.self_update.digest)
        except ManifestError:
            return self.self_update.running("0.0.0")

    def _own_watch(self, record: SlotRecord, now: float) -> TrialWatch | None:
        trial = record.trial.digest if record.trial is not None else None
        return self.self_update.watch(trial, worker_up=self.worker.port.up, now=now) if self.self_update is not None else None

    def _survey(self, target: SlotTarget, record: SlotRecord) -> PackageSurvey:
        survey = self.packages.survey(target, self._epoch(target.package, record.fallback))
        damaged = next((spec for spec in survey.missing if self.damages.get(spec.digest, 0) >= DAMAGES_MAX), None)
        if damaged is not None:
            text = f"blob {damaged.digest[:12]} was wrong as a whole {DAMAGES_MAX} times"
            return PackageSurvey(reason=Reason.HASH_MISMATCH, detail=text)
        return survey

    def _epoch(self, package: str, fallback: str | None) -> int:
        """The epoch below which a version of `package` is refused."""
        if fallback is None:
            return 0
        try:
            committed = self.packages.describe(fallback)
        except ManifestError:
            return 0
        return committed.epoch if committed.name == package else 0

    def _resume(self, slot: str, now: float, wall: float) -> None:
        record = self.slots.read(slot)
        if record.trial is None:
            return
        if resume(SlotPhase.TRIAL, record.trial.interruptions) is Resume.ROLL_BACK:
            text = "the agent or the device went down during the trial, twice"
            self._change_anyway(slot, roll_back(record, Reason.TRIAL_CRASH, text, wall))
        else:
            self._change_anyway(slot, interrupt(record))
            self.worker.begin_trial(slot, now)

    def _change_anyway(self, slot: str, record: SlotRecord) -> None:
        """`change`, in memory where the disk takes nothing: a device that cannot count its starts has to start all the same."""
        try:
            self.change(slot, record)
        except StoreError as error:
            self.slots.hold(slot, record)
            self.start_faults.append(f"{error}; slot {slot} is remembered in memory only")
            log.error("%s", self.start_faults[-1])

    def _read_pushed(self) -> None:
        """Read the pipelines of the desired document; an invalid one is left out and reported."""
        self._pushed, self.pipeline_errors = None, dict(self.own_errors)
        if self.desired is None or self.desired.pipelines is None:
            return
        if self.signatures.required:  # signatures say what runs here, and nothing signs these
            text = "the server sent pipelines without a signature; send them as packages (`edgefleet pipeline set`)"
            self.pipeline_errors |= dict.fromkeys(self.desired.pipelines, text)
            return
        self._pushed, self.pipeline_errors = {}, {}
        for name, text in self.desired.pipelines.items():
            self._read_one(self._pushed, name, text)

    def _read_one(self, into: dict[str, PipelineSpec], name: str, text: str) -> None:
        try:
            into[name] = read_pipeline(text, f"pipeline {name} of the server")
        except PipelineError as error:
            self.pipeline_errors[name] = str(error)
            log.error("%s", error)
