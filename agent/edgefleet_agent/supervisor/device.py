"""The parts of one supervised device, grouped by what they do. They decide nothing: see `observation` and `updates.plan`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.link.block_fetcher import BlockFetcher
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.model_store.package_store import PackageStore
from edgefleet_agent.model_store.slot_record import SlotRecord
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.supervisor.certificate_renewal import CertificateRenewal
from edgefleet_agent.supervisor.pipeline_selection import PipelineSelection
from edgefleet_agent.supervisor.supervisor_state import SupervisorState
from edgefleet_agent.supervisor.worker.worker_client import WorkerClient
from edgefleet_agent.updates.deferral import DeferralRules
from edgefleet_agent.updates.delta_patcher import DeltaPatcher
from edgefleet_agent.updates.self_update import SelfUpdate
from edgefleet_agent.updates.selftest_runner import SelfTestRunner
from edgefleet_agent.updates.signature_checker import SignatureChecker
from edgefleet_agent.updates.usb_import import UsbImports
from edgefleet_contract.wire.messages import Running


@dataclass(frozen=True, slots=True)
class DeviceOptions:
    """Options from the settings. folder: of the agent's state. models_bytes_max: on disk; 0: no quota.
    factories: slot to the folder that its factory package comes from."""

    folder: Path
    rules: DeferralRules = field(default_factory=DeferralRules)
    models_bytes_max: int = 0
    factories: dict[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stores:
    """Stores on disk: packages with their blobs, and which of them each slot holds."""

    packages: PackageStore
    slots: SlotStore

    def about(self, digest: str) -> Running:
        """Name and version of a package whose descriptor is here.

        Raises:
            ManifestError: it is not here.
        """
        descriptor = self.packages.describe(digest)
        return Running(package=descriptor.name, version=descriptor.version, digest=digest)


@dataclass(frozen=True, slots=True)
class PackageSources:
    """Sources of package bytes besides the connection: a USB stick, and older versions that are here."""

    usb_imports: UsbImports
    patcher: DeltaPatcher


@dataclass(frozen=True, slots=True)
class Trust:
    """Trust of the device: signed metadata, and the time by which its dates are judged."""

    signatures: SignatureChecker
    known_time: TrustedTime

    def turn(self, metadata: BlockFetcher, now: float, wall: float) -> None:
        """One step of the signature checker; signed metadata also gives a lower bound of the time."""
        self.signatures.turn(metadata, now, self.known_time.at(now, wall))
        self.known_time.learn(self.signatures.signed_at, now)
        self.known_time.turn(now)


@dataclass(frozen=True, slots=True)
class Processes:
    """Processes: the worker, self-tests of candidates, and this agent itself (None: without a launcher)."""

    worker: WorkerClient
    selftests: SelfTestRunner
    self_update: SelfUpdate | None = None


@dataclass(frozen=True, slots=True)
class ServerLink:
    """The line to the server, and the certificate that admits this device to it."""

    uplink: Uplink
    renewal: CertificateRenewal


@dataclass(frozen=True, slots=True)
class Device:
    """One device: its parts, and the state that the supervisor keeps of it."""

    id: str
    options: DeviceOptions
    stores: Stores
    sources: PackageSources
    trust: Trust
    processes: Processes
    link: ServerLink
    pipelines: PipelineSelection
    disk: DiskFaults = field(default_factory=DiskFaults)
    state: SupervisorState = field(default_factory=SupervisorState)

    def change(self, slot: str, record: SlotRecord) -> None:
        """Replace the record of a slot, by one atomic rename; what it no longer retains may be collected.

        Raises:
            StoreError: the disk cannot keep it; the old record stands.
        """
        self.stores.slots.write(slot, record)
        self.state.litter = True
