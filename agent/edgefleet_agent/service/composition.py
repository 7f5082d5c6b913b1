"""Builds the parts of the service from its settings and connects them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from edgefleet_agent.core import plugins
from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_agent.link.evidence_uploader import EvidenceUploader
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.machine.environment import environment_bill
from edgefleet_agent.machine.first_enrolment import FirstEnrolment
from edgefleet_agent.machine.identity import Identity
from edgefleet_agent.machine.profiles import usual_runtimes
from edgefleet_agent.machine.server_authority import stored_authority
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.machine.vitals import VitalsProbe, boot_id, hardware, installed_runtimes
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.local_sources import LocalSources
from edgefleet_agent.model_store.package_store import DeviceTarget, PackageStore
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.model_store.trust import MetadataStaging
from edgefleet_agent.service.commandlines import Commandlines, selftest_options, trust_command
from edgefleet_agent.service.connections import build_connection, build_transports
from edgefleet_agent.service.identity_watch import IdentityWatch
from edgefleet_agent.service.profile_choice import ProfileChoice, ProfileStatus, compiles, own_profile
from edgefleet_agent.service.version import agent_version
from edgefleet_agent.settings import Pipelines, Settings
from edgefleet_agent.supervisor import start_up
from edgefleet_agent.supervisor.certificate_renewal import CertificateRenewal
from edgefleet_agent.supervisor.commands import CommandHandler, CommandOffer
from edgefleet_agent.supervisor.device import Device, DeviceOptions, PackageSources, Processes, ServerLink, Stores, Trust
from edgefleet_agent.supervisor.diagnosis.log_ring import LogRing
from edgefleet_agent.supervisor.inbox import Inbox
from edgefleet_agent.supervisor.long_commands import VideoOffer
from edgefleet_agent.supervisor.loop import Loop
from edgefleet_agent.supervisor.pipeline_selection import PipelineSelection
from edgefleet_agent.supervisor.status_report import StatusReporter
from edgefleet_agent.supervisor.worker.worker_client import LoadOptions, WorkerClient
from edgefleet_agent.supervisor.worker.worker_process import WorkerProcess
from edgefleet_agent.updates.agent_versions import LAUNCHER, own_tag
from edgefleet_agent.updates.deferral import DeferralRules, MaintenanceHours
from edgefleet_agent.updates.delta_patcher import DeltaPatcher
from edgefleet_agent.updates.self_update import SelfUpdate
from edgefleet_agent.updates.selftest_runner import COMPILE_S_MAX, TEST_S_MAX, SelfTestRunner
from edgefleet_agent.updates.signature_checker import SignatureChecker
from edgefleet_agent.updates.usb_import import UsbImports
from edgefleet_contract.capabilities import device_capabilities
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_contract.mqtt.events import LinkEvent
from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_RUNTIME
from edgefleet_contract.wire.environment_bill import EnvironmentBill, bill_bytes, bill_digest
from edgefleet_contract.wire.messages import Event, PresenceMessage


@dataclass(slots=True)
class Service:
    """The connected parts of the service."""

    loop: Loop
    device: Device
    worker: WorkerProcess
    clock: SystemClock
    profile: ProfileStatus
    check_identity: Callable[[float], None]
    first_enrolment: FirstEnrolment

    @property
    def relaunching(self) -> bool:
        """Whether another version of the agent has to be started."""
        own = self.device.processes.self_update
        return own is not None and own.relaunching

    def close(self) -> None:
        """End the other processes, store their last messages, and disconnect."""
        self.device.processes.selftests.stop()
        self.device.trust.signatures.stop()
        self.device.link.renewal.stop()
        self.first_enrolment.stop()
        self.loop.wind_up(self.worker.stop())
        self.device.link.uplink.close(self.clock.wall())


@dataclass(frozen=True, slots=True)
class _Machine:
    """Properties of the machine: the profile, the runtimes in their order, threads (0: the runtime's choice), hardware, what is
    installed."""

    own: ProfileChoice
    runtimes: list[str]
    threads: int
    hardware: dict[str, str]
    bill: EnvironmentBill

    @classmethod
    def of(cls, settings: Settings, root: Path) -> _Machine:
        own = own_profile(settings.profile, root)
        runtimes = list(dict.fromkeys(settings.runtimes or usual_runtimes(own.profile, installed_runtimes())))
        threads = settings.threads or (own.profile.threads if own.profile is not None else 0)
        return cls(own, runtimes, threads, hardware(), environment_bill(agent_version()))

    def package_target(self, settings: Settings) -> DeviceTarget:
        """Properties that select the files of a package on this machine."""
        takes = (*self.runtimes, own_tag(), PIPELINE_RUNTIME)
        return DeviceTarget(self.own.name, takes, self.own.profile, settings.fallback)


@dataclass(frozen=True, slots=True)
class _Arriving:
    """Stores for received bytes of packages and of signed metadata."""

    blobs: BlobStore
    metadata: MetadataStaging
    local: LocalSources


def build(
    settings: Settings,
    state: Path,
    pipelines: Pipelines,
    commandlines: Commandlines,
    ring: LogRing,
    on_event: Callable[[Event], None],
    root: Path,
    faults: DiskFaults,
) -> Service:
    """Build and connect the parts, restore the state of the last run, and connect to the server.

    Raises:
        EdgefleetError: it cannot start; the text gives the remedy.
    """
    clock = SystemClock()
    who = IdentityWatch(state, settings.device, clock.monotonic(), faults)
    identity = who.identity
    first = FirstEnrolment(commandlines.enroll if commandlines.enroll and identity is None and not who.fault else None)
    known_time = TrustedTime(state, identity.issued_at if identity else 0.0, clock.monotonic(), faults)
    machine = _Machine.of(settings, root)
    profile_status = ProfileStatus(machine.own, machine.runtimes)
    counters = BootCounters(state, boot_id(), faults)
    arriving = _Arriving(BlobStore(state, faults), MetadataStaging(), LocalSources())
    inbox: Inbox[LinkEvent] = Inbox()
    presence = _presence(settings, machine, identity, counters.boot)
    uplink = _build_uplink(settings, state, presence, counters, arriving, inbox, faults)
    worker = WorkerProcess(commandlines.worker, clock, inbox.wake)
    stores = Stores(PackageStore(state, arriving.blobs, machine.package_target(settings), faults), SlotStore(state, faults))
    trust = Trust(SignatureChecker(trust_command(settings, state, commandlines), arriving.metadata, faults), known_time)
    device = Device(
        id=settings.device,
        options=_options(settings, state),
        stores=stores,
        sources=PackageSources(
            UsbImports(state, arriving.local, faults), DeltaPatcher(commandlines.patch, state, arriving.metadata, arriving.local)
        ),
        trust=trust,
        processes=_processes(settings, state, commandlines, machine, worker, clock.monotonic(), faults),
        link=ServerLink(uplink, CertificateRenewal([*commandlines.certificate, "--state", str(state)], state, identity)),
        pipelines=PipelineSelection(
            settings.device, stores.packages, stores.slots, pipelines, signed_only=trust.signatures.required
        ),
        disk=faults,
    )
    start_up.start(device, clock.monotonic(), clock.wall())
    device.state.connection_fault = who.fault
    if not who.fault and (settings.broker or identity is not None):
        uplink.connect(build_connection(settings, identity, uplink, inbox, known_time))

    def check_identity(now: float) -> None:
        if who.mended(now) and who.identity is not None:
            device.link.renewal.identity = who.identity
            uplink.connect(build_connection(settings, who.identity, uplink, inbox, known_time))
        first.turn(now)
        device.state.connection_fault = who.fault or first.text

    device.processes.worker.on_log = ring.add_of_worker
    commands = CommandHandler(device, ring, _command_offer(settings, state, commandlines, machine))
    reporter = StatusReporter(device, VitalsProbe(state), counters.boot, settings.telemetry_s, clock.monotonic())
    loop = Loop(device, inbox, commands, reporter, clock, on_event)
    return Service(loop, device, worker, clock, profile_status, check_identity, first)


def _presence(settings: Settings, machine: _Machine, identity: Identity | None, boot: str) -> PresenceMessage:
    return PresenceMessage(
        device=settings.device,
        online=True,
        boot=boot,
        connection=0,
        agent_version=agent_version(),
        profile=machine.own.name,
        runtimes=[*machine.runtimes, *([own_tag()] if LAUNCHER in os.environ else []), PIPELINE_RUNTIME],
        capabilities=device_capabilities(plugins.names("heads"), [*plugins.names("sources"), *plugins.names("sensors")]),
        hardware=machine.hardware,
        labels={**(identity.labels if identity else {}), **settings.labels},
        bill=bill_digest(bill_bytes(machine.bill)),
    )


def _build_uplink(
    settings: Settings,
    state: Path,
    presence: PresenceMessage,
    counters: BootCounters,
    arriving: _Arriving,
    inbox: Inbox[LinkEvent],
    faults: DiskFaults,
) -> Uplink:
    transports = build_transports(settings, state, arriving.local, inbox, faults)
    link, evidence = settings.link, settings.evidence
    staging = arriving.metadata
    uplink = Uplink(state, presence, counters, arriving.blobs, staging, link.resend_s, link.report_s, transports, faults)
    if evidence.upload or evidence.on_request:
        day_bytes = evidence.upload_bytes_per_day
        kinds = frozenset(evidence.upload)
        uplink.uploads = EvidenceUploader(state, state / "evidence", settings.device, kinds, day_bytes, faults)
    return uplink


def _processes(
    settings: Settings,
    state: Path,
    commandlines: Commandlines,
    machine: _Machine,
    worker: WorkerProcess,
    now: float,
    faults: DiskFaults,
) -> Processes:
    name, runtimes, threads = machine.own.name, machine.runtimes, machine.threads
    engines = str(state / "engines")
    selftest = [*commandlines.selftest, *selftest_options(settings, name, runtimes, threads), "--cache", engines]
    limit_s = COMPILE_S_MAX if compiles(machine.own.profile) else TEST_S_MAX
    environment = [*commandlines.environment, "--state", str(state)]
    limit_bytes = settings.memory_limit_mb * 1_000_000
    return Processes(
        worker=WorkerClient(worker, LoadOptions(runtimes, name, threads, not settings.fallback, engines, limit_bytes), faults),
        selftests=SelfTestRunner(selftest, limit_s),
        self_update=SelfUpdate.launched(state, environment, now),
    )


def _options(settings: Settings, state: Path) -> DeviceOptions:
    updates, factories = settings.updates, {slot: Path(folder) for slot, folder in settings.factory.items()}
    window = MaintenanceHours.parse(updates.maintenance_window) if updates.maintenance_window else None
    rules = DeferralRules(updates.max_temperature_c, window, updates.inhibit_file)
    return DeviceOptions(state, rules, updates.models_bytes, factories)


def _command_offer(settings: Settings, state: Path, commandlines: Commandlines, machine: _Machine) -> CommandOffer:
    name = machine.own.name
    facts = {"agent_version": agent_version(), "hardware": machine.hardware, "runtimes": machine.runtimes, "profile": name}
    bench = [*commandlines.bench, *(["--profile", name] if name else [])]
    own = ["--state", str(state)]
    broker = ["--broker", BrokerAddress.parse(settings.broker).url] if settings.broker else []
    checks = {
        "doctor": [*commandlines.doctor, *own, "--json"],
        "network": [*commandlines.diagnose, "network", *own, *broker, "--json"],
        "disk": [*commandlines.diagnose, "disk", *own, "--json"],
        "selftest": [*commandlines.selftest, *selftest_options(settings, name, machine.runtimes, machine.threads)],
    }
    support = [*commandlines.support, *own, *broker]
    live = settings.live_video
    video = VideoOffer(
        live.streams if settings.evidence.on_request else 0, live.bytes_per_hour, lambda: stored_authority(state), live.url
    )
    evidence, on_request = state / "evidence", settings.evidence.on_request
    return CommandOffer(facts, evidence, on_request, bench, machine.bill, video, commandlines.journal, checks, support)
